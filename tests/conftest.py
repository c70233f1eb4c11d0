"""What holds for all tests."""

import pytest


@pytest.fixture(autouse=True)
def _in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """No child processes unless a test asks for them by ``jobs``: thousands of tests verify something.

    The threads of the test runner only wait for messages: with them, too, a copy of the process can work.
    """
    monkeypatch.setattr("sley.verification.verify.usable_cores", lambda: 0)
    for module in ("verify", "supervision"):
        monkeypatch.setattr(f"sley.verification.{module}.can_fork", lambda: True)
