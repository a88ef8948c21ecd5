"""Repositories to look at: good ones, and those whose authors mean harm."""

import json
import pickle
import struct
from pathlib import Path
from typing import Any

from tests.hub.server import Hub
from tests.hub.store import File

MARKUP = (
    "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\"> **bold** [go](javascript:1)"
)
TAG = "transformer-playground"


def checkpoint(folder: Path) -> dict[str, bytes]:
    """The files of a checkpoint."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}


def with_config(files: dict[str, bytes], path: str, value: Any) -> dict[str, bytes]:
    """The same checkpoint with one other value in its config, named as "model.d_model"."""
    config = json.loads(files["config.json"])
    *sections, key = path.split(".")
    inner = config
    for section in sections:
        inner = inner[section]
    inner[key] = value
    return files | {"config.json": json.dumps(config).encode()}


def header(files: dict[str, bytes]) -> dict[str, Any]:
    """The header of the weights."""
    weights = files["model.safetensors"]
    (length,) = struct.unpack("<Q", weights[:8])
    return json.loads(weights[8 : 8 + length])


def weights(header: dict[str, Any], body: bytes) -> bytes:
    """A safetensors file with this header."""
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + body


def lying(files: dict[str, bytes]) -> dict[str, bytes]:
    """A header that tells another shape than the config builds; the bytes are as many as it says."""
    tensors = header(files)
    name = next(key for key in tensors if key != "__metadata__" and len({*tensors[key]["shape"]}) == 2)
    tensors[name]["shape"] = tensors[name]["shape"][::-1]
    body = files["model.safetensors"][-max(t["data_offsets"][1] for k, t in tensors.items() if k != "__metadata__") :]
    return files | {"model.safetensors": weights(tensors, body)}


def hostile(good: dict[str, bytes]) -> dict[str, dict[str, bytes | File]]:
    """What must be refused or shown as text, by name of the repository."""
    without = {name: content for name, content in good.items() if name != "model.safetensors"}
    card = f"---\nlibrary_name: {TAG}\ntags: [{TAG}]\nlicense: {json.dumps(MARKUP)}\n---\n{MARKUP}\n".encode()
    return {
        "pickle": {**without, "pytorch_model.bin": pickle.dumps({"a": [1.0]}), "model.pkl": pickle.dumps([1])},
        "pickle-in-disguise": {**without, "model.safetensors": pickle.dumps({"a": [1.0]})},
        "lying-header": {**lying(good)},
        "ten-gigabytes": {**without, "model.safetensors": File(good["model.safetensors"], True, 10 * 2**30)},
        "long-header": {**without, "model.safetensors": File(struct.pack("<Q", 2**40) + b"{", True, 10 * 2**20)},
        "vast-vocabulary": {**with_config(good, "task.vocab_size", 10**9)},
        "unknown-keys": {**with_config(good, "model.backdoor", MARKUP)},
        "big-config": {**good, "config.json": File(good["config.json"], declared=2**30)},
        "path-tricks": {**good, "../../escape.txt": b"out", "/etc/passwd": b"out", "a/../../b": b"out", MARKUP: b""},
        "markup": {**with_config(good, "task.name", MARKUP), "README.md": card},
        "broken-card": {**good, "README.md": f"---\ntags: [{TAG}\n---\n".encode()},
        "empty": {},
    }


def fill(hub: Hub, checkpoints: Path) -> None:
    """Good repositories of alice and bob (one private, one gated), and mallory's."""
    good = {folder.name: checkpoint(folder) for folder in sorted(checkpoints.iterdir()) if folder.is_dir()}
    for number, (name, files) in enumerate(good.items()):
        hub.put_repo(f"alice/{name}", files, tags=[TAG], downloads=40 - number, likes=number)
        hub.put_repo(f"bob/{name}-again", files, tags=[TAG], downloads=3 * number, likes=7)
    first = next(iter(good.values()))
    hub.commit("alice/" + next(iter(good)), {"notes.txt": "trained once more"}, "Trained once more")
    hub.put_repo("alice/hidden", first, private=True, tags=[TAG])
    hub.put_repo("bob/gated", first, gated="manual", tags=[TAG])
    for name, files in hostile(first).items():
        hub.put_repo(f"mallory/{name}", files, tags=[TAG, MARKUP[:40]], title=MARKUP)
