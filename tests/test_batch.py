"""Runs trained to their ends without a screen."""

from collections import Counter

import pytest

from playground.experiments import batch
from playground.runs.backends import LOCAL
from playground.training import train
from tests.helpers import TINY, first, numbers, timeless

STEADY = TINY.updated({"training.steps": 300, "training.eval_every": 100})


@pytest.mark.parametrize("times", first(1, [batch.MAX_RESUMES + 1, 1]))
def test_a_run_with_a_lost_worker_resumes_a_limited_number_of_times(times):
    killed = Counter[str]()

    def kill(runs, _trouble):
        for run in runs:
            if (
                killed[run.id] < times
                and run.status == "running"
                and run.store.kept_step != killed.get(run.metadata.name)
            ):
                killed[run.metadata.name] = run.store.kept_step
                killed[run.id] += 1
                run._worker.kill()

    with batch.trained([STEADY.updated({"training.steps": 20_000 if times > 1 else 300})], LOCAL, kill) as (run,):
        assert killed[run.id] == times
        if times > 1:
            assert run.status == "stopped"
        else:
            assert run.status == "finished"
            assert timeless(run.records()) == numbers([progress.record() for progress in train(run.config)])
