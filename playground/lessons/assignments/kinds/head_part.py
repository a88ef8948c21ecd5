"""Find a head: by its weight on one position, by what its removal does to an answer, or by its role."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from playground.decoding import batch_to_read
from playground.interpret.ablation import compare
from playground.interpret.interventions import parse_all
from playground.lessons.assignments.kinds.own_model import number_of, own_model
from playground.lessons.assignments.kinds.part import Answer, AnswerField, Asked, BasePart, Mark, complete
from playground.lessons.live_parts import shipped
from playground.lessons.mistakes.pitfall import BASE
from playground.model.head_paths import Head, heads, weights_tap
from playground.model.task_model import TaskModel
from playground.recording import run_with_cache
from playground.settings.config import RunConfig
from playground.training.roles import ROLE_LETTERS, ROLES, measure_roles

ShippedModel = Literal["reverse-1-16", "copy-1-16"]

_WITHIN = 0.0151  # of a weight with two decimals
_LOSS_WITHIN = 0.01  # of a loss, as a fraction, besides its fourth decimal
_CLEAR = 0.1  # by how much the head's weight is larger than that of the others
_SEQUENCES = 200  # held out, for roles


class HeadPart(BasePart):
    """Which head, and a number that only the student's own input or model has."""

    title_of_kind: ClassVar = "Find the head that ..."

    kind: Literal["head"] = "head"
    find: Annotated[
        Literal["weight", "ablation", "role"],
        Field(title="The head that", description="attends most to a position, matters most to an answer, has a role"),
    ] = "weight"
    model: Annotated[
        ShippedModel, Field(title="Model", description="For a role, students train a model of their own.")
    ] = "reverse-1-16"

    @property
    def title(self) -> str:
        """See `BasePart`."""
        words = {
            "weight": "attends most to a position",
            "ablation": "matters most to an answer",
            "role": "has a role",
        }
        return f"Find the head that {words[self.find]}"

    @property
    def trains(self) -> bool:
        """See `BasePart`."""
        return self.find == "role"

    def asked(self, seed: int) -> Asked:
        """The question about the student's own input, or about the model that they train."""
        if self.find == "role":
            config = own_config(seed)
            text = (
                "Train this model. Then measure the roles of its heads on held-out inputs. Which head of the "
                f"cross-attention has the largest score for the role “attends to {ROLES[role_of(seed)].words}”? "
                f"{ROLE_LETTERS}"
            )
            return Asked(text, _fields(_cross(config), "Its score for this role"), config=config, seed=seed)
        model, text = shipped(self.model), input_of(self.model, seed)
        if self.find == "weight":
            query, key, _ = _cell(self.model, seed)
            question = (
                f"The model answers the input {text}. Which head of the cross-attention gives input position {key + 1} "
                f"its largest weight when the decoder predicts token {query + 1} of the answer?"
            )
            fields = _fields(_cross(model.config), "Its weight")
        else:
            question = (
                f"The model answers the input {text}. Set the output of one head at a time to 0. Without which head is "
                "the loss on this input largest?"
            )
            fields = _fields(heads(model.config.model), "The loss without it", 4)
        return Asked(question, fields, checkpoint=self.model, input=text, seed=seed)

    def judge(self, seed: int, answer: Answer) -> Mark:
        """See `BasePart`."""
        given, (head, value) = complete(self.asked(seed).fields, answer), self._found(seed)
        within = _LOSS_WITHIN * value + 0.0001 if self.find == "ablation" else _WITHIN
        right = given["head"] == head, abs(number_of(given["value"]) - value) <= within
        if all(right):
            return Mark(1.0, "Right.")
        words = ["right" if each else "wrong" for each in right]
        return Mark(0.0, f"The head is {words[0]}, the number is {words[1]}.")

    def solution(self, seed: int) -> Answer:
        """See `BasePart`."""
        head, value = self._found(seed)
        return {"head": head, "value": f"{value:.4f}" if self.find == "ablation" else f"{value:.2f}"}

    def _found(self, seed: int) -> tuple[str, float]:
        """The head and its number."""
        if self.find == "weight":
            query, key, head = _cell(self.model, seed)
            return _cross(shipped(self.model).config)[head].path, float(_weights(self.model, seed)[head][query][key])
        return _most_important(self.model, seed) if self.find == "ablation" else _in_role(seed)


def input_of(model: str, seed: int) -> str:
    """The student's own input for a shipped model: 6 to 10 symbols."""
    random, symbols = Random(f"head {seed}"), shipped(model).config.task.vocab_size
    return " ".join(str(random.randrange(symbols)) for _ in range(random.randint(6, 10)))


def own_config(seed: int) -> RunConfig:
    """The settings of the student's own model for roles."""
    return BASE.updated({"task.name": role_task(seed), "model.n_heads": 4, "training.steps": 30, "seed": seed})


def role_task(seed: int) -> Literal["reverse", "copy"]:
    """The task of the student's own model."""
    return "reverse" if seed % 2 else "copy"


def role_of(seed: int) -> str:
    """The role that the heads of the student's own model are asked for: the one that its task needs."""
    return "mirror" if role_task(seed) == "reverse" else "same"


def _cross(config: RunConfig) -> list[Head]:
    """The heads of the first cross-attention."""
    return [head for head in heads(config.model) if head.attention == "decoder.layers.0.cross_attention"]


def _fields(of: Sequence[Head], number: str, decimals: int = 2) -> tuple[AnswerField, ...]:
    choices = {head.path: head.words[:1].upper() + head.words[1:] for head in of}
    return AnswerField("head", "Head", "choice", choices), AnswerField(
        "value", number, "number", help=f"{decimals} decimals"
    )


@lru_cache(maxsize=256)
def _weights(model: str, seed: int) -> list[list[list[float]]]:
    """Weights (H, T, S) of the first cross-attention for the student's input."""
    tap = weights_tap("decoder.layers.0.cross_attention")
    _, cache = run_with_cache(shipped(model), batch_to_read(shipped(model), input_of(model, seed)), tap)
    weights: list[list[list[float]]] = cache[tap][0].tolist()
    return weights


def _cell(model: str, seed: int) -> tuple[int, int, int]:
    """Query, key and head of the student's question: one of the cells where one head is clearly above the others."""
    weights = _weights(model, seed)
    cells = []
    for query in range(len(weights[0]) - 1):  # the last one predicts EOS
        for key in range(len(weights[0][query])):
            order = sorted(range(len(weights)), key=lambda head: -weights[head][query][key])
            first, second = (weights[head][query][key] for head in order[:2])
            cells.append((first - second, query, key, order[0]))
    clear = [cell for cell in cells if cell[0] >= _CLEAR] or [max(cells)]
    random = Random(f"cell {seed}")
    head = random.choice(sorted({cell[3] for cell in clear}))
    return random.choice([cell for cell in clear if cell[3] == head])[1:]


@lru_cache(maxsize=256)
def _most_important(name: str, seed: int) -> tuple[str, float]:
    """The head without which the loss on the student's input is largest, and that loss."""
    model, text = shipped(name), input_of(name, seed)
    losses = {head.path: _loss_without(model, text, head.path) for head in heads(model.config.model)}
    worst = max(losses, key=losses.__getitem__)
    return worst, losses[worst]


def _loss_without(model: TaskModel, text: str, path: str) -> float:
    return compare(model, text, parse_all([path], model.config, "zero")).changed.loss


@lru_cache(maxsize=256)
def _in_role(seed: int) -> tuple[str, float]:
    """The head of the student's own model with the largest score for the role, and the score."""
    *_, (_, _, scores) = measure_roles(own_model(own_config(seed)), _SEQUENCES)
    of_heads = {
        head.path: next(score.weight for score in scores[head] if score.role == role_of(seed))
        for head in _cross(own_config(seed))
    }
    best = max(of_heads, key=of_heads.__getitem__)
    return best, of_heads[best]
