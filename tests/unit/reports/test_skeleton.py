"""The events of engine bmc, for people: tables without internal names."""

import re
from pathlib import Path

import pytest

from sley.base.budget import Budget
from sley.engines.bmc.options import BmcOptions
from sley.inspection.events import unrolled
from sley.logic.sorts import BOOL
from sley.logic.terms import Terms
from sley.program.properties import PROPERTY_GROUPS
from sley.reports.event_text import factored
from sley.reports.lines import plain
from sley.reports.skeleton import Skeleton, skeleton_of, skeleton_report
from sley.verification.property_files import Selection
from sley.verification.task import EngineOptions, Task
from tests.limits import AMPLE

ROOT = Path(__file__).parents[3]
EXAMPLES, PROGRAMS = ROOT / "examples", ROOT / "tests" / "programs"
INTERNAL = re.compile(r"!\d|!on|!first|@\d{4,}|#\d+\.!|\balive@|\$\d|0x[0-9a-f]{9}|\bt\.\d")

TRYING = """
#include <pthread.h>
int counter;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *unused)
{
    pthread_mutex_lock(&lock);
    counter++;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    if (pthread_mutex_trylock(&lock) == 0)
        pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    return 0;
}
"""


def skeleton(path: Path, group: str = "reach", unwind: int | None = None) -> Skeleton:
    options = EngineOptions(bmc=BmcOptions(unwind=unwind))
    task = Task(paths=(path,), selection=Selection(PROPERTY_GROUPS[group]), options=options)
    return skeleton_of(unrolled(task, Budget(AMPLE)))


def report(found: Skeleton) -> str:
    return plain(skeleton_report(found, width=100))


def test_a_table_for_each_thread() -> None:
    text = report(skeleton(EXAMPLES / "lost_update.c"))
    assert " main\n" in text
    assert re.search(r"\n +8  7 int tmp = counter +counter@8\n", text)
    assert re.search(r"\n +9  8 counter = tmp \+ 1 +counter = counter@8 \+ 1\n", text)
    assert re.search(
        r"\n +if same && counter@5 != 2\n +6  18 assert\(counter == 2\) +FAILS: assertion can", text
    )
    assert "   1 before 8: creates worker#1\n" in text
    assert "   10 before 3: worker#1 is joined\n" in text
    assert "Loops" not in text


def test_locks_and_threads_are_in_words(tmp_path: Path) -> None:
    """The trylock makes the lock something that can be noticed."""
    path = tmp_path / "program.c"
    path.write_text(TRYING)
    text = report(skeleton(path, "misuse"))
    assert re.search(r"if lock@\d+ is free\n", text)
    assert "lock is held by worker\n" in text
    assert re.search(r"lock is free if lock@\d+ is held by worker\n", text)
    assert "worker waits to be joined\n" in text
    assert "worker@5 does not wait to be joined && worker@5 is not running" in text


def test_a_critical_section_is_one_event() -> None:
    text = report(skeleton(EXAMPLES / "locked_update.c", "misuse"))
    assert re.search(r"pthread_mutex_lock\(&lock\) +counter@\d+ +counter = counter@\d+ \+ 1\n", text)
    assert "lock@" not in text


def test_loops_are_unrolled_as_often_as_wanted() -> None:
    once, twice = (skeleton(EXAMPLES / "hand_over.c", unwind=n) for n in (None, 2))
    assert len(once.events) < len(twice.events)
    assert once.cuts == ("12 while (is_full)", "23 while (!is_full)")
    assert "Loops that may go on\n   12 while (is_full)\n" in report(once)


def test_long_conditions_get_names() -> None:
    found = skeleton(PROGRAMS / "lock_free" / "ring_buffer.c", unwind=2)
    assert found.conditions
    assert all(f"{name}: " in report(found) for name in found.conditions)


@pytest.mark.parametrize(
    "name",
    [
        "lock_free/michael_scott_queue",
        "lock_free/reference_count",
        "conditions/wait_in_loop",
        "found/section_two_inputs",
    ],
)
def test_no_internal_names_and_no_wide_lines(name: str) -> None:
    found = skeleton(PROGRAMS / f"{name}.c", "memory")
    text = report(found)
    assert INTERNAL.findall(text) == []
    assert max(map(len, text.splitlines())) <= 110


def test_what_disjuncts_have_in_common_stands_in_front() -> None:
    t = Terms()
    a, b, c = (t.var(name, BOOL) for name in "abc")
    assert factored(t, t.or_(t.and_(a, b), t.and_(a, c))) == t.and_(a, t.or_(b, c))
    assert factored(t, t.or_(a, t.and_(t.not_(a), b), t.and_(t.not_(a), t.not_(b), c))) == t.or_(a, b, c)
    assert factored(t, t.false) == t.false
    assert factored(t, t.and_(a, b)) == t.and_(a, b)


SCALED = """
#include <assert.h>
#include <pthread.h>
double scale = 0.5;
void *worker(void *unused)
{
    double was = scale;
    scale = was > 0.25 ? 2.5 : was;
    return 0;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    assert(scale > 0.25);
    pthread_join(a, 0);
    return 0;
}
"""


def test_floating_point_numbers(tmp_path: Path) -> None:
    (tmp_path / "scaled.c").write_text(SCALED)
    text = report(skeleton(tmp_path / "scaled.c"))
    assert "? 2.5 : " in text
