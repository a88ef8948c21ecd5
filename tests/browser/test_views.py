"""Life cycle of components: Streamlit may clean up before or after it draws the same component again."""

import pytest
from playwright.sync_api import Page

from tests.test_assets import module

pytestmark = pytest.mark.browser

PART = '<g data-part="a" data-name="A" data-shape="" data-tip=""><rect class="box" width="9" height="9"/></g>'
COMPONENTS = {
    "passes/statement.ts": ({}, ".statement .box"),
    "step/outline.ts": ({"parts": [{"label": "sum", "name": "sum"}], "colours": {}}, ".outline"),
    "parts/map/diagram.ts": ({"svg": f"<svg><title>T</title>{PART}</svg>", "action": ""}, "[data-part]"),
}


def test_a_component_stands_once_however_calls_and_clean_ups_come(page: Page):
    page.goto("/")
    for name in COMPONENTS:
        drawn = [1, 1 if name == "passes/statement.ts" else 0, 1 if name == "parts/map/diagram.ts" else 0]
        assert counts(page, name) == [drawn, drawn, drawn, [0, 0, 0], drawn], name


def counts(page: Page, name: str) -> list[list[int]]:
    """How often the part stands, observers of its size, and clicks that arrive, after each change of life."""
    data, part = COMPONENTS[name]
    return page.evaluate(
        """async ([data, part]) => {
          const observed = new Set();
          const { ResizeObserver } = window;
          window.ResizeObserver = class extends ResizeObserver {
            observe(node) {
              if (parentElement.contains(node)) observed.add(this);
              super.observe(node);
            }
            disconnect() { observed.delete(this); super.disconnect(); }
          };
          const parentElement = document.createElement("div");
          parentElement.innerHTML = '<div class="picture"></div>';
          document.body.append(parentElement);
          const { default: component } = MODULE;
          const opened = [];
          const draw = () => component({ data, parentElement, setTriggerValue: (...sent) => opened.push(sent) });
          const rest = () => new Promise((done) => setTimeout(done, 800));
          const counts = [];
          const count = () => {
            const parts = parentElement.querySelectorAll(part);
            opened.length = 0;
            parts[0]?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
            counts.push([parts.length, observed.size, opened.length]);
          };
          const first = draw();
          count();
          first();
          const second = draw();  // cleaned up just before
          count();
          const third = draw();
          second();  // late
          await rest();
          count();
          third();
          await rest();
          count();  // over
          draw()();
          count();
          return counts;
        }""".replace("MODULE", module(name)),
        [data, part],
    )
