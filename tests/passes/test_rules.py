"""The cases in the files under ``rules/``: a few edges before a pass, and after it."""

import pytest

from tests.passes.rules import FILES, Case, cases, result_of

CASES = [case for path in FILES for case in cases(path)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.file}: {case.title}")
def test_rule(case: Case) -> None:
    assert result_of(case).splitlines() == case.after.splitlines()


def test_titles_are_different() -> None:
    assert len({(case.file, case.title) for case in CASES}) == len(CASES) >= 60
