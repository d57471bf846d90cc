"""Least squares, in the few lines that the arena needs."""

from collections.abc import Sequence
from math import sqrt


def least_squares(
    rows: Sequence[Sequence[float]], values: Sequence[float], means: int = 0
) -> list[tuple[float, float]]:
    """For each column of the rows its coefficient and the standard error of the coefficient.

    `means` is the number of means that have already been subtracted from the values.

    >>> [(round(coefficient, 2), round(error, 2)) for coefficient, error in least_squares([[1], [2], [3]], [2, 4, 7])]
    [(2.21, 0.11)]
    """
    columns = list(zip(*rows, strict=True))
    covariance = inverse([[float(_dot(a, b)) for b in columns] for a in columns])
    products = [_dot(column, values) for column in columns]
    coefficients = [_dot(row, products) for row in covariance]
    residuals = [value - _dot(row, coefficients) for row, value in zip(rows, values, strict=True)]
    variance = _dot(residuals, residuals) / max(1, len(values) - len(columns) - means)
    return [(each, sqrt(variance * covariance[i][i])) for i, each in enumerate(coefficients)]


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    return sum([x * y for x, y in zip(a, b, strict=True)])


def inverse(matrix: list[list[float]]) -> list[list[float]]:
    """The inverse of a matrix, by elimination."""
    n = len(matrix)
    rows = [[*row, *[float(i == j) for j in range(n)]] for i, row in enumerate(matrix)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda row: abs(rows[row][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(n):
            if j != i and rows[j][i]:
                rows[j] = [value - rows[j][i] * own for value, own in zip(rows[j], rows[i], strict=True)]
    return [row[n:] for row in rows]
