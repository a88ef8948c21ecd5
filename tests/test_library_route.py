"""A checkpoint over HTTP: its attention, its training, and a file that a visitor sends."""

import io
import json
import zipfile
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from starlette.applications import Starlette
from starlette.testclient import TestClient

from playground.explain.inspection import walk
from playground.model.task_model import TaskModel
from playground.settings.host import Host
from playground.storage.archive import as_zip, from_zip
from playground.storage.checkpoint import CONFIG, save
from playground.storage.library import Library
from playground.tasks import example_text
from playground.ui import startup
from playground.ui.checkpoints import checkpoint_route, upload
from playground.ui.parts import computed
from playground.ui.server import file_upload, work
from playground.ui.session import identity, sources
from playground.ui.session.services import services
from tests.helpers import ARCHITECTURES, TINY, browser
from tests.saved import RECORDS, tree
from tests.test_heatmap import decode

OURS = {"sec-fetch-site": "same-origin"}


@pytest.fixture
def shared(tmp_path: Path, monkeypatch) -> Path:
    """A host for strangers, with this folder."""
    monkeypatch.setattr(services(), "host", Host(checkpoints=tmp_path / "host", mode="shared", quota_mb=1))
    return tmp_path


def visit() -> tuple[TestClient, Library]:
    """A browser of its own, and the library of who looks through it."""
    cookie = identity.new_visitor()
    app = Starlette(routes=startup.routes())
    client = TestClient(app, cookies={identity.VISITOR_COOKIE: cookie})
    return client, sources.library_of(identity.visitor_of(cookie))


@pytest.fixture
def packed(tmp_path: Path) -> bytes:
    save(tmp_path / "theirs", TaskModel(TINY), RECORDS)
    return as_zip(tmp_path / "theirs")


def send(client: TestClient, content: bytes, name: str = "mine.zip", headers: dict[str, str] | None = None):
    return client.post("/checkpoint", params={"name": name}, content=content, headers=headers or OURS)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_picture_shows_the_weights_of_step_through(shared, architecture):
    client, library = visit()
    model = TaskModel(TINY.updated({"model.architecture": architecture})).eval()
    library.save("mine", model, [])
    for asked, text in (({}, example_text(TINY.task)), ({"input": "3 1"}, "3 1")):
        answer = client.get("/library/mine/attention", params=asked)
        header, (arrays,) = decode(answer.content)
        expected = walk(model, text)[computed.why(model.config)].value[0].numpy()
        assert np.allclose(arrays["values"].ravel(), expected.ravel(), atol=1e-6)
        assert header["tensors"][0]["heads"] == {"axis": "H", "first": 0, "count": 2, "size": 2}
        assert answer.headers["cache-control"] == "private, no-cache"
    kept = client.get("/library/mine/attention", params={"stamp": "1", "heads": "few"})
    assert kept.headers["cache-control"].startswith("private, max-age=")


def test_a_card_shows_few_heads_and_a_new_checkpoint_of_the_name_its_own(shared):
    client, library = visit()
    shown = []
    for heads in (8, 4):
        library.save("mine", TaskModel(TINY.updated({"model.n_heads": heads})), [], overwrite=True)
        header, _ = decode(client.get("/library/mine/attention", params={"heads": "few"}).content)
        shown.append(header["tensors"][0]["heads"])
    assert shown == [{"axis": "H", "first": 0, "count": 4, "size": size} for size in (8, 4)]


def test_the_history_is_served_for_charts_and_as_a_file(shared, monkeypatch):
    client, library = visit()
    library.save("mine", TaskModel(TINY), RECORDS)
    curves = client.get("/library/mine/curves").json()
    steps = [row[:3] for row in curves["tables"]["steps"]["rows"]]
    assert steps == [[1, 2.25, 0.005], [2, 2.0, 0.005], [3, 1.5, 0.005]]
    assert [row[:3] for row in curves["tables"]["tests"]["rows"]] == [[0, 2.5, 0.0], [2, 1.75, 0.5]]
    monkeypatch.setattr(checkpoint_route, "MAX_ROWS", 2)
    thinned = client.get("/library/mine/curves").json()
    assert [row[0] for row in thinned["tables"]["steps"]["rows"]] == [1, 3]
    assert client.get("/library/mine/metrics.csv").text.splitlines()[2].startswith("1,")


def test_what_one_visitor_keeps_no_other_sees(shared):
    ada, library = visit()
    bob, _ = visit()
    library.save("hers", TaskModel(TINY), RECORDS)
    for path in ("attention", "curves", "metrics.csv"):
        assert ada.get(f"/library/hers/{path}").status_code == 200
        answer = bob.get(f"/library/hers/{path}")
        assert answer.status_code in (410, 422)
        assert str(shared) not in answer.text
        assert answer.text.endswith(".")
        assert bob.get(f"/library/copy-1-16/{path}").status_code == 200, "what ships with the app is everybody's"


def test_unknown_visitors_cause_no_computation(shared, monkeypatch):
    monkeypatch.setattr(work, "REFUSAL_DELAY", 0.0)
    nobody = browser(*startup.routes(), cookie=False)
    for path in ("attention", "attention?input=1+2", "curves", "metrics.csv"):
        assert nobody.get(f"/library/copy-1-16/{path}").status_code == 403


@pytest.mark.parametrize("asked", [{"input": "x"}, {"input": "9 9"}, {"input": "1 " * 300}])
def test_problems_are_reported_with_a_message(shared, monkeypatch, asked):
    client, library = visit()
    library.save("mine", TaskModel(TINY), [])
    answer = client.get("/library/mine/attention", params=asked)
    assert (answer.status_code, answer.text[-1]) == (422, ".")
    assert client.get("/library/..%2fx/attention").status_code in (404, 422)
    monkeypatch.setattr(checkpoint_route, "MAX_PICTURE_PARAMETERS", 100)
    assert "too many for a picture" in client.get("/library/mine/attention", params={"input": "1"}).text


def test_a_file_whose_name_is_taken_says_so(shared, packed):
    client, library = visit()
    assert send(client, packed, "theirs.zip").json()["name"] == "theirs"
    again = send(client, packed, "theirs.zip").json()
    assert again == {"name": "theirs", "message": "This checkpoint is already in your library, as theirs."}
    library.save("mine", TaskModel(TINY), [])
    for taken in ("mine", "copy-1-16"):
        answer = send(client, packed, f"{taken}.zip").json()
        assert answer["name"] == f"{taken}-2"
        assert f"already has another checkpoint named {taken}. The file was added as {taken}-2." in answer["message"]


def test_an_uploaded_file_belongs_to_its_visitor(shared, packed):
    (ada, hers), (bob, his) = visit(), visit()
    answer = send(ada, packed, "my model (1).zip")
    assert answer.json() == {"name": "my-model-1", "message": "The file was added to your library as my-model-1."}
    assert hers.load("my-model-1").config == TINY
    assert send(ada, packed, "C:\\x\\my model (1).zip").json()["name"] != ""
    assert not his.root.exists()
    assert send(bob, packed, "../../x.zip").json()["name"] == "x"


def test_an_uploaded_file_cannot_claim_a_hub_origin(shared, packed):
    client, library = visit()
    files = from_zip(packed)
    origin = {"repo_id": "ada/reverse", "revision": 40 * "a"}
    files[CONFIG] = json.dumps(json.loads(files[CONFIG]) | {"origin": origin}).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    assert send(client, buffer.getvalue()).json()["name"] == "mine"
    assert library.entries()[0].summary.origin is None


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"sec-fetch-site": "none"}, 403),
        ({"sec-fetch-site": "cross-site", "origin": "http://testserver"}, 403),
        ({"origin": "http://elsewhere"}, 403),
        ({"origin": "null"}, 403),
        ({"x": ""}, 403),
        ({"origin": "http://testserver"}, 200),
    ],
)
def test_only_the_app_itself_can_upload(shared, packed, headers, status):
    client, library = visit()
    assert send(client, packed, headers=headers).status_code == status
    assert library.root.exists() == (status == 200)


def test_a_refused_upload_leaves_nothing_behind(shared, packed, monkeypatch):
    client, _ = visit()
    answer = send(client, b"PK")
    assert (answer.status_code, "isn't a checkpoint" in answer.json()["problem"]) == (422, True)
    other = SimpleNamespace(received=0, began=0.0)
    monkeypatch.setitem(file_upload._uploads, identity.visitor_of(client.cookies[identity.VISITOR_COOKIE]), other)
    assert "Another upload of yours" in send(client, packed).json()["problem"]
    file_upload._uploads.clear()
    monkeypatch.setattr(upload, "MAX_ZIP_BYTES", len(packed) - 1)
    assert send(client, packed).status_code == 413
    client.cookies.clear()
    assert "no cookie" in send(client, packed).json()["problem"]
    assert tree(shared / "host").keys() == {".visitors", ".visitors/secret"}
    monkeypatch.undo()
    assert file_upload._uploads == {}
