"""Greedy decoding: the model reads each token it has predicted before it predicts the next."""

from collections.abc import Iterable, Sequence

import torch
from torch import Tensor
from torch.nn import functional as F

from playground.model.task_model import TaskModel
from playground.settings.config import RunConfig
from playground.tasks import EOS, PAD, InputError, OutOfRangeError, answer, encode, task_of, text_of
from playground.tasks.batches import Batch, make_batch


@torch.inference_mode()
def greedy(
    model: TaskModel,
    source: Tensor,
    *,
    guess: Tensor | None = None,
    wanted: Tensor | None = None,
    memory: Sequence[Tensor] | None = None,
) -> Tensor:
    """(B, S) sources padded with PAD -> (B, A) most probable answers, each through its EOS, then PAD.

    A is at most the task's longest answer and EOS (encoder-only: S). `model` must be in evaluation mode. `guess`, for
    example its answers under teacher forcing, changes the time this takes and nothing else. `wanted`, (B,), is how many
    tokens of each answer are asked for: what follows them may be left out or wrong, and A be smaller. `memory` is
    `memory_of(model, source)` where that is known.
    """
    if model.config.model.architecture == "encoder-only":
        return model(source.to(model.device), None)[0].cpu().argmax(-1).masked_fill(source == PAD, PAD)
    if memory is None:
        memory = memory_of(model, source)
    if model.decoding == "token_by_token":
        return _token_by_token(model, source, memory)
    if guess is None:
        guess = source.new_zeros(len(source), 0)
    most = task_of(model.config.task).max_answer_length + 1
    guess = _through_end(F.pad(guess, (0, most - guess.size(1))))
    wanted = torch.full_like(source[:, 0], most) if wanted is None else wanted
    return _round_by_round(model, source, guess, wanted, memory)


def generate(model: TaskModel, source: list[int]) -> list[int]:
    """The greedy answer to one source, both without specials at the end."""
    output = greedy(model, torch.tensor([source]))[0].tolist()
    return [token for token in output if token not in (EOS, PAD)]


def generate_text(model: TaskModel, text: str) -> str:
    """The greedy answer to an input as a person types it; raises `InputError` for what the model cannot read."""
    task = model.config.task
    return text_of(generate(model, encode(text, task)), task)


def batch_to_read(
    model: TaskModel, text: str, target: str | None = None, *, prefix_length: int | None = None, padding: int = 0
) -> Batch:
    """One pass over what a person typed: the decoder reads `target` or, without one, the model's own answer.

    The labels are what it reads, one position ahead, then EOS. An encoder-only model reads no target: there the target
    is the labels, without EOS, and by default they are the right answer.

    With `prefix_length`, the decoder has read only that many tokens of its answer. The last label is then the next
    token: in the model's own answer its next prediction, with EOS in place of PAD, which is never a label.

    `padding` is how many PAD stand behind the source or, in a decoder-only model, behind the row. The answer is the
    one the model gives without them.

    Raises `InputError`, and `OutOfRangeError` for a `prefix_length` or `padding` that does not fit.
    """
    config, task = model.config, model.config.task
    source = encode(text, task)
    encoder_only = config.model.architecture == "encoder-only"
    if encoder_only and prefix_length is not None:
        sentence = "An encoder-only model predicts its whole answer at once, so it cannot stop after a part."
        raise OutOfRangeError(sentence, "prefix_length", None)
    if target is not None:
        answered = encode(target, task, what="target")
    else:
        answered = answer(source, task) if encoder_only else generate(model, source)
    if encoder_only and len(answered) != len(source):
        raise InputError(
            f"The target has {len(answered)} symbols and the input {len(source)}. An encoder-only model predicts one "
            "symbol for each input symbol, so both need the same number."
        )
    read = answered[: task_of(task).max_answer_length]
    if prefix_length is not None:
        if not 0 <= prefix_length <= len(read):
            whose, nearest = (
                "target" if target is not None else "model's own answer",
                min(max(prefix_length, 0), len(read)),
            )
            raise OutOfRangeError(
                f"The {whose} has {len(read)} tokens, so the decoder can't have read {prefix_length}. "
                f"{nearest} is used.",
                "prefix_length",
                nearest,
            )
        read = read[:prefix_length]
    batch = make_batch(config, torch.tensor([source]), torch.tensor([read], dtype=torch.long))
    if prefix_length is not None or not batch.labels.any():  # as after an empty answer to a text
        batch.labels[0, -1] = [*answered, EOS][prefix_length or 0]
    return _padded(config, batch, padding)


def _padded(config: RunConfig, batch: Batch, padding: int) -> Batch:
    """The batch with `padding` PAD behind the source or, in a decoder-only model, behind the row."""
    source, target, source_lengths, labels = batch
    decoder_only = source is None
    positions = config.max_target_length if decoder_only else config.max_positions  # two_way counts a row in its parts
    row = target if decoder_only else source
    assert row is not None
    room = positions - row.size(1)
    if not 0 <= padding <= room:
        nearest = min(max(padding, 0), room)
        raise OutOfRangeError(
            f"The sequence takes {row.size(1)} of {positions} positions, so {padding} PAD can't follow. {nearest} is "
            "used.",
            "padding",
            nearest,
        )
    longer = F.pad(row, (0, padding))
    if decoder_only:
        return Batch(None, longer, source_lengths, F.pad(labels, (0, padding)))
    if target is None:
        return Batch(longer, None, None, F.pad(labels, (0, padding)))
    return Batch(longer, target, None, labels)


def next_tokens(model: TaskModel, source: Tensor, read: Tensor, logits: Tensor) -> Tensor:
    """(B, R + 1) most probable token after each prefix of `read` (B, R), from the logits of the pass that read it."""
    return logits.argmax(-1).gather(1, _positions(model, source, read, logits))


def _positions(model: TaskModel, source: Tensor, read: Tensor, logits: Tensor) -> Tensor:
    """(B, R + 1) positions whose logits are those of the token after each prefix of `read` (B, R)."""
    first = (source != PAD).sum(1, keepdim=True) if model.config.model.architecture == "decoder-only" else 0
    return (first + torch.arange(read.size(1) + 1)).clamp(max=logits.size(1) - 1).expand(len(source), -1)


def memory_of(model: TaskModel, source: Tensor) -> tuple[Tensor, ...]:
    """The encoder's output and mask, which the decoder reads at every token; empty without an encoder."""
    return model.encoder(source.to(model.device)) if model.encoder else ()


def _predict(model: TaskModel, source: Tensor, read: Tensor, memory: Iterable[Tensor]) -> Tensor:
    return next_tokens(model, source, read, _logits(model, source, read, memory))


def _logits(model: TaskModel, source: Tensor, read: Tensor, memory: Iterable[Tensor]) -> Tensor:
    assert model.decoder
    batch = make_batch(model.config, source, read).to(model.device)
    return model.logits(model.head(model.decoder(batch.target, *memory, source_lengths=batch.source_lengths))).cpu()


def _token_by_token(model: TaskModel, source: Tensor, memory: Sequence[Tensor]) -> Tensor:
    """Greedy decoding by definition: one pass over all tokens so far for each new one."""
    answers = source.new_zeros(len(source), 0)
    for _ in range(task_of(model.config.task).max_answer_length + 1):
        token = _predict(model, source, answers, memory)[:, -1:]
        answers = _through_end(torch.cat([answers, token], dim=1))
        if bool(_ended(answers).all()):
            break
    return answers


def _round_by_round(
    model: TaskModel, source: Tensor, guess: Tensor, wanted: Tensor, memory: Sequence[Tensor]
) -> Tensor:
    """The same answers in fewer passes, for models with a causal mask; of each row the first `wanted` tokens, (B,).

    Read the whole guess at once, take the prediction after each prefix as the next guess, and repeat until
    nothing changes. Each token depends on those before it alone, so round r settles at least the first r tokens,
    and a guess that repeats itself is what reading token by token gives.
    """
    open_rows = torch.arange(len(source))
    answers = guess[:, : int(wanted.max())].clone() if len(source) else guess
    for _ in range(guess.size(1) + 1):  # more can only be needed where numbers are not finite
        if not len(open_rows):
            break
        width = int(wanted[open_rows].max())
        before = answers[open_rows, :width]
        of_rows = (part[open_rows] for part in memory)
        after = _through_end(_predict(model, source[open_rows], before[:, :-1], of_rows))
        answers[open_rows, :width] = after
        changed = (after != before) & (torch.arange(width) < wanted[open_rows, None])
        open_rows = open_rows[changed.any(1)]
    return answers


def _ends(answers: Tensor) -> Tensor:
    # PAD is never a right answer: an untrained model that predicts it ends its answer there.
    return (answers == EOS) | (answers == PAD)


def _ended(answers: Tensor) -> Tensor:
    return _ends(answers).any(1)


def _through_end(answers: Tensor) -> Tensor:
    """PAD for everything after the first end."""
    behind = F.pad(_ends(answers).cumsum(1)[:, :-1], (1, 0)) > 0
    return answers.masked_fill(behind, PAD)
