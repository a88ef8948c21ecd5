"""Small models and batches in which no two axes have the same size, small runs, and ways to wait for them."""

import asyncio
import inspect
import json
import multiprocessing
import re
import time
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from itertools import cycle
from pathlib import Path
from typing import Any, get_args

import pytest
import torch
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest
from torch import Tensor, nn

from playground.explain.inspection import Walk
from playground.model import attention, embeddings, feed_forward, layers, transformer
from playground.model.task_model import TaskModel
from playground.optimization.optimizers import OPTIMIZERS
from playground.optimization.schedules import SCHEDULES
from playground.recording import REPOSITORY, Operation
from playground.settings.config import Architecture, RunConfig
from playground.tasks import SPECIALS
from playground.tasks.batches import Batch, make_batch
from playground.ui.session import identity

HANG = 300.0
"""Seconds after which a wait for a condition ends as failed. Only a hang takes so long, however slow the machine is."""

THOROUGH = False
"""Whether the tests run with --thorough; conftest.py sets it before it imports any of them."""


OUTDATED: set[str] = set()
"""Where more cases stand than `first` and `thorough.FEWER_CASES` know, so that all of them run."""


def examples(few: int) -> int:
    """How many examples a slow test looks at: `few`, or four times as many with --thorough."""
    return 4 * few if THOROUGH else few


def first(few: int, cases: Iterable[Any], *, of: int | None = None) -> list[Any]:
    """Cases of a slow parametrized test: the first `few`, and all of them with --thorough.

    `of` is how many there were when somebody decided that the first ones are enough. If there are others, all of them
    run: a new case is never left out unseen. It is needed unless the cases stand in the call.
    """
    found, every = [], list(cases)
    if of not in (None, len(every)):
        few = len(every)
        caller = inspect.stack()[1]
        OUTDATED.add(f"{Path(caller.filename).name}, line {caller.lineno}: {len(every)} cases, no longer {of}")
    for at, case in enumerate(every):
        made = hasattr(case, "marks")  # by pytest.param, with marks and a name of its own
        values = case.values if made else case if isinstance(case, tuple) else (case,)
        marks, name = (case.marks, case.id) if made else ((), None)
        found.append(pytest.param(*values, marks=[*marks, *[pytest.mark.thorough] * (at >= few)], id=name))
    return found


MODEL_CLASSES: dict[str, type[nn.Module]] = {
    name: kind
    for module in (attention, embeddings, feed_forward, layers, transformer)
    for name, kind in vars(module).items()
    if getattr(kind, "__module__", "") == module.__name__ and isinstance(kind, type)
}
"""The parts of the transformer, by the names of their classes."""

ARCHITECTURES: tuple[Architecture, ...] = get_args(Architecture)
WITH_DECODER = ("encoder-decoder", "decoder-only")

SMALL = RunConfig().updated(
    {"task.vocab_size": 7, "task.max_length": 6, "model.d_model": 12, "model.n_heads": 3, "model.d_ff": 10}
)
SIZES = {"B": 2, "H": 3, "K": 4, "S": 5, "T": 7, "F": 10, "V": 11, "D": 12, "1": 1}
"""Letters of `SMALL` and of the batches that `small_batch` makes for it."""


MODERN: dict[str, dict[str, Any]] = {
    "rms-norm-swiglu": {"norm": "rms_norm", "activation": "swiglu", "positions": "learned"},
    "grouped-query": {
        "attention": "grouped_query",
        "d_model": 24,
        "n_heads": 4,
        "n_kv_heads": 2,
        "positions": "rotary",
        "norm": "rms_norm",
        "norm_position": "post",
        "bias": False,
    },
    "multi-query": {"attention": "grouped_query", "n_kv_heads": 1, "window": 2, "positions": "two_way"},
    "latent": {"attention": "latent", "d_latent": 5, "logit_cap": 1.5, "positions": "learned"},
    "latent-rotary": {
        "attention": "latent",
        "d_latent": 5,
        "d_rope": 4,
        "positions": "rotary",
        "attention_bias": False,
    },
    "limits": {"qk_norm": True, "logit_cap": 2.0, "window": 3, "positions": "rotary", "activation": "swiglu"},
    "limits-unscaled": {"qk_norm": True, "scale_scores": False, "window": 2, "norm_position": "post"},
    "mixture": {
        "feed_forward": "mixture",
        "n_experts": 4,
        "experts_per_token": 2,
        "n_shared_experts": 1,
        "activation": "swiglu",
        "norm": "rms_norm",
    },
    "switch": {
        "feed_forward": "mixture",
        "n_experts": 3,
        "experts_per_token": 1,
        "balance": 0.5,
        "norm_position": "post",
        "activation": "gelu",
    },
    "all-experts": {
        "feed_forward": "mixture",
        "n_experts": 2,
        "experts_per_token": 2,
        "n_shared_experts": 2,
        "balance": 0.0,
        "residual": False,
        "bias": False,
    },
    "deepseek": {
        "attention": "latent",
        "d_latent": 5,
        "d_rope": 2,
        "qk_norm": True,
        "positions": "rotary",
        "feed_forward": "mixture",
        "n_experts": 3,
        "experts_per_token": 2,
        "n_shared_experts": 1,
        "norm": "rms_norm",
        "activation": "swiglu",
        "bias": False,
    },
}
"""Settings of the model by name, in which each part that came after 2017 is chosen, alone and with others."""


def modern() -> list[Any]:
    """Parameters of a test: an architecture and `MODERN` settings, each in one architecture unless --thorough."""
    return [
        pytest.param(
            architecture,
            changes,
            marks=[pytest.mark.thorough] * ((row - column) % len(ARCHITECTURES) > 0),
            id=f"{architecture} {name}",
        )
        for row, (name, changes) in enumerate(MODERN.items())
        for column, architecture in enumerate(ARCHITECTURES)
    ]


def small_config(architecture: str, **model: Any) -> RunConfig:
    """`SMALL` with other settings of the model."""
    return SMALL.updated(
        {"model.architecture": architecture} | {f"model.{name}": value for name, value in model.items()}
    )


def small_model(architecture: str, **model: Any) -> TaskModel:
    """An untrained model in evaluation mode."""
    return TaskModel(small_config(architecture, **model)).eval()


def behind(name: str, operations: Iterable[Operation]) -> set[str]:
    """Names of the operations of a pass that `name` was computed from, and its own."""
    found = {name}
    for operation in reversed([*operations]):
        if operation.name in found:
            found |= set(operation.inputs)
    return found


def backward_order(walked: Walk) -> tuple[str, ...]:
    """Names of the operations that have a gradient, in the order in which backward meets them: loss first."""
    gradients = walked.gradients()
    return tuple(step.name for step in reversed(walked.steps) if step.name in gradients)


def random_tokens(rows: list[int], *, seed: int, vocab_size: int = SMALL.task.vocab_size) -> Tensor:
    """One row of random symbols for each length in `rows`, padded with PAD."""
    symbols = torch.randint(vocab_size, (len(rows), max(rows)), generator=torch.Generator().manual_seed(seed))
    beyond = torch.arange(max(rows)) >= torch.tensor(rows)[:, None]
    return (symbols + len(SPECIALS)).masked_fill(beyond, 0)


def small_batch(config: RunConfig, *, seed: int = 0) -> Batch:
    """Two sequences, the second one shorter, so that S = 5 and T = 7 whatever the architecture."""
    source, answers = {
        "encoder-decoder": ([5, 3], [6, 4]),
        "decoder-only": ([3, 1], [3, 2]),
        "encoder-only": ([5, 3], [5, 3]),
    }[config.model.architecture]
    return make_batch(config, random_tokens(source, seed=seed), random_tokens(answers, seed=seed + 1))


TINY = RunConfig().updated(
    {
        "task.name": "copy",
        "task.vocab_size": 4,
        "task.max_length": 4,
        "model.d_model": 8,
        "model.n_heads": 2,
        "model.d_ff": 16,
        "training.steps": 40,
        "training.batch_size": 4,
        "training.stop_when_solved": False,
    }
)
LONG = TINY.updated({"training.steps": 100_000, "training.eval_every": 50})
"""A run that is over in a moment, and one that nobody will see the end of."""

_BESIDES: list[dict[str, Any]] = [
    {"training.weight_decay": 0.01},
    {"training.clip_grad_norm": 0.5, "training.weight_decay": 0.1, "model.dropout": 0.2}
    | {"model.feed_forward": "mixture"},
    {"training.label_smoothing": 0.1},
    {"model.dropout": 0.1, "model.architecture": "decoder-only"},
]
WAYS_TO_TRAIN: list[dict[str, Any]] = [
    {"training.optimizer": optimizer, "training.schedule": schedule}
    | {"training.warmup_steps": 3 * SCHEDULES[schedule].needs_warmup}
    | besides
    for _, optimizer, schedule, besides in zip(
        range(max(len(OPTIMIZERS), len(SCHEDULES))), cycle(OPTIMIZERS), cycle(SCHEDULES), cycle(_BESIDES), strict=False
    )
]
"""Every optimizer and every schedule, each with something else that the next step depends on."""


def way(changes: dict[str, Any]) -> str:
    """The name of a test for one of `WAYS_TO_TRAIN`."""
    return f"{changes['training.optimizer']}-{changes['training.schedule']}"


def browser(*routes: Route, cookie: bool = True) -> TestClient:
    """A browser of its own at a server with these routes; without its `cookie` it is nobody."""
    cookies = {identity.VISITOR_COOKIE: identity.new_visitor()} if cookie else None
    return TestClient(Starlette(routes=routes), cookies=cookies)


def until(condition: Callable[[], object], message: Callable[[], object] = lambda: "it never came true") -> None:
    """Waits for a condition to come true; `message` says what there was instead."""
    end = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < end, message()
        time.sleep(0.01)


def is_alive(pid: int | None) -> bool:
    """Whether a process still does something; one that has ended and waits to be cleared away does not."""
    assert pid is not None
    if not Path("/proc/self/stat").exists():
        return any(child.pid == pid for child in multiprocessing.active_children())
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state not in "ZX"


def timeless(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in line.items() if key != "seconds"} for line in records]


def numbers(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """`timeless`, and without what is no single number."""
    return [{key: v for key, v in line.items() if not isinstance(v, list | dict)} for line in timeless(records)]


def same_weights(one: TaskModel, other: TaskModel) -> bool:
    return all(torch.equal(a, b) for a, b in zip(one.parameters(), other.parameters(), strict=True))


def live(story: Coroutine[Any, Any, Any]) -> Any:
    """Runs a coroutine to its end, in a thread of its own: a browser of other tests may hold this thread's loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, asyncio.wait_for(story, HANG)).result()


def mounts(app: AppTest, *words: str) -> list[tuple[str, dict[str, Any]]]:
    """Ids and data of the components on the page whose data have all these words."""
    protos = [each.proto for each in app.get("bidi_component") if each.proto.json]
    found = [(proto.id, json.loads(proto.json)) for proto in protos]
    return [(name, data) for name, data in found if isinstance(data, dict) and data.keys() >= set(words)]


def progress(app: AppTest) -> str:
    """Status and text of the progress bar on the page: "running: step 3 of at most 300"."""
    ((_, mounted),) = (each for each in mounts(app, "now", "channel") if "done" in each[1]["now"])
    return f"{mounted['now']['status']}: {mounted['now']['text']}"


def written(app: AppTest) -> str:
    """All that the page says as HTML."""
    return "".join(each.proto.body for each in app.get("html"))


def prose(app: AppTest) -> str:
    """The words of all that the page says as HTML, as a reader sees them."""
    return unescape(re.sub(r"<[^>]*>", "", written(app)))


def messages(app: AppTest, *kinds: str) -> list[str]:
    """The texts of the messages of these kinds, or of all, see `style.message`."""
    found = re.findall(
        r'<div class="message (\w+)"[^>]*>(?:<span class="symbol"[^>]*></span>)?<span>(.*?)</span></div>',
        written(app),
        re.DOTALL,
    )
    return [unescape(text) for kind, text in found if not kinds or kind in kinds]


def tell(app: AppTest, component: str, *, state: Any = None, triggers: dict[str, Any] | None = None) -> AppTest:
    """Runs the page as it runs when the script of a component, named by its id, has sent it something."""
    states = app._tree.get_widget_states()
    if state is not None:
        states.widgets.add(id=component, json_value=json.dumps(state))
    if triggers:
        events = [{"event": name, "value": value} for name, value in triggers.items()]
        states.widgets.add(id=f"$$STREAMLIT_INTERNAL_KEY_{component}__events", json_trigger_value=json.dumps(events))
    return app._run(widget_state=states)


def script(name: str) -> Path:
    """The script or style sheet of the screen with this name."""
    [found] = (REPOSITORY / "playground" / "ui").rglob(name)
    return found
