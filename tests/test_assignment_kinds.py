"""The kinds of parts of an assignment: questions from a seed, and answers that are right for one student alone."""

import pickle
import re
from random import Random

import pytest

from playground.common.errors import PlaygroundError
from playground.decoding import batch_to_read
from playground.lessons import hunts
from playground.lessons.assignments.assignment import Assignment
from playground.lessons.assignments.kinds import head_part, lengths_part, ranking_part
from playground.lessons.assignments.kinds.code_part import CodePart
from playground.lessons.assignments.kinds.head_part import HeadPart, input_of
from playground.lessons.assignments.kinds.hunt_part import HuntPart
from playground.lessons.assignments.kinds.kind_table import KINDS
from playground.lessons.assignments.kinds.lengths_part import LengthsPart
from playground.lessons.assignments.kinds.lesson_part import LOSS_STEP, LessonPart
from playground.lessons.assignments.kinds.own_model import number_of, own_model
from playground.lessons.assignments.kinds.part import AssignmentError, BasePart
from playground.lessons.assignments.kinds.pitfall_part import SYMPTOMS, PitfallPart, hidden
from playground.lessons.assignments.kinds.ranking_part import RankingPart
from playground.lessons.assignments.kinds.train_part import TrainPart
from playground.lessons.assignments.ready import PERSONAL, READY
from playground.lessons.assignments.student_work import MAX_FIELDS, Work
from playground.lessons.lesson import ORDER, lessons
from playground.lessons.live_parts import shipped
from playground.lessons.mistakes.table import PITFALLS
from playground.model.head_paths import heads
from playground.recording import intervene, run_with_cache
from playground.settings.config import RunConfig
from playground.training.loop import Training
from tests import helpers
from tests.made_up_class import fits
from tests.trained_exercises import outcomes

SEEDS = (3, 2**31 - 1, 1_234_567_890)
PARTS = [
    LessonPart(lesson="attention", block=3),
    LessonPart(lesson="encoder-decoder", block=0),
    PitfallPart(),
    HuntPart(),
    HeadPart(find="weight"),
    HeadPart(find="weight", model="copy-1-16"),
    HeadPart(find="ablation"),
    HeadPart(find="role"),
    TrainPart(max_parameters=30_000),
    RankingPart(),
    LengthsPart(),
    CodePart(),
]
SLOW = (RankingPart, LengthsPart)
FAST = [part for part in PARTS if not part.trains]


def made_up_ranking(config: RunConfig) -> dict[str, float]:
    """All heads in an order of this seed's, with exact matches in steps of 2 %."""
    order = Random(config.seed).sample([head.path for head in heads(config.model)], 12)
    return {path: 0.02 * index + (config.seed % 90) / 10_000 for index, path in enumerate(order)}


@pytest.fixture(autouse=True)
def short_trainings(monkeypatch):
    """Models that train a few steps; with --thorough as they are."""

    def shortened(config, steps):
        return lambda seed: config(seed).updated({"training.steps": steps, "training.eval_every": steps})

    if not helpers.THOROUGH:
        monkeypatch.setattr(ranking_part, "_ranking", made_up_ranking)
        monkeypatch.setattr(lengths_part, "own_config", shortened(lengths_part.own_config, 40))
        monkeypatch.setattr(hunts, "config", shortened(hunts.config, 25))


def test_every_kind_is_tested():
    assert {type(part) for part in PARTS} == set(KINDS.values())
    assert {name: kind.model_fields["kind"].default for name, kind in KINDS.items()} == {name: name for name in KINDS}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.title)
def test_a_question_can_be_drawn(part: BasePart):
    asked = part.asked(SEEDS[1])
    assert 1 <= len(asked.fields) <= MAX_FIELDS
    assert len({field.name for field in asked.fields}) == len(asked.fields)
    assert all(len(field.name) <= 40 and field.label for field in asked.fields)
    assert all((field.kind == "choice") == bool(field.choices) for field in asked.fields)
    assert asked.text
    assert "{" not in asked.text.replace("{0", "")
    assert asked == part.asked(SEEDS[1]), "the same seed, the same question"
    assert Assignment(title="x", parts=(part,)).parts == (part,)
    assert pickle.loads(pickle.dumps(part)) == part


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.title)
def test_the_solution_is_right_and_other_students_have_others(part: BasePart):
    if isinstance(part, CodePart):
        assert part.solution(1) == {}
        return
    seeds = SEEDS[: 2 if part.trains else 3]
    solutions = [part.solution(seed) for seed in seeds]
    assert len({tuple(solution.items()) for solution in solutions}) > 1
    for seed, solution in zip(seeds, solutions):
        assert fits(part.asked(seed).fields, solution)
        if not isinstance(part, TrainPart):  # `test_a_run_is_judged_by_training_it_again`
            assert part.judge(seed, solution).right
        for other in solutions:
            if other != solution and fits(part.asked(seed).fields, other):
                assert not part.judge(seed, other).right


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.title)
def test_an_incomplete_answer_gets_a_sentence(part: BasePart):
    if not isinstance(part, SLOW):
        names = [field.name for field in part.asked(3).fields]
        nothing, foreign, long = dict.fromkeys(names, " "), dict.fromkeys(names, "é") | {"more": "x"}, "x" * 30_000
        for answer in ({}, nothing, foreign, dict.fromkeys(names, long)):
            with pytest.raises(AssignmentError):
                part.judge(3, answer)


@pytest.mark.parametrize("part", FAST, ids=lambda part: part.title)
def test_hints_are_one_sentence_or_two_and_not_the_answer(part: BasePart):
    for number in range(part.hints):
        hint = part.hint(3, number)
        assert hint
        assert "\n" not in hint
        assert not any(len(value) > 4 and value in hint for value in part.solution(3).values())


# --- lessons ---


@pytest.mark.parametrize("name", [name for name in ORDER if not lessons()[name].exercises])
def test_the_questions_of_a_ready_assignment_are_personal(name):
    seeds = [Random(f"{name} {n}").randrange(2**31) for n in range(60 if helpers.THOROUGH else 8)]
    for part in READY[name].parts:
        solutions = [part.solution(seed) for seed in seeds]
        assert len({solution["answer"] for solution in solutions}) > 1, part
        assert all(part.judge(seed, solution).right for seed, solution in zip(seeds[:3], solutions))


def test_ready_assignments_are_for_all_lessons_pitfalls_hunt_and_homework():
    assert list(READY) == [*ORDER, "pitfalls", "hunt", "homework"]
    assert PERSONAL.keys() == set(ORDER)
    assert all(Assignment.of_word(each.word) == each for each in READY.values())
    assert len({each.id for each in READY.values()}) == len(READY)


def test_an_exercise_asks_for_a_number_of_one_s_own_run():
    part, seed = LessonPart(lesson="exercises", block=1), 2
    assert part.trains
    (first, *_) = outcomes("exercises", "heads", seed).values()
    loss = next(record["loss"] for record in first.records if record["step"] == LOSS_STEP)
    assert part.judge(seed, {"answer": "Both", "loss": f"{loss:.3f}"}).right
    assert part.judge(seed, {"answer": "Both", "loss": f"{loss:.3f}".replace(".", ",")}).right
    assert "isn't that of your own run" in part.judge(seed, {"answer": "Both", "loss": f"{loss + 0.01:.3f}"}).message


def test_a_hint_leaves_out_a_wrong_choice_or_surrounds_the_number():
    for seed in range(40):
        part = LessonPart(lesson="shapes", block=3)
        assert part.solution(seed)["answer"] not in part.hint(seed, 0)
        part = LessonPart(lesson="masks", block=4)
        low, high = (float(word.rstrip(".")) for word in part.hint(seed, 0).split()[3::2])
        assert low <= number_of(part.solution(seed)["answer"]) <= high


def test_a_hint_is_no_choice_that_was_tried_stays_and_isn_t_sold_without_news():
    part, seen = LessonPart(lesson="shapes", block=3), 0

    def hint_of(work: Work) -> str:
        (attempt,) = work.attempts
        return part.hint(work.seed_of_part(0), attempt.hinted[0], attempt.ruled_out)

    for number in range(40):
        work = Work.begin(Assignment(title="Hints", parts=(part,)), str(number))
        seed = work.seed_of_part(0)
        right = part.solution(seed)["answer"]
        wrong = [each for each in part.asked(seed).fields[0].choices if each != right]
        tried = work.answered(0, {"answer": wrong[0]}, part.judge(seed, {"answer": wrong[0]}))
        seen += wrong[0] in part.hint(seed, 0)
        hinted = tried.with_hint(0)

        first = hint_of(hinted)
        assert wrong[0] not in first
        for each in wrong:
            hinted = hinted.answered(0, {"answer": each}, part.judge(seed, {"answer": each}))
            tried = tried.answered(0, {"answer": each}, part.judge(seed, {"answer": each}))
        assert hint_of(hinted) == first
        assert tried.next_hint(0) is None
        assert tried.with_hint(0) == tried
    assert seen, "the first hint would have repeated what was tried"


def test_a_hunt_sells_no_hint_that_repeats_its_marks():
    part, seed = HuntPart(), 3
    right = dict(part.solution(seed))
    other = next(name for name in hunts.CHOICES if name != right["mistake"])
    found = part.judge(seed, right | {"mistake": other}).ruled_out
    assert right["mistake"] not in found
    assert {hunts.part_of(PITFALLS[name]) for name in set(hunts.CHOICES) - set(found)} == {right["part"]}
    assert part.next_hint(seed, (), ()) == 0
    assert part.next_hint(seed, (0, 1), ()) == 2
    left = len(set(hunts.CHOICES) - set(found))
    assert part.next_hint(seed, (), found) == (1 if left > 1 else None), "the part is known; the measure is new"
    assert part.next_hint(seed, (1,), found) is None
    assert part.next_hint(seed, (0, 1, 2), ()) is None
    assert PitfallPart().next_hint(seed, (), [name for name in PITFALLS if name != right["mistake"]]) is None


def test_a_lesson_s_question_must_exist():
    for where in ('"lesson":"nix","block":0', '"lesson":"attention","block":20'):
        with pytest.raises(AssignmentError, match="no question there"):
            Assignment.of_json(f'{{"title":"x","parts":[{{"kind":"lesson",{where}}}]}}'.encode())


# --- mistakes ---


def test_each_pitfall_is_somebody_s():
    assert {hidden(seed) for seed in range(200)} == {name for name, pitfall in PITFALLS.items() if pitfall.hunted}
    assert {hunts.hidden(seed) for seed in range(200)} == {hidden(seed) for seed in range(200)}


def test_the_symptoms_are_measures_of_both_models():
    part, seed = PitfallPart(), next(seed for seed in range(200) if hidden(seed) == "no-positions")
    rows = {title: measured for title, *measured in (row.split(" | ") for row in part.material(seed).splitlines()[2:])}
    assert list(rows) == [f"| {title}" for title in SYMPTOMS]
    assert rows["| Length of the positions divided by that of the tokens"][1] == "0.00 |"
    assert rows["| Cross-attention to padding"] == ["0.0 %", "0.0 % |"]


def test_a_hunt_says_which_half_is_right():
    part = HuntPart()
    right = dict(part.solution(5))
    other = next(name for name in hunts.PARTS if name != right["part"])
    mark = part.judge(5, right | {"part": other})
    assert (mark.share, mark.message) == (0.0, "The part is wrong, the mistake is right.")
    assert part.asked(5).pitfall == hunts.hidden(5)


# --- heads ---


def test_the_head_with_the_largest_weight_is_that_of_the_pass():
    part, seed = HeadPart(find="weight"), 11
    asked, solution = part.asked(seed), part.solution(seed)
    found = re.search(r"input position (\d+) .* token (\d+) ", asked.text)
    key, query = int(found[1]) - 1, int(found[2]) - 1
    cache = run_with_cache(shipped("reverse-1-16"), batch_to_read(shipped("reverse-1-16"), asked.input))[1]
    weights = cache["decoder.layers.0.cross_attention.attention.weights"][0, :, query, key]
    assert solution["head"].endswith(f"head.{int(weights.argmax())}")
    assert solution["value"] == f"{float(weights.max()):.2f}"
    assert weights.sort().values[-1] - weights.sort().values[-2] >= 0.1


def test_the_head_that_matters_most_is_the_one_without_which_the_loss_is_largest():
    part, seed = HeadPart(find="ablation"), 12
    model, losses = shipped("reverse-1-16"), {}
    batch = batch_to_read(model, input_of("reverse-1-16", seed))
    for path in part.asked(seed).fields[0].choices:
        attention, number = path.split(".head.")

        def without(heads, number=int(number)):
            heads = heads.clone()
            heads[:, number] = 0
            return heads

        with intervene(model, {f"{attention}.attention.heads": without}) as changed:
            losses[path] = float(run_with_cache(changed, batch, "loss")[1]["loss"])
    solution = part.solution(seed)
    assert solution["head"] == max(losses, key=losses.__getitem__)
    assert float(solution["value"]) == pytest.approx(max(losses.values()), abs=1e-4)


def test_the_roles_are_those_that_the_task_needs():
    for seed in (4, 5):
        part = HeadPart(find="role")
        assert part.asked(seed).config == head_part.own_config(seed)
        assert float(part.solution(seed)["value"]) > 0.5


# --- homework ---


def test_own_models_are_those_of_a_run():
    config = head_part.own_config(9)
    trained = own_model(config)
    again = Training(config)
    for _ in again.progress():
        pass
    assert all(bool((one == other).all()) for one, other in zip(trained.parameters(), again.model.parameters()))
    assert again.step == config.training.steps


def test_ranks_are_marked_one_by_one_and_none_twice():
    part, seed = RankingPart(), 21
    right = dict(part.solution(seed))
    assert part.judge(seed, right | {"exact": "99.9"}).share == 0.75
    assert part.judge(seed, right | {"rank-2": right["rank-1"], "rank-3": right["rank-1"]}).share == 0.5


def test_lengths_are_marked_one_by_one():
    part, seed = LengthsPart(), 22
    right = dict(part.solution(seed))
    first = next(iter(right))
    assert part.judge(seed, right | {first: "1"}).share == 0.75
    assert part.judge(seed, {name: f"{value} %" for name, value in right.items()}).right


@pytest.mark.parametrize(("text", "value"), [("0.25", 0.25), ("0,25", 0.25), ("−3", -3.0), ("12.5 %", 12.5)])
def test_numbers_are_read_as_people_type_them(text, value):
    assert number_of(text) == value


@pytest.mark.parametrize("text", ["", "x", "nan", "inf", "1e999", "0x1"])
def test_what_is_no_number_gets_a_sentence(text):
    with pytest.raises(PlaygroundError, match="is not a number"):
        number_of(text)
