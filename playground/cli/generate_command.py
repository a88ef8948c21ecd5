"""`python -m playground generate`."""

from playground.cli.commands import CheckpointFolder, Input, app, plain_errors
from playground.decoding import generate
from playground.storage import checkpoint
from playground.tasks import encode, text_of


@app.command("generate")
def generate_command(folder: CheckpointFolder, text: Input) -> None:
    """Print the model's answer to an input."""
    with plain_errors():
        loaded = checkpoint.load(folder)
        answer = generate(loaded.model, encode(text, loaded.config.task))
        print(text_of(answer, loaded.config.task))
