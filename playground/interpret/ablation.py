"""Ablation: how much worse a model answers without a part, on one input and on held-out inputs."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple, Self, cast, get_args

import torch
from torch import Tensor, nn

from playground.common.errors import one_line
from playground.common.numbers import wilson
from playground.decoding import greedy, memory_of, next_tokens
from playground.interpret.interventions import (
    Intervention,
    InterventionError,
    Stored,
    changed_model,
    mean_taps,
    means,
    parse_all,
    replacements,
    typed_source,
)
from playground.interpret.sites import named
from playground.model.head_paths import weights_tap
from playground.model.task_model import TaskModel
from playground.model.transformer import Encoder
from playground.recording import hooked, run_with_cache, with_shared_weights
from playground.settings.estimate import pass_size
from playground.tasks import EOS, PAD, answer, decode, task_of, text_of
from playground.tasks.batches import (
    HELD_OUT_SEQUENCES,
    Batch,
    Sequences,
    answer_rows,
    make_batch,
    right_answers,
    with_eos,
)
from playground.training import Evaluation, evaluate_all
from playground.training.evaluation import by_length

PartKind = Literal["head", "expert", "sublayer"]
With = Literal["zero", "mean"]

_OVERFLOW = "With these changes the loss is not finite.", "Use smaller numbers or factors."


@dataclass(frozen=True)
class Scores:
    """Scores on held-out inputs; the model reads its own predictions, except for the loss."""

    exact_match: float  # fraction of answers right in every token
    token_accuracy: float  # fraction of right tokens, position by position
    loss: float  # mean over tokens in nats, under teacher forcing
    sequences: int  # how many inputs

    def as_json(self) -> dict[str, float]:
        """The four numbers by name."""
        return asdict(self)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of `exact_match`."""
        return wilson(self.exact_match, self.sequences)


@dataclass(frozen=True)
class Ablated:
    """The scores without one part."""

    off: str  # the intervention as text
    scores: Scores


@dataclass(frozen=True)
class Ranking:
    """Parts switched off one at a time, as far as done."""

    done: int
    total: int
    intact: Scores
    parts: tuple[Ablated, ...]  # most important first


@dataclass(frozen=True)
class Answer:
    """A model's answer to one input."""

    text: str  # as a person would type it
    tokens: tuple[str, ...]  # names of the predicted tokens, EOS included where there is one
    probabilities: Tensor  # (A, V): at each predicted token, after those before it
    right: bool | None  # None for a task whose answers are not right or wrong
    loss: float  # mean over the tokens of the right answer in nats, under teacher forcing


@dataclass(frozen=True)
class Comparison:
    """One input, answered by the model and by the changed model."""

    intact: Answer
    changed: Answer
    right: str  # the right answer
    other: Answer | None  # the model's answer to the input that patches come from


def score(
    model: TaskModel,
    interventions: Sequence[Intervention] = (),
    *,
    sequences: int = HELD_OUT_SEQUENCES,
    source: Tensor | None = None,
    means: Mapping[str, Stored] | None = None,
) -> Scores:
    """Scores of the changed model on all of the first `sequences` held-out inputs, or on those of `source`, (N, S).

    A patch takes its tensor from the next held-out input of the same length, the last from the first ("resample
    ablation", Chan et al. 2022). An input that is the only one of its length keeps its own.

    Raises `InterventionError`, also where the loss is not finite.
    """
    source = Sequences.of(model.config.task).held_out(sequences) if source is None else source
    if any(intervention.operation == "patch" for intervention in interventions):
        return _scores(evaluate_all(_with_other_inputs(model, interventions, source, means)))
    with changed_model(model, interventions, means=means) as changed:
        return _scores(evaluate_all((changed, group, None) for group in by_length(source, pass_size(model.config))))


def measure_score(model: TaskModel, interventions: Sequence[Intervention] = ()) -> Iterator[tuple[int, int, Scores]]:
    """`score` as the only item (done, total, scores), for `processes.Pool.stream`."""
    yield 1, 1, score(model, interventions)


def ablate_each(
    model: TaskModel,
    kind: PartKind,
    operation: With = "zero",
    *,
    sequences: int = HELD_OUT_SEQUENCES,
    source: Tensor | None = None,
) -> Iterator[Ranking]:
    """Switch off each head, expert or sublayer in turn; yield before the first and after each.

    Inputs are as in `score`. The gates of a mixture stay as they are without an expert.

    Most important is the part without which the fewest answers are right; ties are decided by the right tokens, then by
    the loss. A caller that stops iterating cancels the rest.
    """
    offs = [Intervention(site.name, operation) for site in named(model.config, kind)]
    source = Sequences.of(model.config.task).held_out(sequences) if source is None else source
    instance = with_shared_weights(model).eval()
    instance.decoding = model.decoding  # as in `changed_model`
    known = [_Known.of(instance, group) for group in by_length(source, pass_size(model.config))]
    averages = means(model, mean_taps(model.config, offs))
    intact = _scores(evaluate_all((instance, group.source, group.answers) for group in known))
    parts: list[Ablated] = []
    yield Ranking(0, len(offs), intact, ())
    for off in offs:
        with hooked(instance, replacements(model, [off], means=averages)):
            parts.append(Ablated(off.site, _scores(evaluate_all(_reusing(instance, off.site, known)))))
        yield Ranking(len(parts), len(offs), intact, tuple(sorted(parts, key=_importance)))


class _Known(NamedTuple):
    """Held-out inputs for one pass, (N, S), and what the intact model computes from them."""

    source: Tensor
    answers: Tensor  # (N, A) free-running; a guess at those of the changed model
    memory: tuple[Tensor, ...]  # what the decoder reads of the encoder; none without one

    @classmethod
    @torch.inference_mode()
    def of(cls, model: TaskModel, source: Tensor) -> Self:
        memory = memory_of(model, source) if model.decoder else ()
        guess = with_eos(right_answers(model.config, source))
        return cls(source, greedy(model, source, guess=guess, memory=memory), memory)


class _Remembered(nn.Module):
    """In place of an encoder: its output and mask, which are known."""

    def __init__(self, memory: tuple[Tensor, ...]) -> None:
        super().__init__()
        self.memory = memory

    def forward(self, source: Tensor) -> tuple[Tensor, ...]:
        return self.memory


def _reusing(model: TaskModel, site: str, known: Iterable[_Known]) -> Iterator[tuple[TaskModel, Tensor, Tensor]]:
    """Tests of a model changed at a site: the encoder does not run again if the change is in the decoder."""
    encoder = model.encoder
    try:
        for group in known:
            if encoder and site.startswith("decoder."):
                model.encoder = cast(Encoder, _Remembered(group.memory))
            yield model, group.source, group.answers
    finally:
        model.encoder = encoder


def report(
    model: TaskModel,
    off: Sequence[str] = (),
    with_: With = "zero",
    each_kind: PartKind | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    source: Tensor | None = None,
) -> dict[str, Any]:
    """The result of `playground.ablate` and of the command: plain data, with `changed` or with `parts`.

    Inputs are as in `score`.

    `on_progress` receives how many parts are done, of how many. Raises `InterventionError`.
    """
    for name, value, allowed in (("with", with_, get_args(With)), ("each", each_kind, (None, *get_args(PartKind)))):
        if value not in allowed:
            choice = ", ".join(filter(None, allowed))
            raise InterventionError(f"{name} can't be {one_line(value, 40)}. Use one of {choice}.")
    if off and each_kind:
        raise InterventionError("off and each can't be combined.", "Use one of them.")
    if not off and not each_kind:
        example = named(model.config, "sublayer")[0].name
        raise InterventionError(
            "There is nothing to switch off.", f"Name a part, for example {example}, or use each head or each sublayer."
        )
    if each_kind == "expert" and not named(model.config, "expert"):
        raise InterventionError("This model has no experts.", "Use each head or each sublayer.")
    if each_kind is None:
        changes = parse_all(off, model.config, with_)
        intact, changed = score(model, source=source), score(model, changes, source=source)
        return {"intact": intact.as_json(), "changed": changed.as_json()}
    for ranking in ablate_each(model, each_kind, with_, source=source):
        on_progress(ranking.done, ranking.total)
    parts = [{"off": part.off} | part.scores.as_json() for part in ranking.parts]
    return {"intact": ranking.intact.as_json(), "parts": parts}


def compare(
    model: TaskModel,
    text: str,
    interventions: Sequence[Intervention],
    *,
    other: str = "",
    means: Mapping[str, Stored] | None = None,
    intact: Answer | None = None,
) -> Comparison:
    """Answer one input with the model and with the changed model; patches come from the input `other`.

    `intact` is the model's own answer where that is known.
    Raises `InputError` for an invalid input and `InterventionError` as `changed_model` does.
    """
    config = model.config
    source = typed_source(text, config)
    patched = typed_source(other, config, source.size(1)) if other else None
    with changed_model(model, interventions, means=means, other=patched) as changed:
        return Comparison(
            intact or _answered(model, text),
            _answered(changed, text),
            text_of(answer(source[0].tolist(), config.task), config.task),
            _answered(model, other) if other else None,
        )


def changed_weights(
    model: TaskModel,
    interventions: Sequence[Intervention],
    batch: Batch,
    path: str,
    *,
    means: Mapping[str, Stored] | None = None,
    other: str = "",
) -> Tensor:
    """Weights (H, T, S) of the attention `path` in a pass of the changed model over a batch of one sequence.

    Raises `InterventionError` as `changed_model` does, and for weights that are not finite.
    """
    patched = typed_source(other, model.config) if other else None
    with changed_model(model, interventions, means=means, other=patched) as changed:
        _, cache = run_with_cache(changed, batch, weights_tap(path))
    weights = cache[weights_tap(path)][0]
    if not weights.isfinite().all():
        raise InterventionError("With these changes the attention weights are not finite.", "Use smaller numbers.")
    return weights


def _with_other_inputs(
    model: TaskModel, interventions: Sequence[Intervention], source: Tensor, means: Mapping[str, Stored] | None
) -> Iterator[tuple[TaskModel, Tensor, None]]:
    """A changed model for each group of held-out inputs of one length, small enough for one batch."""
    lengths = (source != PAD).sum(1)
    for length in lengths.unique().tolist():
        for group in source[lengths == length, :length].split(pass_size(model.config)):
            with changed_model(model, interventions, means=means, other=group.roll(-1, 0)) as changed:
                yield changed, group, None


def _scores(evaluation: Evaluation) -> Scores:
    if not math.isfinite(evaluation.loss):
        raise InterventionError(*_OVERFLOW)
    return Scores(evaluation.exact_match, evaluation.token_accuracy, evaluation.loss, evaluation.sequences)


def _importance(part: Ablated) -> tuple[float, float, float]:
    return part.scores.exact_match, part.scores.token_accuracy, -part.scores.loss


@torch.inference_mode()
def _answered(model: TaskModel, text: str) -> Answer:
    config, source = model.config, typed_source(text, model.config)
    right = right_answers(config, source)
    expected = make_batch(config, source, right)
    scores, nats = model.eval()(*expected.to(model.device))
    loss = float(nats)
    if not math.isfinite(loss):
        raise InterventionError(*_OVERFLOW)
    forced = next_tokens(model, source, right, scores.cpu()) if model.decoder else None
    greedily = greedy(model, source, guess=forced)[0]
    own = [token for token in greedily.tolist() if token not in (EOS, PAD)]
    read = expected
    if config.model.architecture != "encoder-only":
        most = task_of(config.task).max_answer_length
        read = make_batch(config, source, torch.tensor([own[:most]], dtype=torch.long))
    if not torch.equal(read.labels, expected.labels):
        scores = model(*read.to(model.device))[0]
    logits = scores.cpu()[0][answer_rows(config, read)]  # (A, V)
    as_expected = greedily[greedily != PAD].tolist() == expected.labels[0][answer_rows(config, expected)].tolist()
    return Answer(
        text_of(own, config.task),
        tuple(decode(logits.argmax(-1).tolist(), config.task)),
        logits.softmax(-1),
        None if task_of(config.task).continues else as_expected,
        loss,
    )
