import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.extract.sentences import sentence_at, split_sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["We do A.", "It wins!", "Does it?", "Yes."],
        ["As Alpha et al. show in Fig. 2, it is so (cf. Eq. 3).", "We agree."],
        ["It runs, e.g. on X, i.e. fast.", "It is i.i.d. and w.r.t. Y fine."],
        ["J. Doe wrote it.", '"It works."', "Code at https://x.org/a.b is open."],
        ["no full stop at the end"],
        ["Accuracy is 91.3 on v2.0 of it.", "3D nets follow."],
    ],
)
def test_split_sentences_known(sentences: list[str]) -> None:
    text = " ".join(sentences)
    assert [text[start:end] for start, end in split_sentences(text)] == sentences


@given(st.text(alphabet="aB .?!)\"'"))
def test_sentences_cover_all_but_blanks(text: str) -> None:
    text = text.strip()
    spans = split_sentences(text)
    assert all(start < end for start, end in spans)
    assert "".join(text[start:end] for start, end in spans).replace(" ", "") == text.replace(
        " ", ""
    )
    for place, char in enumerate(text):
        if char != " ":
            start, end = sentence_at(spans, place)
            assert start <= place < end
