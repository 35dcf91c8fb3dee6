"""Papers -> annotated papers over one or several processes."""

import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from ..errors import WorkerError
from ..read.found import Reading
from ..records import AnnotatedPaper, Paper
from .annotate import paper_label

if TYPE_CHECKING:
    from spacy.language import Language

SMALLEST_BATCH, LARGEST_BATCH = 16, 256  # a worker's vocabulary is made anew for each batch
WORTH_A_PROCESS = 200
Progress = Callable[[int, int], None]
Keep = Callable[[Sequence[AnnotatedPaper]], None]


def extract(
    papers: Sequence[Paper],
    *,
    jobs: int | None = None,
    min_confidence: float = 0.0,
    relations: bool = True,
    model: Path | None = None,
    keep: Keep | None = None,
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
        Leave out the mentions and relations with a lower score, as `confident` does.
    relations
        Whether to look for relations between concepts, a third of the work.
    model
        The folder of a trained model instead of the packaged one.
    keep
        Called with each batch of papers as soon as it is done, in any order, all that was found
        included, whatever its score.
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
    WorkerError
        If a process that shares the work is killed.
    """
    if jobs is None:
        jobs = min(os.cpu_count() or 1, 1 + len(papers) // WORTH_A_PROCESS)
    if not papers:
        return []
    batches = _batches(papers, jobs)
    done: dict[int, list[AnnotatedPaper]] = {}
    count = 0
    for place, batch in _annotated(batches, jobs, (model, relations)):
        if keep is not None:
            keep(batch)
        done[place] = [confident(annotated, min_confidence) for annotated in batch]
        count += len(batch)
        if progress is not None:
            progress(count, len(papers))
    return [annotated for place in range(len(batches)) for annotated in done.pop(place)]


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


def confident(annotated: AnnotatedPaper, min_confidence: float) -> AnnotatedPaper:
    """Return the paper without what is less sure: mentions, relations, and what speaks of them.

    What stays is as it was, but for the paper's label, which may have been a name that goes.

    Examples
    --------
    >>> from kg.records import Mention
    >>> mention = Mention(0, 1, "X", "Method", "X", 0.7, "abstract", (0, 7))
    >>> paper = AnnotatedPaper(Paper("p1", abstract="X wins."), "X", (mention,), (), ("X",))
    >>> confident(paper, 0.8)  # doctest: +ELLIPSIS
    AnnotatedPaper(paper=..., label='X wins.', mentions=(), relations=(), proposes=())
    """
    if not min_confidence:
        return annotated
    mentions = tuple(one for one in annotated.mentions if one.score >= min_confidence)
    named = {mention.concept for mention in mentions}
    proposes = tuple(name for name in annotated.proposes if name in named)
    return replace(
        annotated,
        label=paper_label(annotated.paper, mentions, proposes),
        mentions=mentions,
        relations=tuple(
            one
            for one in annotated.relations
            if one.score >= min_confidence and {one.head, one.tail} <= named
        ),
        proposes=proposes,
    )


_Settings = tuple[Path | None, bool]
_Batch = list[AnnotatedPaper]


def _batches(papers: Sequence[Paper], jobs: int) -> list[Sequence[Paper]]:
    """Cut the papers into shares of what is left, ever smaller, so that all jobs end at one time.

    That is guided self-scheduling (Polychronopoulos and Kuck 1987).
    """
    batches = []
    start = 0
    while start < len(papers):
        share = (len(papers) - start) // (4 * jobs)
        size = min(max(share, SMALLEST_BATCH), LARGEST_BATCH)
        batches.append(papers[start : start + size])
        start += size
    return batches


def _annotated(
    batches: Sequence[Sequence[Paper]], jobs: int, settings: _Settings
) -> Iterator[tuple[int, _Batch]]:
    """Yield each batch, with its place among all, as soon as it is done."""
    if jobs < 2 or len(batches) < 2:
        yield from ((place, _annotate(batch, settings)) for place, batch in enumerate(batches))
        return
    # A forked process would inherit the threads of numerical libraries in an unknown state.
    pool = ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_end_with_parent)
    futures: dict[Future[_Batch], int] = {}
    waiting = iter(enumerate(batches))

    def submit(count: int) -> None:
        with _without_main():
            for place, batch in islice(waiting, count):
                futures[pool.submit(_annotate, batch, settings)] = place

    try:
        submit(2 * jobs)  # so that no process waits for its next batch
        while futures:
            ended = wait(futures, return_when=FIRST_COMPLETED).done
            done = {future: futures.pop(future) for future in ended}
            yield from _finished(done)
            for future in done:
                future.result()  # what has failed is told here, when the others are safe
            submit(len(done))
    except BrokenProcessPool as error:
        yield from _finished(futures)
        raise WorkerError(
            "extraction: a process that shared the work was killed, perhaps for want of memory; "
            "run again, with fewer --jobs"
        ) from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # they end while their work is gone through


@contextmanager
def _without_main() -> Iterator[None]:
    """Keep new processes from running the script that starts them, which they need nothing of.

    A script that did not expect it would start processes of its own there.
    """
    main = vars(sys.modules["__main__"])
    known = {name: value for name, value in main.items() if name in ("__file__", "__spec__")}
    main.pop("__file__", None)
    main["__spec__"] = None
    try:
        yield
    finally:
        main.update(known)


def _finished(futures: Mapping[Future[_Batch], int]) -> Iterator[tuple[int, _Batch]]:
    return ((place, one.result()) for one, place in futures.items() if not one.exception())


def _end_with_parent() -> None:
    """End this process when the one that started it has been killed; leave Ctrl-C to that one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()

    def watch() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    Thread(target=watch, daemon=True).start()


def _annotate(papers: Sequence[Paper], settings: _Settings) -> _Batch:
    from .annotate import annotate

    model, relations = settings
    nlp = _pipeline(model)
    with nlp.memory_zone():
        return list(annotate(nlp, papers, relations=relations))


@cache
def _pipeline(model: Path | None) -> "Language":
    from .load import load
    from .network import READ

    nlp = load(model)
    # Of each new word spaCy would also work out whether it is a stop word, a link, a currency, …
    vocab: Any = nlp.vocab
    vocab.lex_attr_getters = {name: vocab.lex_attr_getters[name] for name in READ}
    return nlp
