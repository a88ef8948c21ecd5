"""The server's secret: one for a folder, whoever comes first, and none for anybody else to read."""

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from itsdangerous import BadSignature

from playground.common import signing
from playground.common.signing import server_secret, signer

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def as_at_the_start():
    server_secret.cache_clear()
    yield
    server_secret.cache_clear()


def test_it_is_random_and_the_same_after_a_restart(tmp_path):
    made = server_secret(tmp_path / "here")
    assert len(made) == 32
    server_secret.cache_clear()
    assert server_secret(tmp_path / "here") == made
    assert server_secret(tmp_path / "elsewhere") != made


@pytest.mark.skipif(sys.platform == "win32", reason="modes are those of Unix")
def test_only_its_owner_reads_the_file_and_nothing_lies_beside_it(tmp_path):
    server_secret(tmp_path)
    (file,) = tmp_path.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600


def test_servers_that_start_together_agree(tmp_path):
    code = "import sys; from pathlib import Path; from playground.common.signing import server_secret;"
    command = [sys.executable, "-c", f"{code} print(server_secret(Path(sys.argv[1])).hex())", str(tmp_path)]

    def start(_: int) -> str:
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    with ThreadPoolExecutor(4) as starters:
        assert len({*starters.map(start, range(4))}) == 1


def test_who_was_faster_is_right(tmp_path, monkeypatch):
    """Another server's file appears just after this one has found none."""
    first = server_secret(tmp_path)
    server_secret.cache_clear()
    read, reads = signing._read, []
    monkeypatch.setattr(signing, "_read", lambda path: reads.append(path) or (read(path) if len(reads) > 1 else b""))
    assert server_secret(tmp_path) == first


@pytest.mark.parametrize("content", [b"", b"short"])
def test_a_damaged_file_is_replaced(tmp_path, content):
    (tmp_path / "secret").write_bytes(content)
    made = server_secret(tmp_path)
    assert len(made) == 32
    server_secret.cache_clear()
    assert server_secret(tmp_path) == made


def test_where_nothing_can_be_written_it_lasts_as_long_as_the_process(tmp_path, caplog):
    (tmp_path / "file").touch()
    made = server_secret(tmp_path / "file" / "folder")
    assert len(made) == 32
    assert server_secret(tmp_path / "file" / "folder") == made
    assert "can't be saved" in caplog.text


def test_a_signature_holds_for_its_purpose_and_its_server_alone(tmp_path):
    signed = signer(tmp_path, "one").sign("ada")
    assert signer(tmp_path, "one").unsign(signed) == b"ada"
    for other in (signer(tmp_path, "two"), signer(tmp_path / "elsewhere", "one")):
        with pytest.raises(BadSignature):
            other.unsign(signed)
