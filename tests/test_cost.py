"""Costs by part: they add up to the counts of the whole, and a mixture's active part is that of the chosen experts."""

from itertools import pairwise

import pytest

from playground.experiments.costs import cost_of, cost_rows
from playground.model.architecture import architecture
from playground.settings.config import RunConfig, parameter_counts
from playground.settings.cost import LINEAR, NETWORK, PRODUCTS, costs_of
from tests.helpers import ARCHITECTURES
from tests.test_export_code import PARTS, TINY

MIXTURE = {"model.feed_forward": "mixture", "model.n_experts": 5, "model.experts_per_token": 2}


@pytest.mark.parametrize("part", ["plain", *PARTS])
def test_the_parts_add_up_to_the_whole(part):
    for kind in ARCHITECTURES:
        config = RunConfig().updated(TINY | PARTS.get(part, {}) | {"model.architecture": kind})
        costs = costs_of(config).values()
        assert sum(each.parameters for each in costs) == sum(parameter_counts(config).values())
        whole = architecture(config.model).multiplications(config.sizes | {"B": 1})
        assert sum(each.multiplications for each in costs) == whole
        same = config.model.feed_forward == "dense"
        assert all((each.active == each.multiplications) == (same or name != NETWORK) for name, each in
                   costs_of(config).items() if each.multiplications)  # fmt: skip


def test_the_active_part_is_that_of_the_chosen_experts():
    shared = {"model.n_shared_experts": 1}
    dense = costs_of(RunConfig().updated(TINY))[NETWORK].multiplications
    for updates, computed, active in ((MIXTURE, 5, 2), (MIXTURE | shared, 6, 3)):
        config = RunConfig().updated(TINY | updates)
        found = costs_of(config)[NETWORK]
        sizes = config.sizes
        router = (sizes["S"] + sizes["T"]) * sizes["D"] * sizes["E"]
        assert (found.multiplications, found.active) == (computed * dense + router, active * dense + router)


def test_counts_by_hand():
    """One layer of decoder-only multi-query attention: T positions, width 8, 2 heads, one head of keys of width 4."""
    updates = {"model.architecture": "decoder-only", "model.attention": "grouped_query", "model.n_kv_heads": 1}
    config = RunConfig().updated(TINY | updates | {"model.bias": False})
    costs, t = costs_of(config), config.max_target_length
    assert costs[LINEAR] == (2 * 64 + 2 * 32, t * (2 * 64 + 2 * 32), t * (2 * 64 + 2 * 32))
    assert costs[PRODUCTS] == (0, 2 * t * t * 8, 2 * t * t * 8)
    assert costs[NETWORK].parameters == 2 * 8 * 12
    assert costs["Output layer"].multiplications == t * 8 * config.vocabulary_size


def test_a_table_has_a_number_for_each_model_and_totals_add_up():
    updates = [{}, MIXTURE | {"model.attention": "latent"}, {"model.architecture": "encoder-only"}]
    models = [cost_of(RunConfig().updated(TINY | each)) for each in updates]
    rows = cost_rows(models)
    totals = [at for at, row in enumerate(rows) if row.total]
    for at, end in pairwise(totals[:3]):
        assert rows[at].numbers == tuple(map(sum, zip(*(row.numbers for row in rows[at + 1 : end]))))
    named = {row.name: row.numbers for row in rows if row.total}
    assert named["KV cache: bytes per token"] == (4 * 2 * 8, 4 * 16, 0)
    active = named["With chosen experts only"]
    assert [active[at] < named["Multiplications"][at] for at in range(3)] == [False, True, False]
    assert "With chosen experts only" not in [row.name for row in cost_rows(models[:1])]
