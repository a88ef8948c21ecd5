"""What Step through says about one operation besides its tensors."""

from collections.abc import Sequence

from playground.common.errors import sentences
from playground.explain import tap_path
from playground.explain.findings import finding
from playground.explain.inspection import Step, Walk
from playground.ui.parts import style


def head(step: Step, order: Sequence[str], when: str = "", *, back: bool = False) -> str:
    """Title, shape and number of an operation among those of a way, as HTML; `when` is the training step's message."""
    title = f"{step.document.title}, backward" if back else step.document.title
    counter = f"Operation {order.index(step.name) + 1} of {len(order)}"
    return style.operation(tap_path(step.name)[-1], title, step.dims, step.value.shape, counter, when)


def prose(walk: Walk, step: Step, note: str = "", *, back: bool = False) -> str:
    """Sentence, finding with `note`, and sources, as HTML; page.css puts the formula between them."""
    document = step.document
    cited = "" if back else "<br>".join(style.link(str(source), source.url) for source in document.sources)
    return (
        f'<p class="sentence">{style.marked(document.backward.sentence if back else document.sentence)}</p>'
        f'<div class="finding">{style.marked(sentences(finding(walk, step, gradient=back), note))}</div>'
        f'<div class="cited small soft">{cited}</div>'
    )
