"""The Library view of the Checkpoints page: what its cards, its buttons and its address do, without a browser."""

import time

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Button

from playground.model.task_model import TaskModel
from playground.settings.config import Change
from playground.storage.archive import as_zip, from_zip
from playground.storage.checkpoint import CONFIG
from playground.storage.library import SHIPPED, Library
from playground.ui.hub import listing
from playground.ui.session.services import services
from tests.helpers import TINY, messages, mounts, prose, tell, written
from tests.pages import button, fine, host, link_to, page, run_of  # noqa: F401
from tests.saved import RECORDS


@pytest.fixture
def library() -> Library:
    """Two checkpoints besides those that ship with the app, one of them in pieces."""
    made = Library(services().host.checkpoints)
    made.save("broken", TaskModel(TINY), [])
    (made.root / "broken" / CONFIG).write_text("{")
    made.save("mine", TaskModel(TINY), RECORDS, begun_from="copy-1-16")
    return made


def cards(app: AppTest) -> dict:
    """What the browser gets to draw the cards."""
    ((_, data),) = mounts(app, "rows", "ticked")
    return data


def does(app: AppTest, *acts: tuple) -> AppTest:
    """Does on the cards what a person may do there: (verb, name, perhaps a value) each."""
    ((component, data),) = mounts(app, "rows", "ticked")
    numbered = [[data["heard"] + number, *act, None][:4] for number, act in enumerate(acts, 1)]
    return fine(tell(app, component, state={"acts": {"session": data["session"], "acts": numbered}}))


def undo(app: AppTest, of: str) -> Button:
    """The button that brings something back, by a part of its key."""
    return next(each for each in app.button if each.label == "Undo" and of in str(each.key))


def words(app: AppTest) -> dict[str, str]:
    return {word: value[0] if isinstance(value, list) else value for word, value in app.query_params.items()}


def test_a_card_describes_a_checkpoint(library):
    rows = {row["name"]: row for row in cards(page("checkpoints.py"))["rows"]}
    assert list(rows) == ["mine", "broken", *SHIPPED]
    mine = rows["mine"]
    assert (mine["task"], mine["reads"], mine["exact"]) == ("copy", "inputs of 1 to 4 symbols", 0.5)
    assert mine["architecture"] == "encoder-decoder, 1 layer, 2 heads, model width 8"
    assert (mine["step"], mine["begun"], mine["shipped"]) == ("step 2", "copy-1-16", False)
    assert mine["sequences"] == 42, "an exact match is of so many inputs"
    assert rows["broken"]["problem"].startswith("broken/config.json is damaged")
    assert rows[SHIPPED[0]]["shipped"]


def test_the_chosen_card_and_how_cards_are_found_are_in_the_address(library):
    app = page("checkpoints.py")
    assert cards(app)["selected"] == "mine", "the newest that can be used"
    does(app, ("select", SHIPPED[0]), ("sort", "", "-name"), ("search", "", "copy 1"))
    asked = {"checkpoint": SHIPPED[0], "sorted": "-name", "search": "copy 1"}
    assert words(app).items() >= asked.items()
    assert not any(each.label == "Delete" for each in app.button), "it ships with the app"
    other = link_to("checkpoints.py", **asked)
    drawn = cards(other)
    assert (drawn["selected"], drawn["sort"], drawn["search"]) == (SHIPPED[0], "-name", "copy 1")
    does(other, ("select", "broken"))
    assert button(other, "Step through").disabled
    assert button(other, "Load").disabled
    does(other, ("select", "no-such"), ("nonsense", "mine", {}), ("search", "", ["x"]))
    assert cards(other)["selected"] == "mine"


def test_a_zip_is_made_when_download_is_pressed(library, monkeypatch):
    asked = []
    offer = st.download_button
    app = page("checkpoints.py")
    monkeypatch.setattr(
        st, "download_button", lambda label, *args, **options: asked.append(options) or offer(label, *args, **options)
    )
    app.run()
    does(app, ("select", SHIPPED[0]))
    assert [options["file_name"] for options in asked] == ["mine.zip", f"{SHIPPED[0]}.zip"]
    for options, folder in zip(asked, (library.path("mine"), library.path(SHIPPED[0])), strict=True):
        assert callable(options["data"]), "made while the card was chosen"
        assert from_zip(options["data"]()) == from_zip(as_zip(folder))  # their bytes also have the time


def test_a_card_leads_to_step_through_and_to_more_training(library):
    app = page("checkpoints.py")
    button(app, "Step through").click().run()
    assert fine(app).session_state["source"] == "mine"
    assert app.latex[0].value
    app.switch_page("pages/checkpoints.py").run()
    does(app, ("open", SHIPPED[1]))
    assert app.session_state["source"] == SHIPPED[1]
    app.switch_page("pages/checkpoints.py").run()
    does(app, ("select", "mine"))
    button(app, "Continue training").click().run()
    assert run_of(fine(app)).metadata.begun_from == "mine"
    assert any(each.label == "Pause" for each in app.button)


def test_a_deleted_card_can_be_restored(library):
    app = does(page("checkpoints.py"), ("delete", "mine"), ("delete", SHIPPED[0]))
    assert "mine" not in {row["name"] for row in cards(app)["rows"]}
    assert "comes with the app and cannot be changed" in written(fine(app))
    assert undo(app, "now").label == "Undo", "what failed since takes the way back from nobody"
    does(app, ("delete", "broken", SHIPPED[1]))
    assert cards(app)["selected"] == SHIPPED[1], "the neighbour, as the cards lie in the browser"
    assert sum("undo now" in str(each.key) for each in app.button) == 1, "the last one in reach"
    does(app, ("select", SHIPPED[0]))
    assert not any("undo now" in str(each.key) for each in app.button)
    undo(app, ".mine").click().run()
    assert cards(fine(app))["selected"] == "mine"


def asked(app: AppTest) -> bool:
    """Whether the page asks before it deletes."""
    return any(each.value.startswith("This library is shared") for each in app.markdown)


def test_who_shares_a_library_is_asked_before_a_checkpoint_is_deleted(library, host):  # noqa: F811
    host()
    app = page("checkpoints.py", **{"checkpoint": "mine"})
    other = services().host.private_folder / ("0" * 32)
    other.mkdir(parents=True)
    fine(button(app, "Delete").click().run())
    assert asked(app)
    assert "mine" in {row["name"] for row in cards(app)["rows"]}
    fine(button(app, "Cancel").click().run())
    assert not asked(app)
    does(app, ("delete", "mine"))
    fine(app.run())
    fine(button(app, "Delete for everyone").click().run())
    assert "mine" not in {row["name"] for row in cards(app)["rows"]}
    assert undo(app, "now").label == "Undo"
    host(mode="shared")
    app = page("checkpoints.py")
    assert not asked(app), "there, each visitor has a library"


def test_undo_restores_the_selected_one_of_two_with_one_name(library, monkeypatch):
    first = (library.root / "mine" / CONFIG).stat().st_ino
    library.delete("mine")
    library.save("mine", TaskModel(TINY), [])
    library.delete("mine")
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 130)
    app = page("checkpoints.py")
    assert written(app).count("Deleted <b>mine</b> 2 min ago.") == 2
    [each for each in app.button if each.label == "Undo"][1].click().run()
    assert "Restored mine." in written(fine(app))
    assert (library.root / "mine" / CONFIG).stat().st_ino == first


@pytest.mark.parametrize("label", ["Step through", "Load", "Continue training", "Push", "Delete", "Save name"])
def test_a_button_acts_only_on_its_own_card(library, label):
    app = page("checkpoints.py")
    library.delete("mine")
    before = library.entries()
    button(app, label).click().run()
    assert "The checkpoint mine no longer exists." in written(fine(app))
    assert library.entries() == before
    assert run_of(app) is None
    assert not app.get("dialog")
    assert cards(app)["selected"] == SHIPPED[0], "and the page is still this one"


def test_no_card_is_selected_if_none_is_found(library):
    app = does(page("checkpoints.py"), ("search", "", "zzz"), ("move", "", None))
    assert cards(app)["selected"] == ""
    assert not any(each.label == "Delete" for each in app.button)
    does(app, ("search", "", ""))
    assert cards(app)["selected"] == "mine"


def test_an_error_is_shown_next_to_its_control(library):
    app = page("checkpoints.py")
    app.text_input(key="new_name").set_value("broken")
    button(app, "Save name").click().run()
    (form,) = [each for each in fine(app).get("form") if any(one.label == "Save name" for one in each.get("button"))]
    assert any("broken is taken" in each.proto.body for each in form.get("html"))


def test_two_checkpoints_are_compared_by_a_link(library):
    pair = [SHIPPED[0], SHIPPED[-1]]
    app = does(page("checkpoints.py"), ("tick", "mine", True))
    assert "Select another checkpoint" in written(app)
    does(app, ("tick", pair[0], True), ("tick", "mine", False), ("tick", pair[1], True))
    assert cards(app)["ticked"] == pair
    button(app, "Compare").click().run()
    assert words(fine(app))["compare"] == ",".join(pair)
    other = link_to("checkpoints.py", compare=",".join(pair))
    text = next(each for each in other.text_input if each.label == "Input for both")
    text.set_value("7 2 9").run()
    assert words(other)["input"] == "7 2 9"
    shown = written(fine(other))
    assert shown.count("✓") == 2
    assert "<td>copy</td><td>reverse</td>" in shown
    assert [data["input"] for _, data in mounts(other, "stamp", "input")] == ["7 2 9"] * 2
    ((_, charts),) = mounts(other, "runs", "panels")
    assert [(run["id"], run["shelf"], run["step"]) for run in charts["runs"]] == [(n, "library", 300) for n in pair]
    next(each for each in other.text_input if each.label == "Input for both").set_value("x <b>").run()
    assert written(fine(other)).count('role="alert"') == 2, "neither can read it"
    assert written(fine(other)).count("<b>") == 2, "the two names"
    button(other, "Library").click().run()
    assert not {"compare", "input"} & set(words(fine(other)))
    assert cards(other)["ticked"] == pair


def test_every_change_during_training_stands_below_the_settings(library):
    rates = (Change(1, {"training.learning_rate": 0.05}), Change(2, {"training.learning_rate": 0.002}))
    library.save("steered", TaskModel(TINY), RECORDS, changes=rates)
    text = prose(link_to("checkpoints.py", compare="mine,steered"))
    begun = f"{TINY.training.learning_rate:g}"
    changes = f"from step 2 Learning rate {begun} → 0.05; from step 3 Learning rate 0.05 → 0.002."
    assert f"While steered trained: {changes}" in text


@pytest.mark.parametrize("compare", ["mine", "mine,gone", "mine,broken", ",", "mine,mine", "../x,<b>"])
def test_missing_checkpoints_in_a_comparison_are_reported(library, compare):
    app = link_to("checkpoints.py", compare=compare)
    assert "no longer exists" in written(fine(app))
    assert cards(app)["rows"]
    assert "compare" not in words(app)


def test_a_file_that_was_dropped_is_loaded(library):
    app = page("train.py")
    component = next(name for name, _ in mounts(app, "most") if name.endswith("dropped file"))
    fine(tell(app, component, triggers={"kept": "../x"}))
    assert "not a valid checkpoint name" in messages(app, "care")[0]
    assert app.session_state["page"] == "train"
    fine(tell(app, component, triggers={"kept": "mine"}))
    assert app.session_state["source"] == "mine"
    assert app.session_state["page"] == "step_through"


def test_the_comparison_rounds_no_fraction_to_0_or_100_percent(library):
    figures = {"exact_match": 0.9997, "token_accuracy": 0.0004}
    library.save("nearly", TaskModel(TINY), [*RECORDS, RECORDS[2] | figures])
    text = prose(link_to("checkpoints.py", compare="mine,nearly"))
    assert "exact match50.0 %99.97 %" in text
    assert "token accuracy75.0 %0.04 %" in text


def test_after_delete_the_card_that_follows_is_chosen_as_they_are_sorted(library):
    for name in ("a9", "b2", "a10"):
        library.save(name, TaskModel(TINY), RECORDS)
    app = does(page("checkpoints.py"), ("sort", "", "name"), ("select", "a9"))
    fine(button(app, "Delete").click().run())
    assert cards(app)["selected"] == "a10"
    fine(button(app, "Delete").click().run())
    assert cards(app)["selected"] == "b2"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (1, "just now"),
        (5, "5 s ago"),
        (119, "1 min ago"),
        (3 * 3600 + 1, "3 h ago"),
        (86400, "1 day ago"),
        (29 * 86400, "29 days ago"),
    ],
)
def test_an_age_is_shown_in_its_largest_unit(monkeypatch, seconds, words):
    monkeypatch.setattr(time, "time", lambda: 1_800_000_000.0)
    assert listing.ago(1_800_000_000.0 - seconds) == words


def test_an_age_of_more_than_a_month_is_a_date():
    assert listing.ago(0) == "1970-01-01"
    assert listing.ago(None) == ""
