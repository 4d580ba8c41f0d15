"""The cheapest assignment, held against trying every one."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.learn.assignment import assigned, total

sizes = st.tuples(st.integers(1, 4), st.integers(0, 2), st.integers(0, 10**6))


@given(sizes)
def test_no_other_assignment_is_cheaper(size: tuple[int, int, int]) -> None:
    rows, more, seed = size
    costs = np.random.default_rng(seed).integers(-9, 10, (rows, rows + more)).astype(float)
    found = assigned(costs)
    assert len(set(found.tolist())) == rows
    every = permutations(range(rows + more), rows)
    assert total(costs, found) == min(sum(costs[row, column] for row, column in enumerate(one)) for one in every)


def test_more_rows_than_columns_are_refused() -> None:
    with pytest.raises(ValueError, match="no more rows than columns"):
        assigned(np.zeros((2, 1)))
