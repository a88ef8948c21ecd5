"""A model on the Hub as HTML. All content is untrusted, so it is escaped."""

import time
from datetime import UTC, datetime
from hashlib import sha256
from html import escape

from playground.common.numbers import interval, percent
from playground.hub.pull import Commit, Listing
from playground.settings.config import RunConfig, parameter_counts
from playground.ui.session import setting_words

SHORT = 7
"""Characters of a shortened commit hash."""


def card(listing: Listing, *, whole: bool = False) -> str:
    """Card of a model; `whole` adds its commit and files. A model that can't be used shows the reason."""
    owner, _, name = listing.repo_id.rpartition("/")
    head = f'<span class="owner">{escape(owner)}/</span><b>{escape(name)}</b>'
    parts = [f'<div class="name">{head}{_badges(listing)}</div>']
    if listing.summary is not None and not listing.problem:
        parts.append(_kind(listing.summary.config))
        parts.append(_figures(listing))
    else:
        problem = escape(listing.problem or "Unknown content.")
        parts.append(f'<div class="problem"><b>Not usable here.</b> {problem}</div>')
    if whole:
        parts.append(_where(listing))
    return f'<div class="model{" whole" if whole else ""}">{"".join(parts)}</div>'


def waiting_card() -> str:
    """Placeholder for a card that is loading."""
    return '<div class="model waiting" aria-hidden="true"><i></i><i></i><i></i></div>'


def commit_line(commit: Commit) -> str:
    """A commit as one line of plain text: 1a2b3c4 · Step 300 · alice · 2 days ago."""
    return " · ".join(filter(None, (commit.id[:SHORT], commit.title, ", ".join(commit.authors), ago(commit.date))))


def ago(when: float | None) -> str:
    """Relative time of seconds since the epoch, such as "2 days ago"; empty if unknown."""
    if when is None:
        return ""
    seconds = time.time() - when
    if seconds > 30 * 86400:
        return datetime.fromtimestamp(when, UTC).strftime("%Y-%m-%d")
    for length, unit in ((86400, "days"), (3600, "h"), (60, "min"), (1, "s")):
        if seconds >= max(length, 5):
            count = int(seconds / length)
            return f"{count} {'day' if count == 1 and unit == 'days' else unit} ago"
    return "just now"


def size(count: int) -> str:
    """361234 -> "361 kB"."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if count >= scale:
            number = count / scale
            return f"{number:,.0f} {unit}" if number >= 100 else f"{number:,.1f} {unit}"
    return f"{count:,} B"


def mark(*words: str | None) -> str:
    """Suffix of widget keys for one model. A hash, because Streamlit keeps keys and names can be private."""
    return sha256("\0".join(word or "" for word in words).encode()).hexdigest()[:16]


def _badges(listing: Listing) -> str:
    words = [word for word, is_so in (("private", listing.private), ("gated", listing.gated)) if is_so]
    return "".join(f'<span class="badge">{word}</span>' for word in words)


def _kind(config: RunConfig) -> str:
    pieces = "".join(f"<span>{escape(word)}</span>" for word in (config.task.name, *setting_words.architecture(config)))
    return f'<div class="kind">{pieces}</div><div class="small soft">{escape(setting_words.lengths(config))}</div>'


def _figures(listing: Listing) -> str:
    assert listing.summary is not None
    measured, exact = listing.summary.measured, "not measured"
    if measured:
        exact = f"{percent(measured['exact_match'])} ({interval(measured['exact_match'], measured['sequences'])})"
    figures = [
        ("exact match (95 % interval)", exact),
        ("parameters", f"{sum(parameter_counts(listing.summary.config).values()):,}"),
        ("to download", size(listing.bytes)),
        ("changed", ago(listing.modified) or "not known"),
        ("likes", f"{listing.likes:,}"),
        ("downloads", f"{listing.downloads:,}"),
    ]
    cells = "".join(f"<div><dt>{name}</dt><dd>{escape(value)}</dd></div>" for name, value in figures)
    return f"<dl>{cells}</dl>"


def _where(listing: Listing) -> str:
    version = f"commit <code>{escape(listing.commit[:SHORT])}</code>"
    if listing.revision and not listing.commit.startswith(listing.revision):
        version += f" of <code>{escape(listing.revision)}</code>"
    rows = "".join(f"<tr><td>{escape(name)}</td><td>{size(count)}</td></tr>" for name, count in _first(listing.files))
    more = len(listing.files) - len(_first(listing.files))
    rest = f'<tr><td colspan="2">and {more:,} more</td></tr>' if more > 0 else ""
    return (
        f'<div class="small where">At {version}</div>'
        f'<details class="small"><summary>{len(listing.files):,} files</summary><table>{rows}{rest}</table></details>'
    )


def _first(files: dict[str, int]) -> list[tuple[str, int]]:
    return sorted(files.items())[:20]
