"""An assignment: what a lecturer composes. A link carries all of it, and no server stores it."""

import base64
import hashlib
import json
import zlib
from typing import Annotated, Self
from urllib.parse import parse_qs, urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from playground.common.errors import one_line
from playground.common.names import clean_name
from playground.lessons.assignments.kinds.kind_table import Part
from playground.lessons.assignments.kinds.part import AssignmentError

MAX_PARTS = 20
MAX_WORD = 4000
"""Characters of the word in a link."""
_MAX_BYTES = 20_000  # of the JSON in it
_SIGNS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # without 0 O 1 I L

KEY_ID = r"^([0-9A-Za-z_-]{12})?$"
"""Pattern of the name of a server's key, or nothing."""

PARAM = "assignment"
"""The query parameter of the Learn page's address that has the word."""


def _clean(text: str) -> str:
    """Text on one line without invisible characters; refuses what has none that people see."""
    cleaned = clean_name(text)
    if text and not cleaned:
        raise PydanticCustomError("invisible", "It has no visible characters.")
    return cleaned


Line = Annotated[str, AfterValidator(_clean)]
"""A text of another person on one line."""


class Assignment(BaseModel):
    """Parts with points. Two assignments with the same contents are the same one, see `id`."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    title: Annotated[Line, Field(min_length=1, max_length=80, title="Title")]
    about: Annotated[Line, Field(max_length=400, title="Text for students")] = ""
    deadline: Annotated[
        Line, Field(max_length=60, title="Deadline", description="Shown to students, not enforced.")
    ] = ""
    tries: Annotated[
        int, Field(ge=0, le=20, title="Wrong answers allowed", description="For each part; 0 for no limit.")
    ] = 0
    server: Annotated[
        str,
        Field(
            pattern=KEY_ID,
            title="Server",
            description="Key id of the server that must sign the receipts; empty for students who work at home.",
        ),
    ] = ""
    parts: Annotated[tuple[Part, ...], Field(min_length=1, max_length=MAX_PARTS, title="Parts")]

    @property
    def points(self) -> int:
        """The most points that one can get."""
        return sum(part.points for part in self.parts)

    @property
    def id(self) -> str:
        """Eight signs: a digest of the contents, which are different in every other assignment."""
        return short_digest(self._json(), 8)

    @property
    def word(self) -> str:
        """The assignment in a link, as `of_word` reads it. Raises `AssignmentError` if it is longer than `MAX_WORD`."""
        word = base64.urlsafe_b64encode(zlib.compress(self._json(), 9)).decode().rstrip("=")
        if len(word) > MAX_WORD:
            raise AssignmentError("The assignment is too long for a link.", "Shorten its text, or use fewer parts.")
        return word

    @classmethod
    def of_word(cls, word: str) -> Self:
        """The assignment in a link, checked. Raises `AssignmentError`."""
        damaged = AssignmentError("The link has no valid assignment.", "Copy the whole link again.")
        if not word or len(word) > MAX_WORD or not word.isascii():
            raise damaged
        unpack = zlib.decompressobj()
        try:
            packed = base64.b64decode(word + "=" * (-len(word) % 4), altchars=b"-_", validate=True)
            content = unpack.decompress(packed, _MAX_BYTES)
        except (ValueError, zlib.error):
            raise damaged from None
        if not unpack.eof or unpack.unused_data:
            raise damaged
        return cls.of_json(content)

    @classmethod
    def of_json(cls, content: bytes) -> Self:
        """The assignment in a file, checked. Raises `AssignmentError` with the first problem."""
        try:
            return cls.model_validate_json(content)
        except ValidationError as error:
            raise AssignmentError(f"The assignment is invalid: {first_problem(error)}") from None

    @classmethod
    def of_link(cls, text: str) -> Self:
        """The assignment in a link, or in the word of one. Raises `AssignmentError`."""
        text = text.strip()
        words = parse_qs(urlsplit(text).query).get(PARAM, []) if "?" in text else [text]
        return cls.of_word(words[0] if len(words) == 1 else "")

    def _json(self) -> bytes:
        return canonical(self.model_dump(mode="json"))


def canonical(data: object) -> bytes:
    """JSON with one spelling for equal data."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":")).encode()


def short_digest(content: bytes, signs: int) -> str:
    """The beginning of a digest in capitals and digits that nobody confuses, almost five bits each."""
    number = int.from_bytes(hashlib.sha256(content).digest())
    return "".join(_SIGNS[number // len(_SIGNS) ** index % len(_SIGNS)] for index in range(signs))


def first_problem(error: ValidationError) -> str:
    """The first problem that pydantic found, with the place, in one sentence."""
    found = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(str(each) for each in found["loc"])
    return one_line(f"{where}: {found['msg']}." if where else f"{found['msg']}.", 200)
