"""The judge sees what is wrong, and a few of its programs; ``make fuzz-c`` runs as many as wanted."""

from dataclasses import replace
from pathlib import Path

import pytest

from sley.program.properties import ALL_PROPERTIES, Property
from sley.verification.result import Result
from tests.fuzz.judge.campaign import Campaign, observations
from tests.fuzz.judge.comparison import Judge, about, source
from tests.fuzz.judge.draft import Fault, Program
from tests.fuzz.judge.minimise import fewest
from tests.fuzz.judge.programs import random_program
from tests.fuzz.judge.sanitizers import observe, reports_in

SEEDS = (2, 5, 9, 12, 15, 18)
SECONDS = 20.0


def program(text: str, *, fault: Fault | None = None, is_threaded: bool = False) -> Program:
    return Program(0, ("test",), text, ("main", "f", "x"), is_threaded, False, fault)


RIGHT = program("int main(void) { unsigned char c = 300; CHECK(0, c); return 0; }")
FREED = program(
    "int main(void) { int *p = malloc(4); free(p); CHECK(0, *p); return 0; }",
    fault=Fault(frozenset({Property.DEREF}), "use after free"),
)
RACING = program(
    "static int x;\nstatic void *f(void *a) { x++; return a; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x++; pthread_join(t, 0); return 0; }",
    is_threaded=True,
)


class Liar(Judge):
    """Says about every program what is true of another."""

    def __init__(self, folder: Path, other: str) -> None:
        super().__init__(folder, SECONDS)
        self.other = other

    def answer(
        self, text: str, engine: str | None = None, properties: frozenset[Property] = ALL_PROPERTIES
    ) -> Result:
        del text
        return super().answer(self.other, engine, properties)


def test_half_a_dozen_programs(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path, SECONDS, every=0)
    judge = Judge(tmp_path, SECONDS)
    for chosen, observed in observations([random_program(seed) for seed in SEEDS], tmp_path):
        campaign.note(chosen, observed, judge.opinion(chosen, observed), judge)
    assert campaign.differing == []
    assert {outcome.split(":")[-1].strip() for outcome in campaign.outcomes} >= {"SAFE", "BUG"}


def test_same_seed_same_program() -> None:
    assert random_program(7) == random_program(7)
    assert random_program(7) != random_program(8)


def test_runs_tell_values_and_faults(tmp_path: Path) -> None:
    right, freed = observe([RIGHT, FREED], tmp_path)
    assert (right.values, right.reports) == ({0: [44]}, [])
    assert {report.property for report in freed.reports} == {Property.DEREF}
    assert any(report.property is Property.RACE for report in observe([RACING], tmp_path)[0].reports)


@pytest.mark.parametrize(
    ("chosen", "other", "kind"),
    [
        (FREED, "int main(void) { return 0; }", "wrong SAFE"),
        (RIGHT, "int main(void) { return 0; }", "wrong SAFE"),
        (RIGHT, "int main(void) { return 1 / 0; }", "wrong BUG"),
        (replace(FREED, fault=None), "int main(void) { return 0; }", "generator"),
        (replace(RIGHT, fault=FREED.fault), "int main(void) { return 0; }", "generator"),
        (RIGHT, "int main(void) { return", "crash"),
    ],
)
def test_a_planted_wrong_answer_is_noticed(chosen: Program, other: str, kind: str, tmp_path: Path) -> None:
    observed = observe([chosen], tmp_path)[0]
    opinion = Liar(tmp_path, other).opinion(chosen, observed)
    assert kind in {difference.kind for difference in opinion.differences}


def test_what_a_run_shows_counts_without_a_known_fault(tmp_path: Path) -> None:
    observed = observe([RACING], tmp_path)[0]
    opened = replace(RACING, is_open=True)
    safe = Judge(tmp_path, SECONDS).answer("int main(void) { return 0; }")
    assert [difference.kind for difference in about(opened, observed, safe)] == ["wrong SAFE"]
    right = Judge(tmp_path, SECONDS).answer(source(opened, observed))
    assert list(about(opened, observed, right)) == []


def test_the_words_of_sanitizers() -> None:
    said = "a.c:3:5: runtime error: division by zero\n==12==ERROR: LeakSanitizer: detected memory leaks\n"
    assert [report.property for report in reports_in(said, 1)] == [Property.DIVISION, Property.LEAK]
    assert [report.property for report in reports_in("", -11)] == [Property.DEREF]
    assert reports_in("@0 5\n", 0) == []


def test_lines_that_do_not_matter_are_left_out() -> None:
    lines = ["a", "if {", "b", "}", "needed", "{", "also", "}"]
    assert fewest(lines, lambda rest: {"needed", "also"} <= set(rest)) == ["needed", "{", "also", "}"]
