"""The state of an unfinished training, a file of its checkpoint: what the next steps need besides the weights."""

import math
from collections.abc import Mapping
from dataclasses import astuple, dataclass
from pathlib import Path

import safetensors.torch
import torch
from safetensors import SafetensorError
from torch import Tensor

from playground.common.errors import CheckpointError, one_line
from playground.model.task_model import TaskModel
from playground.optimization.optimizers import kept
from playground.settings.config import RunConfig, max_steps, parameter_shapes
from playground.storage import validation
from playground.storage.checkpoint import Checkpoint
from playground.storage.validation import STATE, Folder
from playground.training import Training, TrainingError

_CLOCK, _PROGRESS = "clock", "progress"
_RANDOM = ("random.data", "random.dropout")
_MODEL = "model."  # begins the names of the weights, which have a file of their own
_OTHER_BYTES = 100_000  # limit for the random states, the clock and the names


@dataclass
class Clock:
    """What the summary of a training needs of the time before it was interrupted."""

    seconds: float = 0.0  # wall time
    solved_step: float = -1.0  # of the first evaluation that found it solved; -1: none
    solved_seconds: float = -1.0  # in optimizer steps until then


def pack(training: Training, clock: Clock) -> bytes:
    """The state between two steps, as a safetensors file; its weights are those of the checkpoint."""
    state = {name: tensor for name, tensor in training.state().items() if not name.startswith(_MODEL)}
    return safetensors.torch.save(state | {_CLOCK: torch.tensor(astuple(clock), dtype=torch.float64)})


def resumed(loaded: Checkpoint, *, has_gpu: bool) -> tuple[Training, Clock]:
    """The training of a checkpoint where it was interrupted, on the device where it was trained.

    Raises `CheckpointError` for a checkpoint without a state, for a damaged one, and for a training on a GPU without
    `has_gpu`. Nothing is unpickled.
    """
    config, path = loaded.config, loaded.folder / STATE
    tensors = _read(loaded.folder, config)
    weights: dict[str, Tensor] = {f"{_MODEL}{name}": value for name, value in loaded.model.named_parameters()}
    try:
        clock, step = _checked(tensors, config, max_steps(config, loaded.changes))
        last = max((record["step"] for record in loaded.history), default=step)
        if step != last:
            raise TrainingError(f"it is of step {step:,}, and the history ends with step {last:,}")
        on_cpu = tensors["random.dropout"].shape == torch.get_rng_state().shape
        if not on_cpu and not has_gpu:
            raise CheckpointError("This training ran on a CUDA GPU, and this machine has none.", "Go on there.")
        training = Training(config, TaskModel(config).to("cpu" if on_cpu else "cuda"), loaded.changes)
        training.go_on_from(tensors | weights)
    except TrainingError as error:
        raise CheckpointError(f"{path} is damaged: {error}.".replace("..", ".")) from None
    return training, clock


def _read(folder: Path, config: RunConfig) -> dict[str, Tensor]:
    with Folder(folder) as files:
        if not files.holds(STATE):
            problem = f"{folder} has no state to go on from: its training has ended, or it was saved without one."
            raise CheckpointError(problem, "Train it again with more steps.")
        content = files.read(STATE, 3 * validation.max_weight_bytes(parameter_shapes(config)) + _OTHER_BYTES)
    try:
        return safetensors.torch.load(content)
    except (SafetensorError, ValueError, KeyError, TypeError, RuntimeError) as error:
        raise CheckpointError(f"{folder / STATE} is damaged: {one_line(error, 200)}.") from None


def _checked(tensors: Mapping[str, Tensor], config: RunConfig, most: int) -> tuple[Clock, int]:
    """The clock and the step of a state; raises `TrainingError` unless its names are those of such a run.

    `Training.go_on_from` checks the tensors of the optimizer and the random states.
    """
    for name in (_CLOCK, _PROGRESS):
        tensor = tensors.get(name)
        if tensor is None or tensor.dtype != torch.float64 or tensor.shape != (3,) or not tensor.isfinite().all():
            raise TrainingError(f"{name} is not three numbers")
    step = float(tensors[_PROGRESS][0])
    if not (0 <= step <= most and step == math.floor(step)):
        raise TrainingError(f"its step is {step:g}, and the run has 0 to {most:,}")
    expected = {_CLOCK, _PROGRESS, *_RANDOM}
    for name, shape in parameter_shapes(config).items() if step else ():
        expected |= {f"optimizer.{key}.{name}" for key in kept(config.training.optimizer, shape)}
    if wrong := sorted(expected ^ tensors.keys()):
        raise TrainingError(f"{one_line(wrong[0], 80)} is {'missing' if wrong[0] in expected else 'unexpected'}")
    return Clock(*tensors[_CLOCK].tolist()), int(step)
