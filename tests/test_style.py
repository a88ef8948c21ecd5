"""Colours can be told apart, and what is marked explains itself."""

import re
import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from streamlit import file_util

from playground.common.numbers import wilson
from playground.pictures import diagram
from playground.recording import REPOSITORY
from playground.ui.parts import style

THEME = tomllib.loads((REPOSITORY / ".streamlit" / "config.toml").read_text())["theme"]
SCRIPT = (REPOSITORY / "playground" / "ui" / "parts" / "heatmaps" / "colours.ts").read_text()
PAGE = (REPOSITORY / "playground" / "ui" / "parts" / "page.css").read_text()
SCHEMES = ("light", "dark")

Colour = tuple[float, float, float]


def rgb(text: str) -> Colour:
    return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))


def mix(low: Colour, high: Colour, amount: float) -> Colour:
    return tuple(a + (b - a) * amount for a, b in zip(low, high, strict=True))


def luminance(colour: Colour) -> float:
    shares = [part / 255 for part in colour]
    linear = [share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    """As WCAG 2 defines it; AA asks for 4.5 of text and 3 of what is drawn."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def palettes(scheme: str) -> dict[str, list[Colour]]:
    block = re.search(rf"const {scheme.upper()} = \{{(.*?)\}};", SCRIPT, re.DOTALL)[1]
    found = re.findall(r'(\w+): \["(#\w+)", "(#\w+)"\]', block)
    return {name: [rgb(near), rgb(far)] for name, near, far in found}


@pytest.mark.wcag("1.4.3")
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ground", ["backgroundColor", "secondaryBackgroundColor"])
def test_text_is_readable(scheme, ground):
    colours, behind = THEME[scheme], rgb(THEME[scheme][ground])
    assert contrast(rgb(colours["textColor"]), behind) >= 7
    passing = float(re.search(r"^\.soft, .*stCaptionContainer\] \{ opacity: (\.\d+); \}$", PAGE, re.MULTILINE)[1])
    assert contrast(mix(behind, rgb(colours["textColor"]), passing), behind) >= 4.5  # captions
    if ground == "backgroundColor":
        assert contrast(rgb(colours["primaryColor"]), behind) >= 3  # never a text's, see the next test
        for colour in colours["chartCategoricalColors"]:
            assert contrast(rgb(colour), behind) >= 3


@pytest.mark.parametrize("scheme", SCHEMES)
def test_the_label_of_a_primary_button_is_readable(scheme):
    assert contrast((255, 255, 255), rgb(THEME[scheme]["primaryColor"])) >= 4.5


def test_what_is_chosen_is_written_in_the_colours_of_text():
    light, dark = (THEME[scheme]["textColor"] for scheme in SCHEMES)
    assert f"color: light-dark({light}, {dark});" in PAGE


@pytest.mark.wcag("1.4.3", "1.4.11")
def test_letters_on_coloured_dots_are_readable():
    for name in ("query", "key", "value", "attention"):
        colour = rgb(diagram.PART_COLOURS[name])
        assert contrast((255, 255, 255), colour) >= 4.5, name
        for scheme in SCHEMES:
            assert contrast(colour, rgb(THEME[scheme]["backgroundColor"])) >= 3, (name, scheme)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_heatmap_scales_start_at_the_page_and_go_one_way(scheme):
    page = rgb(THEME[scheme]["backgroundColor"])
    found = palettes(scheme)
    assert set(found) == {"negative", "positive", "probability"}
    for name, (near, far) in found.items():
        steps = [luminance(colour) for colour in (page, near, far)]
        assert steps in (sorted(steps), sorted(steps, reverse=True)), name
        assert contrast(far, page) >= 4.5, name
        assert contrast(near, page) >= 1.5, name


@pytest.mark.wcag("1.4.3")
def test_numbers_in_cells_are_readable_on_every_shade():
    limit = float(re.search(r"luminance\(colour\) > ([\d.]+)", SCRIPT)[1])
    for scheme in SCHEMES:
        for near, far in palettes(scheme).values():
            for low, high in pairwise([rgb(THEME[scheme]["backgroundColor"]), near, far]):
                for share in range(21):
                    shade = mix(low, high, share / 20)
                    ink = (0, 0, 0) if luminance(shade) > limit else (255, 255, 255)
                    assert contrast(ink, shade) >= 4.5


def test_negative_and_positive_differ_without_their_hue_to_a_blind_eye():
    """Blue against orange: the two ends differ in blue minus yellow, the axis that red-green blindness leaves."""
    for scheme in SCHEMES:
        found = palettes(scheme)
        for blue, orange in zip(found["negative"], found["positive"], strict=True):
            assert blue[2] - (blue[0] + blue[1]) / 2 > 20 > -20 > orange[2] - (orange[0] + orange[1]) / 2


EYES = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
"""What an eye without one kind of cone sees, from linear RGB to linear RGB (Machado, Oliveira and Fernandes, 2009)."""


def lab(colour: Colour, eye: str) -> np.ndarray:
    """CIELAB of a colour as this eye sees it; a distance of 2 is just noticeable."""
    shares = np.array(colour) / 255
    linear = np.where(shares <= 0.04045, shares / 12.92, ((shares + 0.055) / 1.055) ** 2.4)
    to_xyz = np.array([(0.4125, 0.3576, 0.1804), (0.2127, 0.7152, 0.0722), (0.0193, 0.1192, 0.9503)])
    xyz = to_xyz @ np.clip(EYES[eye] @ linear, 0, 1) / (0.9505, 1, 1.0888)
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.wcag("1.4.1")
@pytest.mark.parametrize("eye", EYES)
@pytest.mark.parametrize("scheme", SCHEMES)
def test_scales_can_be_read_by_every_eye(scheme, eye):
    found, page = palettes(scheme), rgb(THEME[scheme]["backgroundColor"])
    for negative, positive in zip(found["negative"], found["positive"], strict=True):
        assert np.linalg.norm(lab(negative, eye) - lab(positive, eye)) > 50
    for near, far in found.values():
        steps = [lab(colour, eye)[0] for colour in (page, near, far)]
        assert steps in (sorted(steps), sorted(steps, reverse=True))
        assert np.linalg.norm(lab(near, eye) - lab(page, eye)) > 30


@pytest.mark.wcag("1.4.1")
def test_hatches_differ_by_their_direction_and_roles_by_their_letter():
    assert "cause & CAUSAL && lines(135), cause & PADDING && lines(45)" in SCRIPT
    roles = [style.role(words) for words in ("query projection", "key", "value", "weights")]
    assert [letter for letter, _ in roles] == ["Q", "K", "V", "A"]
    assert style.role("scores") is None


def test_each_letter_of_a_shape_explains_itself():
    html = style.shape(("B", "1", "T", "S"), (1, 1, 6, 5))
    assert html.count('class="term"') == 3
    assert re.sub(r"<[^>]*>", "", html) == "(B, 1, T, S) = (1, 1, 6, 5)"
    assert style.shape((), ()) == '<span class="shape">a single number</span>'


def test_a_marked_word_can_be_reached_and_read_without_a_mouse():
    html = style.marked("Each query <b>")
    assert html.startswith("Each <span ")
    assert html.endswith(" &lt;b&gt;")
    for attribute in (
        'tabindex="0"',
        'role="button"',
        'aria-description="The vector of a position that is compared with all keys."',
    ):
        assert attribute in html


def test_queries_keys_values_and_attention_have_their_letter_and_colour_wherever_they_occur():
    for last, letter, name in (
        ("query projection", "Q", "query"),
        ("key", "K", "key"),
        ("value", "V", "value"),
        ("weights", "A", "attention"),
    ):
        html = style.operation(last, "Title", ("B",), (1,))
        assert f">{letter}</span>Title" in html
        assert diagram.PART_COLOURS[name] in html
    assert "--role" not in style.operation("sum", "Title", ("B",), (1,))


def test_a_bar_of_a_finite_test_shows_its_interval():
    assert "<i" not in style.bar(0, 0.5)
    low, high = wilson(0.5, 100)
    assert re.findall(r"--end: ([\d.]+)%", style.bar(0, 0.5, tested=100)) == [f"{100 * low:.1f}", f"{100 * high:.1f}"]


def test_a_strip_boxes_neighbours_of_one_group():
    html = style.strip("x", ["1", "2", "<b>", "4"], ["one", "one", "two", "one"], [7, 7, 2, 7])
    assert re.findall(r"run-\d", html) == ["run-1", "run-2", "run-1"]
    assert html.count('class="tok"') == 4
    assert "<b>" not in html


def test_formulas_of_components_have_a_font_that_streamlit_brings():
    named = set(re.findall(r"KaTeX_\w+", (REPOSITORY / "playground" / "ui" / "parts" / "base.css").read_text()))
    [sheet] = (Path(file_util.get_static_dir()) / "static" / "css").glob("index.*.css")
    assert named == {"KaTeX_Main", "KaTeX_Math"} <= set(re.findall(r"font-family:(KaTeX_\w+)", sheet.read_text()))
