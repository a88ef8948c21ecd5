"""Inputs of a model: as typed, as token ids, or laid out for a pass."""

from collections.abc import Iterable, Sequence
from os import PathLike
from typing import Annotated, overload

import torch
from pydantic import Field
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from playground.common.numbers import counted
from playground.decoding.long_inputs import longest, settings_for, stretched, untrained, with_length
from playground.model.task_model import TaskModel
from playground.recording import has_hooks
from playground.settings.arguments import warn
from playground.settings.config import RunConfig
from playground.storage.checkpoint import Checkpoint, model_of
from playground.tasks import BOS, EOS, PAD, SPECIALS, InputError, encode, task_of, text_of, token_names
from playground.tasks.batches import Batch, make_batch

AnyModel = TaskModel | Checkpoint | str | PathLike[str]
"""A model, a checkpoint, or the path of a checkpoint folder."""

AnyInputs = str | Sequence[str] | Tensor | Batch
"""One input as typed, several, token ids (B, S) or (S,) of inputs, or what `tokens` returns."""


Texts = Annotated[
    str | Sequence[str], Field(min_length=1, description='Give a text, such as "3 1 4", or a list of texts.')
]
"""One input as typed, or several."""

PartNames = Annotated[str | Sequence[str], Field(description="Give the name of a part, or a list of names.")]


def tokens(model: AnyModel, texts: str | Sequence[str], targets: str | Sequence[str] | None = None) -> Batch:
    """Token ids of one input or several as typed, as named tensors that the model reads.

        batch = playground.tokens(model, ["3 1 4", "1 5 9"])
        batch.source, batch.target, batch.labels
        logits, loss = playground.load("my-model").model(*batch)

    The decoder reads the right answers or, if given, `targets`, one for each input. Rows are padded with PAD, id 0, to
    the longest.

    Returns `source` (B, S), what the encoder reads; `target` (B, T), what the decoder reads, BOS and the answer; and
    `labels` (B, T): the token to predict at each position, PAD where none is scored. A decoder-only model has no
    `source`: its `target` is input, SEP and answer, and `source_lengths` (B, 1) counts the tokens of the input; in
    all other models it is None. An encoder-only model has no `target`, and its `labels` are (B, S).

    Inputs can be longer than those of training, as in `answer`. A batch of them is for `run_with_cache`: the table of
    sinusoidal positions in the model itself ends with training's longest input.

    Raises `playground.InputError` for an invalid input or target.
    """
    config = reader_of(model_of(model), texts).config
    source = sources(config, texts)
    if targets is None:
        return make_batch(config, source)
    answers = _padded([encode(each, config.task, what="target") for each in typed(config, targets)])
    if len(answers) != len(source):
        raise InputError(f"There are {counted(len(source), 'input')} and {counted(len(answers), 'target')}.")
    if config.model.architecture == "encoder-only" and not torch.equal(
        *((rows != PAD).sum(1) for rows in (source, answers))
    ):
        raise InputError("An encoder-only model needs targets that are as long as their inputs.")
    return make_batch(config, source, answers)


@overload
def text(model: AnyModel, tokens: Batch) -> list[str]: ...
@overload
def text(model: AnyModel, tokens: Tensor | Sequence[int]) -> str | list[str]: ...
def text(model: AnyModel, tokens: Tensor | Sequence[int] | Batch) -> str | list[str]:
    """Token ids as a person types them: a text for (S,) ids, a list of texts for (B, S).

        playground.text(model, logits.argmax(-1))  # the prediction at each position, up to EOS

    Of what `playground.tokens` returns, the inputs. Leaves out PAD and BOS, and EOS with what follows it.
    Raises `playground.InputError` for what are no token ids of this model.
    """
    config = model_of(model).config
    if isinstance(tokens, Batch):
        return text(model, _sources_of(config, tokens))
    ids = _checked(config, tokens)
    if ids.dim() == 2:
        return [as_typed(config, row) for row in ids.tolist()]
    return as_typed(config, ids.tolist())


def sources(config: RunConfig, inputs: AnyInputs) -> Tensor:
    """(B, S) token ids of inputs, padded with PAD at the end. Raises `InputError` for invalid inputs."""
    if isinstance(inputs, Batch):
        return _sources_of(config, inputs)
    if not isinstance(inputs, Tensor):
        return _padded([encode(each, config.task) for each in typed(config, inputs)])
    ids = torch.atleast_2d(_checked(config, inputs))
    if not len(ids):
        raise InputError("There is no input in a tensor of shape (0, S).")
    return _padded([_source(config, row, number) for number, row in enumerate(ids.tolist())])


def typed(config: RunConfig, inputs: str | Sequence[str]) -> list[str]:
    """The inputs as typed, a list also of one. Raises `InputError` for what is no text or no list of them."""
    texts = [inputs] if isinstance(inputs, str) else list(inputs) if isinstance(inputs, Iterable) else []
    if not texts or not all(isinstance(each, str) for each in texts):
        example = task_of(config.task).example()
        raise InputError(f'Give a text, such as "{example}", a list of texts, or a tensor of token ids.')
    return texts


def readable(model: TaskModel, inputs: AnyInputs) -> tuple[TaskModel, Tensor]:
    """(B, S) token ids of inputs, and the model as it reads them; longer ones than in training if its positions allow.

    Warns of these. Raises `InputError`.
    """
    config, reader = model.config, reader_of(model, inputs)
    source = sources(reader.config, inputs)
    notes = {untrained(config, [token for token in row if token != PAD]) for row in source.tolist()}
    for note in sorted(notes - {""}):
        warn(note)
    return reader, source


def reader_of(model: TaskModel, inputs: AnyInputs) -> TaskModel:
    """The model as it reads inputs; for longer ones than in training, a longer one with its weights."""
    config = model.config
    if isinstance(inputs, Batch):
        limits = (inputs.source, config.max_source_length), (inputs.target, config.max_target_length)
        fits = all(tokens is None or tokens.size(1) <= limit for tokens, limit in limits)
        needed = config if fits else with_length(config, longest(config))
    elif isinstance(inputs, Tensor):
        needed = config
    else:
        needed = max((settings_for(config, each) for each in typed(config, inputs)), key=lambda e: e.task.max_length)
    if needed != config and has_hooks(model):
        raise InputError("A changed model can't read inputs longer than those of training.")
    return stretched(model, needed)


def batch_of(model: TaskModel, inputs: AnyInputs) -> tuple[TaskModel, Batch]:
    """The model as it reads inputs, and one pass over them; unless they are a batch, the decoder reads right answers.

    Warns and raises as `readable`.
    """
    if isinstance(inputs, Batch):
        return reader_of(model, inputs), inputs
    reader, source = readable(model, inputs)
    return reader, make_batch(reader.config, source)


def is_one(inputs: AnyInputs) -> bool:
    """True for a single input, whose result is not a list."""
    return isinstance(inputs, str) or (isinstance(inputs, Tensor) and inputs.dim() == 1)


def as_typed(config: RunConfig, ids: Sequence[int]) -> str:
    """Token ids as a person types them, up to EOS, without PAD and BOS."""
    end = ids.index(EOS) if EOS in ids else len(ids)
    return text_of([token for token in ids[:end] if token not in (PAD, BOS)], config.task)


def _padded(rows: Sequence[Sequence[int]]) -> Tensor:
    return pad_sequence([torch.tensor(row, dtype=torch.long) for row in rows], batch_first=True, padding_value=PAD)


def _checked(config: RunConfig, tokens: Tensor | Sequence[int]) -> Tensor:
    """Token ids on the CPU, (S,) or (B, S)."""
    try:
        ids = torch.as_tensor(tokens).cpu()
    except (TypeError, ValueError, RuntimeError):
        raise InputError("Token ids are whole numbers, all rows of the same length, padded with PAD, 0.") from None
    if ids.dim() not in (1, 2) or ids.is_floating_point() or ids.is_complex() or ids.dtype == torch.bool:
        shape = tuple(ids.shape)
        raise InputError(f"Token ids are whole numbers in shape (S,) or (B, S), not {ids.dtype} in shape {shape}.")
    most = len(token_names(config.task)) - 1
    if ids.numel() and not 0 <= int(ids.min()) <= int(ids.max()) <= most:
        raise InputError(f"Token ids of this model are 0 to {most}; these are {int(ids.min())} to {int(ids.max())}.")
    return ids.long()


def _source(config: RunConfig, row: Sequence[int], number: int) -> list[int]:
    """The tokens of an input, which are followed by PAD alone."""
    task = task_of(config.task)
    length = next((index for index, token in enumerate(row) if token == PAD), len(row))
    ids = list(row[:length])
    problem = ""
    if not ids:
        problem = "It is empty."
    elif any(row[length:]):
        problem = "PAD can stand only at the end."
    elif min(ids) < len(SPECIALS):
        problem = f"{SPECIALS[min(ids)]} can't stand in an input."
    elif len(ids) > task.max_source_length:
        problem = f"It has {len(ids)} tokens; this model reads at most {task.max_source_length}."
    if problem := problem or task.problem(ids):
        raise InputError(f"Row {number} of the token ids, counted from 0, is not an input. {problem}")
    return ids


def _sources_of(config: RunConfig, batch: Batch) -> Tensor:
    """(B, S) sources of a batch."""
    if batch.source is not None:
        return batch.source.cpu()
    assert batch.target is not None
    assert batch.source_lengths is not None
    first = int(task_of(config.task).continues)  # BOS
    row = batch.target.cpu()[:, first:]
    lengths = batch.source_lengths.cpu()
    return row.masked_fill(torch.arange(row.size(1)) >= lengths, PAD)[:, : int(lengths.max())]
