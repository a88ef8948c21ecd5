"""Settings that have no effect, by the table, change nothing; the others change the training."""

from functools import partial

import pytest

from playground.settings.applies import NEEDS, applies
from playground.settings.config import RunConfig, value_at
from tests.small_training import TINY, records

OTHER = {
    "model.n_kv_heads": 1,
    "model.d_latent": 3,
    "model.d_rope": 4,
    "model.n_experts": 3,
    "model.experts_per_token": 1,
    "model.n_shared_experts": 1,
    "model.balance": 1.0,
}
"""Another value of each setting than `SHORT` has."""

SHORT = TINY.updated({"training.steps": 3, "training.eval_every": 1})


def with_needs(path: str) -> RunConfig:
    return SHORT.updated({**NEEDS[path], "model.d_rope": 2 if path == "model.d_rope" else 0})


def test_the_table_has_another_value_for_each_setting():
    assert OTHER.keys() == NEEDS.keys()


@pytest.mark.parametrize("path", NEEDS)
def test_a_setting_has_an_effect_where_the_table_says_so_and_nowhere_else(path):
    config = with_needs(path)
    assert applies(path, partial(value_at, config))
    assert records(config.updated({path: OTHER[path]})) != records(config)
    for needed in NEEDS[path]:
        lacking = SHORT.updated({other: value for other, value in NEEDS[path].items() if other != needed})
        assert not applies(path, partial(value_at, lacking))
        if path != "model.d_rope":  # there it is a problem, which the form shows
            assert records(lacking.updated({path: OTHER[path]})) == records(lacking)


def test_a_task_uses_its_own_settings_alone():
    value_of = partial(value_at, TINY.updated({"task.name": "dates"}))
    assert applies("task.name", value_of)
    assert not applies("task.vocab_size", value_of)
    assert applies("task.vocab_size", partial(value_at, TINY))
    assert applies("seed", value_of)
