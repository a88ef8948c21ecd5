"""`python -m playground generate`."""

from typing import Annotated

import typer

from playground.cli.commands import CheckpointFolder, Input, UsageError, app, note, plain_errors
from playground.decoding import Sampling, beam_search, sample
from playground.decoding.beams import MAX_BEAMS
from playground.decoding.long_inputs import settings_for, stretched, untrained
from playground.decoding.sampling import ALLOWED
from playground.storage import checkpoint
from playground.tasks import changed_input, encode, text_of


@app.command("generate")
def generate_command(
    folder: CheckpointFolder,
    text: Input,
    temperature: Annotated[
        float | None, typer.Option(help=f"Sample; divides the logits, {ALLOWED['temperature']}. 0 is greedy.")
    ] = None,
    top_k: Annotated[
        int | None, typer.Option(help=f"Sample from the K most probable tokens; {ALLOWED['top_k']}.")
    ] = None,
    top_p: Annotated[
        float | None, typer.Option(help=f"Sample from the fewest tokens that reach probability P; {ALLOWED['top_p']}.")
    ] = None,
    beams: Annotated[
        int | None, typer.Option(help=f"Beam search of this width, 1 to {MAX_BEAMS}; prints all answers it keeps.")
    ] = None,
    max_tokens: Annotated[
        int | None,
        typer.Option(help=f"Longest answer, {ALLOWED['max_tokens']} tokens. Default and limit: the task's longest."),
    ] = None,
    seed: Annotated[int, typer.Option(help=f"Of the sampling; {ALLOWED['seed']}.")] = 0,
) -> None:
    """Print the model's answer to an input: greedy, sampled, or by beam search, the most probable answer last."""
    with plain_errors():
        samples = any(option is not None for option in (temperature, top_k, top_p))
        if samples and beams is not None:
            raise UsageError("--beams can't be combined with --temperature, --top-k or --top-p.")
        sampling = Sampling(float(samples) if temperature is None else temperature, top_k, top_p, seed)
        loaded = checkpoint.load(folder)
        model = stretched(loaded.model, settings_for(loaded.config, text))
        task = model.config.task
        note(changed_input(text, task))
        source = encode(text, task)
        note(untrained(loaded.config, source))
        if beams is not None:
            for beam in reversed(beam_search(model, source, beams, max_tokens)):
                answer = list(beam.tokens)
                if beams > 1:
                    print(f"log probability {beam.log_probability:z.4f}:")
                print(text_of(answer, task))
            return
        answer = sample(model, source, sampling, max_tokens)
        print(text_of(answer, task))
