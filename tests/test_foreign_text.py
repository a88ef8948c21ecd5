"""Words of addresses and names that others have given are shown as text, on every page."""

import pytest

from playground.model.task_model import TaskModel
from playground.ui.passes.subject import PASS_PARAMS
from playground.ui.session import sources
from playground.ui.session.pages import EXPERIMENT
from playground.ui.session.services import services
from tests.foreign_text import ADDRESSED_VIEWS, LEADING, LONG, SHORT, WORDS, addresses, markup, read_words
from tests.helpers import LONG as LONG_RUN
from tests.helpers import TINY, first, messages, prose, written
from tests.pages import button, fine, host, new_tab, page, visitor  # noqa: F401


def test_no_word_of_an_address_is_left_out():
    assert {"values", "operation", "pace", "hub"} <= set(WORDS)
    for address, word in read_words():
        assert word in WORDS or "session.address:" in address, address


@pytest.mark.parametrize("view", EXPERIMENT.views, ids=lambda view: view.name)
def test_the_words_of_a_forward_pass_are_tried_in_every_view_about_one(view):
    assert view.forward
    address = ("experiment.py", {} if view is EXPERIMENT.views[0] else {"view": view.name})
    assert all(address in addresses(param.word) for param in PASS_PARAMS)


@pytest.mark.parametrize("text", [LONG, SHORT[0]])
@pytest.mark.parametrize(("name", "fixed"), ADDRESSED_VIEWS, ids=lambda part: str(part))
def test_words_of_an_address_are_text(name, fixed, text):
    query = {word: text for word in WORDS if word not in LEADING} | fixed
    app = new_tab(name, **query)
    assert not markup(app)


@pytest.mark.parametrize("word", first(10, WORDS, of=153))
def test_each_word_alone_is_text(word):
    for name, fixed in addresses(word):
        assert not markup(new_tab(name, **fixed | {word: LONG}))


@pytest.mark.parametrize("text", SHORT)
def test_a_settings_link_says_what_is_wrong_with_it_as_it_was_typed(text):
    app = new_tab("train.py", lesson="1", pace=text, **{"model.d_model": text})
    assert not markup(app)
    assert any(f"“{text}”" in each for each in messages(app, "care"))


@pytest.mark.parametrize("text", SHORT)
def test_what_was_typed_is_quoted_as_it_is(text):
    app = new_tab("step_through.py", operation=text, model=text, cell=text, input=text)
    shown = " ".join(messages(app))
    for sentence in (f"has no operation “{text}”", f"There is no model “{text}”", f"“{text}” is not a cell"):
        assert sentence in shown
    assert not markup(app)
    sweep = new_tab("train.py", view="sweep", values=f"1, {text}")
    assert f"“{text.split()[0]}” is not a value" in " ".join(messages(sweep, "wrong"))
    assert not markup(sweep)


@pytest.mark.parametrize("text", SHORT[::3])
def test_a_run_that_was_renamed_is_text_for_all_who_watch(host, text):  # noqa: F811
    app = page("train.py")
    first = services().runs.start(visitor(app), LONG_RUN, None, paused=True)
    second = services().runs.start(visitor(app), TINY, None, paused=True)
    first.rename(text)
    first.set_note(text)
    assert not markup(fine(app.run()))
    watching = new_tab("train.py", run=first.id)
    assert f"You are watching {text}." in " ".join(messages(watching, "note"))
    for name, fixed in ADDRESSED_VIEWS:
        words = {"with": f"{first.id},{second.id}"} if fixed.get("view") == "compare" else {"run": first.id}
        assert not markup(new_tab(name, **fixed, **words))
    app.session_state["train view"] = "compare"
    first.stop()
    assert first.wait("stopped")
    services().runs.delete(first.owner, first)
    assert f"Deleted {text}." in prose(fine(app.run()))
    assert not markup(app)


def test_a_checkpoint_with_the_name_of_a_site_is_no_link(host):  # noqa: F811
    for name in ("www.foreign.io", "foreign__a__.b"):
        sources.library_of("").save(name, TaskModel(TINY), [])
    app = page("checkpoints.py", checkpoint="www.foreign.io", ticked=["www.foreign.io"])
    assert not markup(app)
    app.session_state["ticked"] = ["www.foreign.io", "foreign__a__.b"]
    assert not markup(fine(app.run()))
    button(app, "Compare").click().run()
    assert "<h2>www.foreign.io and foreign__a__.b</h2>" in written(fine(app))
    assert not markup(app)
    button(app, "Library").click().run()
    button(app, "Delete").click().run()
    assert not markup(fine(app))
    assert not markup(new_tab("step_through.py", model="foreign__a__.b"))
