"""`python -m tests.refusal_cost`: cost of refusing the worst known files, in milliseconds and megabytes.

Each case is refused in a forked process of its own: the time is the median of five, the memory how far the resident
set rose above where it stood. The aim for everything but a history is 100 ms and 16 MB.
"""

import ctypes
import json
import os
import statistics
import struct
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch

from playground.common.errors import CheckpointError
from playground.model.task_model import TaskModel
from playground.settings.config import MAX_CHANGES, RunConfig, parameter_shapes
from playground.storage.checkpoint import CONFIG, HISTORY, WEIGHTS, load, read_history, save
from playground.storage.validation import MAX_CONFIG_BYTES, max_weight_bytes
from tests.saved import RECORDS, assembled, parts, tiny

LARGE = RunConfig().updated(
    {
        "model.d_model": 192,
        "model.n_heads": 4,
        "model.n_layers": 6,
        "model.d_ff": 496,
        "training.steps": 100_000,
    }
)
"""Close to as many parameters as a model may have, and as many tensors."""

Case = tuple[str, Callable[[Path], object], Callable[[Path], object]]


def _config(content: bytes) -> Callable[[Path], object]:
    return lambda folder: (folder / CONFIG).write_bytes(content)


def _in_config(text: str) -> Callable[[Path], object]:
    """Fills config.json up with `text` as one more setting of the model."""

    def make(folder: Path) -> None:
        whole = (folder / CONFIG).read_text()
        (folder / CONFIG).write_text(whole.replace('"model": {', '"model": {' + text, 1))

    return make


def _header(content: bytes) -> Callable[[Path], object]:
    """Puts a header before the data; where it is too short it is filled up with spaces to the size of the right one."""

    def make(folder: Path) -> None:
        right = (folder / WEIGHTS).read_bytes()
        header, data = parts(right)
        (folder / WEIGHTS).write_bytes(assembled(content.ljust(len(json.dumps(header))), data))

    return make


def _in_header(text: str) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        header, data = parts((folder / WEIGHTS).read_bytes())
        del header["__metadata__"]
        (folder / WEIGHTS).write_bytes(assembled(f"{{{text}{json.dumps(header)[1:]}".encode(), data))

    return make


def _weight(value: float, at: int) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        with (folder / WEIGHTS).open("r+b") as file:
            file.seek(at, os.SEEK_END)
            file.write(struct.pack("<f", value))

    return make


def _huge_header(folder: Path) -> None:
    """What costs the usual parser 26 s: 99 MB of header."""
    content = b'{"' + b'a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"' * 1_900_000 + b'b":{}}'
    (folder / WEIGHTS).write_bytes(assembled(content, b""))


def _lines(line: Callable[[int], bytes], last: bytes) -> Callable[[Path], object]:
    def make(folder: Path) -> None:
        with (folder / HISTORY).open("wb") as file:
            for step in range(LARGE.training.steps):
                file.write(line(step))
            file.write(last)

    return make


def _longest_line(step: int) -> bytes:
    """478 bytes: a hundred thousand of them are as much as a history may have."""
    record: dict[str, float] = {"step": step} | {f"measure_{n}": 0.1234567890123456 for n in range(13)}
    return json.dumps(record).encode().ljust(478) + b"\n"


def _many_names(step: int) -> bytes:
    names = ",".join(f'"{chr(65 + n)}":1' for n in range(19))
    return f'{{"step":{step},{names}}}\n'.encode()


def cases() -> list[Case]:
    """Name, what it does to a valid checkpoint of `LARGE`, and what is then refused."""
    room = MAX_CONFIG_BYTES - 2000
    header_room = max_weight_bytes(parameter_shapes(LARGE)) - 8 - 4 * _parameters()
    config: list[tuple[str, Callable[[Path], object]]] = [
        ("64 MB of config", lambda folder: os.truncate(folder / CONFIG, 64_000_000)),
        ("nested lists", _config(b"[" * MAX_CONFIG_BYTES)),
        ("nested objects", _config(b'{"a":' * (MAX_CONFIG_BYTES // 5))),
        ("199 levels in a setting", _in_config('"d_head":' + "[" * 190 + "]" * 190 + ",")),
        ("as many names as fit", _in_config("".join(f'"{n:x}":0,' for n in range(room // 9)))),
        ("as many empty objects as fit", _in_config('"a":[' + "{}," * (room // 3) + "{}],")),
        ("one name again and again", _in_config('"a":0,' * (room // 6))),
        ("two names, the last one twice", _config(_all_different_but_one(room))),
        ("an integer as long as fits", _in_config(f'"d_head":{"9" * room},')),
        ("integers of 4,300 digits", _in_config(f'"d_head":[{",".join(["9" * 4299] * (room // 4300))}],')),
        ("a measure of 4,300 digits", lambda folder: _fill(folder, "measured", f'{{"a":{"9" * 4299}}}')),
        ("as many measures as fit", lambda folder: _fill(folder, "measured", _names(room))),
        ("as many changes as fit", lambda folder: _fill(folder, "changes", f"[{'{},' * (room // 3)}{{}}]")),
        ("as many changes as there may be, the last wrong", lambda folder: _fill(folder, "changes", _many_changes())),
        (
            "a change of as many settings as fit",
            lambda folder: _fill(folder, "changes", f'[{{"step":0,"settings":{_names(room)}}}]'),
        ),
        ("a text as long as fits", _in_config(f'"d_head":"{"x" * room}",')),
        ("escaped signs", _in_config('"d_head":"' + "\\u00e9" * (room // 6) + '",')),
    ]
    header: list[tuple[str, Callable[[Path], object]]] = [
        ("99 MB of header", _huge_header),
        ("a lie about the length", lambda folder: (folder / WEIGHTS).write_bytes(b"\xff" * 8 + b"{}")),
        ("nested lists", _header(b"[" * header_room)),
        ("nested objects", _header(b'{"a":' * (header_room // 5))),
        ("as many empty objects as fit", _header(b"[" + b"{}," * (header_room // 3 - 2) + b"{}]")),
        ("as many names as fit", _header(_names(header_room).encode())),
        ("metadata that is no text", _in_header('"__metadata__":{"a":1},')),
        ("one name again and again", _in_header('"a":0,' * 2000)),
        ("metadata again and again", _in_header('"__metadata__":{},' * (15_000 // 18))),
        ("an integer as long as fits", _header(b'{"a":' + b"9" * (header_room - 6) + b"}")),
        ("a text as long as fits", _header(b'{"a":"' + b"x" * (header_room - 8) + b'"}')),
        ("escaped signs", _header(b'{"a":"' + b"\\u00e9" * ((header_room - 8) // 6) + b'"}')),
        ("a NaN at the end of 20 MB", _weight(float("nan"), -4)),
        ("an infinity in the middle", _weight(float("inf"), -4 * (_parameters() // 2))),
        ("20 MB cut off by a byte", lambda folder: os.truncate(folder / WEIGHTS, _file_size(folder) - 1)),
        ("20 MB and one more", lambda folder: os.truncate(folder / WEIGHTS, _file_size(folder) + 1)),
        ("20 GB with a hole", lambda folder: os.truncate(folder / WEIGHTS, 20_000_000_000)),
        ("a pipe", lambda folder: ((folder / WEIGHTS).unlink(), os.mkfifo(folder / WEIGHTS))),
        ("weights of another model", lambda folder: save_weights(folder, tiny())),
    ]
    history: list[tuple[str, Callable[[Path], object]]] = [
        ("48 MB of records, the last one wrong", _lines(_longest_line, b"{}\n")),
        ("14 MB of short names, the last wrong", _lines(_many_names, b"{}\n")),
        ("12 GB with a hole", lambda folder: os.truncate(folder / HISTORY, 12_000_000_000)),
        ("48 MB without a line", lambda folder: os.truncate(folder / HISTORY, 48_000_000)),
    ]
    refused = [(f"{CONFIG}: {name}", make, load) for name, make in config]
    refused += [(f"{WEIGHTS}: {name}", make, load) for name, make in header]
    return refused + [(f"{HISTORY}: {name}", make, exhaust) for name, make in history]


def save_weights(folder: Path, model: TaskModel) -> None:
    """Only the weights of another model."""
    save(folder.with_name("other"), model, [], overwrite=True)
    (folder.with_name("other") / WEIGHTS).replace(folder / WEIGHTS)


def exhaust(folder: Path) -> None:
    """Reads a history and keeps nothing of it."""
    for _ in read_history(folder):
        pass


def measure(folder: Path, call: Callable[[Path], object]) -> tuple[float, float, str]:
    """Seconds (median of five), megabytes that the resident set rose at most, and the sentence or "accepted"."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        times, text = [], "accepted"
        with _Peak() as peak:
            for _ in range(5):
                start = time.perf_counter()
                try:
                    call(folder)
                except CheckpointError as error:
                    text = str(error)
                times.append(time.perf_counter() - start)
        os.write(writer, json.dumps([statistics.median(times), peak.megabytes, text[:2000]]).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    seconds, megabytes, text = json.loads(answer)
    return seconds, megabytes, text


def main() -> int:
    """Prints a line a case; 1 if one of them was accepted."""
    torch.set_num_threads(1)
    accepted = 0
    with tempfile.TemporaryDirectory() as temporary:
        right = Path(temporary) / "right"
        save(right, TaskModel(LARGE), RECORDS, durable=False)
        print(f"{_parameters():,} parameters, {len(parameter_shapes(LARGE))} tensors, {_file_size(right):,} bytes")
        load(right)  # imports and caches are not what is measured
        seconds, megabytes, _ = measure(right, load)
        print(f"{seconds * 1e3:8.1f} ms {megabytes:6.1f} MB  (accepted: the right one)")
        for name, make, call in cases():
            files = {path.name: path.read_bytes() for path in right.iterdir()}
            folder = Path(temporary) / "nasty"
            folder.mkdir()
            for file, content in files.items():
                (folder / file).write_bytes(content)
            make(folder)
            del files
            seconds, megabytes, text = measure(folder, call)
            accepted += text == "accepted"
            message = text if len(text) <= 100 else f"{text[:100]}…"
            print(f"{seconds * 1e3:8.1f} ms {megabytes:6.1f} MB  {name}: {message.replace(f'{folder}/', '')}")
            for path in folder.iterdir():
                path.unlink()
            folder.rmdir()
    return 1 if accepted else 0


class _Peak:
    """How far the resident set of this process rises inside the block; Linux only."""

    megabytes = 0.0

    def __enter__(self) -> "_Peak":
        ctypes.CDLL(None).malloc_trim(0)  # what the parent has freed must not be had for nothing
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # the peak begins again
        self.before = self._read("VmRSS")
        return self

    def __exit__(self, *_exception: object) -> None:
        self.megabytes = (self._read("VmHWM") - self.before) / 1000

    @staticmethod
    def _read(name: str) -> int:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith(name))


def _parameters() -> int:
    return sum(torch.Size(shape).numel() for shape in parameter_shapes(LARGE).values())


def _file_size(folder: Path) -> int:
    return (folder / WEIGHTS).stat().st_size


def _names(room: int) -> str:
    return "{" + ",".join(f'"{n:05x}":1' for n in range(room // 10)) + "}"


def _all_different_but_one(room: int) -> bytes:
    return ("{" + "".join(f'"{n:05x}":1,' for n in range(room // 10)) + '"00000":1}').encode()


def _many_changes() -> str:
    settings = {"training.learning_rate": 0.1, "training.batch_size": 2, "model.dropout": 0.1, "training.steps": 99_999}
    changes = [{"step": step, "settings": settings} for step in range(MAX_CHANGES)]
    return json.dumps([*changes[:-1], {"step": MAX_CHANGES, "settings": {"seed": 1}}])


def _fill(folder: Path, name: str, text: str) -> None:
    data = json.loads((folder / CONFIG).read_text())
    data[name] = "HERE"
    (folder / CONFIG).write_text(json.dumps(data).replace('"HERE"', text))


if __name__ == "__main__":
    sys.exit(main())
