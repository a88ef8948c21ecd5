"""A checkpoint as one file: what was packed comes back, and of what is foreign no more is unpacked than may be."""

import io
import stat
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.common.errors import CheckpointError
from playground.storage.archive import as_zip, from_zip
from playground.storage.checkpoint import CARD, CONFIG, HISTORY, WEIGHTS, save
from tests.saved import CHANGES, RECORDS, refusal, tiny

FILES = {CONFIG: b"{}", WEIGHTS: b"12345678", HISTORY: b"", CARD: b"# A card"}


@pytest.fixture(scope="module")
def packed(tmp_path_factory) -> tuple[Path, bytes]:
    """A checkpoint's folder, and its zip file."""
    folder = tmp_path_factory.mktemp("library") / "mine"
    save(folder, tiny(), RECORDS, CHANGES)
    return folder, as_zip(folder)


def zipped(*files: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, content in files:
            archive.writestr(name, content)
    return buffer.getvalue()


def with_more(*more: tuple[str | zipfile.ZipInfo, bytes], folder: str = "") -> bytes:
    return zipped(*((folder + name, content) for name, content in FILES.items()), *more)


def marked(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = mode << 16
    return info


def test_a_zip_round_trips(packed):
    folder, content = packed
    assert from_zip(content) == {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("folder", ["", "mine/"])
def test_a_zip_packed_by_a_desktop_is_accepted(folder):
    more = [(folder + ".DS_Store", b"x"), (f"__MACOSX/{folder}._config.json", b"x")]
    if folder:
        more.append((folder, b""))
    assert from_zip(with_more(*more, folder=folder)) == FILES
    assert from_zip(zipped(*FILES.items(), method=zipfile.ZIP_STORED)) == FILES


def encrypted() -> bytes:
    content = bytearray(with_more())
    for start in (content.index(b"PK\3\4") + 6, content.index(b"PK\1\2") + 8):
        content[start] |= 1
    return bytes(content)


def lying(size: int) -> bytes:
    """The weights unpack to 1,000 bytes, and the list of files says so many."""
    content = bytearray(zipped((CONFIG, b"{}"), (WEIGHTS, bytes(1000))))
    at = content.rindex(b"PK\1\2")
    content[at + 24 : at + 28] = size.to_bytes(4, "little")
    return bytes(content)


REFUSED = {
    "nothing": (b"", "made by Download"),
    "text": (b"PK is how it begins, and no more", "made by Download"),
    "something behind it": (with_more() + b"x", "made by Download"),
    "another file": (with_more(("notes.txt", b"x")), "contains notes.txt"),
    "a script in a name": (with_more(("<script>\n.py", b"x")), "contains <script>"),
    "a path": (with_more(("../config.json", b"x")), "contains ../config.json"),
    "an absolute path": (with_more(("/config.json", b"x")), "contains /config.json"),
    "a deeper path": (with_more(("a/b/config.json", b"x")), "contains a/b/config.json"),
    "two folders": (with_more(("a/config.json", b"x")), "more than one folder"),
    "many files": (with_more(*((f"{n}/config.json" * 10, b"") for n in range(200))), "more than the 4 files"),
    "a bomb": (
        zipped((CONFIG, bytes(5_000_000)), (WEIGHTS, b"")),
        "config.json is larger than the limit of 4,064,000 bytes",
    ),
    "a link": (zipped((marked(CONFIG, stat.S_IFLNK | 0o777), b"/etc/passwd"), (WEIGHTS, b"")), "not a regular file"),
    "encrypted": (encrypted(), "encrypted"),
    "unusual packing": (zipped(*FILES.items(), method=zipfile.ZIP_LZMA), "deflate"),
    "a size too small": (lying(10), "damaged"),
    "a size too large": (lying(2000), "the size in its header"),
    "no weights": (zipped((CONFIG, b"{}")), "model.safetensors is missing"),
}


@pytest.mark.parametrize(("content", "why"), REFUSED.values(), ids=REFUSED)
def test_a_zip_that_is_not_a_checkpoint_is_refused(content, why):
    refusal(lambda: from_zip(content), why)


def test_a_duplicate_name_is_refused():
    with pytest.warns(UserWarning, match="Duplicate"):
        content = zipped((CONFIG, b"{}"), (CONFIG, b"[]"), (WEIGHTS, b""))
    refusal(lambda: from_zip(content), "config.json twice")


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_damaged_zip_files_are_refused(packed, data):
    broken = bytearray(packed[1])
    # Where the list of files stands, and anywhere.
    offsets = st.integers(len(broken) - 400, len(broken) - 1) | st.integers(0, len(broken) - 1)
    for at, value in data.draw(st.lists(st.tuples(offsets, st.integers(0, 255)), min_size=1, max_size=4)):
        broken[at] = value
    with suppress(CheckpointError):
        assert from_zip(bytes(broken)).keys() <= FILES.keys()
