"""Which of many things is which, when each can be only one: the cheapest assignment."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Costs = NDArray[np.float64]
Columns = NDArray[np.int64]

FORBIDDEN = 1e6  # a cost that is paid only where there is no other way


def assigned(costs: Costs) -> Columns:
    """The column of each row in the cheapest assignment that gives every row a column of its own.

    Found by shortest augmenting paths, row after row.

    Args:
        costs: (rows, columns), no more rows than columns, all finite.
    """
    rows, columns = costs.shape
    if rows > columns:
        raise ValueError(f"expected no more rows than columns, got {rows} and {columns}")
    row_prices, column_prices = np.zeros(rows), np.zeros(columns)
    row_of = np.full(columns, -1)
    for row in range(rows):
        _place(row, costs, row_prices, column_prices, row_of)
    taken = np.flatnonzero(row_of >= 0)
    column_of = np.empty(rows, np.int64)
    column_of[row_of[taken]] = taken
    return column_of


def total(costs: Costs, column_of: Columns) -> float:
    """What all rows pay together."""
    return float(costs[np.arange(len(costs)), column_of].sum())


def _place(row: int, costs: Costs, row_prices: Costs, column_prices: Costs, row_of: Columns) -> None:
    """Give a row a column along the cheapest path on which others change theirs."""
    reach = np.full(costs.shape[1], np.inf)
    came_from = np.full(costs.shape[1], -1)
    done = np.zeros(costs.shape[1], bool)
    at, spent, column = row, 0.0, -1
    while at >= 0:
        dearness = spent + costs[at] - row_prices[at] - column_prices
        nearer = ~done & (dearness < reach)
        reach[nearer], came_from[nearer] = dearness[nearer], column
        column = int(np.where(done, np.inf, reach).argmin())
        spent, at = float(reach[column]), int(row_of[column])
        done[column] = True
    saved = np.where(done, spent - reach, 0.0)
    taken = done & (row_of >= 0)
    row_prices[row_of[taken]] += saved[taken]
    row_prices[row] += spent
    column_prices -= saved
    while column >= 0:
        before = int(came_from[column])
        row_of[column] = row if before < 0 else row_of[before]
        column = before
