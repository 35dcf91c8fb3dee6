"""What several networks hold of the relations in unlabelled papers, for one more to learn from.

The mean of networks knows more than each of them, and much of it can be taught to one (Hinton et
al. 2015, "Distilling the Knowledge in a Neural Network"). The mentions are those that the pipeline
finds, with its mistakes, as they will be when the network is used.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from spacy.language import Language

from ..extract.annotate import annotate
from ..extract.relation_features import pair_rows
from ..extract.relation_layout import lay_out
from ..extract.relation_network import Network
from ..extract.relation_pairs import ALLOWED, pair_up
from ..extract.relations import RelationModel, concept_roles
from ..extract.sentences import split_sentences
from ..records import Paper
from .relation_fit import Example, compact

MOST_MENTIONS = 60  # of an abstract; of more the pairs are too many


def voted(
    papers: Iterable[Paper],
    nlp: Language,
    model: RelationModel,
    networks: Sequence[Network],
) -> Iterator[Example]:
    """Yield the pairs of each paper's concepts with the mean of what `networks` say of them.

    Parameters
    ----------
    papers : iterable of Paper
        Unlabelled papers; of each the abstract is read.
    nlp : Language
        The pipeline that finds the mentions.
    model : RelationModel
        Says which concepts a paper proposes.
    networks : sequence of Network
        Networks for pairs, all with tables of one size.
    """
    table = len(networks[0].weights["table"])
    for annotated in annotate(nlp, papers, relations=False):
        mentions = [mention for mention in annotated.mentions if mention.field == "abstract"]
        if not 2 <= len(mentions) <= MOST_MENTIONS:
            continue
        text = annotated.paper.text("abstract")
        layout = lay_out(text, mentions, split_sentences(text), model.vectors)
        if not len(pairs := pair_up(layout)):
            continue
        rows = pair_rows(layout, pairs, concept_roles(layout, model), table=table)
        asked = ALLOWED[pairs.kind]
        votes = np.mean([network(rows) for network in networks], axis=0)
        yield Example(compact(rows), (votes * asked).astype(np.float32), asked)
