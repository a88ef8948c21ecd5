"""All settings of a run: one frozen, bounded, strict object.

The same `RunConfig` is the settings form, the header of a checkpoint, the input of the command line and untrusted
input from elsewhere. Bounds and help texts are defined in the fields below, rules between two settings right under
the fields they concern, and nowhere else.
"""

import math
import os
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args, get_origin

import annotated_types
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails, PydanticCustomError

from playground.common.errors import PlaygroundError
from playground.model.architecture import architecture, parameter_axes, shape
from playground.optimization.optimizers import OPTIMIZERS
from playground.optimization.schedules import SCHEDULES
from playground.tasks import SPECIALS, TASKS, task_of
from playground.tasks.cleaning import cleaned
from playground.tasks.text import MAX_CHARACTERS

FORMAT_VERSION = 1
MAX_SIZE_FACTOR = 16
_factor = os.environ.get("PLAYGROUND_SIZE_FACTOR", "")
SIZE_FACTOR = max(1, min(MAX_SIZE_FACTOR, int(_factor))) if _factor.isdecimal() else 1
"""Multiplies the size limits below, for your own machine; read at the start. `Host` refuses wrong values."""

MAX_PARAMETERS = 5_000_000 * SIZE_FACTOR**2

Architecture = Literal["encoder-decoder", "decoder-only", "encoder-only"]
NormPosition = Literal["pre", "post"]
NormKind = Literal["layer_norm", "rms_norm"]
AttentionKind = Literal["multi_head", "grouped_query", "latent"]
FeedForwardKind = Literal["dense", "mixture"]
Activation = Literal["relu", "gelu", "swiglu"]
Positions = Literal["sinusoidal", "learned", "two_way", "rotary", "none"]
DigitOrder = Literal["most_first", "least_first"]
RECORDED = {
    "training_accuracy": "exact match on training inputs",
    "head_roles": "the weight of each head on each kind of positions",
}
"""Measures that a run takes only if `training.record` names them, with what they are."""

if TYPE_CHECKING:
    TaskName = str
    OptimizerName = str
    ScheduleName = str
    RecordedName = str
else:
    TaskName, OptimizerName, ScheduleName = Literal[*TASKS], Literal[*OPTIMIZERS], Literal[*SCHEDULES]
    RecordedName = Literal[*RECORDED]

LIVE = (
    "training.learning_rate",
    "training.batch_size",
    "model.dropout",
    "training.steps",
    "training.stop_when_solved",
)
"""Settings that can change while a run trains; all others need a new run."""

_SHOWN = 40  # characters of a text

MAX_CHANGES = 200
"""Maximum number of changes in one run."""


class ConfigError(PlaygroundError, ValueError):
    """Settings that are not allowed. `problems` maps a setting's path ("model.d_model") to a sentence."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        self.problems = dict(problems)
        super().__init__(" ".join(self.problems.values()))


def _conflict(field: str, sentence: str) -> PydanticCustomError:
    """A broken rule between two settings, reported at `field`."""
    return PydanticCustomError("conflict", "{sentence}", {"field": field, "sentence": sentence})


class _Settings(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


_GOALS = ", ".join(task.goal for task in TASKS.values())


class TaskConfig(_Settings):
    """The task that the model learns."""

    name: TaskName = Field("reverse", title="Task", description=f"What the model learns to do: {_GOALS}.")
    vocab_size: Annotated[int, Field(ge=1, le=508 * SIZE_FACTOR)] = Field(
        10, title="Symbols", description="Number of different symbols in the sequences."
    )
    min_length: Annotated[int, Field(ge=1, le=64 * SIZE_FACTOR)] = Field(
        1, title="Minimum length", description="Symbols in the shortest input."
    )
    max_length: Annotated[int, Field(ge=1, le=64 * SIZE_FACTOR)] = Field(
        16, title="Maximum length", description="Symbols in the longest input. The model cannot read longer ones."
    )
    digit_order: DigitOrder = Field(
        "most_first",
        title="Digit order",
        description="Whether a sum begins with its most or its least significant digit. A carry moves from the least "
        "significant digit up, so least significant first is learned faster.",
    )
    text: Annotated[str, Field(max_length=MAX_CHARACTERS)] = Field(
        "", title="Text", description="The text to learn. Empty: generated sentences. The first 80 % are for training."
    )
    held_out: Annotated[float, Field(ge=0.01, le=0.9)] = Field(
        0.125,
        title="Held out",
        description="Share of the possible inputs that training never sees. Tests draw their inputs from it.",
    )
    commuted_together: bool = Field(
        False,
        title="Commuted pairs together",
        description="Puts a + b and b + a on the same side: both are for training or both are held out.",
    )

    @model_validator(mode="after")
    def _rules(self) -> Self:
        if self.min_length > self.max_length:
            raise _conflict(
                "min_length",
                f"min_length {self.min_length} is above max_length {self.max_length}. Lower one or raise the other.",
            )
        if conflict := task_of(self).conflict():
            raise _conflict(*conflict)
        usual = type(self).model_fields["held_out"].default
        if self.held_out != usual and "held_out" not in task_of(self).uses:
            raise _conflict(
                "held_out",
                f"The task {self.name} has a held-out part of its own, so held_out can't be {self.held_out:g}. "
                f"Use {usual}, the default.",
            )
        if not task_of(self).continues and task_of(self).count_sources() < 2:
            one_length = self.min_length == self.max_length
            raise _conflict(
                "vocab_size",
                f"With vocab_size {self.vocab_size}{f' and the single length {self.max_length}' * one_length} there is "
                f"only one sequence, so none is left for testing. Use 2 symbols{' or more lengths' * one_length}.",
            )
        return self


class ModelConfig(_Settings):
    """The transformer, in the terms of "Attention Is All You Need"."""

    architecture: Architecture = Field(
        "encoder-decoder",
        title="Architecture",
        description="Encoder-decoder (paper), decoder-only (GPT), or encoder-only, which predicts all positions "
        "at once.",
    )
    d_model: Annotated[int, Field(ge=2, le=256 * SIZE_FACTOR)] = Field(
        64, title="Model width", description="d_model: size of each token's vector (D)."
    )
    n_heads: Annotated[int, Field(ge=1, le=16 * SIZE_FACTOR)] = Field(
        4, title="Heads", description="n_heads: attention heads side by side (H), each of width d_model / n_heads (K)."
    )
    n_layers: Annotated[int, Field(ge=1, le=6 * SIZE_FACTOR)] = Field(
        1, title="Layers", description="n_layers: layers in each stack (N)."
    )
    d_ff: Annotated[int, Field(ge=1, le=1024 * SIZE_FACTOR)] = Field(
        128,
        title="Hidden width",
        description="d_ff: hidden width of the feed-forward network (F). The paper uses 4 x d_model.",
    )
    dropout: Annotated[float, Field(ge=0, le=0.9)] = Field(
        0.0,
        title="Dropout",
        description="Fraction of numbers set to 0 in training, after the embeddings and each sublayer. The others are "
        "scaled up.",
    )
    norm_position: NormPosition = Field(
        "pre",
        title="Norm position",
        description="Post: after each residual sum, as in the paper. Pre: before each sublayer; trains more stably.",
    )
    norm: NormKind = Field(
        "layer_norm",
        title="Norm",
        description="LayerNorm (paper) or RMSNorm (Llama), which divides by the root mean square and subtracts no "
        "mean.",
    )
    activation: Activation = Field(
        "relu",
        title="Activation function",
        description="Between the linear layers of the feed-forward network: ReLU (paper), GELU (GPT-2), or SwiGLU "
        "(Llama), which multiplies by a third linear layer.",
    )
    positions: Positions = Field(
        "two_way",
        title="Positions",
        description="Positional encoding: sines (paper), a trained table (GPT-2), trained tables counted from both "
        "ends of the input, rotation of queries and keys in self-attention (RoFormer), or none. With none, only a "
        "causal mask tells the order.",
    )
    bias: bool = Field(True, title="Biases", description="Adds a trained vector in every linear layer and LayerNorm.")
    attention_bias: bool = Field(
        True,
        title="Attention biases",
        description="Adds biases in the four linear layers of attention too, as in GPT-2. The paper has none there.",
    )
    tie_embeddings: bool = Field(
        False,
        title="Tied embeddings",
        description="Uses the token embedding table as the weights of the output layer, which then has no bias "
        "(paper, GPT-2).",
    )
    scale_scores: bool = Field(
        True, title="Scale scores", description="Divides attention scores by sqrt(d_k), as in equation (1)."
    )
    causal_mask: bool = Field(
        True,
        title="Causal mask",
        description="Hides later positions from the decoder. Without it, training shows the decoder the answer.",
    )
    residual: bool = Field(True, title="Residual connections", description="Adds each sublayer's input to its output.")
    layer_norm: bool = Field(True, title="Norms", description="Normalizes the vectors before or after each sublayer.")

    attention: AttentionKind = Field(
        "multi_head",
        title="Attention",
        description="Multi-head (paper), grouped-query (Llama), in which heads share keys and values, or latent "
        "(DeepSeek), which makes all keys and values from one small vector.",
    )
    n_kv_heads: Annotated[int, Field(ge=1, le=16 * SIZE_FACTOR)] = Field(
        2,
        title="Key heads",
        description="n_kv_heads: heads of keys and values in grouped-query attention (G). 1: multi-query attention.",
    )
    d_latent: Annotated[int, Field(ge=1, le=256 * SIZE_FACTOR)] = Field(
        16,
        title="Latent width",
        description="d_latent: width of the vector that latent attention keeps for each position (C).",
    )
    d_rope: Annotated[int, Field(ge=0, le=64 * SIZE_FACTOR)] = Field(
        0,
        title="Rotary width",
        description="d_rope: columns that latent attention adds to queries and keys for rotary positions (P). 0: none.",
    )
    qk_norm: bool = Field(
        False,
        title="Query-key norm",
        description="Gives all queries and keys length 1, and scales the scores by a trained number.",
    )
    logit_cap: Annotated[float, Field(ge=0, le=1000)] = Field(
        0.0, title="Score cap", description="Keeps attention scores between minus and plus this number. 0: no limit."
    )
    window: Annotated[int, Field(ge=0, le=256 * SIZE_FACTOR)] = Field(
        0,
        title="Window",
        description="Self-attention sees positions less than this many steps away. 0: all positions.",
    )
    feed_forward: FeedForwardKind = Field(
        "dense",
        title="Feed-forward",
        description="One network (paper), or a mixture of experts: a router chooses a few networks for each position.",
    )
    n_experts: Annotated[int, Field(ge=1, le=16 * SIZE_FACTOR)] = Field(
        4, title="Experts", description="n_experts: networks that the router of a mixture chooses from (E)."
    )
    experts_per_token: Annotated[int, Field(ge=1, le=16 * SIZE_FACTOR)] = Field(
        2, title="Experts per token", description="Networks that the router chooses for each position."
    )
    n_shared_experts: Annotated[int, Field(ge=0, le=4 * SIZE_FACTOR)] = Field(
        0, title="Shared experts", description="Networks of a mixture that read every position besides the chosen ones."
    )
    balance: Annotated[float, Field(ge=0, le=10)] = Field(
        0.01,
        title="Balancing loss",
        description="Weight of a second loss that is small if all experts get equally many positions. 0: none.",
    )

    @model_validator(mode="after")
    def _rules(self) -> Self:
        if self.d_model % self.n_heads:
            heads = self._near_heads()
            raise _conflict(
                "n_heads",
                f"d_model {self.d_model} is not divisible by n_heads {self.n_heads}. "
                f"Use d_model {self._near_widths()}{heads and f', or n_heads {heads}'}.",
            )
        if self.positions == "sinusoidal" and self.d_model % 2:
            raise _conflict(
                "positions",
                f"Sinusoidal positions need an even d_model, and {self.d_model} is odd. "
                f"Use d_model {self._near_widths()} or other positions.",
            )
        if self.attention == "latent":
            self._check_latent()
        elif self.positions == "rotary" and self.d_head % 2:
            raise _conflict(
                "positions",
                f"Rotary positions turn pairs of columns, but d_model {self.d_model} and n_heads {self.n_heads} give "
                f"heads of odd width {self.d_head}. Use d_model {self._near_widths()} or other positions.",
            )
        if self.architecture == "encoder-only" and not self.causal_mask:
            raise _conflict(
                "causal_mask",
                "An encoder-only model has no causal mask to turn off. Turn causal_mask on or choose another "
                "architecture.",
            )
        if self.attention == "grouped_query" and self.n_heads % self.n_kv_heads:
            good = [str(number) for number in range(1, self.n_heads + 1) if self.n_heads % number == 0]
            raise _conflict(
                "n_kv_heads",
                f"n_heads {self.n_heads} is not divisible by n_kv_heads {self.n_kv_heads}. "
                f"Use n_kv_heads {' or '.join(good)}.",
            )
        if self.feed_forward == "mixture" and self.experts_per_token > self.n_experts:
            raise _conflict(
                "experts_per_token",
                f"experts_per_token {self.experts_per_token} is above n_experts {self.n_experts}. "
                "Lower one or raise the other.",
            )
        return self

    def _check_latent(self) -> None:
        rotary = self.positions == "rotary"
        if rotary and (not self.d_rope or self.d_rope % 2):
            raise _conflict(
                "d_rope",
                "Rotary positions turn pairs of the columns that d_rope adds to latent attention, and d_rope is "
                f"{self.d_rope}. Use an even number from 2 on, or other positions.",
            )
        if self.d_rope and not rotary:
            raise _conflict(
                "d_rope",
                f"The {self.d_rope} columns that d_rope adds to latent attention need rotary positions. "
                "Use d_rope 0 or rotary positions.",
            )

    def _near_widths(self) -> str:
        """The widths nearest to d_model that fit all other settings, in words."""
        step = self._divisor(self.n_heads)
        below = self.d_model - self.d_model % step
        low, high = bounds(type(self).model_fields["d_model"])
        return " or ".join(str(width) for width in (below, below + step) if low <= width <= high)

    def _near_heads(self) -> str:
        """The numbers of heads nearest to n_heads that fit all other settings, in words; empty if there is none."""
        low, high = map(int, bounds(type(self).model_fields["n_heads"]))
        good = [heads for heads in range(low, high + 1) if self.d_model % self._divisor(heads) == 0]
        nearest = [[h for h in good if h < self.n_heads][-1:], [h for h in good if h > self.n_heads][:1]]
        return " or ".join(str(heads) for side in nearest for heads in side)

    def _divisor(self, heads: int) -> int:
        """The number that must divide d_model in a model with so many heads."""
        turned = "" if self.attention == "latent" and self.positions == "rotary" else self.positions
        return math.lcm(heads, {"sinusoidal": 2, "rotary": 2 * heads}.get(turned, 1))

    @property
    def d_head(self) -> int:
        """Width K of one head."""
        return self.d_model // self.n_heads

    @property
    def adds_positions(self) -> bool:
        """True if a position vector is added to each token's vector."""
        return self.positions not in ("rotary", "none")

    @property
    def limits_attention(self) -> bool:
        """True if queries and keys, scores or distances have a limit."""
        return bool(self.qk_norm or self.logit_cap or self.window)

    @property
    def projection_bias(self) -> bool:
        """True if the linear layers of attention have biases."""
        return self.bias and self.attention_bias

    @property
    def output_bias(self) -> bool:
        """True if the output layer has a bias."""
        return self.bias and not self.tie_embeddings


class TrainingConfig(_Settings):
    """How the model is trained."""

    steps: Annotated[int, Field(ge=1, le=100_000)] = Field(
        1000, title="Steps", description="Maximum number of optimizer steps."
    )
    batch_size: Annotated[int, Field(ge=1, le=512)] = Field(
        32, title="Batch size", description="Sequences in each optimizer step (B)."
    )
    optimizer: OptimizerName = Field(
        "adamw", title="Optimizer", description=" ".join(filter(None, (row.help for row in OPTIMIZERS.values())))
    )
    learning_rate: Annotated[float, Field(gt=0, le=10)] = Field(
        5e-3, title="Learning rate", description="The peak. Warm-up and schedule set it for each step."
    )
    weight_decay: Annotated[float, Field(ge=0, le=1)] = Field(
        0.0, title="Weight decay", description="Shrinks all weights a little towards 0 at each step."
    )
    schedule: ScheduleName = Field(
        "constant",
        title="Schedule",
        description=" ".join(
            filter(None, ("How the learning rate changes after its peak.", *(row.help for row in SCHEDULES.values())))
        ),
    )
    warmup_steps: Annotated[int, Field(ge=0, le=100_000)] = Field(
        0, title="Warm-up steps", description="Steps in which the learning rate rises to its peak."
    )
    label_smoothing: Annotated[float, Field(ge=0, lt=1)] = Field(
        0.0,
        title="Label smoothing",
        description="Fraction of the target probability spread evenly over all tokens, the right one included. "
        "The paper uses 0.1.",
    )
    clip_grad_norm: Annotated[float, Field(ge=0, le=1000)] = Field(
        0.0, title="Clip gradient norm", description="Scales larger gradients down to this norm. 0: no clipping."
    )
    eval_every: Annotated[int, Field(ge=1, le=10_000)] = Field(
        5, title="Evaluate every (steps)", description="Steps between two evaluations on held-out sequences."
    )
    eval_sequences: Annotated[int, Field(ge=0, le=10_000)] = Field(
        0,
        title="Inputs in each evaluation",
        description="Held-out inputs that each evaluation tests. 0: 100 inputs, and 1,000 once they are all right. If "
        "fewer inputs are held out, it tests all of them.",
    )
    record: Annotated[tuple[RecordedName, ...], BeforeValidator(lambda names: _in_order(names))] = Field(
        (),
        title="Extra measures",
        description="Measures that each evaluation takes besides the usual ones: "
        + "; ".join(f"{name}, {words}" for name, words in RECORDED.items())
        + ".",
    )
    stop_when_solved: bool = Field(
        True,
        title="Stop when solved",
        description="Ends the run when 99.9 % of the answers to held-out inputs are right in every token.",
    )

    @model_validator(mode="after")
    def _rules(self) -> Self:
        if SCHEDULES[self.schedule].needs_warmup and self.warmup_steps == 0:
            raise _conflict(
                "warmup_steps",
                f"The schedule {self.schedule} needs a warm-up. Set warmup_steps to 1 or more.",
            )
        if self.warmup_steps > self.steps:
            raise _conflict(
                "warmup_steps",
                f"warmup_steps {self.warmup_steps} is above steps {self.steps}. Lower one or raise the other.",
            )
        return self


def _in_order(names: object) -> object:
    """Names of extra measures as a tuple, each once, in the order of `RECORDED`; anything else as it is."""
    if not isinstance(names, list | tuple) or any(name not in list(RECORDED) for name in names):
        return names
    return tuple(name for name in RECORDED if name in names)


class RunConfig(_Settings):
    """All settings of a run. The same `RunConfig` gives the same run, bit for bit, on one thread."""

    task: TaskConfig = TaskConfig()
    model: ModelConfig = ModelConfig()
    training: TrainingConfig = TrainingConfig()
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = Field(
        0, title="Seed", description="Sets initial weights, data order and dropout. The same seed gives the same run."
    )

    @model_validator(mode="after")
    def _rules(self) -> Self:
        if self.model.architecture == "encoder-only" and not task_of(self.task).answers_in_place:
            raise _conflict(
                "model.architecture",
                f"An encoder-only model predicts one token for each input token, but answers of task {self.task.name} "
                "have another length. Use another architecture.",
            )
        total = sum(parameter_counts(self).values())
        if total > MAX_PARAMETERS:
            raise PydanticCustomError(
                "conflict",
                "{sentence}",
                {
                    "field": "model.n_layers",
                    "sentence": f"The model would have {total:,} parameters, above the limit of {MAX_PARAMETERS:,}. "
                    f"Lower n_layers, d_model{', n_experts' * (self.model.feed_forward == 'mixture')} or d_ff.",
                },
            )
        return self

    @classmethod
    def parse(cls, data: object) -> Self:
        """`data` (from a form, a file, anywhere), checked; raises `ConfigError` with a sentence per problem."""
        try:
            return cls.model_validate(data)
        except ValidationError as error:
            raise ConfigError(dict(_sentences(cls, error.errors(include_url=False)))) from None

    def updated(self, changes: Mapping[str, Any]) -> Self:
        """A copy with settings replaced by path, e.g. {"model.d_model": 32}; raises `ConfigError`."""
        data = self.model_dump()
        for path, value in changes.items():
            *parents, name = path.split(".")
            group: Any = data
            for parent in parents:
                group = group.get(parent) if isinstance(group, dict) else None
            if not isinstance(group, dict) or (name not in group) or isinstance(group[name], dict):
                raise _unknown(path)
            group[name] = cleaned(value) if path == "task.text" and isinstance(value, str) else value
        return self.parse(data)

    def after(self, changes: Iterable["Change"], step: int) -> Self:
        """The settings of the first optimizer step after `step`: these, with all changes up to `step` applied.

        Raises `ConfigError` where they break a rule together.
        """
        merged: dict[str, Any] = {}
        for change in sorted(changes, key=lambda change: change.step):
            if change.step <= step:
                merged |= change.settings
        return self.updated(merged) if merged else self

    @property
    def vocabulary_size(self) -> int:
        """V: the specials and the task's symbols."""
        return len(SPECIALS) + len(task_of(self.task).symbols)

    @property
    def max_source_length(self) -> int:
        """Positions of the longest sequence that an encoder reads; 0 without an encoder."""
        return 0 if self.model.architecture == "decoder-only" else task_of(self.task).max_source_length

    @property
    def max_target_length(self) -> int:
        """Positions of the longest sequence that a decoder reads; 0 without a decoder.

        BOS and the answer or, in a decoder-only model, source, SEP and answer.
        """
        task, architecture = task_of(self.task), self.model.architecture
        if architecture == "encoder-only":
            return 0
        return 1 + task.max_answer_length + task.max_source_length * (architecture == "decoder-only")

    @property
    def max_positions(self) -> int:
        """Rows of the position table: the longest sequence of any stack.

        In a decoder-only model, two_way counts the source and the part after it separately.
        """
        if self.model.architecture == "decoder-only" and self.model.positions == "two_way":
            task = task_of(self.task)
            return max(task.max_source_length, 1 + task.max_answer_length)
        return max(self.max_source_length, self.max_target_length)

    @property
    def sizes(self) -> dict[str, int]:
        """The number for each letter of a shape, of a training batch of the longest sequences."""
        m = self.model
        sizes = {
            "B": self.training.batch_size,
            "S": self.max_source_length,
            "T": self.max_target_length,
            "D": m.d_model,
        }
        sizes |= {"H": m.n_heads, "K": m.d_head, "F": m.d_ff, "V": self.vocabulary_size, "R": self.max_positions}
        sizes |= {"G": m.n_kv_heads, "M": m.n_kv_heads * m.d_head}
        sizes |= {"C": m.d_latent, "P": m.d_rope, "U": m.n_heads * m.d_rope, "Q": m.d_head + m.d_rope}
        return sizes | {"E": m.n_experts}


class Change(_Settings):
    """New values of settings, by path, for a run that trains.

    They hold from the first optimizer step after `step`. Raises `ConfigError` for a setting that is not in `LIVE`, for
    a value that is not allowed, and for a number of steps that the run has already taken.
    """

    step: int
    settings: dict[str, bool | int | float]

    def __init__(self, step: int, settings: Mapping[str, Any]) -> None:
        most = bounds(setting_paths()["training.steps"])[1]
        if type(step) is not int or not 0 <= step <= most:
            raise ConfigError({"step": f"step can't be {short(step)}. Use a whole number from 0 to {most:,}."})
        data: dict[str, Any] = {"step": step, "settings": _live(settings)}
        super().__init__(**data)
        if self.settings.get("training.steps", math.inf) <= step:
            asked = self.settings["training.steps"]
            raise ConfigError(
                {"training.steps": f"training.steps {asked:,} is not above the {step:,} steps already taken; use more."}
            )

    @classmethod
    def parse(cls, data: object) -> Self:
        """`data` (from a file, anywhere), checked; raises `ConfigError`."""
        if not isinstance(data, dict) or data.keys() != {"step", "settings"}:
            raise ConfigError({"changes": "A change must be an object with step, settings and nothing else."})
        return cls(**data)


def _live(settings: object) -> dict[str, Any]:
    """Settings by path, checked, each with its own type; raises `ConfigError`."""
    if not isinstance(settings, Mapping) or not settings:
        raise ConfigError({"settings": "A change needs at least one setting."})
    fixed = [path for path in setting_paths() if path in settings and path not in LIVE]
    if fixed:
        raise ConfigError(
            {path: f"{path} needs a new run; mid-run only {', '.join(LIVE)} can change." for path in fixed}
        )
    config = RunConfig().updated(settings)
    return {path: value_at(config, path) for path in LIVE if path in settings}


def max_steps(config: RunConfig, changes: Iterable[Change]) -> int:
    """The highest number of steps that a run with these changes can have taken."""
    return max([config.training.steps, *(int(change.settings.get("training.steps", 0)) for change in changes)])


def in_order(config: RunConfig, changes: Iterable[Change]) -> tuple[Change, ...]:
    """Changes sorted and merged by step; raises `ConfigError` where they don't fit a run of `config`."""
    merged: dict[int, dict[str, Any]] = {}
    for change in sorted(changes, key=lambda change: change.step):
        merged[change.step] = merged.get(change.step, {}) | change.settings
    if len(merged) > MAX_CHANGES:
        raise ConfigError({"changes": f"A run can change at most {MAX_CHANGES} times; start a new run."})
    ordered = tuple(Change(step, settings) for step, settings in merged.items())
    held = config
    for change in ordered:
        held = held.updated(change.settings)
    return ordered


def not_after(changes: Iterable[Change], step: int) -> tuple[Change, ...]:
    """The changes up to a step: a new change there replaces all later ones."""
    return tuple(change for change in changes if change.step <= step)


def parse_changes(data: object, config: RunConfig) -> tuple[Change, ...]:
    """The changes made to a run of `config`, from a file or anywhere; raises `ConfigError`."""
    if not isinstance(data, list) or len(data) > MAX_CHANGES:
        raise ConfigError({"changes": f"The changes must be a list of at most {MAX_CHANGES} entries."})
    changes = tuple(map(Change.parse, data))
    if any(later.step <= earlier.step for earlier, later in pairwise(changes)):
        raise ConfigError({"changes": "The changes must be sorted by step, with one entry per step."})
    return in_order(config, changes)


def value_at(config: RunConfig, path: str) -> Any:
    """The value of the setting at `path` ("model.d_model")."""
    value: Any = config
    for part in path.split("."):
        value = getattr(value, part)
    return value


def setting_title(path: str) -> str:
    """The name of a setting on screen; its name in code is the end of its path."""
    return setting_paths()[path].title or path


def typed(value: Any) -> str:
    """The value of a setting as `parse_value` reads it."""
    return ",".join(value) if isinstance(value, list | tuple) else str(value)


def value_text(value: Any) -> str:
    """The value of a setting on one line, a long text by its beginning and its length."""
    text = (", ".join(value) or "none") if isinstance(value, list | tuple) else str(value)
    if len(text) <= _SHOWN and text.isprintable():
        return text
    return f"“{' '.join(text[:_SHOWN].split())}…” ({len(text):,} characters)"


def differences(before: RunConfig, after: RunConfig) -> list[tuple[str, Any, Any]]:
    """Path, value before and value after of every setting in which the two differ."""
    pairs = ((path, value_at(before, path), value_at(after, path)) for path in setting_paths())
    return [(path, a, b) for path, a, b in pairs if a != b]


def changed_settings(before: RunConfig, after: RunConfig) -> str:
    """The settings of task and architecture in which two runs differ, as a sentence; empty if in none."""
    found = [each for each in differences(before, after) if each[0].startswith(("task.", "model."))]
    listed = ", ".join(f"{path} ({value_text(one)} and {value_text(other)})" for path, one, other in found[:3])
    return f"{listed} differ." if len(found) > 1 else f"{listed} differs." if found else ""


def parameter_shapes(config: RunConfig) -> dict[str, tuple[int, ...]]:
    """Name and shape of every parameter of a `Transformer` with these settings, in its order, without building it."""
    return architecture(config.model).parameter_shapes(config.sizes)


def parameter_counts(config: RunConfig) -> dict[str, int]:
    """Trainable parameters by part, without building the model."""
    counts, sizes = {"token embedding": 0, "positions": 0}, config.sizes
    for (part, axes), number in parameter_axes(config.model).items():
        counts[part] = counts.get(part, 0) + number * math.prod(shape(axes, sizes))
    return counts


def initial_differences(one: RunConfig, other: RunConfig) -> list[str]:
    """Parameters with different initial values in two runs of one seed: those whose shapes differ.

    All others start with the same numbers: initial weights depend on the seed, the name and the shape alone.
    """
    shapes, others = parameter_shapes(one), parameter_shapes(other)
    return [name for name in shapes | others if shapes.get(name) != others.get(name)]


def sections() -> dict[str, type[_Settings]]:
    """The three groups of settings, in the order of the pages."""
    return {"task": TaskConfig, "model": ModelConfig, "training": TrainingConfig}


def setting_paths() -> dict[str, FieldInfo]:
    """Every setting by its path ("model.d_model"), with its title, help text, default and bounds."""
    fields = {
        f"{group}.{name}": field for group, kind in sections().items() for name, field in kind.model_fields.items()
    }
    return fields | {"seed": RunConfig.model_fields["seed"]}


def bounds(field: FieldInfo) -> tuple[float, float]:
    """The lowest and highest value of a numeric setting."""
    low, high = -math.inf, math.inf
    for rule in field.metadata:
        low = getattr(rule, "ge", getattr(rule, "gt", low))
        high = getattr(rule, "le", getattr(rule, "lt", high))
    return low, high


def choices(field: FieldInfo) -> tuple[str, ...]:
    """The allowed values of a setting that is a choice, empty for any other."""
    return get_args(field.annotation) if get_origin(field.annotation) is Literal else ()


def names_of(field: FieldInfo) -> tuple[str, ...]:
    """The allowed names of a setting that is a list of names, empty for any other."""
    return get_args(get_args(field.annotation)[0]) if get_origin(field.annotation) is tuple else ()


def allowed(field: FieldInfo) -> str:
    """The values that a setting accepts, in words: "a whole number from 1 to 16"."""
    if choices(field):
        return "one of " + ", ".join(choices(field))
    if names_of(field):
        return f"names of {', '.join(names_of(field))}, separated by commas"
    if field.annotation is bool:
        return "true or false"
    if field.annotation is str:
        return f"a text of at most {MAX_CHARACTERS:,} characters"
    low, high = bounds(field)
    kind = "a whole number" if field.annotation is int else "a number"
    exclusive_low = any(isinstance(rule, annotated_types.Gt) for rule in field.metadata)
    exclusive_high = any(isinstance(rule, annotated_types.Lt) for rule in field.metadata)
    if math.isinf(low):
        return kind
    above = f"{kind} {'above' if exclusive_low else 'from'} {low:,}"
    return above if math.isinf(high) else f"{above} {'to below' if exclusive_high else 'to'} {high:,}"


def _unknown(path: str) -> ConfigError:
    """The error for a path that no setting has."""
    known = [each for each in setting_paths() if each.partition(".")[0] == path.partition(".")[0]]
    of_group = (
        f"settings are {', '.join(known)}" if known else "settings begin with task., model. or training., or are seed"
    )
    return ConfigError({path: f"{short(path)} is not a setting; {of_group}."})


_WORDS = {"true": True, "on": True, "false": False, "off": False}


def parse_value(path: str, text: str) -> Any:
    """The value of the setting at `path` as typed: ".001", "1e-3", "True", "Pre"; bounds are checked by `RunConfig`.

    Every entrance where a setting is text reads it here. Raises `ConfigError`, also for an unknown setting.
    """
    field = setting_paths().get(path)
    if field is None:
        raise _unknown(path)
    if field.annotation is str:
        return text
    if names_of(field):
        names = tuple(name.strip().lower() for name in text.split(",") if name.strip())
        if not set(names_of(field)).issuperset(names):
            raise ConfigError({path: f"{path} can't be {short(text)}. Use {allowed(field)}."})
        return _in_order(names)
    word = text.strip().strip('"').lower()
    try:
        if choices(field):
            return {choice.lower(): choice for choice in choices(field)}[word]
        if field.annotation is bool:
            return _WORDS[word]
        if field.annotation is float:
            return float(word)
        return int(word) if word.lstrip("+-").isdecimal() else _whole(float(word))
    except (KeyError, ValueError, OverflowError):
        raise ConfigError({path: f"{path} can't be {short(text)}. Use {allowed(field)}."}) from None


def _whole(number: float) -> int:
    """1e3 as a whole number; raises ValueError for 1.5 and OverflowError for infinity."""
    if int(number) != number:
        raise ValueError(number)
    return int(number)


def _sentences(root: type[_Settings], errors: list[ErrorDetails]) -> Iterator[tuple[str, str]]:
    fields = setting_paths()
    for error in errors:
        path = ".".join(str(part) for part in error["loc"])
        if error["type"] == "conflict":
            context = error["ctx"]
            yield ".".join(filter(None, (path, context["field"]))), context["sentence"]
        elif error["type"] == "extra_forbidden":
            group = path.rpartition(".")[0]
            known = sections()[group].model_fields if group in sections() else RunConfig.model_fields
            yield path, f"{short(path)} is not a setting. Use {', '.join(known)}."
        elif path in fields:
            yield path, f"{path} can't be {short(error['input'])}. Use {allowed(fields[path])}."
        else:
            yield path or "config", f"{path or 'The config'} must be an object with the settings by name."


def short(value: object, limit: int = 60) -> str:
    """A value as part of a sentence."""
    text = repr(value) if isinstance(value, str) and not value.replace(".", "").isidentifier() else str(value)
    return text if len(text) <= limit else text[: limit - 1] + "…"
