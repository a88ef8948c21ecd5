"""The standalone code of a run as a Jupyter notebook."""

from collections.abc import Iterator

from playground.export.script import bundled, data, description
from playground.storage.checkpoint import Checkpoint
from playground.tasks import example_text


def content(checkpoint: Checkpoint) -> bytes:
    """The notebook, in Jupyter's format 4; raises `ScriptError`. Needs `nbformat`."""
    import nbformat
    from nbformat import v4

    cells = [
        (v4.new_code_cell if code else v4.new_markdown_cell)(text, id=f"cell-{index}")
        for index, (code, text) in enumerate(_cells(checkpoint))
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = v4.new_notebook(cells=cells, metadata=kernel)
    nbformat.validate(notebook)
    return nbformat.writes(notebook).encode()


def _cells(checkpoint: Checkpoint) -> Iterator[tuple[bool, str]]:
    """True for code, and the text, of each cell."""
    code = bundled(checkpoint)
    yield False, "# " + description(checkpoint)
    yield True, "\n".join(code.imports)
    for section in code.sections:
        yield False, section.sentence
        yield True, section.text
    yield False, "The settings of this run, and what it measured."
    yield True, data(checkpoint)
    yield False, "Train the model again and compare every number with the history."
    yield True, "model = TaskModel(SETTINGS)\nsame = repeat(model, CHANGES, HISTORY)"
    yield False, "Ask the model. It reads other inputs of its task, too."
    yield True, f"generate_text(model, {example_text(checkpoint.config.task)!r})"
