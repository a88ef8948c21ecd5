"""`python -m tests.fuzz_checkpoints --mutants 1000000 --seed 0 --workers 2`: broken checkpoints by the million.

Valid checkpoints of tiny models are changed at random and read. Whatever happens must be a `CheckpointError` of one
sentence, or an acceptance that others agree with: safetensors' own parser, json, `RunConfig` and the model itself. What
is known to be right must be accepted, what is known to be wrong refused. The same seed makes the same mutants, whatever
the number of workers; what fails is kept in a folder that is printed.
"""

import argparse
import io
import json
import math
import multiprocessing
import os
import random
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import safetensors
import torch

from playground.common.errors import CheckpointError
from playground.model.task_model import TaskModel
from playground.settings.config import LIVE, ModelConfig, RunConfig, TaskConfig, parameter_shapes
from playground.storage import validation
from playground.storage.checkpoint import CONFIG, HISTORY, WEIGHTS, load, pack
from playground.training import with_interval
from playground.training.measure import columns
from tests.saved import CHANGES, RECORDS

BATCH = 1000
"""Mutants that share a random generator."""

THROUGH_THE_DISK = 5
"""So many of a batch are written to a folder and loaded from there."""

PATH = Path("somewhere")


@dataclass(frozen=True)
class Base:
    """A valid checkpoint, whole and in pieces."""

    files: dict[str, bytes]
    shapes: dict[str, tuple[int, ...]]
    entries: list[tuple[str, list[int], int, int]]  # of the header: name, shape, begin, end
    texts: list[str]  # the same as they stand there
    data: bytes


@dataclass(frozen=True)
class Mutant:
    """What is read instead of a base's file; `right` is None where only the other parsers can tell."""

    kind: str
    base: Base
    name: str
    content: bytes
    right: bool | None = None


def bases() -> list[Base]:
    """Two tiny models of each architecture, with as many and as few kinds of parameters as possible."""
    made = []
    for architecture in ("encoder-decoder", "decoder-only", "encoder-only"):
        for rich in (True, False):
            config = RunConfig().updated(
                {
                    "task.vocab_size": 2,
                    "task.max_length": 2,
                    "model.architecture": architecture,
                    "model.d_model": 2,
                    "model.n_heads": 1,
                    "model.d_ff": 3,
                    "model.bias": rich,
                    "model.layer_norm": rich,
                    "model.positions": "two_way" if rich else "none",
                    "training.steps": 5,
                }
            )
            model = TaskModel(config).eval()
            files = pack(model, RECORDS, CHANGES if rich else ())
            length = int.from_bytes(files[WEIGHTS][:8], "little")
            header = json.loads(files[WEIGHTS][8 : 8 + length])
            header.pop("__metadata__")
            entries = [(name, entry["shape"], *entry["data_offsets"]) for name, entry in header.items()]
            shapes = parameter_shapes(config)
            texts = [_entry(*entry) for entry in entries]
            made.append(Base(files, shapes, entries, texts, files[WEIGHTS][8 + length :]))
    return made


# --- mutations ------------------------------------------------------------------------------------

SIGNS = b'0123456789-+.eE"{}[]:,tfnN\\ \n\0\xff'
SCALARS = [
    *("0", "-0", "-1", "1", "1.0", "1e0", "1E400", "-1e999", "NaN", "Infinity", "true", "false", "null", '"F32"', '""'),
    *(
        "[]",
        "{}",
        "[0]",
        "[[0]]",
        '{"a":0}',
        "9" * 18,
        "9" * 20,
        "18446744073709551616",
        "9" * 4400,
        "01",
        "0x1",
        "'a'",
    ),
    *('"\\u0000"', '"\\ud800"', '"\x1b[2J"', "[" * 150 + "]" * 150, "[" * 300, '"é"', "2147483648", "4"),
]


def mutants(seed: int, batch: int, known: list[Base]) -> Iterator[Mutant]:
    """The mutants of one batch."""
    rng = random.Random(seed << 32 | batch)
    kinds, weights = zip(*MUTATIONS.items())
    for mutate in rng.choices(kinds, weights, k=BATCH):
        yield mutate(rng, rng.choice(known), known)


def any_bytes(rng: random.Random, base: Base, _known: list[Base]) -> Mutant:
    """One to three edits of bytes anywhere in a file, most of them where there is structure."""
    name = rng.choice((CONFIG, WEIGHTS, WEIGHTS, HISTORY))
    content = bytearray(base.files[name])
    reach = len(content) - (len(base.data) if name == WEIGHTS and rng.random() < 0.9 else 0)
    for _ in range(rng.choice((1, 1, 2, 3))):
        at = rng.randrange(reach)
        match rng.randrange(6):
            case 0:
                content[at : at + 1] = bytes([(content[at] if at < len(content) else 0) ^ 1 << rng.randrange(8)])
            case 1:
                content[at : at + 1] = bytes([rng.choice(SIGNS)])
            case 2:
                content[at:at] = bytes([rng.randrange(256)])
            case 3:
                del content[at : at + rng.randrange(1, 10)]
            case 4:
                other = rng.randrange(reach)
                content[at : at + 8] = content[other : other + 8]
            case 5:
                content[at:at] = content[max(0, at - rng.randrange(40)) : at]
    return Mutant("any bytes", base, name, bytes(content))


def truncated(rng: random.Random, base: Base, _known: list[Base]) -> Mutant:
    name = rng.choice((CONFIG, WEIGHTS))
    content = base.files[name]
    if rng.random() < 0.2:
        return Mutant(
            "longer", base, name, content + rng.randbytes(rng.randrange(1, 9)), None if name == CONFIG else False
        )
    cut = content[: rng.randrange(len(content) - 2)]
    return Mutant("truncated", base, name, cut, False)


def lying_length(rng: random.Random, base: Base, _known: list[Base]) -> Mutant:
    content = base.files[WEIGHTS]
    length = int.from_bytes(content[:8], "little")
    lie = rng.choice((rng.randrange(300), length + rng.randrange(-20, 20), rng.randrange(2**27), rng.randrange(2**64)))
    return Mutant(
        "lying length", base, WEIGHTS, lie.to_bytes(8, "little") + content[8:], True if lie == length else None
    )


def other_weights(rng: random.Random, base: Base, known: list[Base]) -> Mutant:
    other = rng.choice(known)
    return Mutant("swapped files", base, WEIGHTS, other.files[WEIGHTS], other is base)


def numbers(rng: random.Random, base: Base, _known: list[Base]) -> Mutant:
    """Other weights: most of them no numbers."""
    data = np.frombuffer(base.data, "<f4").copy()
    right = rng.random() < 0.1
    value = rng.uniform(-1e30, 1e30) if right else rng.choice((math.nan, math.inf, -math.inf))
    data[rng.randrange(len(data))] = value
    content = base.files[WEIGHTS]
    return Mutant("numbers", base, WEIGHTS, content[: len(content) - len(base.data)] + data.tobytes(), right)


def header(rng: random.Random, base: Base, _known: list[Base]) -> Mutant:
    """One change in what the header says, all else as before."""
    entries = list(base.texts)
    at = rng.randrange(len(entries))
    name, shape, begin, end = base.entries[at]
    right: bool | None = False
    metadata = '"__metadata__":{"format":"pt"}'
    match rng.randrange(16):
        case 0:  # the order in the header means nothing
            rng.shuffle(entries)
            right = True
        case 1:
            del entries[at]
        case 2:
            entries.insert(rng.randrange(len(entries) + 1), entries[at])
        case 3:
            entries[at] = _entry(_other_name(rng, name, base), shape, begin, end)
        case 4:
            dtype = rng.choice(("F16", "BF16", "F64", "I32", "U8", "BOOL", "f32", "F32 ", "", "F8_E4M3", "C64"))
            entries[at] = _entry(name, shape, begin, end, f'"{dtype}"')
        case 5:
            entries[at] = _entry(name, _other_shape(rng, shape), begin, end)
            right = None
        case 6:
            shift = rng.choice((1, 2, 4, -4, 2**31, -(2**63), 2**64, 10**30))
            begin, end = rng.choice(((begin + shift, end + shift), (begin + shift, end), (begin, end + shift)))
            entries[at] = _entry(name, shape, begin, end)
        case 7:  # two parts of the same length may well be exchanged
            other = rng.randrange(len(entries))
            entries[at] = _entry(name, shape, *base.entries[other][2:])
            entries[other] = _entry(*base.entries[other][:2], begin, end)
            right = end - begin == base.entries[other][3] - base.entries[other][2]
        case 8:
            key = rng.choice(("dtype", "shape", "data_offsets"))
            entries[at] = _with_value(entries[at], key, rng.choice(SCALARS))
            right = None
        case 9:
            entries[at] = f'"{name}":{rng.choice(SCALARS)}'
        case 10:
            entries[at] = entries[at][:-1] + rng.choice((',"dtype":', ',"shape":', ',"x":')) + rng.choice(SCALARS) + "}"
            right = None
        case 11:
            metadata = '"__metadata__":' + rng.choice((*SCALARS, '{"a":"b","c":"d"}', '{"a":1}', '{"a":"1","a":"2"}'))
            right = None
        case 12:
            metadata = '"__metadata__":{"a":"b"},' + rng.choice(('"__metadata__":{"a":"b"}', entries[at]))
        case 13:
            extra = rng.choice(("more", "", "__metadata", name.upper(), "x" * 5000))
            entries.append(_entry(extra, shape, begin, end))
        case 14:
            number = rng.choice(SCALARS)
            entries[at] = _with_value(entries[at], "shape", f"[{','.join([number] * len(shape))}]")
            right = None
        case 15:
            number = rng.choice(SCALARS)
            pair = rng.choice((f"[{number},{end}]", f"[{begin},{number}]", f"[{begin},{end},{number}]", f"[{number}]"))
            entries[at] = _with_value(entries[at], "data_offsets", pair)
            right = None
    glue = rng.choice((",", ",", ",", " , ", ",\n"))
    text = "{" + glue.join([metadata, *entries] if rng.random() < 0.8 else [*entries, metadata]) + "}"
    raw = text.encode() + b" " * rng.randrange(9)
    return Mutant("header", base, WEIGHTS, len(raw).to_bytes(8, "little") + raw + base.data, right)


def other_config(rng: random.Random, base: Base, known: list[Base]) -> Mutant:
    """Another config.json for the same weights."""
    data = json.loads(base.files[CONFIG])
    if rng.random() < 0.1:
        return Mutant("swapped config", base, CONFIG, rng.choice(known).files[CONFIG])
    groups = [data, data["task"], data["model"], data["training"], data["measured"]]
    for change in data.get("changes", ()):
        groups += [change, change["settings"]]
    group = rng.choice(groups)
    key = rng.choice(list(group))
    match rng.randrange(5):
        case 0:
            del group[key]
        case 1:
            group[rng.choice((key.upper(), "", "x", "__class__", "é\n", "x" * 300))] = group[key]
        case 2:
            group[key] = group[rng.choice(list(group))]
        case 3:
            group[key] = "HERE"
            return Mutant("config", base, CONFIG, json.dumps(data).replace('"HERE"', rng.choice(SCALARS)).encode())
        case 4:
            if isinstance(group[key], (int, float)) and not isinstance(group[key], bool):
                group[key] = group[key] + rng.choice((1, -1, 0.5, 2, 10**6, -(10**6)))
            else:
                text = json.dumps(data).replace(f'"{key}":', f'"{key}": {rng.choice(SCALARS)}, "{key}":', 1)
                return Mutant("config", base, CONFIG, text.encode())
    return Mutant("config", base, CONFIG, json.dumps(data).encode())


def other_history(rng: random.Random, base: Base, _known: list[Base]) -> Mutant:
    lines = base.files[HISTORY].splitlines(keepends=True)
    at = rng.randrange(len(lines))
    match rng.randrange(5):
        case 0:
            record = json.loads(lines[at])
            record[rng.choice(list(record))] = "HERE"
            lines[at] = json.dumps(record).replace('"HERE"', rng.choice(SCALARS)).encode() + b"\n"
        case 1:
            lines.insert(at, rng.choice(lines))
        case 2:
            rng.shuffle(lines)
        case 3:
            lines[at] = lines[at].rstrip(b"\n") + rng.choice((b"", b" ", b"\r\n", b",", b"\n\n", b"\0", b"\x0b"))
        case 4:
            lines[at] = lines[at].replace(
                b"}", b', "%s": 1}' % rng.choice((b"step", b"x", b"", b"\\u0073tep", b"\xff"))
            )
    return Mutant("history", base, HISTORY, b"".join(lines))


MUTATIONS: dict[Callable[[random.Random, Base, list[Base]], Mutant], int] = {
    any_bytes: 25,
    truncated: 5,
    lying_length: 5,
    other_weights: 3,
    numbers: 7,
    header: 40,
    other_config: 10,
    other_history: 5,
}


def _entry(name: str, shape: Iterable[int], begin: int, end: int, dtype: str = '"F32"') -> str:
    sizes = ",".join(map(str, shape))
    return f'"{name}":{{"dtype":{dtype},"shape":[{sizes}],"data_offsets":[{begin},{end}]}}'


def _with_value(entry: str, key: str, value: str) -> str:
    before, _, after = entry.partition(f'"{key}":')
    old = {"dtype": '"F32"', "shape": after.partition("]")[0] + "]", "data_offsets": after.partition("]")[0] + "]"}[key]
    return f'{before}"{key}":{value}{after[len(old) :]}'


def _other_name(rng: random.Random, name: str, base: Base) -> str:
    other = rng.choice(base.entries)[0]
    if other == name:
        return name + rng.choice(("x", ".", "\\u0000", " "))
    return rng.choice((other, name[:-1], name.replace(".", "/", 1), name.upper(), "__metadata__", ""))


def _other_shape(rng: random.Random, shape: list[int]) -> list[int]:
    at = rng.randrange(len(shape))
    return rng.choice(
        (
            shape[::-1],
            [*shape, 1],
            [1, *shape],
            [math.prod(shape)],
            shape[:-1],
            [],
            [*shape[:at], shape[at] + rng.choice((1, -1, 2**31, 2**62, -(2**63))), *shape[at + 1 :]],
        )
    )


# --- judgement ------------------------------------------------------------------------------------


def judge(mutant: Mutant) -> str:
    """ "accepted" or "refused"; raises AssertionError, or whatever should not have been raised."""
    judges = {CONFIG: judge_config, WEIGHTS: judge_weights, HISTORY: judge_history}
    try:
        judges[mutant.name](mutant)
    except CheckpointError as error:
        _check_refusal(mutant, str(error))
        return "refused"
    assert mutant.right is not False, "accepted what is wrong"
    return "accepted"


def judge_weights(mutant: Mutant) -> None:
    read = validation.tensors(io.BytesIO(mutant.content), len(mutant.content), mutant.base.shapes, PATH)
    weights = {name: torch.from_numpy(values) for name, values in read}
    assert {name: tuple(tensor.shape) for name, tensor in weights.items()} == mutant.base.shapes
    compare_weights(mutant.content, weights)


def compare_weights(content: bytes, parameters: Mapping[str, torch.Tensor]) -> None:
    """These parameters are, bit for bit, what safetensors reads, and there is nothing else."""
    stored = dict(safetensors.deserialize(content))
    assert stored.keys() == parameters.keys()
    for name, parameter in parameters.items():
        assert stored[name]["dtype"] == "F32", name
        assert stored[name]["shape"] == list(parameter.shape), name
        values = parameter.detach().numpy()
        assert values.tobytes() == bytes(stored[name]["data"]), name
        assert np.isfinite(values).all(), name


def judge_config(mutant: Mutant) -> None:
    summary = validation.parse_config(mutant.content, PATH)
    compare_config(mutant.content, summary)
    assert parameter_shapes(summary.config) == shapes_of_model(summary.config.task, summary.config.model)


@lru_cache(maxsize=10_000)
def shapes_of_model(task: TaskConfig, model: ModelConfig) -> dict[str, tuple[int, ...]]:
    parameters = TaskModel(RunConfig(task=task, model=model)).named_parameters()
    return {name: tuple(parameter.shape) for name, parameter in parameters}


def compare_config(content: bytes, summary: validation.Summary) -> None:
    twice: list[str] = []

    def look(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        twice.extend(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        return dict(pairs)

    data = json.loads(content.decode(), object_pairs_hook=look)
    assert not twice
    assert repr(data.pop("format_version")) == "1"
    assert summary.measured == data.pop("measured", {})
    assert all(type(value) in (int, float) and math.isfinite(value) for value in summary.measured.values())
    changes, config = data.pop("changes", []), RunConfig.parse(data)
    assert [change.model_dump() for change in summary.changes] == changes
    assert [change["step"] for change in changes] == sorted({change["step"] for change in changes})
    assert summary.config == config
    for change in changes:
        config = config.updated(change["settings"])
        assert change["settings"].keys() <= set(LIVE)
        assert 0 <= change["step"] < change["settings"].get("training.steps", math.inf)


def judge_history(mutant: Mutant) -> None:
    config = validation.parse_config(mutant.base.files[CONFIG], PATH).config
    records = validation.records(io.BytesIO(mutant.content), config, (), PATH)
    compare_history(mutant.content, list(map(with_interval, records)))


def compare_history(content: bytes, records: list[dict[str, Any]]) -> None:
    def object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        assert len(dict(pairs)) == len(pairs), "a name appears twice"
        return dict(pairs)

    lines = [json.loads(line, object_pairs_hook=object_of) for line in content.decode().split("\n") if line]
    assert records == list(map(with_interval, lines))  # the interval is computed again
    steps = [record["step"] for record in records]
    assert all(type(step) is int for step in steps)
    assert steps == sorted(set(steps))
    assert all(math.isfinite(value) for record in records for value in columns(record).values())


def judge_folder(mutant: Mutant, folder: Path) -> str:
    """As `judge`, through a folder and `load`."""
    for name, content in mutant.base.files.items():
        (folder / name).write_bytes(mutant.content if name == mutant.name else content)
    try:
        checkpoint = load(folder)
        history = checkpoint.history
    except CheckpointError as error:
        _check_refusal(mutant, str(error))
        return "refused"
    assert mutant.right is not False, "accepted what is wrong"
    compare_weights((folder / WEIGHTS).read_bytes(), dict(checkpoint.model.named_parameters()))
    compare_history((folder / HISTORY).read_bytes(), history)
    return "accepted"


def _check_refusal(mutant: Mutant, text: str) -> None:
    assert mutant.right is not True, f"refused what is right: {text}"
    assert len(text.splitlines()) == 1, repr(text)
    assert text.endswith("."), text
    assert len(text) < 1000, text
    assert text.isprintable(), repr(text)


# --- the run --------------------------------------------------------------------------------------


def run(
    seed: int, batches: Iterable[int], say: Callable[[str], object] = print, keep: Path | None = None
) -> tuple[Counter[str], int]:
    """Outcomes by kind of mutation, and how many mutants failed; those are kept in folders in `keep`."""
    outcomes: Counter[str] = Counter()
    failed = 0
    known = bases()
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as folder:
        for batch in batches:
            for number, mutant in enumerate(mutants(seed, batch, known)):
                try:
                    outcome = judge(mutant)
                    if number < THROUGH_THE_DISK:
                        judge_folder(mutant, Path(folder))
                except Exception:
                    failed += 1
                    outcome = "FAILED"
                    kept = Path(tempfile.mkdtemp(prefix="mutant-", dir=keep))
                    for name, content in mutant.base.files.items():
                        (kept / name).write_bytes(mutant.content if name == mutant.name else content)
                    say(f"batch {batch} number {number} ({mutant.kind}) in {kept}:\n{traceback.format_exc()}")
                outcomes[f"{mutant.kind} {outcome}"] += 1
    return outcomes, failed


def _work(seed: int, batches: list[int], results: Any) -> None:
    torch.set_num_threads(1)
    results.put(run(seed, batches, lambda text: print(text, flush=True)))


def main() -> int:
    """1 if any mutant failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz_checkpoints")
    parser.add_argument("--mutants", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=1)
    options = parser.parse_args()
    context = multiprocessing.get_context("spawn")
    results = context.Queue()
    batches = list(range(math.ceil(options.mutants / BATCH)))
    start = time.perf_counter()
    workers = [
        context.Process(target=_work, args=(options.seed, batches[number :: options.workers], results))
        for number in range(options.workers)
    ]
    for worker in workers:
        worker.start()
    outcomes: Counter[str] = Counter()
    failed = 0
    for _ in workers:
        some, wrong = results.get()
        outcomes, failed = outcomes + some, failed + wrong
    for worker in workers:
        worker.join()
    seconds = time.perf_counter() - start
    for name, count in sorted(outcomes.items()):
        print(f"{count:10,}  {name}")
    total = outcomes.total()
    print(f"{total:,} mutants in {seconds:.1f} s with {options.workers} workers, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
