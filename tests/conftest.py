"""What holds for all tests."""

import gc
import signal

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # a shell starts jobs in the background so; the processes that tests interrupt would inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

NO_BROWSER = "needs Debian's packages chromium and chromium-driver"


def pytest_collection_finish() -> None:
    """What is collected stays to the end: tests need not look through it for garbage again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _as_wide_as_reports_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Processes of the test runner have a width of their own."""
    monkeypatch.delenv("COLUMNS", raising=False)


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """No child processes unless a test asks for them by ``jobs``: thousands of tests verify something.

    The threads of the test runner only wait for messages: with them, too, a copy of the process can work.
    """
    monkeypatch.setattr("sley.verification.verify.usable_cores", lambda: 0)
    for module in ("verify", "supervision"):
        monkeypatch.setattr(f"sley.verification.{module}.can_fork", lambda: True)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Tests of pages that did not run are worth a line."""
    skipped = terminalreporter.stats.get("skipped", [])
    count = sum(NO_BROWSER in str(report.longrepr) for report in skipped)
    if count:
        terminalreporter.write_line(f"{count} browser tests did not run: each {NO_BROWSER}")
