"""Validation: closed forms that agree with the model, limits that hold, and mutants that find no way through."""

import io
import json
import math
from pathlib import Path
from typing import Any, get_args

import pytest
import safetensors.torch
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.common.errors import CheckpointError
from playground.model.task_model import TaskModel
from playground.settings.config import (
    MAX_CHANGES,
    RECORDED,
    Architecture,
    Change,
    ConfigError,
    NormPosition,
    Positions,
    RunConfig,
    parameter_counts,
    parameter_shapes,
)
from playground.storage import validation
from playground.storage.checkpoint import CONFIG, WEIGHTS, pack
from playground.training import train
from playground.training.measure import GROUPED, SINGLE
from tests import fuzz_checkpoints
from tests.saved import RECORDS, TINY, assembled, parts, refusal, tiny

PATH = Path("somewhere") / WEIGHTS


# --- closed forms ---------------------------------------------------------------------------------


@settings(max_examples=150)
@given(
    architecture=st.sampled_from(get_args(Architecture)),
    positions=st.sampled_from(get_args(Positions)),
    norm=st.sampled_from(get_args(NormPosition)),
    switches=st.tuples(st.booleans(), st.booleans(), st.booleans()),
    sizes=st.tuples(*[st.integers(1, 3)] * 5),
)
def test_names_and_shapes_match_the_model(
    architecture: str, positions: str, norm: str, switches: tuple[bool, ...], sizes: tuple[int, ...]
):
    bias, layer_norm, residual = switches
    layers, heads, width, d_ff, length = sizes
    changes: dict[str, Any] = {"model.architecture": architecture, "model.positions": positions}
    changes |= {"model.norm_position": norm, "model.bias": bias, "model.layer_norm": layer_norm}
    changes |= {"model.residual": residual, "model.n_layers": layers, "model.n_heads": heads, "model.d_ff": 4 + d_ff}
    changes |= {"model.d_model": 2 * heads * width, "task.max_length": 7 + length, "task.vocab_size": 13}
    config = TINY.updated(changes)
    built = [(name, tuple(parameter.shape)) for name, parameter in TaskModel(config).named_parameters()]
    assert list(parameter_shapes(config).items()) == built
    total = sum(math.prod(shape) for shape in parameter_shapes(config).values())
    assert total == sum(parameter_counts(config).values())


@pytest.mark.parametrize("architecture", get_args(Architecture))
def test_the_largest_header_is_within_the_limit(architecture: str):
    config = RunConfig().updated(
        {"model.architecture": architecture, "model.n_layers": 6, "model.d_model": 64, "task.max_length": 64}
    )
    shapes = parameter_shapes(config)
    content = pack(TaskModel(config), [])[WEIGHTS]
    header = int.from_bytes(content[:8], "little")
    room = validation.max_weight_bytes(shapes) - 8 - 4 * sum(map(math.prod, shapes.values()))
    assert header < 0.9 * room
    assert room < 100_000


@pytest.mark.parametrize("architecture", get_args(Architecture))
def test_the_longest_record_fits_into_a_line(architecture: str):
    config = RunConfig().updated(
        {
            "model.architecture": architecture,
            "model.feed_forward": "mixture",  # so that the load of its experts is measured, too
            "training.steps": 100_000,
            "training.record": [*RECORDED],
        }
    )
    *_, last = train(config.updated({"training.steps": 1}))
    number = -1.2345678901234567e-100

    def widened(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: widened(each) for name, each in value.items()}
        return [1.2345678901234567e-100] * len(value) if isinstance(value, list) else 0.5

    record = {each.name: number for each in SINGLE} | {"step": 100_000, "sequences": 1000}
    record |= {each.name: widened(last.record()[each.name]) for each in GROUPED}
    line = json.dumps(record).encode()
    assert len(line) < validation.max_line_bytes(config)
    assert list(validation.records(io.BytesIO(line), config, (), PATH)) == [json.loads(line)]


def test_a_run_with_the_most_changes_fits_into_its_config():
    rate = 1.2345678901234567e-05
    settings = {"training.learning_rate": rate, "training.batch_size": 512, "model.dropout": rate}
    settings |= {"training.steps": 100_000, "training.stop_when_solved": False}
    changes = [Change(step=99_000 + step, settings=settings) for step in range(MAX_CHANGES)]
    content = pack(tiny(), RECORDS, changes)[CONFIG]
    assert len(content) < validation.MAX_CONFIG_BYTES
    assert validation.parse_config(content, PATH).changes == tuple(changes)


# --- weights --------------------------------------------------------------------------------------

MODEL = tiny("encoder-only")
SHAPES = parameter_shapes(MODEL.config)
CONTENT = pack(MODEL, RECORDS)[WEIGHTS]


def check(content: bytes) -> dict[str, torch.Tensor]:
    read = validation.tensors(io.BytesIO(content), len(content), SHAPES, PATH)
    return {name: torch.from_numpy(values) for name, values in read}


def with_header(change: Any) -> bytes:
    """The valid file after `change` has done something to its header."""
    header, data = parts(CONTENT)
    return assembled(change(header) or header, data)


def test_packed_files_are_valid():
    weights = check(CONTENT)
    assert weights.keys() == SHAPES.keys()
    for name, parameter in MODEL.named_parameters():
        assert torch.equal(weights[name], parameter)


def test_other_tensor_orders_and_offsets_are_valid():
    header, data = parts(CONTENT)
    at, moved, pieces = 0, {}, []
    for name in reversed(SHAPES):
        begin, end = header[name]["data_offsets"]
        moved[name] = {**header[name], "data_offsets": [at, at + end - begin]}
        pieces.append(data[begin:end])
        at += end - begin
    content = assembled({**moved, "__metadata__": {"by": "hand"}}, b"".join(pieces))
    weights = check(content)
    for name, parameter in MODEL.named_parameters():
        assert torch.equal(weights[name], parameter)


@pytest.mark.parametrize(
    "metadata",
    ["[]", "null", '"pt"', "1", '{"a":1}', '{"a":null}', '{"a":{}}', '{"a":"b","a":"b"}', '{"a":"\\u0000"}', '{1:"a"}'],
)
def test_metadata_maps_strings_to_strings(metadata: str):
    content = with_header(lambda header: header.pop("__metadata__") and header)
    header, data = parts(content)
    refusal(
        lambda: check(assembled(f'{{"__metadata__":{metadata},{json.dumps(header)[1:]}'.encode(), data)), "somewhere"
    )


def test_the_header_limit_is_tight():
    header, data = parts(CONTENT)
    raw = json.dumps(header).encode()
    room = validation.max_weight_bytes(SHAPES) - 8 - len(data)
    check(assembled(raw.ljust(room), data))
    refusal(lambda: check(assembled(raw.ljust(room + 1), data)), "invalid length")


@pytest.mark.parametrize("begins", [" {", "\ufeff{", "\n{"])
def test_a_header_begins_with_its_brace(begins: str):
    header, data = parts(CONTENT)
    refusal(lambda: check(assembled(f"{begins}{json.dumps(header)[1:]}".encode(), data)), "somewhere")


def test_a_header_in_another_encoding_is_refused():
    header, data = parts(CONTENT)
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-le"):
        refusal(lambda encoding=encoding: check(assembled(json.dumps(header).encode(encoding), data)), "damaged")


@pytest.mark.parametrize("value", [True, False, 8.0, "8", None, [8], -8, 2**64])
def test_a_shape_has_only_integers(value: object):
    def change(header: dict[str, Any]) -> None:
        header["head.bias"]["shape"] = [value]

    refusal(lambda: check(with_header(change)), "damaged")


@pytest.mark.parametrize(
    "offsets", [[0], [0, 36, 36], [0.0, 36], [False, 36], ["0", 36], [36, 0], [-36, 0], [10**4000, 10**4000 + 36], {}]
)
def test_offsets_are_a_pair_of_integers_that_fits_the_shape(offsets: object):
    def change(header: dict[str, Any]) -> None:
        header["head.bias"]["data_offsets"] = offsets

    refusal(lambda: check(with_header(change)), "damaged")


def test_tensors_neither_overlap_nor_leave_gaps():
    def overlap(header: dict[str, Any]) -> None:
        header["head.bias"]["data_offsets"] = [0, 36]

    refusal(lambda: check(with_header(overlap)), "damaged")
    header, data = parts(CONTENT)
    last = max(header.keys() & SHAPES.keys(), key=lambda name: header[name]["data_offsets"][1])
    begin, end = header[last]["data_offsets"]
    header[last]["data_offsets"] = [begin + 4, end + 4]
    refusal(lambda: check(assembled(header, data[:begin] + b"\0" * 4 + data[begin:])), last)


@pytest.mark.parametrize("key", ["dtype", "shape", "data_offsets"])
def test_a_tensor_entry_has_three_unique_keys(key: str):
    header, data = parts(CONTENT)
    refusal(lambda: check(with_header(lambda header: header["head.bias"].pop(key) and None)), "missing field", key)
    refusal(lambda: check(with_header(lambda header: header["head.bias"].update(more=1))), "unknown field")
    once = f'"{key}": {json.dumps(header["head.bias"][key])}'
    text = json.dumps(header).replace(once, f"{once}, {once}")
    refusal(lambda: check(assembled(text.encode(), data)), "duplicate field", key)


@pytest.mark.parametrize("key", ["shape", "data_offsets"])
def test_minus_zero_is_refused(key: str):
    header, data = parts(CONTENT)
    text = json.dumps(header).replace(f'"{key}": [0, ', f'"{key}": [-0, ').replace(f'"{key}": [9', f'"{key}": [-9')
    refusal(lambda: check(assembled(text.encode(), data)), "somewhere")
    check(with_header(lambda header: header["__metadata__"].update({"on-a": "2017-06-12"})))


def test_escaped_names_are_refused():
    text = json.dumps(parts(CONTENT)[0]).replace("head.bias", "head.bi\\u0061s")
    refusal(lambda: check(assembled(text.encode(), parts(CONTENT)[1])), "backslash")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("at", [0, 1, -1])
def test_weights_that_are_not_finite_are_named_in_any_chunk(value: float, at: int):
    config = TINY.updated({"model.d_model": 128, "model.d_ff": 1024, "model.n_layers": 2})
    model = TaskModel(config)
    shapes = parameter_shapes(config)
    for name in ("encoder.embeddings.token_table.weight", "decoder.layers.1.feed_forward.w_1.weight"):
        parameter = model.get_parameter(name)
        with torch.no_grad():
            before = parameter.clone()
            parameter.view(-1)[at] = value
            content = safetensors.torch.save({key: tensor.detach() for key, tensor in model.named_parameters()})
            parameter.copy_(before)
        assert len(content) > 2_000_000
        read = validation.tensors(io.BytesIO(content), len(content), shapes, PATH)
        refusal(lambda read=read: list(read), name)


# --- settings -------------------------------------------------------------------------------------

SETTINGS = json.loads(pack(MODEL, RECORDS)[CONFIG])


def parse(text: str) -> validation.Summary:
    return validation.parse_config(text.encode(), Path(CONFIG))


def edited(group: str, text: str) -> str:
    """config.json with `text` as the first setting of a group."""
    return json.dumps(SETTINGS).replace(f'"{group}": {{', f'"{group}": {{{text}, ', 1)


@pytest.mark.parametrize("group", ["task", "model", "training", "measured"])
def test_the_number_of_names_is_limited(group: str):
    text = refusal(lambda: parse(edited(group, ",".join(f'"{n}": 0' for n in range(5000)))), "The limit is 200")
    assert len(text) < 100


def test_two_of_many_invalid_settings_are_named():
    text = refusal(lambda: parse(edited("model", ",".join(f'"x{n}": 0' for n in range(50)))), "model.x0", "2 of 50")
    assert "model.x2 " not in text


@pytest.mark.parametrize("value", ["[" * 150 + "]" * 150, "9" * 4299, '"' + "x" * 50_000 + '"', '"\\u001b[2J\\n"'])
@pytest.mark.parametrize("path", ["model.d_model", "model.more", "format_version", "measured.exact_match", "seed"])
def test_a_huge_value_gives_a_short_message(path: str, value: str):
    group, _, name = path.rpartition(".")
    data = json.loads(json.dumps(SETTINGS))
    (data[group] if group else data)[name] = "HERE"
    refusal(lambda: parse(json.dumps(data).replace('"HERE"', value)), CONFIG)


@pytest.mark.parametrize("number", [0, 3000, 5999])
def test_a_duplicate_name_among_thousands_is_named(number: int):
    names = ",".join(f'"{n}":1' for n in range(6000))
    refusal(lambda: parse(f'{{{names},"{number}":1}}'), f" {number} appears twice")


# --- anything at all ------------------------------------------------------------------------------


def test_thousands_of_mutants_are_refused_or_harmless(tmp_path: Path):
    printed: list[str] = []
    outcomes, failed = fuzz_checkpoints.run(2017, range(5), printed.append, tmp_path)
    assert not failed, printed[0]
    assert outcomes.total() == 5000
    for kind in ("header", "any bytes", "numbers", "config", "history", "swapped files", "lying length"):
        assert outcomes[f"{kind} accepted"], kind
        assert outcomes[f"{kind} refused"], kind


def test_the_same_seed_makes_the_same_mutants():
    known = fuzz_checkpoints.bases()
    once, again, other = ([mutant.content for mutant in fuzz_checkpoints.mutants(seed, 3, known)] for seed in (1, 1, 2))
    assert once == again != other


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("_understood", lambda start, _size, _path: json.loads(start[8:])),
        ("_unique_json", lambda content, _path: json.loads(content)),
        ("_is_number", lambda _: True),
        ("one_line", lambda value, _most=0: str(value)),
    ],
)
def test_the_mutants_find_a_missing_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, broken: Any):
    monkeypatch.setattr(validation, name, broken)
    _, failed = fuzz_checkpoints.run(2017, range(3), lambda _: None, tmp_path)
    assert failed
    assert len(list(tmp_path.iterdir())) == failed


@pytest.mark.parametrize(
    "content",
    [
        b'{"a": [' + b"[]," * 1_000_000 + b"[]]}",
        b"{" + b",".join(b'"%x": 1' % at for at in range(300_000)) + b"}",
        b'{"a": [' + b"1," * 1_500_000 + b"1]}",
        b'{"text": "' + b"a" * 3_000_000 + b'", "b": "' + b"b" * 70_000 + b'"}',
    ],
    ids=["lists", "names", "numbers", "two texts"],
)
def test_of_a_large_config_only_one_text_may_be_long(content):
    """Parsing such bytes takes up to 4 s and 600 MB."""
    with pytest.raises(ConfigError, match=r"The text is larger than the limit of 64,000 bytes\."):
        validation.parse_settings(content, "The text")
    with pytest.raises(CheckpointError, match=r"larger than the limit of 64,000 bytes\."):
        validation.parse_config(content, Path("config.json"))
