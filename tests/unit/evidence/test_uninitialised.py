"""Reads of what was never written: proofs of other properties are refused, and who does not know says so."""

from dataclasses import replace
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.base.errors import InputError
from sley.engines.explore.engine import explore
from sley.engines.explore.options import ExploreOptions
from sley.evidence.closed_states.check import check_closed_states
from sley.evidence.proof import RefusedProofError
from sley.evidence.replay import ReplayError, replay
from sley.evidence.verdict import Claimed, Unsafe
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.verification.property_files import Selection
from sley.verification.reading import program_of
from sley.verification.result import Answer, Result
from sley.verification.task import Task
from sley.verification.verify import verify

PROGRAMS = Path(__file__).parents[2] / "programs/uninitialised"
UNINITIALISED = PROPERTY_GROUPS["uninitialised"]


def task(path: Path, engine: str = "explore") -> Task:
    return Task(paths=(path,), selection=Selection(UNINITIALISED), engines=(engine,), jobs=0)


def result_of(tmp_path: Path, text: str) -> Result:
    path = tmp_path / "a.c"
    path.write_text(text)
    return verify(task(path))


@pytest.mark.parametrize("reduction", [True, False])
def test_proofs_of_other_properties_are_refused(reduction: bool) -> None:
    program = program_of(task(PROGRAMS / "written_too_late.c"))
    options = ExploreOptions(reduction=reduction)
    verdict, _ = explore(program, PROPERTY_GROUPS["reach"], options, Budget())
    assert isinstance(verdict, Claimed)
    with pytest.raises(RefusedProofError, match=r"never written|all threads"):
        check_closed_states(program, UNINITIALISED, verdict.proof, Budget())


@pytest.mark.parametrize("engine", ["bmc", "impact", "modular", "symmetry"])
def test_who_does_not_know_it_says_so(engine: str) -> None:
    result = verify(task(PROGRAMS / "written_in_time.c", engine))
    said = (Answer.UNKNOWN, f"engine {engine} does not decide uninitialised")
    assert (result.answer, result.reason) == said


def test_the_replay_sees_the_read() -> None:
    program = program_of(task(PROGRAMS / "block_read.c"))
    verdict, _ = explore(program, UNINITIALISED, ExploreOptions(), Budget())
    assert isinstance(verdict, Unsafe)
    (trace,) = verdict.traces
    assert trace.failure.message == "read before it is written: `*shared`"
    with pytest.raises(ReplayError):
        replay(program, trace.schedule[:-1], trace.failure)


COPIED = "struct s {{ int a, b; }}; int main(void) {{ struct s p, q; p.a = 1; {} return q.a; }}"


@pytest.mark.parametrize("copy", ["q = p;", "__builtin_memcpy(&q, &p, sizeof q);"])
def test_whether_a_copy_matters_is_not_known(copy: str, tmp_path: Path) -> None:
    assert result_of(tmp_path, COPIED.format(copy)).answer is Answer.UNKNOWN
    whole = copy.replace("q = p", "p.b = 2; q = p").replace("__b", "p.b = 2; __b")
    assert result_of(tmp_path, COPIED.format(whole)).answer is Answer.SAFE


def test_a_bit_field_is_written_beside_another(tmp_path: Path) -> None:
    text = "struct s { unsigned a : 3, b : 5; }; int main(void) { struct s q; q.a = 1; return 0; }"
    assert result_of(tmp_path, text).answer is Answer.UNKNOWN


def test_it_is_not_among_all_and_needs_c(tmp_path: Path) -> None:
    assert Property.UNINITIALISED not in ALL_PROPERTIES
    path = tmp_path / "a.litmus"
    path.write_text("program lp64\n")
    with pytest.raises(InputError, match="C files"):
        verify(task(path))


def test_all_bugs_comes_to_an_end(tmp_path: Path) -> None:
    path = tmp_path / "a.c"
    path.write_text("int main(void) { int x, y; if (x) y = 1; return y; }\n")
    result = verify(replace(task(path), all_bugs=True))
    assert result.result == "false(no-uninitialised-read)"
