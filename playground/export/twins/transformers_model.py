"""A decoder-only model as a model of the package transformers: of the kinds in a table, the one that can express it.

To add one: a module with its `KIND` and a function `model`, and its row.
"""

import tempfile
from pathlib import Path
from types import ModuleType
from typing import Any

from playground.export.twins import gpt2, llama, twin
from playground.settings.config import ModelConfig
from playground.storage.checkpoint import Checkpoint

TWINS: tuple[ModuleType, ...] = (gpt2, llama)
_HOW_TO_OPEN = """from transformers import AutoModelForCausalLM

model = AutoModelForCausalLM.from_pretrained(".")  # this folder"""


def content(checkpoint: Checkpoint) -> tuple[bytes, str]:
    """A zip file of a folder for `AutoModelForCausalLM.from_pretrained`, and a sentence on how it compares.

    Raises `TwinError` with the reason if no kind of model there can represent this model. Needs `transformers`.
    """
    import transformers

    transformers.utils.logging.disable_progress_bar()
    found = twin_of(checkpoint.config.model)
    model: Any = found.model(checkpoint)
    name = found.KIND.name
    note = twin.compare(name, checkpoint, lambda tokens, mask: model(input_ids=tokens, attention_mask=mask).logits)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        files = {path.name: path.read_bytes() for path in Path(folder).iterdir()}
    return twin.folder(checkpoint, f"Hugging Face Transformers ({name})", _HOW_TO_OPEN, files), f"{name}. {note}"


def check(settings: ModelConfig) -> None:
    """Raise `TwinError` if no kind of model can represent these settings."""
    twin_of(settings)


def twin_of(settings: ModelConfig) -> ModuleType:
    """The module of the kind of model that can represent these settings.

    Raises `TwinError` with the reasons of the nearest kind, the one with the fewest.
    """
    problems = [found.KIND.problems(settings) for found in TWINS]
    nearest = min(range(len(TWINS)), key=lambda index: len(problems[index]))
    if problems[nearest]:
        names = " nor ".join(found.KIND.name for found in TWINS)
        raise twin.TwinError(
            f"Neither {names} can express this model. {TWINS[nearest].KIND.name} is nearest. "
            f"{' '.join(problems[nearest])}"
        )
    return TWINS[nearest]
