"""Time and memory of tracing a model of 5 million parameters at length 64, compared with its plain pass."""

import json
import subprocess
import sys
import time
from typing import Any

import torch

from playground.export import trace_page
from playground.recording import REPOSITORY, trace
from tests.traced_models import Gpt

LENGTH = 64
GOAL_SECONDS, GOAL_MB = 2.0, 500.0
REPEATS = 5


def measure() -> dict[str, Any]:
    """Seconds on one thread, the least of some passes, and the peak of the process's memory, which starts for this."""
    ran = subprocess.run([sys.executable, "-m", __name__], cwd=REPOSITORY, check=True, capture_output=True, text=True)
    return json.loads(ran.stdout.splitlines()[-1])


def as_lines(results: dict[str, Any]) -> list[str]:
    """The results for a person."""
    r = results
    return [
        f"Tracing {r['parameters'] / 1e6:.1f} M parameters at length {LENGTH}, {r['operations']} operations "
        f"(goals {GOAL_SECONDS:.0f} s, {GOAL_MB:.0f} MB)",
        f"  the graph   {r['traced']:.2f} s ({r['traced'] / r['plain']:.0f}x a plain pass of {r['plain']:.3f} s), "
        f"{r['trace_mb']:.0f} MB; {r['traced'] / GOAL_SECONDS:.2f} and {r['trace_mb'] / GOAL_MB:.2f} of the goals",
        f"  gradients   {r['gradients'] / r['traced']:.1f}x the time",
        f"  the page    {r['page']:.2f} s, {r['page_mb']:.0f} MB; all together a peak of {r['peak_mb']:.0f} MB",
    ]


def _own() -> dict[str, Any]:
    torch.set_num_threads(1)
    model = Gpt(vocabulary=1000, width=256, heads=8, layers=6, length=LENGTH).eval()
    tokens = torch.zeros(1, LENGTH, dtype=torch.long)
    trace(lambda x: x + 1, torch.ones(1))  # what is imported and cached at the first use
    plain = min(_seconds(lambda: _plain(model, tokens)) for _ in range(REPEATS))
    before = _peak_mb()
    traced = min(_seconds(lambda: trace(model, tokens)) for _ in range(REPEATS))
    trace_mb = _peak_mb() - before
    graph = trace(model, tokens)
    gradients = _seconds(lambda: trace(model, tokens, gradients_of=lambda result: result[0].sum()))
    begun = time.perf_counter()
    page = trace_page.data(graph, "model")
    return {
        "parameters": sum(parameter.numel() for parameter in model.parameters()),
        "operations": len(graph),
        "plain": plain,
        "traced": traced,
        "gradients": gradients,
        "trace_mb": trace_mb,
        "page": time.perf_counter() - begun,
        "page_mb": len(page) / 1e6,
        "peak_mb": _peak_mb() - before,
    }


@torch.no_grad()
def _plain(model: torch.nn.Module, tokens: torch.Tensor) -> None:
    model(tokens)


def _seconds(work: Any) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def _peak_mb() -> float:
    """The most memory that this process has used so far."""
    import resource  # not on Windows

    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


if __name__ == "__main__":
    print(json.dumps(_own()))
