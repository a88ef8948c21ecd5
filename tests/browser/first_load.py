"""First load of Build with an empty cache, compared with the control page: time, requests, megabytes."""

import statistics
from dataclasses import dataclass, field

from playwright.sync_api import Browser, Page

from tests.load.figures import Report

SHOWN = """
window.firstShown = {};
const pictures = () => [...document.querySelectorAll('.st-key-architecture *')]
  .flatMap(each => [...(each.shadowRoot?.querySelectorAll('svg.arch') ?? [])]);
const look = () => {
  const main = document.querySelector('[data-testid="stMain"]');
  const note = (name, there) => { if (!(name in firstShown) && there()) firstShown[name] = performance.now(); };
  if (main) {
    note('text', () => /Build a transformer|Pressed 0 times/.test(main.textContent)); // innerText would lay it out
    note('whole', () => !document.getElementById('opening'));
    note('picture', () => 'whole' in firstShown && pictures().some(each => each.clientWidth > 100));
  }
  if (Object.keys(firstShown).length < 3) requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
"""Script that records when text and diagram are shown, in milliseconds since the request."""

SLOW = {"offline": False, "latency": 400, "downloadThroughput": 1.5e6 / 8, "uploadThroughput": 0.75e6 / 8}
"""A slow line, as Chromium's Network.emulateNetworkConditions takes it: milliseconds, and bytes per second."""

FIRST_PAINT = """
() => performance.getEntriesByName('first-contentful-paint')[0].startTime
  - performance.getEntriesByType('navigation')[0].responseStart
"""

TIMES = 5


@dataclass
class Load:
    """One load with an empty cache."""

    shown: dict[str, float] = field(default_factory=dict)  # seconds
    requests: int = 0
    own: int = 0  # of these, the app's scripts and styles
    megabytes: float = 0.0


def load(browser: Browser, address: str, wanted: str) -> Load:
    """Open a page in a new context and wait until `wanted` is shown and the network is idle."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(SHOWN)
    found = Load()
    bytes_of(page, found)
    page.goto(address)
    page.wait_for_function(f"() => window.firstShown.{wanted} !== undefined", timeout=60_000)
    page.wait_for_load_state("networkidle")
    found.shown = {name: each / 1000 for name, each in page.evaluate("window.firstShown").items()}
    context.close()
    return found


def bytes_of(page: Page, found: Load) -> None:
    """Count the page's requests and received bytes in `found`."""
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")

    def ask(event: dict) -> None:
        found.requests += 1
        found.own += "/components/" in event["request"]["url"]

    def done(event: dict) -> None:
        found.megabytes += event["encodedDataLength"] / 1e6

    network.on("Network.requestWillBeSent", ask)
    network.on("Network.loadingFinished", done)


def measure(browser: Browser, address: str, control: str, report: Report) -> None:
    """Add medians of `TIMES` loads to the report, each beside the control page's."""
    ours, theirs = [], []
    for _ in range(TIMES):
        theirs.append(load(browser, control, "text"))
        ours.append(load(browser, address, "picture"))
    base = statistics.median(each.shown["text"] for each in theirs)
    report.add("first load, the control's text", base, "s")
    for name, goal in (("text", 1.5), ("picture", 2.0)):
        seconds = statistics.median(each.shown[name] for each in ours)
        report.add(f"first load, {name}", seconds, "s")
        report.add(f"first load, {name}, against the control's", seconds / base, "", goal)
    report.add("first load, requests", ours[-1].requests, "", 40)
    report.add("the control's requests, which are Streamlit's own", theirs[-1].requests)
    report.add("first load, requests for the app's scripts and styles", ours[-1].own)
    report.add("first load, megabytes", ours[-1].megabytes, "MB", 1.5)
    report.add("the control's megabytes", theirs[-1].megabytes, "MB")
    painted, whole = zip(*(slow_load(browser, address) for _ in range(TIMES)))
    report.add("slow line, first text and model after the first byte", statistics.median(painted), "s", 1.5)
    report.add("slow line, whole page", statistics.median(whole), "s")


def slow_load(browser: Browser, address: str) -> tuple[float, float]:
    """Seconds from the first byte to the first text, and from the request to the whole page, over a slow line."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    page.add_init_script(SHOWN)
    context.new_cdp_session(page).send("Network.emulateNetworkConditions", SLOW)
    page.goto(address, wait_until="commit")
    page.wait_for_function("() => window.firstShown.whole", timeout=120_000)
    painted, whole = page.evaluate(FIRST_PAINT), page.evaluate("window.firstShown.whole")
    context.close()
    return painted / 1000, whole / 1000
