"""Training the tagger: annotated papers in, a spaCy pipeline in a folder out."""

from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np
import spacy
from spacy.language import Language
from spacy.strings import hash_string  # type: ignore[attr-defined]

from ..errors import ModelError, OutputError
from ..extract import tokenizer as _tokenizer  # noqa: F401  (registers the tokenizer)
from ..extract.annotate import annotate
from ..extract.load import PACKAGED, load
from ..extract.network import Floats
from ..extract.relation_model import add_relation_model
from ..extract.settle import FEATURES, TokenText, everywhere, fit_weights, span_features
from ..extract.settle import Floats as Weights
from ..extract.tagger import Tagger, Words
from ..resolve.resolve import resolve
from .data import GoldPaper, as_papers, clean_paper, read_gold, unlabelled_paper
from .evaluate import Evaluation, score
from .examples import make_example, token_spans
from .fit import WITH_TEACHER, TrainingConfig, fit_network
from .relations import train_relations

FEWEST_PAPERS = 10
HOLD_OUT = 10  # every tenth paper that people annotated fits the scores, not the network


def train(
    gold: Sequence[Path],
    *,
    dev: Path,
    output: Path,
    vectors: Path | None = None,
    config: TrainingConfig | None = None,
) -> Evaluation:
    """Train an extraction pipeline and write it to a folder.

    Parameters
    ----------
    gold : sequence of Path
        Files of annotated papers, made by people or by a teacher (`kg.train.teacher`).
    dev : Path
        Annotated papers to judge the outcome by; nothing is learnt from them.
    output : Path
        The folder that `kg.load` will read.
    vectors : Path, optional
        Word vectors to start from, as `kg.train.vectors` writes them; those of the packaged
        pipeline if left out.
    config : TrainingConfig, optional
        How to train; if left out, `WITH_TEACHER` where machines annotated some of the papers,
        else the defaults. One config and the same files give the same weights.

    Returns
    -------
    Evaluation
        The figures of the trained pipeline on `dev`.

    Raises
    ------
    InputError
        If a file is no file of annotated papers.
    ModelError
        If they are too few to learn from.
    OutputError
        If `output` is a file.
    """
    if output.exists() and not output.is_dir():
        raise OutputError(f"{output}: a file is there; name a folder for the model")
    papers = [paper for path in gold for paper in read_gold(path)]
    if len(papers) < FEWEST_PAPERS or not any(paper.mentions for paper in papers):
        raise ModelError(
            f"{len(papers)} annotated papers teach too little: give {FEWEST_PAPERS} or more, "
            "with mentions"
        )
    judged = read_gold(dev)
    by_people = [paper for paper in papers if paper.tags is None]
    by_machine = [paper for paper in papers if paper.tags is not None]
    config = config or (WITH_TEACHER if by_machine else TrainingConfig())
    words, table = read_vectors(vectors)
    nlp = make_pipeline(words, table.shape[1], config)
    held = by_people[::HOLD_OUT]
    del by_people[::HOLD_OUT]
    examples = [make_example(paper, nlp, words) for paper in by_people]
    examples *= config.gold_repeats
    examples += [make_example(paper, nlp, words) for paper in by_machine]
    tagger = _tagger(nlp)
    tagger.model = fit_network(examples, table, config)
    tagger.weights = fit_settling(tagger, nlp, held)
    people = [paper for paper in papers if paper.tags is None]
    if any(paper.relations for paper in people):
        unlabelled = map(unlabelled_paper, by_machine)
        add_relation_model(nlp, train_relations(people, nlp, unlabelled=unlabelled))
    nlp.to_disk(output, exclude=["vocab"])
    return score(judged, resolve(list(annotate(load(output), as_papers(judged)))))


def fit_settling(tagger: Tagger, nlp: Language, papers: Sequence[GoldPaper]) -> Weights:
    """Return the weights of `kg.extract.settle`, fitted on papers the network has not seen."""
    features, right = [np.zeros((0, FEATURES))], [np.zeros(0, dtype=bool)]
    for paper in map(clean_paper, papers):
        doc = nlp.make_doc(paper.text)
        truth = set(token_spans(paper, doc))
        text = TokenText.of(doc)
        spans = everywhere(text, tagger.possible(doc, text))
        features.append(span_features(text, spans))
        right.append(np.array([span[:3] in truth for span in spans], dtype=bool))
    return fit_weights(np.vstack(features), np.concatenate(right))


def make_pipeline(words: Words, word_width: int, config: TrainingConfig) -> Language:
    """Return an untrained pipeline for a word table."""
    tokenizer = {"@tokenizers": "kg.Tokenizer.v1"}
    nlp = spacy.blank("en", config={"nlp": {"tokenizer": tokenizer}})
    model = {
        "@architectures": "kg.Tagger.v1",
        "words": len(words),
        "word_width": word_width,
        "width": config.width,
        "dilations": list(config.dilations),
        "dropout": config.dropout,
    }
    nlp.add_pipe("kg_tagger", name="ner", config={"model": model})
    _tagger(nlp).words = words
    return nlp


def read_vectors(path: Path | None) -> tuple[Words, Floats]:
    """Return the hashes of a word table's words, sorted, and their vectors in that order."""
    if path is None:
        tagger = _tagger(load(PACKAGED))
        return tagger.words, np.asarray(tagger.model.layers[0].get_param("E")[1:])
    with np.load(path, allow_pickle=False) as arrays:
        hashes = np.array([hash_string(str(word)) for word in arrays["words"]], dtype=np.uint64)
        order = np.argsort(hashes)
        vectors = arrays["vectors"][order].astype(np.float32)
    return hashes[order], vectors / np.sqrt((vectors**2).mean())


def _tagger(nlp: Language) -> Tagger:
    return cast(Tagger, nlp.get_pipe("ner"))
