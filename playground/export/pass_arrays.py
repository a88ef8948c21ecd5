"""Every tensor of one pass as arrays of NumPy."""

import io

import numpy as np

from playground.explain.inspection import Walk


def content(walk: Walk) -> bytes:
    """An npz file: `numpy.load(file)["decoder.layers.0.cross_attention.attention.weights"]`.

    Arrays have the names of the operations, parameters that were used those of the model with "parameters/" before it,
    and the names of the tokens are in "tokens/source" and "tokens/target". Nothing in it needs pickle.
    """
    named = dict(walk.model.named_parameters()) | dict(walk.model.named_buffers())
    used = {name for step in walk.steps for name in step.operation.parameters}
    arrays = {name: value.numpy() for name, value in walk.values.items()}
    arrays |= {f"parameters/{name}": parameter.detach().numpy() for name, parameter in named.items() if name in used}
    sides = {"S": "source", "T": "target"}
    arrays |= {f"tokens/{sides[letter]}": np.array(names) for letter, names in walk.tokens.items()}
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()
