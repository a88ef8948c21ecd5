"""The picture of the architecture says what the config says, and nothing else."""

import re
from itertools import combinations
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playground.model.task_model import TaskModel
from playground.pictures.diagram import along, architecture_diagram, part_of, tap_of
from playground.recording import taps
from playground.settings.config import RunConfig, choices, setting_paths
from playground.tasks import TASKS

# Every axis of a different size.
BASE = RunConfig.parse(
    {
        "task": {"vocab_size": 19, "min_length": 2, "max_length": 7},
        "model": {"d_model": 12, "n_heads": 4, "n_layers": 2, "d_ff": 20},
        "training": {"batch_size": 5},
    }
)
ARCHITECTURES = choices(setting_paths()["model.architecture"])
SVG = "{http://www.w3.org/2000/svg}"


def draw(**model: object) -> ElementTree.Element:
    config = BASE.updated({f"model.{name}": value for name, value in model.items()})
    return ElementTree.fromstring(architecture_diagram(config))


def parts(svg: ElementTree.Element) -> dict[str, ElementTree.Element]:
    found = [(element.attrib["data-part"], element) for element in svg.iter() if "data-part" in element.attrib]
    assert len(dict(found)) == len(found), "a part is drawn twice"
    return dict(found)


def texts(element: ElementTree.Element) -> list[str]:
    return ["".join(text.itertext()) for text in element.iter(f"{SVG}text")]


def of_class(element: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [child for child in element.iter() if name in child.get("class", "").split()]


def going_along(element: ElementTree.Element) -> list[ElementTree.Element]:
    return [child for child in element.iter() if "data-along" in child.attrib]


def top(element: ElementTree.Element) -> float:
    """Where the first rectangle or circle of a part begins; smaller is higher."""
    for child in element.iter():
        if child.tag == f"{SVG}rect":
            return float(child.attrib["y"])
        if child.tag == f"{SVG}circle":
            return float(child.attrib["cy"]) - float(child.attrib["r"])
    raise AssertionError("nothing with a position")


SWITCHES = ("causal_mask", "residual", "layer_norm", "scale_scores", "tie_embeddings")


@st.composite
def configs(choose: st.DrawFn) -> RunConfig:
    fields = setting_paths()
    one_of = {name: choices(fields[name]) for name in fields if name.startswith("model.") and choices(fields[name])}
    one_of |= {f"model.{name}": (True, False) for name in SWITCHES}
    one_of |= {"model.dropout": (0.0, 0.1, 0.123), "model.n_layers": (1, 2, 6), "model.n_heads": (1, 4, 16)}
    one_of |= {"model.d_model": (16, 256), "model.d_ff": (1, 64, 1024), "training.batch_size": (1, 512)}
    one_of |= {"task.name": choices(fields["task.name"]), "task.vocab_size": (2, 10, 508)}
    changes = {name: choose(st.sampled_from(values)) for name, values in one_of.items()}
    one_of = {"model.window": (0, 1, 256), "model.logit_cap": (0.0, 12.5, 1000.0), "model.qk_norm": (True, False)}
    one_of |= {"model.n_kv_heads": (1, changes["model.n_heads"]), "model.n_shared_experts": (0, 1, 4)}
    one_of |= {
        "model.experts_per_token": (1, 2),
        "model.n_experts": (2, 16) if changes["model.d_model"] == 16 else (2,),
    }
    changes |= {name: choose(st.sampled_from(values)) for name, values in one_of.items()}
    if changes["model.attention"] == "latent" and changes["model.positions"] == "rotary":
        changes["model.d_rope"] = 2
    if changes["model.d_model"] == 256 and changes["model.feed_forward"] == "mixture":
        changes["model.d_ff"] = 64
    if changes["model.architecture"] == "encoder-only":
        changes["model.causal_mask"] = True
        if not TASKS[changes["task.name"]].answers_in_place:
            changes["task.name"] = "copy"
    if changes["model.d_model"] == 256 and (changes["model.d_ff"] == 1024 or changes["model.n_layers"] == 6):
        changes["model.n_layers"] = 1  # more would be above the limit of parameters
    if changes["model.positions"] == "rotary" and changes["model.d_model"] == changes["model.n_heads"]:
        changes["model.n_heads"] = 4  # a rotation turns pairs of columns
        changes["model.n_kv_heads"] = 1
    longest = (8, 64) if changes["task.name"] == "text" else (1, 2, 3, 4, 5, 6, 64)
    lengths = {"task.min_length": 1, "task.max_length": choose(st.sampled_from(longest))}
    return RunConfig().updated(changes | lengths)


@given(configs())
@settings(max_examples=150, deadline=None)
def test_every_config_gives_a_whole_picture(config: RunConfig) -> None:
    svg = ElementTree.fromstring(architecture_diagram(config))
    assert svg.tag == f"{SVG}svg"
    assert svg.attrib["role"] == "img"
    assert svg.attrib["width"] == "100%"
    assert [child.tag for child in svg][:2] == [f"{SVG}title", f"{SVG}desc"]
    left, upper, width, height = map(float, svg.attrib["viewBox"].split())
    boxes = [child for child in svg.iter(f"{SVG}rect") if child.attrib["class"].startswith("box")]
    areas = []
    for box in boxes:
        x, y, w, h = (float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        assert left <= x < x + w <= left + width
        assert upper <= y < y + h <= upper + height
        areas.append((x, y, x + w, y + h))
    for (ax, ay, bx, by), (cx, cy, dx, dy) in combinations(areas, 2):
        assert bx <= cx or dx <= ax or by <= cy or dy <= ay, "two boxes overlap"
    for name, part in parts(svg).items():
        assert part.attrib["data-name"], name
        assert re.fullmatch(r"\(B, [ST](, [DV])?\) = \(\d+, \d+(, \d+)?\)", part.attrib["data-shape"]), name
        assert re.fullmatch(r"[A-Z][^.]*\.", part.attrib["data-tip"]), name


@given(configs())
@settings(max_examples=25, deadline=None)
def test_nothing_in_two_pictures_on_a_page_can_clash(config: RunConfig) -> None:
    source = architecture_diagram(config)
    assert all("id" not in element.attrib for element in ElementTree.fromstring(source).iter())
    assert "url(#" not in source
    assert "href" not in source
    assert "<style" not in source, "rules for the page"


@pytest.mark.parametrize("positions", choices(setting_paths()["model.positions"]))
@pytest.mark.parametrize("norm", ["pre", "post", None])
@pytest.mark.parametrize("residual", [True, False])
@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_parts_are_the_model_s(architecture: str, residual: bool, norm: str | None, positions: str) -> None:
    """Each part is a module of the model, and each of its taps, in any layer, lights exactly one part."""
    switches = {"architecture": architecture, "residual": residual, "layer_norm": norm is not None}
    switches |= {"norm_position": norm or "pre", "positions": positions, "n_heads": 2}
    model = TaskModel(BASE.updated({f"model.{name}": value for name, value in switches.items()}))
    shown = parts(draw(**switches))
    assert set(shown) <= {name for name, module in model.named_modules() if name}
    norms = {name for name in ("encoder.norm", "decoder.norm") if name in shown}
    assert norms == {n for n, module in model.named_modules() if n in ("encoder.norm", "decoder.norm")}
    assert ("decoder.layers.0.cross_attention" in shown) == (architecture == "encoder-decoder")
    for tap in taps(model):
        part = part_of(tap)
        assert part in shown, tap
        if tap not in ("labels", "loss"):
            assert tap.replace(".layers.1.", ".layers.0.").startswith(part) or "mask" in tap or tap == "logits"
    beside = {each.attrib["data-along"] for each in going_along(draw(**switches))}
    lit = {along(tap) for tap in taps(model)}
    assert beside <= lit, "something is never lit"
    for tap in taps(model):
        if ".layers." in tap:
            sublayer = tap.replace(".layers.1.", ".layers.0.").split(".")[3].removesuffix("_add_norm")
            assert (along(tap) in beside) == residual, tap
            assert along(tap).endswith(f".{sublayer}")
        elif tap.endswith("mask"):
            assert along(tap) is None
    for stack in architecture.removesuffix("-only").split("-"):
        assert (along(f"{stack}.output") in beside) == (norm == "pre"), "its last LayerNorm"
    names = taps(model)
    for part in shown:
        opened = tap_of(part, names)
        assert opened in names, part
        assert part_of(opened) == part.replace(".norm", ".output"), part


def test_a_part_is_found_by_modules_layers_and_taps_and_by_nothing_else() -> None:
    for name in parts(draw()):
        assert part_of(name) == name
    assert part_of("decoder.layers.1.cross_attention.attention.weights") == "decoder.layers.0.cross_attention"
    assert part_of("encoder.embeddings.position") == "encoder.embeddings.position"
    assert part_of("encoder.embeddings.sum") == "encoder.embeddings"
    assert part_of("labels") == part_of("loss") == "probabilities"  # what they are compared with
    for name in ("", "encoder", "encoder.layers.0", "headless", '"><script>'):
        assert part_of(name) is None, name


def test_a_part_opens_at_its_first_tap_in_the_layer_one_is_in() -> None:
    names = [
        "decoder.causal_mask",
        "decoder.layers.0.self_attention.query_projection",
        "decoder.layers.0.feed_forward.hidden",
        "decoder.layers.1.self_attention.query_projection",
        "decoder.layers.1.self_attention.output",
        "decoder.output",
    ]
    part = "decoder.layers.0.self_attention"
    assert tap_of(part, names) == names[1]
    assert tap_of(part, names, "decoder.layers.1.feed_forward.hidden") == names[3]
    assert tap_of(part, names, "decoder.layers.5.feed_forward.hidden") == names[1]
    assert tap_of("decoder.norm", names) == "decoder.output"
    assert tap_of("encoder.tokens", names) is None


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_shapes_are_the_config_s(architecture: str) -> None:
    svg = draw(architecture=architecture)
    shown, everything = parts(svg), texts(svg)
    wanted = {
        "encoder-decoder": ["B×S = 5×7", "B×T = 5×8", "B×S×D = 5×7×12", "B×T×D = 5×8×12", "B×T×V = 5×8×23"],
        "decoder-only": ["B×T = 5×15", "B×T×D = 5×15×12", "B×T×V = 5×15×23"],
        "encoder-only": ["B×S = 5×7", "B×S×D = 5×7×12", "B×S×V = 5×7×23"],
    }[architecture]
    for shape in [*wanted, "H×dₖ = 4×3", "D→F→D = 12→20→12", "V→D = 23→12", "D→V = 12→23"]:
        assert any(shape in text for text in everything), shape
    shapes = {text.split(": ")[-1].strip() for text in everything if "×" in text and " = " in text}
    assert shapes == {*wanted, "H×dₖ = 4×3"}
    assert {name.split(".")[0] for name in shown} == {*architecture.removesuffix("-only").split("-")} | {
        "head",
        "probabilities",
    }
    assert everything.count("× 2") == (2 if architecture == "encoder-decoder" else 1)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("norm", ["pre", "post", None])
@pytest.mark.parametrize("residual", [True, False])
def test_norms_and_sums(architecture: str, norm: str | None, residual: bool) -> None:
    switches = {"layer_norm": norm is not None, "norm_position": norm or "pre", "residual": residual}
    svg = draw(architecture=architecture, positions="none", **switches)
    stacks, sublayers = (2, 5) if architecture == "encoder-decoder" else (1, 2)
    assert len(of_class(svg, "norm")) == {"pre": sublayers + stacks, "post": sublayers, None: 0}[norm]
    assert len(of_class(svg, "sum")) == len(of_class(svg, "residual")) == sublayers * residual
    assert bool(of_class(svg, "rail")) == residual
    shown = parts(svg)
    for name, around in shown.items():
        if not name.endswith("_add_norm"):
            continue
        box = top(shown[name.removesuffix("_add_norm")])
        for normed in of_class(around, "norm"):
            assert top(normed) > box if norm == "pre" else top(normed) < box
            assert all(top(normed) < top(added) for added in of_class(around, "sum")) or norm == "pre"
        assert all(top(added) < box for added in of_class(around, "sum"))


def test_attention_has_its_q_k_v_and_its_mask() -> None:
    shown = parts(draw())
    for name in (
        "encoder.layers.0.self_attention",
        "decoder.layers.0.self_attention",
        "decoder.layers.0.cross_attention",
    ):
        assert sorted("".join(texts(port)) for port in of_class(shown[name], "port")) == ["K", "Q", "V"]
        assert len(of_class(shown[name], "hatch")) == (10 if name == "decoder.layers.0.self_attention" else 0)
    memory = of_class(shown["encoder.output"], "memory")
    assert len(memory) == 1
    assert "B×S×D = 5×7×12" in texts(shown["encoder.output"])


def test_the_causal_mask_is_a_badge_and_its_absence_a_warning() -> None:
    for architecture in ("encoder-decoder", "decoder-only"):
        safe = parts(draw(architecture=architecture))["decoder.layers.0.self_attention"]
        assert "causal" in texts(safe)
        assert not of_class(safe, "warn")
        assert not of_class(safe, "unsafe")
        unsafe = parts(draw(architecture=architecture, causal_mask=False))["decoder.layers.0.self_attention"]
        assert "causal" not in texts(unsafe)
        assert of_class(unsafe, "warn")
        assert of_class(unsafe, "unsafe")
        assert not of_class(unsafe, "hatch")
    assert not of_class(draw(architecture="encoder-only"), "badge")


def test_words_follow_the_settings() -> None:
    for positions in choices(setting_paths()["model.positions"]):
        words = " ".join(texts(draw(positions=positions, n_heads=2)))
        label = "positions, both ends" if positions == "two_way" else f"{positions} positions"
        assert (label in words) == (positions != "none")
        assert ("positions" in words) == (positions != "none")
    assert "positions from start" in texts(draw(positions="two_way")), "only the encoder has an end to count from"
    assert "ReLU" in " ".join(texts(draw(activation="relu")))
    assert "GELU" in " ".join(texts(draw(activation="gelu")))
    assert "dropout" not in " ".join(texts(draw()))
    assert sum("dropout 0.1" in text for text in texts(draw(dropout=0.1))) == 2 + 5  # embeddings and sublayers
    assert "softmax(QKᵀ/√dₖ) V" in texts(draw())
    assert "not scaled" not in texts(draw())
    assert "softmax(QKᵀ/√dₖ) V" not in texts(draw(scale_scores=False))
    assert texts(draw(scale_scores=False)).count("not scaled") == 3


def test_the_norm_has_its_own_name() -> None:
    for norm, name, other in (("layer_norm", "LayerNorm", "RMSNorm"), ("rms_norm", "RMSNorm", "LayerNorm")):
        svg = draw(norm=norm)
        assert {"".join(texts(bar)) for bar in of_class(svg, "norm")} == {name}
        assert parts(svg)["decoder.norm"].attrib["data-name"] == f"Final {name}"
        assert parts(svg)["decoder.layers.0.feed_forward_add_norm"].attrib["data-tip"].startswith(f"{name}, then")
        assert other not in ElementTree.tostring(svg, "unicode")
        assert f"no {name}" in " ".join(texts(draw(norm=norm, layer_norm=False)))


def letters_of(svg: ElementTree.Element) -> list[str]:
    return [text for text in texts(of_class(svg, "key")[0]) if len(text) == 1]


def test_grouped_queries_share_keys_and_values() -> None:
    svg = draw(attention="grouped_query", n_kv_heads=2, norm="rms_norm")
    for name in ("encoder.layers.0.self_attention", "decoder.layers.0.cross_attention"):
        part = parts(svg)[name]
        (heads,) = of_class(part, "heads")
        assert [len(of_class(port, "cell")) for port in of_class(heads, "port")] == [4, 2, 2]
        assert "K, V: G = 2 heads" in texts(part)
        assert "2 heads of keys and values for 4 heads of queries" in part.attrib["data-tip"]
    assert "G" in letters_of(svg)
    assert not of_class(draw(), "heads")
    assert not {"G", "C", "P", "E"} & set(letters_of(draw()))


def test_latent_attention_makes_keys_and_values_from_a_latent() -> None:
    svg = draw(attention="latent", d_latent=5, d_rope=2, positions="rotary")
    shown = parts(svg)
    self_attention, cross = (texts(shown[f"decoder.layers.0.{kind}_attention"]) for kind in ("self", "cross"))
    assert {"latent C = 5", "+ rotary part P = 2", "softmax(QKᵀ/√(dₖ+P)) V"} <= set(self_attention)
    assert {"K, V from latent C = 5", "softmax(QKᵀ/√dₖ) V"} <= set(cross)
    assert not any("rotary" in text for text in cross)
    assert (
        "2 more columns of queries and keys are rotated" in shown["decoder.layers.0.self_attention"].attrib["data-tip"]
    )
    assert {"C", "P"} <= set(letters_of(svg))
    assert "P" not in letters_of(draw(attention="latent", positions="none"))


def test_limits_of_attention_are_marked() -> None:
    shown = parts(draw(qk_norm=True, logit_cap=12.5, window=3))
    own, cross = shown["decoder.layers.0.self_attention"], shown["decoder.layers.0.cross_attention"]
    assert {"Q, K of length 1", "window 3 · cap 12.5", "softmax(cap(g QKᵀ)) V"} <= set(texts(own))
    assert "cap 12.5" in texts(cross), "cross-attention has no window"
    assert len(of_class(own, "hatch")) > len(of_class(parts(draw())["decoder.layers.0.self_attention"], "hatch"))
    assert not of_class(cross, "hatch")
    assert "positions 3 or more steps away are hidden" in own.attrib["data-tip"]


@pytest.mark.parametrize(("experts", "shared", "chips"), [(2, 0, "12"), (4, 1, "1234+S"), (9, 2, "1234…+S")])
def test_a_mixture_shows_its_router_and_first_experts(experts: int, shared: int, chips: str) -> None:
    svg = draw(feed_forward="mixture", n_experts=experts, n_shared_experts=shared)
    part = parts(svg)["encoder.layers.0.feed_forward"]
    assert part.attrib["data-name"] == "Mixture of experts"
    assert f"{experts} experts, 2 active" in texts(part)
    assert "router" in texts(part)
    assert "".join(text for text in texts(part) if len(text) == 1) == chips
    assert ("shared" in part.attrib["data-tip"]) == (shared > 0)
    assert "E" in letters_of(svg)


def test_a_gate_has_an_icon_and_a_tip_of_its_own() -> None:
    gated, plain = (parts(draw(activation=name))["encoder.layers.0.feed_forward"] for name in ("swiglu", "relu"))
    assert "SwiGLU" in texts(gated)
    assert "gate" in gated.attrib["data-tip"]
    assert gated.attrib["data-tip"] != plain.attrib["data-tip"]


def test_nothing_covers_the_key() -> None:
    """The key of two stacks stands over the encoder, whose output leaves below it."""
    for changes in ({}, {"attention": "latent", "positions": "rotary", "d_rope": 2, "feed_forward": "mixture"}):
        svg = draw(**changes)
        low = max(float(text.attrib["y"]) for text in of_class(svg, "key")[0].iter(f"{SVG}text"))
        assert low < min(float(text.attrib["y"]) for text in parts(svg)["encoder.output"].iter(f"{SVG}text")) - 12


def test_tokens_are_an_example_of_the_task() -> None:
    def tokens(name: str, length: int, architecture: str = "encoder-decoder") -> list[list[str]]:
        changes = {
            "task.name": name,
            "task.min_length": 1,
            "task.max_length": length,
            "model.architecture": architecture,
        }
        svg = ElementTree.fromstring(architecture_diagram(BASE.updated(changes)))
        return [texts(part)[:-1] for name, part in parts(svg).items() if name.endswith(".tokens")]

    assert tokens("reverse", 3) == [["3", "1", "4"], ["BOS", "4", "1", "3"]]
    assert tokens("copy", 3) == [["3", "1", "4"], ["BOS", "3", "1", "4"]]
    assert tokens("reverse", 9) == [["3", "1", "…", "4", "1"], ["BOS", "1", "4", "…", "1", "3"]]
    assert tokens("reverse", 2, "decoder-only") == [["3", "1", "SEP", "1", "3"]]
    assert tokens("copy", 1, "encoder-only") == [["3"]]
    for task in choices(setting_paths()["task.name"]):
        assert tokens(task, 8)


def test_with_the_tokens_of_a_pass_the_picture_is_of_that_pass() -> None:
    tokens = {"S": ["7", "2", "9"], "T": ["BOS", "9", "2", "7"]}
    shown = texts(ElementTree.fromstring(architecture_diagram(RunConfig(), tokens=tokens)))
    assert any("B×S = 1×3" in text for text in shown)
    assert any("1×4×64" in text for text in shown)
    assert shown.count("7") == 2
    long = {"S": [str(n) for n in range(10)], "T": ["BOS", *(str(n) for n in range(10))]}
    assert "…" in texts(ElementTree.fromstring(architecture_diagram(RunConfig(), tokens=long)))
