"""What a person may write to name a model of the Hub."""

import pytest
from huggingface_hub import constants

from playground.common.errors import HubError
from playground.hub.reference import Reference, parse_reference

COMMIT = "0123456789abcdef0123456789abcdef01234567"


@pytest.mark.parametrize(
    ("text", "repo_id", "revision"),
    [
        ("ada/copy-1-16", "ada/copy-1-16", None),
        ("  ada/copy@v1.0\n", "ada/copy", "v1.0"),
        (f"ada/copy@{COMMIT}", "ada/copy", COMMIT),
        ("ada/copy@refs/pr/1", "ada/copy", "refs/pr/1"),
        ("hf://ada/copy@v1", "ada/copy", "v1"),
        ("https://huggingface.co/ada/copy", "ada/copy", None),
        ("huggingface.co/ada/copy/", "ada/copy", None),
        ("https://hf.co/ada/copy/tree/main?x=1#readme", "ada/copy", "main"),
        ("https://huggingface.co/ada/copy/blob/v1/config.json", "ada/copy", "v1"),
        (f"https://huggingface.co/ada/copy/resolve/{COMMIT}/model.safetensors?download=true", "ada/copy", COMMIT),
        (f"https://huggingface.co/ada/copy/commit/{COMMIT}", "ada/copy", COMMIT),
        ("https://huggingface.co/ada/copy/tree/refs%2Fpr%2F1/config.json", "ada/copy", "refs/pr/1"),
        ("https://huggingface.co/ada/copy/tree/refs/pr/12/config.json", "ada/copy", "refs/pr/12"),
        ("https://huggingface.co/ada/copy/discussions", "ada/copy", None),
        ("http://localhost:8501/step_through?at=3&hub=ada/copy@v1", "ada/copy", "v1"),
        ("https://someone-playground.hf.space/?hub=ada%2Fcopy%40refs%2Fpr%2F1", "ada/copy", "refs/pr/1"),
        ("/step_through?hub=ada/copy", "ada/copy", None),
    ],
)
def test_every_form_of_reference_is_parsed(text: str, repo_id: str, revision: str | None):
    assert parse_reference(text) == Reference(repo_id, revision)
    assert parse_reference(str(Reference(repo_id, revision))) == Reference(repo_id, revision)
    assert parse_reference(Reference(repo_id, revision).url) == Reference(repo_id, revision)


@pytest.mark.parametrize(
    "text",
    [
        *("", "copy", "a/b/c", "ada/", "/copy", "../../etc/passwd", "ada/..", "ada/a--b", "ada/x.git", "ada/copy@"),
        *(
            "ada/copy@../x",
            "ada/copy@-x",
            "ada/copy@a b",
            "ada/<b>x</b>",
            "ada/copy\u202e",
            "ädä/copy",
            "a" * 97 + "/b",
        ),
        *("https://huggingface.co/ada", "https://huggingface.co/datasets/ada/copy", "https://evil.example/ada/copy"),
        *("https://huggingface.co.evil.example/ada/copy", "https://[", "http://x:99999/?hub=a/b", "x" * 5000),
        "https://huggingface.co/ada/copy/tree/%2e%2e%2fx",
    ],
)
def test_invalid_references_are_refused_with_a_message(text: str):
    with pytest.raises(HubError) as caught:
        parse_reference(text)
    sentence = str(caught.value)
    assert caught.value.kind == "invalid"
    assert sentence.endswith(".")
    assert sentence.isprintable()
    assert len(sentence) < 300


def test_urls_of_another_hub_are_accepted(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:8711")
    assert parse_reference("http://127.0.0.1:8711/ada/copy/tree/v1") == Reference("ada/copy", "v1")
    assert Reference("ada/copy", "refs/pr/1").url == "http://127.0.0.1:8711/ada/copy/tree/refs%2Fpr%2F1"
    with pytest.raises(HubError):
        parse_reference("http://127.0.0.1:8712/ada/copy")
