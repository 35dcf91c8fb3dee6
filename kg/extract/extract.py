"""Papers -> annotated papers over one or several processes, in order."""

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..read.found import Reading
from ..records import AnnotatedPaper, Paper

if TYPE_CHECKING:
    from spacy.language import Language

SMALLEST_BATCH, LARGEST_BATCH = 16, 256  # a worker's vocabulary is made anew for each batch
WORTH_A_PROCESS = 200
Progress = Callable[[int, int], None]


def extract(
    papers: Sequence[Paper],
    *,
    jobs: int | None = None,
    min_confidence: float = 0.0,
    relations: bool = True,
    model: Path | None = None,
    progress: Progress | None = None,
) -> list[AnnotatedPaper]:
    """Find what every paper mentions and says of it.

    Parameters
    ----------
    papers
        The papers to read.
    jobs
        How many processes share the work, by default as many as there are processors where the
        pile is worth starting them for. The result does not depend on it.
    min_confidence
        Leave out the mentions and relations with a lower score.
    relations
        Whether to look for relations between concepts, a third of the work.
    model
        The folder of a trained model instead of the packaged one.
    progress
        Called with the number of papers done and of all papers as the work goes on.

    Returns
    -------
    list of AnnotatedPaper
        In the order of the papers. Concepts are named within each paper; `kg.resolve` names them
        for the whole.

    Raises
    ------
    ModelError
        If the model cannot be loaded.
    """
    if jobs is None:
        jobs = min(os.cpu_count() or 1, 1 + len(papers) // WORTH_A_PROCESS)
    done: list[AnnotatedPaper] = []
    if not papers:
        return done
    for batch in _annotated(_batches(papers, jobs), jobs, (model, min_confidence, relations)):
        done += batch
        if progress is not None:
            progress(len(done), len(papers))
    return done


def extract_reading(reading: Reading, **options: Any) -> list[AnnotatedPaper]:
    """Find what every paper of a reading says, but keep the annotations that papers came with.

    Parameters
    ----------
    reading
        What `kg.read.reading.read_inputs` gives.
    **options
        As for `extract`.
    """
    fresh = [paper for paper in reading.papers if paper.id not in reading.annotated]
    found = [*extract(fresh, **options), *reading.annotated.values()]
    return sorted(found, key=lambda annotated: annotated.id)


_Settings = tuple[Path | None, float, bool]


def _batches(papers: Sequence[Paper], jobs: int) -> list[Sequence[Paper]]:
    """Cut the papers into shares, several for each job, so that all end at about one time."""
    size = min(max(len(papers) // (8 * jobs), SMALLEST_BATCH), LARGEST_BATCH)
    return [papers[start : start + size] for start in range(0, len(papers), size)]


def _annotated(
    batches: Sequence[Sequence[Paper]], jobs: int, settings: _Settings
) -> Iterator[list[AnnotatedPaper]]:
    _pipeline(settings[0])  # a model that cannot be loaded is told here, once
    if jobs < 2 or len(batches) < 2:
        yield from (_annotate(batch, settings) for batch in batches)
        return
    # A forked process would inherit the threads of numerical libraries in an unknown state.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        waiting = iter(batches)
        futures = [pool.submit(_annotate, batch, settings) for batch in islice(waiting, 2 * jobs)]
        while futures:
            yield futures.pop(0).result()
            futures += [pool.submit(_annotate, batch, settings) for batch in islice(waiting, 1)]


def _annotate(papers: Sequence[Paper], settings: _Settings) -> list[AnnotatedPaper]:
    from .annotate import annotate

    model, min_confidence, relations = settings
    nlp = _pipeline(model)
    with nlp.memory_zone():
        return list(annotate(nlp, papers, min_confidence=min_confidence, relations=relations))


@cache
def _pipeline(model: Path | None) -> "Language":
    from .load import load

    return load(model)
