"""Charts are data: constant specifications, into which the browser puts rows."""

import json
import re

import pytest
import vl_convert

from playground.pictures import charts
from playground.recording import REPOSITORY
from playground.training.measure import MEASURES

SPECS = json.loads(charts.everything())["specs"]


def nodes(part):
    """The part and all within it that is an object."""
    if isinstance(part, dict):
        yield part
    for each in part.values() if isinstance(part, dict) else part if isinstance(part, list) else ():
        yield from nodes(each)


@pytest.mark.parametrize("name", SPECS)
def test_a_specification_carries_neither_data_nor_theme_and_has_the_shared_axis(name):
    spec = SPECS[name]
    assert "config" not in spec
    assert {each["data"]["name"] for each in nodes(spec) if "data" in each} == {"rows", "changes"}
    assert not any("values" in each.get("data", {}) for each in nodes(spec))
    axes = [each["x"]["scale"] for each in nodes(spec) if "scale" in each.get("x", {})]
    assert len(axes) >= 2
    assert all((axis["domainMin"], axis["domainMax"]) == ({"expr": "first"}, {"expr": "last"}) for axis in axes)
    assert {"first", "last"} <= {each["name"] for each in spec["params"]}


@pytest.mark.parametrize("last", [1, 2, 3, 5])
def test_the_axis_counts_whole_steps(last):
    spec = json.loads(json.dumps(SPECS["lines"])) | {"width": 400}
    spec["datasets"] = {"rows": [{"step": 0, "value": 0.7, "smooth": 0.7, "series": "loss"}], "changes": []}
    next(each for each in spec["params"] if each["name"] == "last")["value"] = last
    shown = re.findall(r">([\d.]+)</text>", vl_convert.vegalite_to_svg(spec))
    assert shown[: last + 1] == [str(step) for step in range(last + 1)]


def test_what_the_browser_gets_is_made_once():
    assert charts.everything() is charts.everything()
    assert charts.lines() is charts.lines()


def test_shares_always_span_the_whole_axis_and_nothing_else_does():
    scales = [each["y"]["scale"] for each in nodes(SPECS["shares"]) if "scale" in each.get("y", {})]
    assert all(scale["domain"] == [0, 1] for scale in scales)
    assert not any("domain" in each["y"].get("scale", {}) for each in nodes(SPECS["lines"]) if "y" in each)


def test_no_point_is_drawn_that_was_not_measured():
    assert not any("interpolate" in each for name in ("lines", "shares") for each in nodes(SPECS[name]))


@pytest.mark.parametrize("panels", [charts.PANELS, charts.COMPARED], ids=["one run", "several"])
def test_every_panel_has_a_drawing_and_shows_what_is_measured(panels):
    assert len({panel.name for panel in panels}) == len(panels)
    for panel in panels:
        assert panel.kind in (*SPECS, "examples", "attention")
        assert {name for name, _ in panel.measures} <= {each.name for each in MEASURES}
        assert panel.width in (4, 8, 12)
        assert not (panel.share and panel.log), "shares may be 0, where a logarithm ends"


def test_scripts_and_styles_have_no_name_of_a_panel_and_no_measure():
    """Kinds of panels are what a script draws; the names of kinds are left out."""
    kinds = {panel.kind for panel in charts.PANELS}
    names = {panel.name for panel in (*charts.PANELS, *charts.COMPARED)} | {each.name for each in MEASURES}
    names |= {panel.slide[0] for panel in charts.PANELS}
    folder = REPOSITORY / "playground" / "ui" / "parts"
    for path in [*(folder / "charts").glob("*.ts"), folder / "charts" / "charts.css", folder / "page.css"]:
        text = path.read_text(encoding="utf-8")
        found = re.findall(r'\.panel\.([\w-]+)|data-slide="?([\w-]+)|=== "([\w-]+)"', text)
        assert not {name for each in found for name in each} & (names - kinds), path.name


def test_lines_that_lie_over_each_other_have_colours_of_their_own():
    for colours in charts.SERIES_COLOURS.values():
        assert len(set(colours)) == 8


@pytest.mark.wcag("1.4.1")
def test_the_picture_of_a_training_has_the_colours_and_dashes_of_the_page():
    history = [{"step": step, "loss": 1 / (step + 1), "validation_loss": 1.0, "exact_match": 0.5} for step in range(3)]
    loss, accuracy = charts.training_picture(history)["vconcat"]
    for chart in (loss["layer"][-1], accuracy["layer"][-1]):
        colour, dash = (chart["encoding"][channel]["scale"] for channel in ("color", "strokeDash"))
        assert colour["range"] == list(charts.SERIES_COLOURS["light"][: len(colour["domain"])])
        assert colour["domain"] == dash["domain"], "a legend entry for both"
        assert len(dash["range"]) == len({*map(tuple, dash["range"])}) == len(dash["domain"])
    named = list(dict.fromkeys(row["series"] for row in loss["data"]["values"]))
    assert named == [name for _, name in charts.PANELS[0].measures]


def test_the_picture_of_a_text_has_the_accuracy_of_the_next_token():
    history = [
        {"step": 1, "loss": 1.0, "exact_match": 0.0, "token_accuracy": 0.3, "teacher_forced_token_accuracy": 0.9}
    ]
    _, accuracy = charts.training_picture(history, continues=True)["vconcat"]
    assert accuracy["data"]["values"] == [{"step": 1, "value": 0.9, "series": "next token"}]


def test_a_chart_says_the_unit_of_its_measures():
    panels = json.loads(charts.everything())
    units = {panel["name"]: panel["unit"] for panel in [*panels["panels"], *panels["compared"]]}
    assert units["loss"] == units["validation_loss"] == "nats per token"
    assert units["accuracy"] == units["exact_match"] == "% right"
    assert units["entropy"] == "bits"
    assert [name for name, unit in units.items() if not unit] == ["examples"], "it says how they were predicted"


@pytest.mark.parametrize("name", SPECS)
def test_a_chart_says_that_its_axis_is_of_steps(name):
    assert "step" in {each["x"].get("axis", {}).get("title") for each in nodes(SPECS[name]) if "x" in each}


def test_the_picture_of_a_training_says_its_units():
    history = [{"step": 1, "loss": 1.0, "exact_match": 0.5, "exact_match_low": 0.4, "exact_match_high": 0.6}]
    spec = charts.training_picture(history)
    titles = {each["y"].get("title") for each in nodes(spec) if "y" in each}
    assert titles == {"nats per token", "% right"}


def axis_labels(spec: dict) -> list[str]:
    """What stands at the ticks, top to bottom of the picture's text."""
    return re.findall(r">([^<>]+)</text>", vl_convert.vegalite_to_svg(spec))


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        ((10.0, 160.0), {"50", "100", "150"}),
        ((10_000.0, 42_000.0), {"10k", "20k", "30k", "40k"}),
        ((0.001, 0.0042), {"0.001", "0.002", "0.003", "0.004"}),
    ],
)
def test_an_axis_writes_numbers_without_exponents(values, shown):
    rows = [{"step": at, "value": value, "smooth": value, "series": "loss"} for at, value in enumerate(values)]
    spec = json.loads(json.dumps(SPECS["lines"])) | {"width": 300, "height": 150}
    spec["datasets"] = {"rows": rows, "changes": []}
    history = [{"step": at, "loss": value} for at, value in enumerate(values)]
    for each in (spec, charts.training_picture(history)):
        labels = axis_labels(each)
        assert shown <= set(labels)
        assert not [label for label in labels if re.search(r"\de[+-]", label)]
