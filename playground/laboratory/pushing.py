"""`playground.push`: a checkpoint to the Hub, with other formats beside it."""

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

from playground.common.paths import user_path
from playground.hub import library_use
from playground.interpret.kept_circuit import CIRCUIT, Circuit, CircuitReport
from playground.laboratory.tracing_circuits import circuit as measured
from playground.storage.checkpoint import Checkpoint, load

if TYPE_CHECKING:
    from playground.hub.push import Pushed


def push(
    folder_or_checkpoint: str | PathLike[str] | Checkpoint,
    repo_id: str,
    *,
    commit_message: str | None = None,
    private: bool | None = None,
    branch: str | None = None,
    create_pr: bool = False,
    token: str | bool | None = None,
    formats: Sequence[str] = (),
    circuit: CircuitReport | Circuit | Sequence[str] | str | PathLike[str] | None = None,
) -> "Pushed":
    """Push a checkpoint with its model card to the Hub as "owner/name", in one commit on the current head.

    Creates the repository and the branch if missing. `private` applies to a new repository; True fails for an existing
    public one. `token` None is your own login. Returns the commit and its URL.

    `formats`, "transformers" and "transformer-lens", are pushed too, in folders of these names, so that
    `AutoModelForCausalLM.from_pretrained("owner/name", subfolder="transformers")` opens the model without this project.
    Raises `playground.PlaygroundError` if a format can't express the model or its packages are missing.

    `circuit` is what `playground.circuit` takes or returns. It is pushed as circuit.json, and the model card says how
    faithful it is and what each kept part adds. Unless it is a report, it is measured first.

    Raises `playground.CheckpointError` for an invalid checkpoint and `playground.HubError` for a failed
    call. The error's `landed` says whether the commit is on the Hub: True, False, or None if unknown, because the Hub
    did not respond and later checks did not find it. Push again then: an existing commit is not made twice. `created`
    says the same of the repository.
    """
    beside, sections = additions(folder_or_checkpoint, formats, circuit)
    return library_use.push(
        folder_or_checkpoint,
        repo_id,
        commit_message=commit_message,
        private=private,
        branch=branch,
        create_pr=create_pr,
        token=token,
        beside=beside,
        sections=sections,
    )


def additions(
    folder_or_checkpoint: str | PathLike[str] | Checkpoint,
    formats: Sequence[str],
    circuit: CircuitReport | Circuit | Sequence[str] | str | PathLike[str] | None,
) -> tuple[dict[str, bytes], list[str]]:
    """The files by name and the sections of the model card that `push` adds for formats and a circuit."""
    beside, sections = dict[str, bytes](), list[str]()
    if formats:
        from playground.export import folders

        beside = folders(_checkpoint_of(folder_or_checkpoint), formats)
    if circuit is not None:
        report = circuit if isinstance(circuit, CircuitReport) else measured(folder_or_checkpoint, circuit)
        beside[CIRCUIT], sections = report.kept.to_json().encode(), [report.card_text]
    return beside, sections


def _checkpoint_of(given: str | PathLike[str] | Checkpoint) -> Checkpoint:
    return given if isinstance(given, Checkpoint) else load(user_path(given))
