"""The programs of any length that the survey is measured with: no check fails, however many threads run."""

from pathlib import Path

import pytest
from bench.large.growth import FLAGS
from bench.large.programs import KINDS, program
from bench.measure import measure


def test_a_program_has_about_the_lines_that_are_asked_for() -> None:
    for lines in (500, 2_000):
        assert abs(program(lines).count("\n") - lines) < 60


@pytest.mark.parametrize("threads", [KINDS, 1_000])
def test_every_check_is_proved(tmp_path: Path, threads: int) -> None:
    file = tmp_path / "program.c"
    file.write_text(program(250, threads))
    found = measure(file, FLAGS, 60)
    assert (found.answer, found.count("open checks")) == ("safe", 0)
