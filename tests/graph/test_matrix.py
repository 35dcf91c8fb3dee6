from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from kg.graph.matrix import Matrix, matrix_of

ROWS = st.lists(
    st.dictionaries(
        st.text("abc", max_size=2), st.tuples(st.sampled_from([0.5, 1.0, 2.0]), st.integers(0, 9))
    ),
    max_size=6,
)


def rows_of(matrix: Matrix) -> list[dict[str, tuple[float, int]]]:
    entries = zip(matrix.columns, matrix.factors.tolist(), matrix.mentions.tolist(), strict=True)
    known = [(matrix.labels[column], (factor, mention)) for column, factor, mention in entries]
    ends = matrix.starts.tolist()
    return [dict(known[start:end]) for start, end in pairwise(ends)]


@given(ROWS)
def test_a_matrix_holds_its_rows_in_order(rows: list[dict[str, tuple[float, int]]]) -> None:
    matrix = matrix_of(rows)
    assert rows_of(matrix) == rows
    assert matrix.labels == sorted({label for row in rows for label in row})
    for start, end in pairwise(matrix.starts):
        assert (matrix.columns[start:end][:-1] < matrix.columns[start:end][1:]).all()


@given(ROWS)
def test_another_first_row_keeps_the_others(rows: list[dict[str, tuple[float, int]]]) -> None:
    wanted = {"a": (1.0, 3), "no label": (1.0, 4)}
    known = {"a": (1.0, 3)} if any("a" in row for row in rows) else {}
    assert rows_of(matrix_of(rows).with_first(wanted)) == [known, *rows]
