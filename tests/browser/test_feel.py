"""Nothing on the Train page flickers or jumps while it trains."""

import pytest
from playwright.sync_api import Page

from tests.browser.feel import WATCHED, start_long_run, stillness

pytestmark = pytest.mark.browser


def test_the_train_page_stays_where_it_is_while_its_numbers_move(page: Page):
    page.add_init_script(WATCHED)
    start_long_run(page)
    still = stillness(page, 10)
    assert still.updates == 10
    assert still.pictures >= 3
    assert not still.moved, "a chart was replaced instead of getting new data"
    assert len(still.boxes) == 1, "\n".join(still.boxes)
