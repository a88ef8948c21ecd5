"""Numbers as one says them."""


def counted(number: float, noun: str) -> str:
    """A number with its noun, as one says it: 1 place, 2 places."""
    return f"{number:g} {noun}" + ("" if number == 1 else "s")


def share(part: float | None) -> str:
    """A share of one in percent, never rounded to all or to nothing where it is neither."""
    part = part or 0.0
    for digits in range(1, 6):
        text = f"{part:.{digits}%}"
        if 0 < float(text[:-1]) < 100 or part in (0.0, 1.0):
            return text
    return "almost 100%" if part > 0.5 else "almost 0%"


def duration(seconds: float) -> str:
    """In words, rounded as one would say it."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {unit}s"
    return f"{max(1, seconds):.0f} s"
