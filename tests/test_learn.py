"""The Learn page: every formula with its statement, and a head that one chooses."""

from tests.pages import fine, host, last_walk, page  # noqa: F401


def component(app, name: str):
    return next(each.proto for each in app.get("bidi_component") if each.proto.component_name == name)


def test_the_table_and_the_symbols_are_of_the_model_that_is_shown():
    app = page("learn.py", source="reverse-1-16", **{"learn view": "formulas"})
    rows = component(app, "playground_formula_rows").bytes
    for step in last_walk().steps:
        assert step.document.title.encode() in rows
    assert b".weights(scores.softmax(" in rows
    assert "MultiHeadAttention.w_q.weight" in component(app, "playground_symbols").json


def test_another_head_has_other_slices():
    app = page("learn.py", source="reverse-1-16", **{"learn view": "formulas"})
    before = component(app, "playground_one_head").bytes
    app.session_state["learn head"] = 3
    assert component(fine(app.run()), "playground_one_head").bytes != before
