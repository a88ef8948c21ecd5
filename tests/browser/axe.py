"""What axe-core finds on a page, once the page has settled."""

from pathlib import Path

import axe_playwright_python
from playwright.sync_api import Page

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
CHECK = """async (about) => {
  // All rules but those of level AAA, also what axe-core counts as experimental.
  const asked = (tags) => !tags.includes("wcag2aaa") && (!about || tags.includes(about));
  const wanted = axe.getRules().map(({ ruleId, tags }) => [ruleId, { enabled: asked(tags) }]);
  const { violations } = await axe.run({ rules: Object.fromEntries(wanted), resultTypes: ["violations"] });
  const words = ({ target, html, any, all, none }) =>
    [target.flat().join(" "), html.slice(0, 200), ...[...any, ...all, ...none].map(({ message }) => message)];
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => [id, ...words(node)]));
}"""


def settled(page: Page) -> None:
    """Script: no script run is active, and no animation runs."""
    page.wait_for_load_state("networkidle")
    page.wait_for_function("() => document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning'")
    # Animations driven by scrolling never end, so they don't count.
    moves = "({ playState, timeline }) => playState === 'running' && timeline instanceof DocumentTimeline"
    page.wait_for_function(f"() => !document.getAnimations().some({moves})")
