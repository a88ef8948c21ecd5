"""Share: links without what only a tab keeps, and the buttons of the lesson plan and of rooms."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from playground.ui.session import address
from playground.ui.train import sweep
from tests.helpers import written
from tests.pages import button, fine, link_to, new_tab, run_of
from tests.pages import host as host  # for every test here too

KEPT = {"present": "loss", "room": "K7P4QX"}
BUTTONS = ("add-to-plan", "open-plan", "open-room", "join-room")


def test_a_link_of_share_has_neither_the_slide_nor_the_room_of_the_tab():
    app = new_tab("train.py", lesson="1", **KEPT)
    button(app, "Step").click().run()
    watch, settings = (dict(parse_qsl(urlsplit(each.value).query)) for each in fine(app.run()).get("code"))
    assert watch == {"run": run_of(app).id}
    assert KEPT.keys().isdisjoint(settings)
    assert all(f'class="{name}"' in written(app) for name in BUTTONS)


@pytest.mark.parametrize("query", [{"view": "compare"}, {"view": "sweep"}])
def test_share_offers_rooms_on_every_view_that_draws_it(query):
    assert all(f'class="{name}"' in written(link_to("train.py", **query)) for name in BUTTONS)


def test_what_a_tab_keeps_stays_in_the_address_of_build():
    app = link_to("build.py", model__d_model="48", **KEPT)
    app.number_input[0].set_value(app.number_input[0].value + 1).run()
    written_words = fine(app).query_params
    assert {word: written_words[word] for word in KEPT} == KEPT
    assert len(written_words) > len(KEPT), "the page has written its settings"


@pytest.mark.parametrize("kept", [{}, {"present": "1"}, {"room": "K7P4QX"}])
def test_a_tab_with_a_plan_or_in_a_room_reads_an_address_as_a_new_session_does(kept, monkeypatch):
    app = link_to("train.py", view="sweep", vary="model.n_layers", **kept)
    assert app.session_state[sweep.SWEEP_SETTINGS[0].name] == "model.n_layers"
    monkeypatch.setattr(address, "travelled", lambda: True)
    del app.query_params["vary"]
    fine(app.run())
    assert (app.session_state[sweep.SWEEP_SETTINGS[0].name] == "model.n_layers") is not bool(kept)
