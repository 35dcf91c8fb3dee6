import pytest

from kg.read.language import is_english

OTHERS = {
    "de": "Wir stellen ein Verfahren vor, das Graphen vergleicht. Die Ergebnisse auf drei "
    "Datensätzen zeigen, dass unser Verfahren in allen Fällen besser ist als die bisherigen.",
    "nl": "In dit artikel stellen we een methode voor om grafen te vergelijken. De resultaten op "
    "drie datasets laten zien dat onze methode beter is dan de bestaande methoden over is.",
    "fr": "Nous présentons une méthode pour comparer des graphes qui est plus rapide que les "
    "approches existantes. Les résultats sur trois jeux de données montrent que notre méthode.",
    "es": "En este trabajo presentamos un método para comparar grafos que es más rápido que los "
    "enfoques existentes. Los resultados en tres conjuntos de datos muestran que nuestro método.",
    "ru": "Мы представляем новый метод сравнения графов, который работает быстрее существующих.",
    "zh": "我们提出了一种新的图比较方法，它比现有方法更快。三个数"
    "据集上的结果表明，该方法在所有情况下都更好。",
}


@pytest.mark.parametrize("language", OTHERS)
def test_other_languages_are_told(language: str) -> None:
    assert not is_english(OTHERS[language])


@pytest.mark.parametrize(
    "text",
    [
        "Graph nets.",
        "",
        "0.1 0.2 0.3 " * 50,
        "我们.",
        "We compare graphs, and show that our method is better than those before it: β-VAE, naïve "
        "nets and Erdős–Rényi models. It can be trained with few data, which were hard to get.",
    ],
)
def test_english_and_what_is_too_short_to_tell(text: str) -> None:
    assert is_english(text)
