"""Number formats of the browser's scripts."""

import random

import pytest
from playwright.sync_api import Page

from playground.common.numbers import percent
from tests.test_assets import module

pytestmark = pytest.mark.browser


def test_the_browser_rounds_shares_as_the_server_does(page: Page):
    draw = random.Random(0)
    values = [0, 1, 0.5, 0.25, 0.9994, 0.9996, 0.99999, 1 - 1e-9, 0.0006, 0.0004, 1e-5, 1e-9]
    values += [draw.random() ** 8 for _ in range(200)] + [1 - draw.random() ** 8 for _ in range(200)]
    values.append(None)
    page.goto("/")
    written = page.evaluate(f"async (values) => values.map(({module('parts/words.ts')}).percent)", values)
    assert written == [percent(value).replace(".0 %", " %") for value in values]
