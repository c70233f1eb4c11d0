"""A small part of the campaigns that ``make fuzz`` runs, and a larger one in ``make test-long``."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from _pytest.mark.structures import ParameterSet

from tests.fuzz import __main__ as campaign
from tests.fuzz import laws, written
from tests.fuzz.campaign import Case, Comparison, Limits
from tests.fuzz.cases import bmc_case, heap_case, impact_case, modular_case, symmetry_case
from tests.fuzz.kinds import KINDS, Kind
from tests.fuzz.symmetric import symmetric_case
from tests.fuzz.written import FAMILIES, written_case

LIMITS = Limits(max_states=1_500, seconds=1.0)
SEEDS = {
    "explore": 12,
    "impact": 12,
    "bmc": 8,
    "modular": 4,
    "symmetry": 8,
    "abstract": 8,
    "row": 4,
    "all": 2,
    "facts": 3,
}
MIXED = ("random", "sequential")
MORE_SEEDS = 100


def cases() -> Iterator[ParameterSet]:
    for kind in KINDS:
        few = 1 if kind.family in FAMILIES else SEEDS[kind.engine] if kind.family in MIXED else 3
        for seed in range(MORE_SEEDS):
            marks = (pytest.mark.long,) if seed >= few else ()
            yield pytest.param(kind, seed, marks=marks, id=f"{kind.engine}-{kind.family}-{seed}")


@pytest.mark.parametrize(("kind", "seed"), list(cases()))
def test_no_law_fails(kind: Kind, seed: int, tmp_path: Path) -> None:
    found = kind.compare(seed, tmp_path / "random.c", LIMITS)
    assert not [comparison.problem for comparison in found.values() if comparison.problem]


@pytest.mark.parametrize(
    "case",
    [
        impact_case,
        bmc_case,
        modular_case,
        symmetry_case,
        lambda seed: heap_case(seed, "bmc"),
        lambda seed: symmetric_case(seed, "modular"),
        lambda seed: written_case(seed, "arrays", "bmc"),
    ],
)
def test_same_seed_same_case(case: Callable[[int], Case]) -> None:
    assert case(7) == case(7)
    assert case(7) != case(8)


# --- the campaign itself ---------------------------------------------------------------------------

LINE = """import json, os, sys
for seed in range({start}, {start} + {count}):
    if seed == 3:
        os.abort()
    outcome = ["safe" if seed != 5 else "wrong", None if seed != 5 else "a wrong answer", None]
    print(json.dumps({{"bmc": outcome}}))
    sys.stdout.flush()
"""


def test_a_lost_process_loses_one_case_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def command(_kind: Kind, seeds: range, _limits: Limits) -> list[str]:
        return [sys.executable, "-c", LINE.format(start=seeds.start, count=len(seeds))]

    monkeypatch.setattr(campaign, "command", command)
    kind = Kind("bmc", "random", lambda _seed, _path, _limits: {"bmc": Comparison("safe")})
    assert campaign.run_campaign(kind, range(5), LIMITS) == 2
    assert campaign.run_campaign(kind, range(8), LIMITS) == 1
    told = capsys.readouterr().out
    assert "seed 3: lost: the process ended with exit code -6" in told
    assert "seed 5: a wrong answer" in told
    assert "8 cases: 6 decided, 1 undecided, 1 wrong: lost 1, safe 6, wrong 1" in told


def test_cases_run_in_processes_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign.main(["--engine", "explore", "--family", "heap", "--seed", "1", "--count", "2"]) == 0
    assert "explore on heap programs: 2 cases" in capsys.readouterr().out


def test_all_engines_are_asked_about_the_same_programs(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign.main(["--engine", "all", "--family", "random", "--seed", "1", "--count", "1"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in told] == [
        "explore",
        "impact",
        "bmc",
        "modular",
        "symmetry",
        "abstract",
    ]
    assert all("1 cases: " in line and ", 0 wrong: " in line for line in told)


def test_a_pass_that_changes_the_program_is_noticed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The oracle looks at the program before passes for engines: here one that leaves nothing of it."""
    empty = tmp_path / "empty.c"
    empty.write_text("int main(void) { return 0; }")
    monkeypatch.setattr(written, "loaded", lambda _path, properties: laws.loaded(empty, properties))
    found = [
        written.written_compared("private", ("explore",), seed, tmp_path / "random.c", LIMITS)["explore"]
        for seed in range(12)
    ]
    assert "wrong" in {comparison.outcome for comparison in found}


def test_an_engine_has_its_own_programs(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        campaign.main(["--engine", "bmc", "--family", "symmetric"])
    assert "no programs of family symmetric are made for engine bmc" in capsys.readouterr().err
