"""The picture of the architecture without style sheets, which other programs than browsers read only in part."""

import re
from collections.abc import Iterator, Mapping
from itertools import product
from xml.etree import ElementTree

_SVG = "http://www.w3.org/2000/svg"
_PAINT = re.compile(r"fill|stroke|font|opacity")
"""Properties that are attributes of SVG, too."""
_BASE = {"--st-text-color": "#1b1f2e", "--st-font": "Arial, Helvetica, sans-serif"}
_WIDTH = 0.92
"""Of a letter in the browser's font, in that of the file, which every program has."""
_NAMES = {"#fff": "#ffffff", "currentColor": "#000000"}

_Rule = tuple[tuple[int, int], list[list[str]], Mapping[str, str]]


def plain(svg: str) -> str:
    """The same picture on white, at its own size; each element has the properties that its style sheet gives it.

    Reads what `diagram.STYLE` is written in: classes, tags, :is(), var() and color-mix(). Rules for what a person
    points at or chooses are left out.
    """
    root = ElementTree.fromstring(svg)
    rules: list[_Rule] = []
    for element in root.iter():
        for style in element.findall(f"{{{_SVG}}}style"):
            rules += _rules(style.text or "")
            element.remove(style)
    rules.sort(key=lambda rule: rule[0])
    _apply(root, rules, [], _BASE)
    x, y, width, height = map(float, root.attrib["viewBox"].split())
    root.attrib.pop("style", None)
    root.attrib |= {"width": f"{width:g}", "height": f"{height:g}"}
    ground = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{width:g}", "height": f"{height:g}", "fill": "#ffffff"}
    root.insert(0, ElementTree.Element(f"{{{_SVG}}}rect", ground))
    ElementTree.register_namespace("", _SVG)
    return ElementTree.tostring(root, encoding="unicode")


def _apply(element: ElementTree.Element, rules: list[_Rule], above: list[set[str]], known: Mapping[str, str]) -> None:
    """Set the properties of an element and of all inside it; `above` has the tag and classes of what is around it."""
    own = {element.tag.rpartition("}")[2], *(f".{name}" for name in element.get("class", "").split())}
    path = [*above, own]
    found: dict[str, str] = {}
    for _, selector, values in rules:
        if _matches(selector, path):
            found |= values
    found |= _declared(element.attrib.get("style", ""))
    values = {**known}
    for name in [name for name in found if name.startswith("--")]:
        if found[name] != f"var({name})":
            values[name] = _value(found[name], values)
    for name, value in found.items():
        if name == "font-size":
            element.set(name, f"{_WIDTH * float(value.removesuffix('px')):g}")
        elif _PAINT.match(name):
            element.set(name, _value(value, values))
    for inner in element:
        _apply(inner, rules, path, values)


def _matches(selector: list[list[str]], path: list[set[str]]) -> bool:
    """Whether the last element of a path matches; parts of a selector are separated by spaces alone."""
    *around, last = selector
    if not set(last) <= path[-1]:
        return False
    outside = iter(path[:-1])
    return all(any(set(part) <= each for each in outside) for part in around)


def _rules(sheet: str) -> Iterator[_Rule]:
    """Rank, selector and properties of each rule."""
    for at, (selectors, body) in enumerate(re.findall(r"([^{}]+)\{([^{}]*)\}", sheet)):
        for selector in re.split(r",(?![^(]*\))", selectors):
            if re.search(r"\[|hover|focus", selector):
                continue
            pieces = re.split(r":is\(([^)]*)\)", selector.strip())
            choices = [piece.split(",") if odd % 2 else [piece] for odd, piece in enumerate(pieces)]
            for chosen in product(*choices):
                parts = [re.findall(r"\.?[\w-]+", part) for part in "".join(chosen).split()]
                yield (sum(name.startswith(".") for part in parts for name in part), at), parts, _declared(body)


def _declared(body: str) -> dict[str, str]:
    pairs = (each.partition(":") for each in body.split(";") if ":" in each)
    return {name.strip(): value.strip() for name, _, value in pairs}


def _value(text: str, values: Mapping[str, str]) -> str:
    """A value with its variables and mixed colours computed."""
    while match := re.search(r"var\((--[\w-]+)(?:,((?:[^()]|\([^()]*\))*))?\)", text):
        text = text[: match.start()] + values.get(match[1], (match[2] or "").strip()) + text[match.end() :]
    if match := re.fullmatch(r"color-mix\(in srgb,\s*(\S+) (\d+)%,\s*(\S+)\)", text):
        first, second = (_NAMES.get(match[at], match[at]) for at in (1, 3))
        share = int(match[2]) / 100
        channels = (
            share * int(first[at : at + 2], 16) + (1 - share) * int(second[at : at + 2], 16) for at in (1, 3, 5)
        )
        return "#" + "".join(f"{round(each):02x}" for each in channels)
    return text
