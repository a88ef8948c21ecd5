"""Benchmark of responsiveness in a real browser: `.venv/bin/python -m tests.browser.feel`.

It measures layout shifts of the Train page during training, and the time from a click to its visible effect.
`test_feel.py` asserts the layout shifts; times are only printed, because they depend on the machine.
"""

import json
import os
import random
import re
import shutil
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from playwright.sync_api import Page, Request, Route, expect, sync_playwright

from playground.explain.outline import stops
from playground.runs import Run
from playground.runs.metadata import RunMetadata
from playground.ui.parts.charts.curves_route import RunCurves
from tests.__main__ import BROWSERS
from tests.browser import first_load
from tests.browser.conftest import ROOT, free_port, running_server
from tests.browser.test_road import click
from tests.helpers import TINY
from tests.load.app import CONTROL, application, busy, paths
from tests.load.figures import Report
from tests.load.sizes import SIZES, put

WATCHED = """
window.feel = { shift: 0, drawn: 0 };
new PerformanceObserver(list => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) feel.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
for (const name of ['fillRect', 'fillText', 'putImageData', 'drawImage', 'stroke', 'fill']) {
  const draw = CanvasRenderingContext2D.prototype[name];
  CanvasRenderingContext2D.prototype[name] = function (...given) {
    feel.drawn = performance.now();
    return draw.apply(this, given);
  };
}
feel.main = () => document.querySelector('[data-testid="stMain"]');
feel.running = () => document.querySelector('[data-testid="stApp"]').dataset.testScriptState !== 'notRunning';
feel.inside = (node, wanted) => [...node.querySelectorAll('*')].flatMap(each =>
  [...(each.matches(wanted) ? [each] : []), ...(each.shadowRoot ? feel.inside(each.shadowRoot, wanted) : [])]);
feel.pictures = () => feel.inside(feel.main(), 'canvas, svg').filter(each => each.clientWidth > 100);
feel.boxes = () => [...feel.main().querySelectorAll('[data-testid="stElementContainer"], [data-testid="stColumn"]')]
  .map(each => each.getBoundingClientRect())
  .map(box => [Math.round(box.top + window.scrollY), Math.round(box.height)].join(' '))
  .join('; ');
feel.progress = () => feel.inside(document, '[data-testid="progress"]')[0]?.innerText ?? '';
feel.drawnOn = canvas => {
  if (!canvas.getContext) return !!canvas.querySelector('.role-mark path[d^="M"], circle, polyline');
  const top = Math.round(canvas.height / 4);  // below the legend
  const { data } = canvas.getContext('2d').getImageData(0, top, canvas.width, canvas.height - top);
  for (let at = 0; at < data.length; at += 4) {
    const [red, green, blue] = data.subarray(at, at + 3);
    if (Math.max(red, green, blue) - Math.min(red, green, blue) > 60) return true;
  }
  return false;
};
"""
"""Script that runs in every page before its own scripts."""

STILL = """updates => new Promise(done => {
  const before = feel.pictures(), began = performance.now(), shift = feel.shift;
  const boxes = new Set([feel.boxes()]);
  let seen = 0, last = feel.progress(), moved = false;
  const look = () => {
    boxes.add(feel.boxes());
    const now = feel.progress();
    if (now !== last) { seen += 1; last = now; }
    const after = feel.pictures();
    moved ||= after.length !== before.length || after.some((each, at) => each !== before[at]);
    if (seen < updates && performance.now() - began < 60000) return requestAnimationFrame(look);
    done({ pictures: before.length, moved, boxes: [...boxes], updates: seen,
           seconds: (performance.now() - began) / 1000, shift: feel.shift - shift });
  };
  look();
})"""

PRESS = """label => new Promise(done => {
  const button = [...document.querySelectorAll('button')].find(each => each.innerText.includes(label));
  const began = performance.now();
  let changed = 0;
  const watcher = new MutationObserver(() => { changed = performance.now(); });
  watcher.observe(feel.main(), { subtree: true, childList: true, characterData: true, attributes: true });
  const counter = () => feel.main().innerText.match(/Operation \\d+ of/)?.[0];
  const before = counter();
  button.click();
  const look = () => {
    if (performance.now() - began < 20000 && (counter() === before || feel.running()))
      return requestAnimationFrame(look);
    watcher.disconnect();
    done(Math.max(changed, feel.drawn) - began);
  };
  look();
})"""

TRAIN = """() => new Promise(done => {
  const button = [...document.querySelectorAll('button')].find(each => each.innerText.includes('Train'));
  const began = performance.now();
  button.click();
  const isDrawn = ([panel]) => panel?.querySelector('canvas') && panel.querySelector('.empty').hidden;
  const look = () => {
    if (performance.now() - began < 20000 && !isDrawn(feel.inside(document, '.panel.loss')))
      return requestAnimationFrame(look);
    done(performance.now() - began);
  };
  look();
})"""
"""Press Train; returns milliseconds until the chart of the loss has its first point."""


POINT = """times => new Promise(done => {
  const plot = feel.inside(document, '.panel.loss .plot')[0], box = plot.getBoundingClientRect();
  const legends = () => feel.inside(document, '.panel .step').map(each => each.innerText).join();
  const taken = [];
  const next = () => {
    if (taken.length === times) return done(taken);
    const x = box.left + 60 + (taken.length * 97) % (box.width - 80), began = performance.now(), before = legends();
    plot.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: box.top + 40, bubbles: true }));
    const look = () => {
      if (legends() === before && performance.now() - began < 2000) return requestAnimationFrame(look);
      // What was changed in this frame is painted when the message comes.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => { taken.push(performance.now() - began); setTimeout(next, 30); };
      port2.postMessage(0);
    };
    requestAnimationFrame(look);
  };
  next();
})"""
"""Point at one step after another in the loss chart; returns milliseconds until all panels show it."""

ARRIVAL = """
feel.came = 0;
window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    this.addEventListener('message', () => { feel.came = performance.now(); });
  }
};
"""
"""Script that records when the last numbers of a run have arrived."""


@dataclass(frozen=True)
class Stillness:
    """Changes on a page while its numbers were updated."""

    pictures: int  # canvases and SVG elements
    moved: bool  # whether any of them was replaced, added or removed
    boxes: list[str]  # each observed layout of the page's blocks: "top height; ..." in pixels
    updates: int
    seconds: float
    shift: float  # layout shift reported by the browser


def visit(page: Page, path: str) -> None:
    """Open a page and wait until it is complete."""
    page.goto(f"/{path}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.wait_for_function("() => !feel.running()")


def start_long_run(page: Page) -> None:
    """Start a slow run with all its charts and attention maps on the page."""
    visit(page, "")
    page.get_by_role("tab", name="Training").click()
    page.get_by_text("Stop when solved").click()
    page.wait_for_function("() => !feel.running()")
    page.get_by_role("button", name="Train this model").click()
    page.wait_for_function("() => feel.pictures().length >= 10 && /step ([2-9]\\d|[\\d,]{3,})/.test(feel.progress())")


def stillness(page: Page, updates: int) -> Stillness:
    """Observe every frame until the progress line has changed so many times."""
    return Stillness(**page.evaluate(STILL, updates))


def long_history(steps: int, seed: int) -> str:
    """Event stream data of a run with so many steps for a new browser, without the channel name."""
    noise, run = random.Random(seed), Run(RunMetadata(config=TINY))
    for step in range(steps + 1):
        record = {"step": step, "seconds": step / 100}
        if step:
            record |= {"loss": 3 / step**0.3 * noise.uniform(0.8, 1.2), "learning_rate": 0.005}
        if step % 5 == 0:
            right = min(1.0, step / steps * noise.uniform(0.9, 1.1))
            record |= {"exact_match": right, "token_accuracy": right, "validation_loss": 2.0, "sequences": 100}
        run.store.history.append(record)
    curves = RunCurves()
    curves.refresh(run)
    return json.dumps(curves.fields(run, 0))[1:]


def overlay(page: Page, runs: int, steps: int) -> float:
    """Seconds from the arrival of the numbers of so many long runs until all their lines are drawn."""
    seen: dict[str, None] = {}  # ids of runs, in order

    def note(request: Request) -> None:
        if "/live?" in request.url:
            seen.update(dict.fromkeys(re.findall(r"curves/([\w-]+)@", unquote(request.url))))

    page.on("request", note)
    visit(page, "train")
    for each in range(runs):
        known = len(seen)
        while len(seen) == known:  # a click on a page that has not processed the previous one has no effect
            click(page, "Reset" if each or seen else "Train")
            page.wait_for_function("() => !feel.running()")
            page.wait_for_timeout(500)
    page.remove_listener("request", note)
    ids = list(seen)[-runs:]
    heads = [f'data: {{"channel":"curves/{each}",{long_history(steps, at)}' for at, each in enumerate(ids)]
    events = iter(["\n\n".join([*heads, ""])])

    def tell(route: Route) -> None:
        """Measure one reconnect; afterwards the connection stays lost."""
        body = next(events, None) if all(each in route.request.url for each in ids) else None
        route.abort() if body is None else route.fulfill(body=body, content_type="text/event-stream")

    page.route("**/live?*", tell)
    page.add_init_script(ARRIVAL)
    page.goto(f"/train?view=compare&with={','.join(ids)}")
    page.wait_for_function(
        "() => feel.came && performance.now() - Math.max(feel.drawn, feel.came) > 1500"
        " && feel.pictures().some(feel.drawnOn)"
    )
    page.unroute("**/live?*")
    return (page.evaluate("feel.drawn") - page.evaluate("feel.came")) / 1000


PRESS_CONTROL = """() => new Promise(done => {
  const text = () => document.querySelector('[data-testid="stMain"]').innerText;
  const before = text(), began = performance.now();
  const look = () => text() === before ? requestAnimationFrame(look) : done(performance.now() - began);
  document.querySelector('[data-testid="stMain"] button').click();
  look();
})"""


def main() -> int:
    """Print a table of figures."""
    report = Report()
    browser_path = os.environ.get("PLAYGROUND_TEST_BROWSER") or next(filter(None, map(shutil.which, BROWSERS)))
    print(f"feel: what a person sees, and when ({busy()})", flush=True)
    port = int(sys.argv[1]) if len(sys.argv) > 1 else free_port()
    with (
        tempfile.TemporaryDirectory() as library,
        running_server(Path(library), port),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
        shutil.copytree(ROOT / "checkpoints" / "reverse-1-16", Path(library) / "reverse-1-16")
        with application(script=CONTROL) as control:
            first_load.measure(browser, f"http://127.0.0.1:{port}", control.address, report)
        context = browser.new_context(viewport={"width": 1440, "height": 1000}, base_url=f"http://127.0.0.1:{port}")
        context.add_init_script(WATCHED)
        page = context.new_page()
        page.set_default_timeout(60_000)
        for path in paths():
            visit(page, path)
            report.add(f"layout shift on /{path}", page.evaluate("feel.shift"), "", 0.1)

        for name in SIZES:
            first = next(iter(stops(SIZES[name].model).values()))  # more than a hundred operations follow
            visit(page, f"step_through?{put(name, Path(library))}&operation={first}")
            expect(page.get_by_role("button", name="Next", exact=True)).to_be_enabled(timeout=120_000)
            page.wait_for_function("() => !feel.running()")
            seconds = [page.evaluate(PRESS, "Next") / 1000 for _ in range(100)]
            report.add_latencies(f"Next, click to paint, {name} model", seconds, 150 if name == "lecture" else 500)

        with application(script=CONTROL) as control:
            page.goto(control.address)
            expect(page.get_by_role("button", name="Next", exact=True)).to_be_enabled()
            pressed = statistics.median(page.evaluate(PRESS_CONTROL) / 1000 for _ in range(20))
        report.add("the control, click to its text", pressed, "s")
        first = 0.0
        for server in ("cold", "warm"):
            context.clear_cookies()
            page.goto("/train")
            expect(page.get_by_role("button", name="Train", exact=True)).to_be_enabled()
            page.wait_for_function("() => !feel.running()")
            page.wait_for_load_state("networkidle")  # nobody presses it at once
            goal = 0.5 if server == "warm" else None
            first = page.evaluate(TRAIN) / 1000
            report.add(f"Train, click to first point on a chart, {server}", first, "s", goal)
            click(page, "Stop")

        report.add("the same, warm, against the control's click", first / pressed, "", 10)

        start_long_run(page)
        still = stillness(page, 20)
        report.add("updates a second", still.updates / still.seconds, "/s", 3, at_least=True)
        report.add("layout shift while it trains", still.shift, "", 0)
        report.add("arrangements of the page while it trains", len(still.boxes), "", 1)
        report.add("pictures replaced while it trains", float(still.moved), "", 0)

        click(page, "Stop")
        page.wait_for_function("() => !feel.running()")
        page.wait_for_timeout(1000)
        pointed = [each / 1000 for each in page.evaluate(POINT, 60)]
        report.add_latencies("pointing at a step, until all charts show it", pointed, 50)

        page.reload()
        page.wait_for_function("() => feel.pictures().length >= 10 && feel.pictures().some(feel.drawnOn)")
        report.add("reload restores the run", page.evaluate("performance.now()") / 1000, "s", 2)
        report.add("8 runs of 10,000 steps, arrived to drawn", overlay(page, 8, 10_000), "s", 0.5)
        browser.close()
    print(report.text())
    return 0


if __name__ == "__main__":
    sys.exit(main())
