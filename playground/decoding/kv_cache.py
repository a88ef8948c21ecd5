"""KV cache: a decoder that computes only the positions that it has not read before.

No formula is written twice. In a copy of the model's decoder, which shares its weights, a few modules are replaced by
wrappers that keep what they have computed. All else is the model's own code, run on the new positions.
"""

import copy
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from playground.model.architecture import Sizes, architecture
from playground.model.task_model import TaskModel
from playground.recording import Tap, has_hooks
from playground.settings.config import ModelConfig
from playground.settings.cost import KEPT
from playground.tasks import SPECIALS
from playground.tasks.batches import make_batch

Module = Callable[..., Tensor]

MADE_AGAIN = ("w_uk", "w_uv")
"""Linear layers that make keys and values of all positions from the latent that is kept, in every pass."""


class CachedDecoder:
    """The decoder of a model for one source, and the keys and values of the positions that it has read.

    Keys and values of earlier positions stay the same because of the causal mask. For a model without it or with hooks
    (`can_cache`), every call is a full pass. `model` must have a decoder and be in evaluation mode.
    """

    def __init__(self, model: TaskModel, source: list[int], *, cached: bool = True) -> None:
        assert model.decoder
        self.model = model
        batch = make_batch(model.config, torch.tensor([source]), torch.empty(1, 0, dtype=torch.long)).to(model.device)
        self.memory: tuple[Tensor, ...] = model.encoder(batch.source) if model.encoder else ()
        assert batch.target is not None
        self.begin = batch.target  # (1, T), what the decoder reads before the answer
        self.source_lengths = batch.source_lengths
        self.positions = 0
        """Positions of the decoder that were computed so far, of all rows together."""
        self._wrappers: list[_Wrapper] = []
        self._decode: Module = self._plain(model.decoder) if cached and can_cache(model) else model.decoder

    def next_logits(self, read: Tensor, rows: Sequence[int] | None = None) -> Tensor:
        """(B, V) logits of the token after `read` (B, R), on the CPU.

        Each row extends one of the last call by one or more tokens: `rows` are their indices, by default the same.
        """
        if rows is not None:
            for wrapper in self._wrappers:
                wrapper.keep(rows)
        target = torch.cat([self.begin.expand(len(read), -1), read.to(self.model.device)], 1)
        x = self._decode(target, *self.memory, source_lengths=self.source_lengths)  # (B, new positions, D)
        self.positions += x.size(0) * x.size(1)
        return self.model.head(x[:, -1]).cpu()

    @property
    def bytes_per_position(self) -> tuple[int, int]:
        """Bytes that are kept of one row: for each position of the decoder, and of the encoder's source."""
        own, source = (
            sum(
                each.kept.element_size() * each.kept[0, 0].numel()
                for each in self._wrappers
                if isinstance(each, kind) and each.kept is not None
            )
            for kind in (_Growing, _Once)
        )
        return own, source

    def _plain(self, module: nn.Module, path: str = "") -> Any:
        """A function that does what the module does, with a wrapper around each part that repeats itself.

        It belongs to a copy that shares all tensors and whose parts are such functions too; a `ModuleList` gives a
        list. Parts and tensors are plain attributes: modules that look each other up and are called as modules take
        more than twice the time for an answer. What does nothing is left out.
        """
        if isinstance(module, nn.ModuleList):
            return [self._plain(child, f"{path}.{index}") for index, child in enumerate(module)]
        if isinstance(module, nn.Embedding):  # asked for its width
            return module
        function = _same if isinstance(module, Tap | nn.Dropout) else self._copy(module, path)
        wrapper = _wrapper(path, function)
        if wrapper is None:
            return function
        self._wrappers.append(wrapper)
        return wrapper.forward

    def _copy(self, module: nn.Module, path: str) -> Module:
        copied = copy.copy(module)
        tensors = module._parameters | module._buffers
        vars(copied).update({"_modules": {}, "_parameters": {}, "_buffers": {}}, **tensors)
        for name, child in module.named_children():
            vars(copied)[name] = self._plain(child, f"{path}.{name}".removeprefix("."))
        return copied.forward


def can_cache(model: TaskModel) -> bool:
    """True if later tokens don't change earlier positions.

    A hook that belongs to a position would mistake the newest one for the first.
    """
    return model.decoding == "in_rounds" and not has_hooks(model)


class _Wrapper(ABC):
    """A module of the decoder, as a function, whose earlier results are used again."""

    def __init__(self, module: Module) -> None:
        self.module = module

    @abstractmethod
    def forward(self, *inputs: Tensor) -> Tensor:
        """The module's output for all positions so far, or for the new ones if the next module needs only those."""

    def keep(self, rows: Sequence[int]) -> None:  # noqa: B027 - most keep nothing of their own by row
        """From now on, these rows of the batch are there."""


class _Newest(_Wrapper):
    """Passes on only the positions, on one axis, that it has not passed on before."""

    def __init__(self, module: Module, axis: int) -> None:
        super().__init__(module)
        self.axis, self.done = axis, 0

    def forward(self, *inputs: Tensor) -> Tensor:
        whole = self.module(*inputs)
        new = whole.narrow(self.axis, self.done, whole.size(self.axis) - self.done)
        self.done = whole.size(self.axis)
        return new


class _Growing(_Wrapper):
    """Puts what it computes behind what it has computed before, (B, T, D)."""

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self.kept: Tensor | None = None

    def keep(self, rows: Sequence[int]) -> None:
        if self.kept is not None:
            self.kept = self.kept[list(rows)]

    def forward(self, *inputs: Tensor) -> Tensor:
        new = self.module(*inputs)
        self.kept = new if self.kept is None else torch.cat([self.kept, new], 1)
        return self.kept


class _Once(_Wrapper):
    """Computes once, from the encoder's output, which is the same for all rows: (1, S, D)."""

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self.kept: Tensor | None = None

    def forward(self, *inputs: Tensor) -> Tensor:
        if self.kept is None:
            self.kept = self.module(*inputs)
        return self.kept


def _wrapper(path: str, module: Module) -> _Wrapper | None:
    """The replacement for a module of the decoder; None if the module needs none."""
    if path in ("embeddings", "mask"):
        return _Newest(module, 1 if path == "embeddings" else 2)
    *_, sublayer, name = f"..{path}".split(".")
    if name in KEPT:
        return _Once(module) if sublayer == "cross_attention" else _Growing(module)
    return None


def _same(x: Tensor) -> Tensor:
    return x


def multiplications(settings: ModelConfig, sizes: Sizes, new: int) -> int:
    """Of matrices, to predict the token after T positions of which the decoder has not read the last `new` before.

    One row, the decoder and the output layer: `sizes` are S, T and those of the model. Without a cache, all T positions
    are new. Where they are, so are the keys and values of the source. Latent attention makes all keys and values again
    from what is kept. Logits are those of the last position.
    """
    total = 0
    for part in architecture(settings):
        rows = 1 if part.path == "head" else new
        again = part.path.rpartition(".")[2] in MADE_AGAIN
        for product in () if part.path.startswith("encoder") else part.products:
            if again:
                total += math.prod(sizes[letter] for letter in product)
            elif not product.startswith("S"):  # the first T is that of the queries, the second that of the keys
                total += rows * math.prod(sizes[letter] for letter in product.replace("T", "", 1))
            elif new == sizes["T"]:
                total += math.prod(sizes[letter] for letter in product)
    return total


def answer_multiplications(model: TaskModel, source: int, tokens: int, *, cached: bool) -> list[int]:
    """Of matrices, for each of this many tokens after a source of this length, each predicted in a pass of its own."""
    config = model.config
    begin = source + 1 if config.model.architecture == "decoder-only" else 1
    return [
        multiplications(
            config.model,
            config.sizes | {"S": source, "T": read},
            1 if cached and can_cache(model) and read > begin else read,
        )
        for read in range(begin, begin + tokens)
    ]


def measured_bytes(model: TaskModel) -> tuple[int, int]:
    """`CachedDecoder.bytes_per_position` after a pass; (0, 0) for a model that can't have a KV cache."""
    if model.decoder is None or not can_cache(model):
        return 0, 0
    decoder = CachedDecoder(model, [len(SPECIALS)])
    with torch.inference_mode():
        decoder.next_logits(torch.empty(1, 0, dtype=torch.long))
    return decoder.bytes_per_position
