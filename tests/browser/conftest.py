"""A headless Chromium for the tests of pages; without one they are skipped, and the summary says how many."""

from collections.abc import Iterator
from pathlib import Path
from shutil import which

import pytest

from tests.browser.browser import Browser
from tests.conftest import NO_BROWSER


@pytest.fixture(scope="module")  # other tests look at the processes that there are
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    program, driver = which("chromium"), which("chromedriver")
    if program is None or driver is None:
        pytest.skip(NO_BROWSER)
    browser = Browser(program, driver, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.quit()


@pytest.fixture
def browser(chromium: Browser, tmp_path: Path) -> Iterator[Browser]:
    chromium.folder = tmp_path
    chromium.reset()
    yield chromium
    assert chromium.complaints() == []
