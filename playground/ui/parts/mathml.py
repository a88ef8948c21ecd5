"""The project's formulas as MathML, which browsers render natively."""

from functools import lru_cache

from latex2mathml.converter import convert


@lru_cache(maxsize=1024)
def mathml(formula: str, *, display: bool = False) -> str:
    """LaTeX as MathML; with `display`, sums and fractions have their full height."""
    return convert(formula, display="block" if display else "inline")
