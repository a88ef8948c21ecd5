"""A receipt: what a student hands in. All of it can be computed again; a server for many also signs it."""

from datetime import UTC, datetime
from typing import Annotated, Literal, Self

import torch
from itsdangerous import Signer
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from playground.common.version import VERSION
from playground.lessons.assignments.assignment import KEY_ID, Line, canonical, first_problem, short_digest
from playground.lessons.assignments.kinds.part import AssignmentError
from playground.lessons.assignments.student_work import Work

MAX_BYTES = 500_000
PURPOSE = "assignment receipt"
"""Of the signature, see `common.signing.signer`."""

Signed = Literal["signed", "other server", "unsigned"]
"""By this server's key, by a key that isn't here, or not at all."""


class ForgedError(AssignmentError):
    """A receipt whose signature does not fit its contents."""


class Receipt(BaseModel):
    """The work, what follows from it, and a signature of both."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)

    format: Literal[1] = 1
    work: Work
    name: Annotated[Line, Field(max_length=80)] = ""
    """Beside a number: who that is. The seed doesn't depend on it."""
    seed: Annotated[int, Field(ge=0, lt=2**31)]
    points: tuple[Annotated[float, Field(ge=0, le=100)], ...]
    """For each part."""
    time: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
    version: Annotated[Line, Field(max_length=60)]
    server: Annotated[str, Field(pattern=KEY_ID)] = ""
    """Key id of the server that signed it; empty without a signature."""
    signature: Annotated[str, Field(max_length=100, pattern=r"^[0-9A-Za-z_-]*$")] = ""

    @classmethod
    def of(cls, work: Work, signer: Signer | None = None, *, name: str = "", now: datetime | None = None) -> Self:
        """The receipt for a work, signed by a signer for `PURPOSE`. Raises `AssignmentError` for a bad name."""
        try:
            receipt = cls(
                work=work,
                name=name,
                seed=work.seed,
                points=tuple(map(work.points_of, range(len(work.attempts)))),
                time=f"{now or datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}",
                version=version(),
                server=key_id(signer) if signer else "",
            )
        except ValidationError as error:
            raise AssignmentError(f"This name can't be used: {first_problem(error)}") from None
        return receipt.model_copy(update={"signature": receipt._signature(signer)}) if signer else receipt

    @classmethod
    def of_json(cls, content: bytes) -> Self:
        """A receipt from a file, its form checked but not its truth. Raises `AssignmentError`."""
        if len(content) > MAX_BYTES:
            raise AssignmentError(f"The file is larger than {MAX_BYTES // 1000} kB, so it is no receipt.")
        try:
            return cls.model_validate_json(content)
        except ValidationError as error:
            raise AssignmentError(f"The file is no receipt: {first_problem(error)}") from None

    @property
    def as_json(self) -> bytes:
        """The file."""
        return self.model_dump_json(indent=1).encode()

    @property
    def file_name(self) -> str:
        """Of the file; it has no name of a person, which could be any text."""
        return f"receipt-{self.work.assignment.id}-{self.code}.json"

    @property
    def code(self) -> str:
        """A short code for this receipt: ten signs that change with any of its contents."""
        digest = short_digest(self._contents(), 10)
        return f"{digest[:5]}-{digest[5:]}"

    @property
    def total(self) -> float:
        """All points that it claims."""
        return round(sum(self.points), 2)

    def checked(self, signer: Signer | None) -> Signed:
        """Who signed it. Raises `ForgedError` if it names this server's key and the signature doesn't fit."""
        if not self.server and not self.signature:
            return "unsigned"
        if signer is None or self.server != key_id(signer):
            return "other server"
        if not signer.verify_signature(self._contents(), self.signature):
            raise ForgedError("The signature doesn't fit the contents: somebody changed the receipt, or forged it.")
        return "signed"

    def _contents(self) -> bytes:
        return canonical(self.model_dump(mode="json", exclude={"signature"}))

    def _signature(self, signer: Signer) -> str:
        return signer.get_signature(self._contents()).decode()


def key_id(signer: Signer) -> str:
    """Twelve signs that name a server's key without giving it away."""
    return signer.get_signature(b"key id").decode()[:12]


def version() -> str:
    """What a receipt was computed with: of this program and of torch, which decide what a training gives."""
    return f"{VERSION}, torch {torch.__version__}"
