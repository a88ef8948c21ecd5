"""What Step through says about one operation besides its tensors."""

from collections.abc import Sequence
from typing import NamedTuple

from playground.common.errors import sentences
from playground.explain import tap_path
from playground.explain.findings import finding
from playground.explain.inspection import Step, Walk
from playground.ui.parts import style


class Explanation(NamedTuple):
    """Head and prose as HTML, the formula as LaTeX."""

    head: str
    prose: str
    """Sentence and finding; page.css puts the formula between them."""
    formula: str


def explanation(
    walk: Walk, step: Step, order: Sequence[str], when: str = "", note: str = "", *, back: bool = False
) -> Explanation:
    """The explanation of an operation among those of a way; `when` and `note` are said beside it."""
    document = step.document
    rule = document.backward
    title = f"{document.title}, backward" if back else document.title
    cited = "" if back else "<br>".join(style.link(str(source), source.url) for source in document.sources)
    counter = f"Operation {order.index(step.name) + 1} of {len(order)}"
    return Explanation(
        style.operation(tap_path(step.name)[-1], title, step.dims, step.value.shape, counter, when),
        f'<p class="sentence">{style.marked(rule.sentence if back else document.sentence)}</p>'
        f'<div class="finding">{style.marked(sentences(finding(walk, step, gradient=back), note))}</div>'
        f'<div class="cited small soft">{cited}</div>',
        rule.formula if back else document.formula,
    )
