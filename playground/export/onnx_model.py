"""A model in ONNX, the format of inference engines, with any batch size and any length that the model reads."""

import json
import logging
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from playground.common.errors import PlaygroundError, one_line
from playground.model.task_model import TaskModel
from playground.storage.checkpoint import Checkpoint
from playground.tasks import PAD, token_names
from playground.tasks.batches import Batch, Sequences, make_batch

MAX_DIFFERENCE = 1e-3
"""Largest difference of a logit from PyTorch's, relative to the largest logit where that is above 1."""
SIZES = (1, 2, 5, 16)
"""Batch sizes that are compared."""


class OnnxError(PlaygroundError, ValueError):
    """A model that couldn't be converted."""


class _Logits(nn.Module):
    """The logits alone, from the inputs that this architecture reads."""

    def __init__(self, model: TaskModel, names: Sequence[str]) -> None:
        super().__init__()
        self.model, self.names = model, names

    def forward(self, *inputs: Tensor) -> Tensor:
        """The inputs in the order of `names` -> logits."""
        named = dict(zip(self.names, inputs))
        return self.model(named.get("source"), named.get("target"), named.get("source_lengths"))[0]


def content(checkpoint: Checkpoint) -> tuple[bytes, str]:
    """The file, and a sentence on how it compares with PyTorch; raises `OnnxError`.

    Its inputs are `source` (B, S) and `target` (B, T), as the architecture has them, both token ids with PAD behind.
    A decoder-only model with two-way positions reads `source_lengths` (B, 1), too. Its output is `logits` (B, T, V).
    The metadata has the settings and the tokens. Needs `onnx`, `onnxruntime` and `onnxscript`.
    """
    model = checkpoint.model
    names = _inputs(model)
    lengths = {"source": {0: "batch", 1: "source_length"}, "target": {0: "batch", 1: "target_length"}}
    shapes = {name: lengths.get(name, {0: "batch"}) for name in names}
    tests = list(_batches(model))
    example = tuple(_of(max(tests, key=lambda batch: batch.labels.numel()), names))
    try:
        with _quiet():
            program: Any = torch.onnx.export(
                _Logits(model, names).eval(),
                example,
                input_names=names,
                output_names=["logits"],
                dynamic_shapes=(tuple(shapes.values()),),
                dynamo=True,
                verbose=False,
            )
            proto = program.model_proto
    except Exception as error:  # torch raises many kinds
        raise OnnxError(f"PyTorch could not convert this model to ONNX: {one_line(error, 300)}") from error
    config = checkpoint.config
    metadata = {"settings": json.dumps(config.model_dump()), "tokens": json.dumps(token_names(config.task))}
    for key, value in metadata.items():
        proto.metadata_props.add(key=key, value=value)
    graph = proto.graph
    for part in (graph, *graph.node, *graph.value_info, *graph.input, *graph.output, *graph.initializer):
        part.ClearField("metadata_props")  # stack traces, which name folders of this machine
        part.ClearField("doc_string")
    file = proto.SerializeToString()
    return file, _compared(file, model, names, tests)


def _inputs(model: TaskModel) -> list[str]:
    settings = model.config.model
    if settings.architecture == "decoder-only":
        return ["target", "source_lengths"] if settings.positions == "two_way" else ["target"]
    return ["source"] if settings.architecture == "encoder-only" else ["source", "target"]


def _of(batch: Batch, names: Sequence[str]) -> list[Tensor]:
    return [getattr(batch, name) for name in names]


def _batches(model: TaskModel) -> Iterator[Batch]:
    """Batches of different sizes and lengths."""
    config, generator = model.config, torch.Generator().manual_seed(0)
    for size in SIZES:
        source = Sequences.of(config.task).draw(size, generator)
        source = source[:, : int((source != PAD).sum(1).max())]
        yield make_batch(config, source)


def _compared(file: bytes, model: TaskModel, names: Sequence[str], tests: Sequence[Batch]) -> str:
    """A sentence on the largest difference from PyTorch; raises `OnnxError` if it is large."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
    largest = 0.0
    for batch in tests:
        inputs = dict(zip(names, _of(batch, names)))
        with torch.inference_mode():
            right = model(*batch[:3])[0]
        outputs = torch.tensor(session.run(None, {name: tensor.numpy() for name, tensor in inputs.items()})[0])
        if outputs.shape != right.shape:
            raise OnnxError(f"ONNX gives logits of shape {tuple(outputs.shape)}, and PyTorch {tuple(right.shape)}.")
        largest = max(largest, float((outputs - right).abs().max()) / max(1.0, float(right.abs().max())))
    if not largest <= MAX_DIFFERENCE:
        raise OnnxError(f"A logit from ONNX differs from PyTorch's by {largest:.2g}, so this file was not written.")
    return f"Compared with PyTorch on {sum(SIZES)} inputs: the largest difference of a logit is {largest:.1e}."


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the messages of the converter, most of which are about operators that no model here has."""
    loggers = [logging.getLogger(name) for name in ("torch.onnx", "onnxscript", "torch.export")]
    before = [logger.level for logger in loggers]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for logger in loggers:
            logger.setLevel(logging.CRITICAL)
        try:
            yield
        finally:
            for logger, level in zip(loggers, before):
                logger.setLevel(level)
