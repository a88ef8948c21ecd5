"""Watching and changing one forward pass, from outside.

Every tensor worth looking at flows through a `Tap`, a module that does nothing but carry a name: its dotted path
in the model. PyTorch's own forward hooks do the rest. `run_with_cache` reads named tensors and gradients, `record` also
what each was computed from and by which line, and `intervene` changes them. All work on a copy, so the model that was
passed in never carries a hook, whatever happens in between, and two threads can watch the same model at once.
"""

from playground.recording.cache import Cache, caching, run_with_cache
from playground.recording.copies import with_shared_weights
from playground.recording.graph import ModuleCall, Node, Trace, TracedTensor, values_in
from playground.recording.hooks import has_hooks, hooked, matching, owner, taps
from playground.recording.intervention import intervene
from playground.recording.recorder import Operation, Recording, record
from playground.recording.source import REPOSITORY, Statement, function_around
from playground.recording.tap import Tap
from playground.recording.tracer import MAX_NODES, ModuleNames, TraceError, Tracer, trace, tracing

__all__ = [
    "MAX_NODES",
    "REPOSITORY",
    "Cache",
    "ModuleCall",
    "ModuleNames",
    "Node",
    "Operation",
    "Recording",
    "Statement",
    "Tap",
    "Trace",
    "TraceError",
    "TracedTensor",
    "Tracer",
    "caching",
    "function_around",
    "has_hooks",
    "hooked",
    "intervene",
    "matching",
    "owner",
    "record",
    "run_with_cache",
    "taps",
    "trace",
    "tracing",
    "values_in",
    "with_shared_weights",
]
