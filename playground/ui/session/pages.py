"""The pages and their views: one row each, in the order of the menu and of the switch.

A page is a file in pages/ and a row here; one of several views of a page is a module and a row here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from playground.lessons.lesson import MAX_BLOCKS
from playground.pictures.charts import COMPARED, PANELS
from playground.recording import REPOSITORY
from playground.ui.session.session_keys import VIEW


@dataclass(frozen=True)
class Slide:
    """A slide of the presenter view."""

    name: str  # name in the address
    title: str
    parts: tuple[str, ...]  # keys of containers and components; if the last one is missing, the slide is skipped
    panels: tuple[str, ...] = ()  # panels of the last part, if it is the charts: `charts.PANELS`
    shrinks: bool = False  # whether it is scaled down to the height of the window


@dataclass(frozen=True)
class Shortcut:
    """Keys with the same action."""

    keys: tuple[str, ...]  # names as in browsers, with the prefix "Shift+" if needed
    does: str
    script: str  # the script that handles it
    together: str = ""  # label, if the keys are not listed one by one
    focused: bool = False  # only while that component has the focus


@dataclass(frozen=True)
class View:
    """One of several views of a page: from this row come its switch, its call, its slides, its address and tests."""

    name: str
    """Name in the address."""
    label: str
    module: str = ""
    """Its module in playground/ui, as `shell.views.Module` describes; empty: the page's own file draws it."""
    forward: bool = False
    """True if it shows one forward pass, with its model and input in the address."""
    slides: tuple[Slide, ...] = ()
    shortcuts: Mapping[str, tuple[Shortcut, ...]] | None = None
    """Its keys; None: those of the page."""


@dataclass(frozen=True)
class Page:
    """A page of the app."""

    name: str
    """Name of its file in pages/."""
    title: str
    icon: str
    """Name of a Google Material Symbol."""
    about: str
    """What it is for, in one sentence: seen while it loads."""
    home: bool = False
    """True for the first page."""
    forward: bool = False
    """True if it or a view shows one forward pass (`passes.frame`); links to Hub models open on such a page."""
    reads_longer: bool = False
    """True if it also accepts inputs longer than in training, as far as the model can read them."""
    views: tuple[View, ...] = ()
    """Its views, if there are several; the first is the default."""
    keeps_view: bool = True
    """False if links to this page lead to its first view, whichever was shown before."""
    own_slides: tuple[Slide, ...] = ()
    """Slides of the presenter view besides those of the views, in order."""
    shortcuts: Mapping[str, tuple[Shortcut, ...]] = field(default_factory=dict)
    """Keys of this page only, by section of the window of keys; a view can have its own."""

    @property
    def path(self) -> str:
        """Path of its address below the server's base path; empty for the first page."""
        return "" if self.home else self.name

    @property
    def file(self) -> str:
        """Path of its script, for page links and `st.switch_page`."""
        return str(REPOSITORY / "pages" / f"{self.name}.py")

    @property
    def slides(self) -> tuple[Slide, ...]:
        """All slides of the presenter view, in order."""
        return (*self.own_slides, *(slide for view in self.views for slide in view.slides))

    @property
    def shown(self) -> str:
        """Name of the view that is shown."""
        return VIEW.of(self.name).get() or self.views[0].name

    @property
    def shown_shortcuts(self) -> Mapping[str, tuple[Shortcut, ...]]:
        """The keys of the view that is shown."""
        own = next((view.shortcuts for view in self.views if view.name == self.shown), None) if self.views else None
        return self.shortcuts if own is None else own

    def turn(self, name: str) -> None:
        """Open another view: in a callback, or before the switch is drawn."""
        VIEW.of(self.name).set(name)


LEARN = Page(
    "learn",
    "Learn",
    "school",
    "Lessons on a live model, pitfalls to find, and a check of your own transformer.",
    forward=True,
    views=(
        View(
            "lessons",
            "Lessons",
            "learn.lessons_view",
            slides=(
                Slide("lessons", "Lessons", ("lessons",), shrinks=True),
                *(
                    slide
                    for block in range(1, MAX_BLOCKS + 1)
                    for slide in (
                        Slide(f"block-{block}", f"Block {block}", (f"block-{block}",), shrinks=True),
                        Slide(f"answer-{block}", f"Answer {block}", (f"answer-{block}",), shrinks=True),
                    )
                ),
            ),
        ),
        View("formulas", "Formulas", "learn.formulas", forward=True),
        View("pitfalls", "Pitfalls", "learn.pitfalls_view"),
        View("hunt", "Bug hunt", "learn.hunt_view"),
        View("examine", "Write a test", "learn.check.examine_view"),
        View("check", "Check my code", "learn.check.check_view"),
        View("assignments", "Assignments", "learn.assignments.assignments_view"),
    ),
)
BUILD = Page(
    "build",
    "Build",
    "account_tree",
    "Choose a task, a model and its training, and see the transformer that they make.",
    home=True,
    own_slides=(Slide("model", "The model", ("architecture",)),),
)
TRAIN = Page(
    "train",
    "Train",
    "trending_down",
    "Train the model and watch its loss, its accuracy and its attention change.",
    views=(
        View(
            "run",
            "Run",
            slides=(
                Slide(*PANELS[0].slide, ("slide-progress", "charts"), (PANELS[0].name,)),
                *(Slide(*panel.slide, ("charts",), (panel.name,)) for panel in PANELS[1:]),
                Slide("slow", "Slow motion", ("slow",)),
            ),
        ),
        View(
            "development",
            "Development",
            "train.development_view",
            slides=(
                Slide("transitions", "Transitions", ("development-transitions",), shrinks=True),
                Slide("development", "Development", ("development-charts",)),
                Slide("answers", "Frequencies and answers", ("development-answers",), shrinks=True),
            ),
        ),
        View(
            "compare",
            "Compare",
            "train.compare",
            slides=(
                *(
                    Slide(*panel.slide, ("compared-charts",), tuple(filter(None, (panel.name, panel.alone))))
                    for panel in COMPARED
                ),
                Slide("runs", "The runs", ("runs",)),
                Slide("costs", "Cost by part", ("compared-costs",), shrinks=True),
            ),
        ),
        View(
            "sweep",
            "Sweep",
            "train.sweep",
            slides=(
                Slide("multiples", "The sweep", ("multiples",), shrinks=True),
                Slide("summary", "The sweep in numbers", ("summary",)),
            ),
        ),
    ),
    shortcuts={
        "Charts": (
            Shortcut(("ArrowLeft", "ArrowRight"), "previous or next step, in all charts", "chart.ts", focused=True),
            Shortcut(("Shift+ArrowLeft", "Shift+ArrowRight"), "ten steps back or ahead", "chart.ts", focused=True),
            Shortcut(("Home", "End"), "first step, latest step", "chart.ts", focused=True),
            Shortcut(("+", "-", "0"), "zoom in, zoom out, whole run", "chart.ts", focused=True),
            Shortcut(("Enter",), "open this step in Step through", "chart.ts", focused=True),
            Shortcut(("Escape",), "clear the step", "chart.ts", focused=True),
        ),
    },
)
STEP_THROUGH = Page(
    "step_through",
    "Step through",
    "footprint",
    "Follow one input through the model: each operation with its formula, its numbers and the code that ran.",
    forward=True,
    reads_longer=True,
    views=(
        View("model", "Model", forward=True),
        View(
            "own",
            "Your own code",
            "step.own_view",
            slides=(Slide("own", "Your own code", ("own-pass",)),),
            shortcuts={
                "Navigate": (
                    Shortcut(("ArrowRight", "PageDown"), "next operation", "own_pass.ts"),
                    Shortcut(("ArrowLeft", "PageUp"), "previous operation", "own_pass.ts"),
                    Shortcut(("g",), "gradient on or off", "own_pass.ts"),
                ),
                "View": (
                    Shortcut(
                        ("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"),
                        "move in a focused heatmap",
                        "traced_pass.ts",
                        focused=True,
                    ),
                ),
            },
        ),
    ),
    keeps_view=False,
    own_slides=(Slide("operation", "One operation", ("architecture", "slide-operation", "tensor")),),
    shortcuts={
        "Navigate": (
            Shortcut(("ArrowRight", "PageDown"), "next operation", "follow.ts"),
            Shortcut(("ArrowLeft", "PageUp"), "previous operation", "follow.ts"),
            Shortcut(("Shift+ArrowRight",), "next sublayer", "follow.ts"),
            Shortcut(("Shift+ArrowLeft",), "previous sublayer", "follow.ts"),
            Shortcut((".",), "later training step", "follow.ts"),
            Shortcut((",",), "earlier training step", "follow.ts"),
            Shortcut(("g",), "gradient on or off", "follow.ts"),
        ),
        "View": (
            Shortcut(tuple("123456789"), "show one head", "tensors.ts", "1 – 9"),
            Shortcut(("0",), "show all heads", "tensors.ts"),
            Shortcut(("t",), "numbers as a table", "tensors.ts"),
            Shortcut(("p",), "compute one cell slowly, then all", "tensors.ts"),
            Shortcut(("e",), "fold or unfold the calculation of the cell", "tensors.ts"),
            Shortcut(("ArrowUp", "ArrowDown", "ArrowLeft", "ArrowRight"), "move in a focused heatmap", "tensors.ts"),
            Shortcut(("Enter",), "lock the cell", "tensors.ts"),
            Shortcut(("Escape",), "unlock the cell", "tensors.ts"),
        ),
    },
)
EXPERIMENT = Page(
    "experiment",
    "Experiment",
    "science",
    "Change a trained model or its input, and see what its answers depend on.",
    forward=True,
    views=(
        View(
            "heads",
            "Heads",
            "experiment.heads_view",
            forward=True,
            slides=(Slide("heads", "All heads", ("heads",)),),
        ),
        View(
            "change",
            "Interventions",
            "experiment.intervention_view",
            forward=True,
            slides=(
                Slide("changes", "Changes", ("changes-choice",), shrinks=True),
                Slide("changed", "Unchanged and changed", ("answers",), shrinks=True),
                Slide("scores", "Scores on held-out inputs", ("scores",), shrinks=True),
                Slide("both-attention", "Attention of both", ("both-attention",), shrinks=True),
            ),
        ),
        View(
            "read",
            "Logits",
            "experiment.logits_view",
            forward=True,
            slides=(Slide("reading", "Logit lens", ("reading-lens",)),),
        ),
        View(
            "circuits",
            "Circuits",
            "experiment.circuits_view",
            forward=True,
            slides=(Slide("circuits", "Circuits", ("circuits",)),),
        ),
        View(
            "attribution",
            "Attribution",
            "experiment.attribution_view",
            forward=True,
            slides=(
                Slide("attribution", "Estimates and exact changes", ("attribution",), shrinks=True),
                Slide("kept-circuit", "The circuit", ("kept-circuit",), shrinks=True),
                Slide("circuit-scores", "Without each part", ("circuit-scores",), shrinks=True),
            ),
        ),
        View(
            "lengths",
            "Lengths",
            "experiment.input_lengths_view",
            forward=True,
            slides=(Slide("input-lengths", "Exact match by length", ("input-lengths",)),),
        ),
        View("training", "What if", "experiment.counterfactual_view", forward=True),
    ),
)
GENERATE = Page(
    "generate",
    "Generate",
    "stylus",
    "Answer token by token, by greedy decoding, sampling or beam search.",
    forward=True,
    reads_longer=True,
    own_slides=(
        Slide("token", "Next token", ("generation",), shrinks=True),
        Slide("attention", "Attention of this token", ("token-attention",)),
        Slide("cache", "KV cache", ("kv-cache",)),
        Slide("beams", "Beam search", ("beams",), shrinks=True),
    ),
    shortcuts={
        "Generate": (
            Shortcut(("ArrowRight",), "next token", "generation.ts"),
            Shortcut(("ArrowLeft",), "undo the last token", "generation.ts"),
            Shortcut(("p",), "play or pause", "generation.ts"),
            Shortcut(("End",), "finish the answer", "generation.ts"),
            Shortcut(("Home",), "start over", "generation.ts"),
        ),
    },
)
CHECKPOINTS = Page(
    "checkpoints",
    "Checkpoints",
    "inventory_2",
    "Save, load, compare, download and share trained models.",
    views=(
        View(
            "library", "Library", "checkpoints.cards", slides=(Slide("cards", "Checkpoints", ("cards",), shrinks=True),)
        ),
        View("hub", "Hub", "checkpoints.hub_models", slides=(Slide("hub", "Hub", ("gallery",)),), shortcuts={}),
    ),
    shortcuts={
        "Cards": (
            Shortcut(("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"), "another card", "cards.ts", focused=True),
            Shortcut(("Home", "End"), "first card, last card", "cards.ts", focused=True),
            Shortcut(("Enter",), "select it", "cards.ts", focused=True),
            Shortcut(("Delete",), "delete it (can be undone)", "cards.ts", focused=True),
        ),
    },
)

PAGES = {row.path: row for row in list(globals().values()) if isinstance(row, Page)}
"""All pages by path, in the order of the menu."""
