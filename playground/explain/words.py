"""Names of taps and parameters in words and symbols."""

from playground.model.architecture import label


def tap_path(name: str) -> tuple[str, ...]:
    """Where a tap stands, outermost first: ("decoder", "layer 1", "cross-attention", "scaled scores")."""
    words: list[str] = []
    for part in name.split("."):
        if part.isdigit():
            words[-1] = f"{words[-1].removesuffix('s')} {int(part) + 1}"
        elif part.endswith("_add_norm"):
            words += [label(part.removesuffix("_add_norm")), "add & norm"]
        elif part != "attention":
            words.append(label(part))
    return tuple(words)


def title_beside(name: str, other: str) -> str:
    """Short name of a tap; prefixed if it belongs to another part of the model than the tap `other`."""
    *here, _ = tap_path(other)
    *there, words = tap_path(name)
    if there != here and there:
        words = " › ".join([*(there[-1:] if there[:-1] == here[:-1] or len(there) == 1 else there[-2:]), words])
    return f"{words[:1].upper()}{words[1:]}"


_SYMBOLS = {
    "attention.scale": "λ",
    "router.weight": "W_r",
    "token_table.weight": "E",
    "positions.table": "P",
    "positions.table_from_end": "P′",
    "norm.weight": "γ",
    "norm.bias": "β",
    "head.weight": "W",
    "head.bias": "b",
}


def parameter_symbol(parameter: str) -> str:
    """How formulas call a parameter or a constant table: "W_Q" for "decoder.layers.0.self_attention.w_q.weight"."""
    *_, module, kind = parameter.split(".")
    if name := _SYMBOLS.get(f"{module}.{kind}"):
        return name
    letter = module.removeprefix("w_").upper()
    return f"{'b' if kind == 'bias' else 'W'}_{letter}"
