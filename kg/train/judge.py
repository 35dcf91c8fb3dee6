"""Judge a model by gold annotations, over the very path that a build takes."""

from pathlib import Path

from ..extract.extract import extract
from ..extract.load import load
from ..resolve.resolve import resolve
from .data import as_papers, clean_paper, read_gold
from .evaluate import Evaluation, score
from .relations import annotate_gold


def evaluate(
    gold: Path, *, model: Path | None = None, gold_mentions: bool = False, jobs: int | None = None
) -> Evaluation:
    """Return the figures of what is extracted from the gold's texts.

    Parameters
    ----------
    gold
        Annotated papers in JSON Lines (`kg.train.data`).
    model
        The folder of a trained model instead of the packaged one.
    gold_mentions
        Whether to find relations between the gold's own mentions instead of those extracted.
    jobs
        As for `kg.extract.extract.extract`.

    Raises
    ------
    InputError
        If the file is no file of annotated papers.
    ModelError
        If the model cannot be loaded.
    """
    papers = read_gold(gold)
    if gold_mentions:
        papers = [clean_paper(paper) for paper in papers]
        return score(papers, annotate_gold(papers, load(model)))
    return score(papers, resolve(extract(tuple(as_papers(papers)), model=model, jobs=jobs)))
