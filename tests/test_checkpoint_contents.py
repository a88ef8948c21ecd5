"""What a checkpoint holds is checked before it is used: weights, settings and history."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import safetensors.torch
import torch

from playground.storage.checkpoint import CONFIG, HISTORY, WEIGHTS, load, read_history, read_summary, save
from playground.storage.validation import max_line_bytes
from tests.saved import TINY, assembled, parts, refusal, tiny, tree
from tests.saved import folder as folder


@pytest.mark.parametrize("value", [torch.nan, torch.inf, -torch.inf])
def test_weights_that_are_not_finite_are_neither_saved_nor_loaded(folder: Path, value: float):
    before = tree(folder.parent)
    model = tiny()
    with torch.no_grad():
        model.head.weight[1, 2] = value
    refusal(lambda: save(folder.with_name("other"), model, []), "head.weight")
    refusal(lambda: save(folder, model, [], overwrite=True), "head.weight")
    assert tree(folder.parent) == before
    weights = {name: p.detach() for name, p in model.named_parameters()}
    safetensors.torch.save_file(weights, folder / WEIGHTS)
    refusal(lambda: load(folder), WEIGHTS, "head.weight", "not finite")


# --- weights that do not belong here --------------------------------------------------------------


def test_truncated_weights_are_refused_at_every_length(folder: Path):
    content = (folder / WEIGHTS).read_bytes()
    header = int.from_bytes(content[:8], "little") + 8
    lengths = {*range(12), header - 1, header, header + 1, header + 4, len(content) - 4, len(content) - 1}
    for length in lengths | set(range(0, len(content), 997)):
        (folder / WEIGHTS).write_bytes(content[:length])
        refusal(lambda: load(folder), WEIGHTS)


def test_weights_with_trailing_bytes_are_refused(folder: Path):
    content = (folder / WEIGHTS).read_bytes()
    for extra in (b"\0", b"\0" * 4096, b"\0" * 2_000_000):
        (folder / WEIGHTS).write_bytes(content + extra)
        refusal(lambda: load(folder), WEIGHTS)


def _reshaped(weights: dict[str, torch.Tensor]) -> None:
    weights["head.weight"] = weights["head.weight"].T.contiguous()


def _flattened(weights: dict[str, torch.Tensor]) -> None:
    weights["head.weight"] = weights["head.weight"].flatten()


def _halved(weights: dict[str, torch.Tensor]) -> None:
    weights["head.weight"] = weights["head.weight"].half()


def _integers(weights: dict[str, torch.Tensor]) -> None:
    weights["head.weight"] = weights["head.weight"].int()


def _missing(weights: dict[str, torch.Tensor]) -> None:
    del weights["head.weight"]


def _extra(weights: dict[str, torch.Tensor]) -> None:
    weights["head.more"] = torch.zeros(1)


def _nothing(weights: dict[str, torch.Tensor]) -> None:
    weights.clear()


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (_reshaped, "head.weight"),
        (_flattened, "head.weight"),
        (_halved, "F16"),
        (_integers, "I32"),
        (_missing, "head.weight is missing"),
        (_extra, "head.more"),
        (_nothing, "more"),
    ],
)
def test_weights_that_do_not_match_the_settings_are_refused(
    folder: Path, change: Callable[[dict[str, torch.Tensor]], None], word: str
):
    weights = safetensors.torch.load_file(folder / WEIGHTS)
    change(weights)
    safetensors.torch.save_file(weights, folder / WEIGHTS)
    refusal(lambda: load(folder), WEIGHTS, word)


def test_weights_of_another_architecture_are_refused(folder: Path):
    save(folder.with_name("other"), tiny("decoder-only"), [])
    shutil.copy(folder.with_name("other") / WEIGHTS, folder / WEIGHTS)
    refusal(lambda: load(folder), WEIGHTS, CONFIG)


@pytest.mark.parametrize("length", [0, 1, 100_000_001, 2**31, 2**63 - 1, 2**64 - 1])
def test_a_header_with_a_wrong_length_is_refused(folder: Path, length: int):
    header, data = parts((folder / WEIGHTS).read_bytes())
    (folder / WEIGHTS).write_bytes(assembled(header, data, length))
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize(
    "header",
    [b"", b"no json", b"\xff\xfe{}", b"[]", b"null", b'"text"', b"{", b"[" * 200_000, b'{"a":' * 100_000],
    ids=lambda header: header[:8].decode("latin-1"),
)
def test_a_header_that_is_not_a_json_object_is_refused(folder: Path, header: bytes):
    _, data = parts((folder / WEIGHTS).read_bytes())
    (folder / WEIGHTS).write_bytes(assembled(header, data))
    refusal(lambda: load(folder), WEIGHTS)


def test_a_header_above_a_megabyte_is_refused(folder: Path):
    header, data = parts((folder / WEIGHTS).read_bytes())
    (folder / WEIGHTS).write_bytes(assembled(json.dumps(header).encode().ljust(1_000_001), data))
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize(
    "entry",
    [
        None,
        7,
        [],
        {},
        {"dtype": "F32"},
        {"dtype": ["F32"], "shape": [8, 8], "data_offsets": [0, 256]},
        {"dtype": "F32", "shape": "8x8", "data_offsets": [0, 256]},
        {"dtype": "F32", "shape": [8.0, 8.0], "data_offsets": [0, 256]},
        {"dtype": "F32", "shape": [8, 8], "data_offsets": [0, 252]},
        {"dtype": "F32", "shape": [8, 8], "data_offsets": [256, 0]},
        {"dtype": "F32", "shape": [8, 8], "data_offsets": [-256, 0]},
        {"dtype": "F32", "shape": [8, 8], "data_offsets": [10**9, 10**9 + 256]},
        {"dtype": "F32", "shape": [8, 8], "data_offsets": [0, 256]},
        {"dtype": "F32\nF32", "shape": [8, 8], "data_offsets": [0, 256]},
    ],
)
def test_a_header_with_a_wrong_tensor_entry_is_refused(folder: Path, entry: object):
    header, data = parts((folder / WEIGHTS).read_bytes())
    header["head.weight"] = entry
    (folder / WEIGHTS).write_bytes(assembled(header, data))
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize("dtype", ["F32", "F16"])
def test_a_header_that_names_a_tensor_twice_is_refused(folder: Path, dtype: str):
    header, data = parts((folder / WEIGHTS).read_bytes())
    again = {**header["head.weight"], "dtype": dtype}
    twice = f"{json.dumps(header)[:-1]}, {json.dumps({'head.weight': again})[1:]}".encode()
    (folder / WEIGHTS).write_bytes(assembled(twice, data))
    refusal(lambda: load(folder), WEIGHTS)


@pytest.mark.parametrize("zipped", [True, False])
def test_a_pickle_with_another_name_is_refused_and_never_run(folder: Path, zipped: bool):
    class Trap:
        def __reduce__(self) -> tuple[Any, ...]:
            return os.mkdir, (str(folder.with_name("trapped")),)

    torch.save({"head.weight": Trap()}, folder / WEIGHTS, _use_new_zipfile_serialization=zipped)
    refusal(lambda: load(folder), WEIGHTS)
    assert not folder.with_name("trapped").exists()


# --- settings that are not believed ---------------------------------------------------------------


def edit(folder: Path, path: str, value: object) -> None:
    """Sets one value of config.json, by path."""
    data = json.loads((folder / CONFIG).read_text())
    *parents, name = path.split(".")
    section = data
    for parent in parents:
        section = section[parent]
    section[name] = value
    (folder / CONFIG).write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("path", "value", "word"),
    [
        ("task.vocab_size", 10**9, "task.vocab_size"),
        ("task.vocab_size", 10**4000, "task.vocab_size"),
        ("task.vocab_size", "4", "task.vocab_size"),
        ("task.vocab_size", 4.0, "task.vocab_size"),
        ("task.vocab_size", True, "task.vocab_size"),
        ("task.vocab_size", None, "task.vocab_size"),
        ("task.vocab_size", [4], "task.vocab_size"),
        ("task.name", "copy\nreverse", "task.name"),
        ("task.name", "\ud800", "damaged"),
        ("model.bias", 1, "model.bias"),
        ("model.dropout", float("nan"), "model.dropout"),
        ("model.d_model", 9, "d_model 9"),
        ("model.n_layers", 0, "model.n_layers"),
        ("model.d_modle", 8, "model.d_modle"),
        ("model.a\nb\u2028c", 8, "not a setting"),
        ("trained_on", "moon", "trained_on"),
        ("seed", -1, "seed"),
        ("seed", 0.5, "seed"),
        ("model", [], "model"),
        ("training", None, "training"),
        ("measured", [], "measured"),
        ("measured", {"exact_match": []}, "measured"),
        ("measured", {"exact_match": "most"}, "measured"),
        ("measured", {"exact_match": float("nan")}, "measured"),
        ("measured", {"exact_match": 10**400}, "measured"),
        ("measured", {"exact_match": 1.0}, "sequences"),
        ("measured", {"step": 1, "sequences": 9, "exact_match": 50, "token_accuracy": 1}, "from 0 to 1"),
        ("measured", {"step": 10**10, "sequences": 9, "exact_match": 1, "token_accuracy": 1}, "counts"),
        ("format_version", 2, "format 2"),
        ("format_version", 0, "format 0"),
        ("format_version", "1", "format_version"),
        ("format_version", 1.0, "format_version"),
        ("format_version", True, "format_version"),
        ("format_version", None, "format_version"),
    ],
)
def test_settings_that_are_not_allowed_are_refused(folder: Path, path: str, value: object, word: str):
    edit(folder, path, value)
    refusal(lambda: load(folder), CONFIG, word)
    refusal(lambda: read_summary(folder), CONFIG, word)


@pytest.mark.parametrize("key", ["format_version", "task", "model", "training", "seed"])
def test_incomplete_settings_are_refused(folder: Path, key: str):
    data = json.loads((folder / CONFIG).read_text())
    del data[key]
    (folder / CONFIG).write_text(json.dumps(data))
    refusal(lambda: load(folder), CONFIG, key)


@pytest.mark.parametrize(
    "content",
    [b"", b"null", b"[]", b"3", b"{", b"\xff\xfe\x00", b"{" * 10, b"[" * 60_000, b'{"a":' * 10_000, b" " * 64_001],
    ids=lambda content: f"{len(content)} bytes {content[:5].decode('latin-1')}",
)
def test_a_config_that_is_not_a_json_object_is_refused(folder: Path, content: bytes):
    (folder / CONFIG).write_bytes(content)
    refusal(lambda: load(folder), CONFIG)


def test_a_duplicate_setting_is_refused(folder: Path):
    text = (folder / CONFIG).read_text()
    (folder / CONFIG).write_text(text.replace('"seed": 0', '"seed": 1, "seed": 0'))
    refusal(lambda: load(folder), CONFIG, "seed")


# --- a history that is not believed ---------------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        b"garbage",
        b"[]",
        b"{}",
        b"{",
        b"",
        b"\xff",
        b"[" * 500,
        b'{"loss": 1.0}',
        b'{"step": 1, "loss": 1.0, "loss": 1.0}',
        b'{"step": 1, "st\\u0065p": 1}',
        b'{"step": 1}, {"step": 2}',
        b'{"step": 0}',
        b'{"step": -1}',
        b'{"step": 21}',
        b'{"step": 1, "loss": 1.0' + b" " * max_line_bytes(TINY) + b"}",
        b'{"step": "1"}',
        b'{"step": 1.5}',
        b'{"step": true}',
        b'{"step": 1, "loss": NaN}',
        b'{"step": 1, "loss": -Infinity}',
        b'{"step": 1, "loss": 1e999}',
        b'{"step": 1, "loss": 1' + b"0" * 400 + b"}",
        b'{"step": 1' + b"0" * 400 + b"}",
        b'{"step": 1, "loss": "low"}',
        b'{"step": 1, "loss": null}',
    ],
    ids=lambda line: line[:24].decode("latin-1"),
)
def test_a_history_with_anything_but_finite_numbers_is_refused(folder: Path, line: bytes):
    (folder / HISTORY).write_bytes(b'{"step": 0}\n' + line + b'\n{"step": 2}\n')
    refusal(lambda: list(read_history(folder)), HISTORY, "line 2")
    refusal(lambda: load(folder).history, HISTORY, "line 2")


FORMULAS = ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", " =1", "a,b", "a;b", "a\u202eb", "", "＝1", "x" * 65]


@pytest.mark.parametrize("name", FORMULAS)
def test_the_name_of_a_measure_is_a_word_that_no_spreadsheet_computes(folder: Path, name: str):
    line = json.dumps({"step": 1, name: 1.0}, ensure_ascii=False).replace("\\", "")
    (folder / HISTORY).write_text(f'{{"step": 0}}\n{line}\n', encoding="utf-8", newline="")
    refusal(lambda: list(read_history(folder)), HISTORY, "line 2")


def test_a_history_longer_than_its_run_is_refused(folder: Path):
    (folder / HISTORY).write_bytes(b"".join(b'{"step": %d}\n' % step for step in range(21)))
    assert [record["step"] for record in read_history(folder)] == list(range(21))
    most = 21 * max_line_bytes(TINY)
    (folder / HISTORY).write_bytes(b"\n" * (most + 1))
    refusal(lambda: load(folder).history, HISTORY, f"{most:,} bytes")


def test_loading_a_model_does_not_read_the_history(folder: Path):
    (folder / HISTORY).write_text("garbage")
    assert load(folder).config == TINY
