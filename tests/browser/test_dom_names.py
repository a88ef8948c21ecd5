"""Every name in Streamlit's DOM that scripts or page.css rely on exists on one of the pages."""

import re

import pytest
from playwright.sync_api import Page, expect

from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.kinds.code_part import CodePart
from playground.lessons.lesson import MAX_BLOCKS, Lesson, lessons
from playground.ui.session.pages import EXPERIMENT, PAGES
from tests.browser.conftest import ROOT, free_port, running_server
from tests.browser.test_development import modular
from tests.browser.test_hub import sign_in
from tests.browser.test_own_view import derived
from tests.browser.test_presenter import expect_in_a_window, expect_slide, presenting, press, slides_after
from tests.browser.test_road import button, click, status
from tests.browser.test_room_questions import MODULES
from tests.hub import Hub, running_hub
from tests.hub.samples import TAG, checkpoint
from tests.test_house import STREAMLIT_NAME, UI

pytestmark = pytest.mark.browser

CODE = Assignment(title="Code", parts=(CodePart(),))

SHEET = """
() => {
  const read = (rules) => [...rules].flatMap((rule) => rule.selectorText ?? (rule.cssRules ? read(rule.cssRules) : []));
  return read([...document.styleSheets].find(({ href }) => /\\/page-\\w+\\.css$/.test(href)).cssRules);
}
"""
FOUND = "(selectors) => selectors.filter((selector) => document.querySelector(selector))"
STATES = re.compile(r"::?(focus-visible|hover|before|after)\b")


def split(selectors: str) -> list[str]:
    """Split a selector list at commas outside parentheses."""
    depth, found = 0, [""]
    for sign in selectors:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and not depth:
            found.append("")
        else:
            found[-1] += sign
    return [each.strip() for each in found]


class Names:
    """Names, and selectors of the style sheet with such names, that no page had so far."""

    def __init__(self, page: Page) -> None:
        script, sheet = ((UI / "parts" / name).read_text() for name in ("streamlit_dom.ts", "page.css"))
        self.missing = set(re.findall(STREAMLIT_NAME, script + sheet))
        scripts = "".join(path.read_text() for path in UI.rglob("*.ts"))
        keys = set(re.findall(r'keyed\("([^"]+)"\)', scripts))
        keys |= {part for each in PAGES.values() for slide in each.slides for part in slide.parts}
        self.missing |= {f".st-key-{key}" for key in keys}
        for selector in (each for rule in page.evaluate(SHEET) for each in split(rule)):
            if re.search(STREAMLIT_NAME, selector):
                self.missing.add(STATES.sub("", selector))

    def look(self, page: Page) -> None:
        self.missing -= set(page.evaluate(FOUND, sorted(self.missing)))


PAIR = "decoder.layers.0.cross_attention.head.0.0.0"
LATE = {"heads": ".st-key-pair", "read": ".st-key-reading-lens .amount", "change": ".st-key-scores"}
"""Text that a view of Experiment shows once it is computed."""


@pytest.fixture(scope="module")
def hub():
    with running_hub() as running:
        running.put_repo("bob/copy", checkpoint(ROOT / "checkpoints" / "copy-1-16"), tags=[TAG])
        yield running


@pytest.fixture(scope="module")
def server(hub: Hub, tmp_path_factory):
    port = free_port()
    with running_server(tmp_path_factory.mktemp("library"), port, {"HF_ENDPOINT": hub.url}):
        yield f"http://127.0.0.1:{port}"


def loading(page: Page, names: Names, script: str, key: str) -> None:
    """The page in another tab, while a script of Streamlit is on its way that draws what has this key."""
    tab = page.context.new_page()
    held = []
    tab.route(f"**/{script}.*.js", lambda route: held.append(route))
    tab.goto(page.url)
    expect(tab.locator(f".st-key-{key}").get_by_test_id("stSkeleton").first).to_be_visible()
    expect(tab.locator(".st-key-presenter").get_by_test_id("stSkeleton").filter(visible=True)).to_have_count(0)
    names.look(tab)
    for route in held:
        route.continue_()
    tab.close()


def present(page: Page, names: Names) -> None:
    page.keyboard.press("f")
    expect(presenting(page)).to_have_count(1)
    names.look(page)
    page.keyboard.press("Escape")
    expect(presenting(page)).to_have_count(0)
    expect_in_a_window(page)


def build(page: Page, names: Names) -> None:
    """Build with a Streamlit dialog, invalid settings, and the phone menu."""
    page.get_by_text("GPT-2-like", exact=True).click()
    expect(page.locator(".arch")).to_have_attribute("aria-label", re.compile("Decoder-only"))
    page.locator("[data-part=head]").click()
    expect(page.get_by_text("There is no model of this architecture yet")).to_be_visible()
    names.look(page)
    present(page, names)
    page.get_by_role("tab", name="Model").click()
    width = page.locator(".st-key-model-d_model input")
    width.fill("10")
    width.press("Enter")
    expect(page.locator(".st-key-stale")).to_be_visible()
    names.look(page)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(page.get_by_role("navigation", name="App pages")).to_be_visible()
    names.look(page)
    page.set_viewport_size({"width": 1440, "height": 1000})


def train(page: Page, names: Names) -> None:
    """Train: a run in slow motion and to its end, then Compare and Sweep."""
    page.goto("/train")
    expect(page.get_by_text("No model yet.")).to_be_visible()
    names.look(page)
    page.goto("/train?lesson=1&task.min_length=2&training.steps=20&training.stop_when_solved=false&pace=Slow%20motion")
    expect(status(page)).to_contain_text("not started step 0 of")
    click(page, "Step")
    expect(page.get_by_text("Training step 1 · stage 1 of 12")).to_be_visible()
    names.look(page)
    expect(page.locator(".panel.weight_norm canvas")).to_have_count(1)  # the last chart, which is a slide, too
    page.keyboard.press("f")
    expect(presenting(page)).to_have_count(1)
    press(page, "PageDown", slides_after(page))
    expect_slide(page, "slow")
    names.look(page)
    page.keyboard.press("Escape")
    page.get_by_role("radio", name="Full speed").click()
    click(page, "Resume")
    expect(status(page)).to_contain_text("finished")
    expect(page.locator(".panel.loss canvas")).to_be_visible()
    names.look(page)
    loading(page, names, "PageLink", "next")
    page.get_by_text("Compare", exact=True).click()
    expect(page.locator(".st-key-compared-charts canvas").first).to_be_visible()
    names.look(page)
    page.get_by_text("Sweep", exact=True).click()
    click(page, "Start sweep")
    for key in ("multiples", "summary"):
        expect(page.locator(f".st-key-{key}")).to_be_visible()
    names.look(page)


def learn(page: Page, names: Names) -> None:
    """Learn, the list of lessons on its slide, pitfalls."""
    page.goto("/learn?present=lessons")
    expect_slide(page, "lessons")
    names.look(page)
    page.goto("/learn?view=pitfalls")
    expect(page.locator(".st-key-pitfall-list")).to_be_visible()
    names.look(page)


def answers(page: Page, names: Names, lesson: Lesson) -> None:
    """A lesson with all its answers, then its slides."""
    page.goto(f"/learn?view=lessons&lesson={lesson.name}")
    expect(page.locator(f".st-key-text-{len(lesson.blocks)}")).to_be_attached()
    for block in lesson.questions:
        page.locator(f".st-key-reveal-{block + 1} button").click()
        expect(page.locator(f".st-key-answer-{block + 1}")).to_be_attached()
    if lesson.name == "attention":
        expect(page.locator(".stSlider").first).to_be_attached()
    names.look(page)
    present(page, names)


def shows_below(lesson: Lesson) -> bool:
    """Whether live parts are below an answer."""
    explained = [lesson.blocks[at] for at in lesson.questions]
    return any(not isinstance(part, str) for block in explained for part in block.why + block.practice)


def step_through(page: Page, names: Names) -> None:
    """Step through a run with a wrong answer; then an operation that the model doesn't have."""
    page.get_by_role("link", name="Step through").first.click()
    expect(page.locator(".katex").first).to_be_visible()
    expect(page.locator(".stMain h1:focus")).to_have_count(1)
    names.look(page)
    page.get_by_text("Backward", exact=True).click()
    expect(page.get_by_text("The labels are the model's own answer")).to_be_visible()
    names.look(page)
    present(page, names)
    page.goto("/step_through?said=1&cell=0.0.0&present=operation")
    expect(page.locator("[data-locked]")).to_be_attached()
    names.look(page)
    page.goto("/step_through?input=1")
    expect(page.get_by_text("is unreliable")).to_be_visible()
    names.look(page)
    page.goto("/step_through?operation=loss&tour=True")
    expect(page.locator(".st-key-onward")).to_be_visible()
    names.look(page)
    page.goto("/step_through?operation=none&input=x")
    expect(page.get_by_text("This model has no operation")).to_be_visible()
    names.look(page)
    derived(page)
    names.look(page)


def experiment(page: Page, names: Names) -> None:
    """Each view of Experiment; all but the last have a slide. Heads with an open pair, Logits once computed."""
    for view in EXPERIMENT.views:
        page.goto(f"/experiment?view={view.name}" + (f"&pair={PAIR}" if view.name == "heads" else ""))
        for slide in view.slides:
            expect(page.locator(f".st-key-{slide.parts[-1]}")).to_be_attached()
        if view.name in LATE:
            expect(page.locator(LATE[view.name]).first).to_be_attached()
        expect(page.get_by_role("heading", name="Experiment", level=1)).to_be_visible()
        names.look(page)

    page.goto("/experiment?view=change&adds=scale")
    expect(page.locator(".st-key-change-factor")).to_be_attached()
    names.look(page)


def generate(page: Page, names: Names) -> None:
    """A token with its attention, then beam search."""
    for decoding, key in (("greedy", "token-attention"), ("beams", "beams")):
        page.goto(f"/generate?decoding={decoding}")
        expect(page.locator(f".st-key-{key}")).to_be_attached()
        names.look(page)


def checkpoints(page: Page, names: Names, hub: Hub) -> None:
    """Checkpoints: a selected card (also on a phone), none, a push with dialog and dock, the Hub, a pull."""
    page.get_by_role("link", name="Checkpoints").first.click()
    page.get_by_role("button", name="reverse-1-16", exact=True).click()
    expect(page.locator(".chosen")).to_have_text("reverse-1-16")
    names.look(page)
    page.set_viewport_size({"width": 390, "height": 844})
    click(page, "Export")
    box = page.get_by_test_id("stPopoverBody")
    expect(box.get_by_role("button", name="Export")).to_be_in_viewport(ratio=1)
    names.look(page)
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    page.set_viewport_size({"width": 1440, "height": 1000})
    search = page.get_by_role("searchbox", name="Search the library")
    search.fill("nothing like it")
    names.look(page)
    search.fill("")
    click(page, "Push")
    form = page.get_by_role("dialog")
    sign_in(form, hub.token("alice"))
    expect(form.get_by_role("tab", name="Model card")).to_be_visible()
    names.look(page)
    late = hub.hold(("POST", "/commit/"))
    button(form, "Push").click()
    expect(form.get_by_role("progressbar")).to_be_visible()
    button(form, "Close").click()  # the dock shows what no form shows
    late.release.set()
    expect(page.locator(".st-key-dock")).to_contain_text("is now at commit")
    page.evaluate(MODULES)
    assert page.evaluate("() => client.open()") == ""
    assert page.evaluate("() => client.send('ask', {kind: 'number', text: 'How many?'})")["ok"]
    expect(page.get_by_text("How many?").first).to_be_visible()
    names.look(page)
    page.get_by_text("Hub", exact=True).click()
    expect(page.locator(".st-key-gallery .model .name").first).to_be_visible()
    names.look(page)
    page.get_by_role("link", name="Build").first.click()
    expect(page.get_by_role("button", name="Present")).to_be_visible()
    present(page, names)  # with the question of the room
    assert page.evaluate("() => client.send('end')")["ok"]
    page.goto("/step_through?hub=bob/copy")
    expect(page.locator(".model.whole .name")).to_be_visible()
    names.look(page)
    click(page, "Pull")
    expect(page.locator(".st-key-origin").get_by_role("button")).to_be_visible()
    names.look(page)


def test_every_name_of_streamlit_s_dom_is_on_a_page(page: Page, hub: Hub):
    page.goto("/")
    expect(page.locator("svg.arch")).to_be_visible()
    names = Names(page)
    loading(page, names, "BidiComponent", "architecture")
    build(page, names)
    train(page, names)
    learn(page, names)
    step_through(page, names)
    checkpoints(page, names, hub)
    experiment(page, names)
    generate(page, names)
    longest = max(filter(shows_below, lessons().values()), key=lambda lesson: len(lesson.blocks))
    for lesson in (lessons()["attention"], longest):  # the first one with sliders
        answers(page, names, lesson)
    for block in range(MAX_BLOCKS):  # of a longer lesson, or without a question
        names.missing -= {f".st-key-block-{block + 1}"} if block >= len(longest.blocks) else set()
        names.missing -= {f".st-key-answer-{block + 1}"} if block not in longest.questions else set()
    for view, label in {"check": "Your code", "examine": "Your tests"}.items():
        page.goto(f"/learn?view={view}")
        expect(page.get_by_label(label)).to_be_visible()
        names.look(page)
    page.goto(f"/learn?view=assignments&assignment={CODE.word}")
    page.get_by_role("textbox", name="Name or number").fill("Ada")
    page.get_by_role("button", name="Begin").click()
    expect(page.get_by_label("Your code")).to_be_visible()
    names.look(page)
    modular(page)
    names.look(page)
    for path, row in PAGES.items():
        page.goto(f"/{path}")
        for key in {part for slide in row.slides for part in slide.parts if f".st-key-{part}" in names.missing}:
            expect(page.locator(f".st-key-{key}")).to_be_attached()
        names.look(page)
    assert not names.missing, "\n".join(sorted(names.missing))
