"""What the user has accepted is not reported, never makes an answer SAFE, and hides nothing else."""

from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.evidence.fingerprints import fingerprint
from sley.evidence.verdict import Safe
from sley.program.properties import Property
from sley.verification.property_files import Selection
from sley.verification.result import Answer, Result
from sley.verification.task import Task
from sley.verification.verify import verify
from sley.wording.events import facts_of

COUNTER = """\
#include <assert.h>
#include <pthread.h>
int hits, other;
void *worker(void *argument) {
    hits++; MARK
    SECOND
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    worker(0);
    pthread_join(a, 0);
    assert(CONDITION);
    return 0;
}
"""

MESSAGE = """\
#include <assert.h>
#include <pthread.h>
int flag, data;
void *writer(void *argument) {
    data = 1;
    flag = 1; // sley: ignore race
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    if (flag) {
        // sley: ignore race - what could go wrong?
        int seen = data;
        assert(seen == 1);
    }
    return 0;
}
"""


def counter(mark: str = "", second: str = "", condition: str = "1") -> str:
    return COUNTER.replace("MARK", mark).replace("SECOND", second).replace("CONDITION", condition)


def checked(
    folder: Path, text: str, *properties: Property, suppress: tuple[str, ...] = (), all_bugs: bool = False
) -> Result:
    file = folder / "prog.c"
    file.write_text(text)
    chosen = frozenset(properties or {Property.REACH, Property.RACE, Property.DEADLOCK})
    task = Task(
        paths=(file,), selection=Selection(chosen), engines=("explore",), jobs=0, suppress=suppress,
        all_bugs=all_bugs,
    )  # fmt: skip
    return verify(task)


@pytest.mark.parametrize(
    "mark",
    [
        "// sley: ignore race - only a statistic",
        "/* sley: ignore[race, deadlock] */",
        "// sley:ignore race, reach: why not",
    ],
)
def test_a_suppressed_race_is_neither_a_bug_nor_safe(mark: str, tmp_path: Path) -> None:
    result = checked(tmp_path, counter(mark))
    assert (result.answer, result.result) == (Answer.UNKNOWN, "unknown")
    assert result.is_safe_otherwise
    assert [one.trace.failure.property for one in result.suppressed] == [Property.RACE]
    assert result.suppressed[0].by.endswith(mark.strip("/* "))
    assert isinstance(result.outcome_of(Property.REACH), Safe)
    assert not isinstance(result.outcome_of(Property.RACE), Safe)
    assert result.unused_suppressions == ()


def test_without_the_comment_it_is_a_bug(tmp_path: Path) -> None:
    result = checked(tmp_path, counter())
    assert result.result == "false(no-data-race)"
    name = f"race:{fingerprint(result.traces[0])}"
    assert checked(tmp_path, counter(), suppress=(name,)).is_safe_otherwise


def test_other_races_are_still_found(tmp_path: Path) -> None:
    result = checked(tmp_path, counter("// sley: ignore race", "other++;"))
    assert result.result == "false(no-data-race)"
    assert "other" in result.traces[0].failure.message
    assert len(result.suppressed) == 1


def test_other_bugs_are_still_found(tmp_path: Path) -> None:
    result = checked(tmp_path, counter("// sley: ignore race", condition="hits == 2"))
    assert result.result == "false(unreach-call)"


def test_what_the_user_wrote_as_plain_is_not_called_relaxed(tmp_path: Path) -> None:
    result = checked(tmp_path, MESSAGE.replace("// sley: ignore race - what", "// what"))
    assert result.result == "false(no-data-race)"
    assert any(
        "the store is plain: only an atomic one with release" in fact for fact in facts_of(result.traces[0])
    )


def test_the_accesses_of_a_suppressed_race_order_nothing(tmp_path: Path) -> None:
    """What interleaving alone would prove does not count: the program has no meaning there."""
    result = checked(tmp_path, MESSAGE)
    assert result.result == "false(unreach-call)"
    assert [one.trace.failure.property for one in result.suppressed] == [Property.RACE, Property.RACE]
    assert len(result.task.relaxed) == 4


@pytest.mark.parametrize("all_bugs", [False, True])
def test_a_run_ends_at_what_is_suppressed(all_bugs: bool, tmp_path: Path) -> None:
    text = """\
int __VERIFIER_nondet_int(void);
#include <assert.h>
int main(void) {
    int x = __VERIFIER_nondet_int();
    // sley: ignore reach - known
    assert(x < 10);
    assert(x < LIMIT);
    return 0;
}
"""
    result = checked(tmp_path, text.replace("LIMIT", "20"), Property.REACH, all_bugs=all_bugs)
    assert result.is_safe_otherwise
    assert not isinstance(result.outcome_of(Property.REACH), Safe)
    result = checked(tmp_path, text.replace("LIMIT", "5"), Property.REACH, all_bugs=all_bugs)
    assert result.answer is Answer.BUG
    assert len(result.suppressed) == 1 or not all_bugs  # else the other one may be found before
    assert [trace.origin.span.line for trace in result.traces if trace.origin and trace.origin.span] == [7]


def test_other_deadlocks_are_not_looked_for_and_that_is_said(tmp_path: Path) -> None:
    text = """\
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m); // sley: ignore deadlock
    return 0;
}
"""
    result = checked(tmp_path, text)
    assert result.answer is Answer.UNKNOWN
    assert not result.is_safe_otherwise
    assert "deadlock" in str(result.reason)
    assert isinstance(result.outcome_of(Property.RACE), Safe)


def test_what_nothing_needs_is_listed(tmp_path: Path) -> None:
    text = counter("// sley: ignore race").replace("hits++", "")
    result = checked(tmp_path, text, suppress=("race:0123", "leak:0123"))
    assert result.answer is Answer.SAFE
    assert result.unused_suppressions == ("race:0123", f"{tmp_path}/prog.c:5: sley: ignore race")


@pytest.mark.parametrize(
    ("mark", "message"),
    [
        ("// sley: ignore", "what is to be ignored is not said"),
        ("// sley: ignore rcae", "`rcae` is not a kind of finding"),
        ("// sley: ignore race because", "`because` is not a kind of finding"),
    ],
)
def test_a_comment_that_says_nothing_is_an_error(mark: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"prog.c:5:13: {message}"):
        checked(tmp_path, counter(mark))


def test_a_name_that_is_none_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`race` is not a finding such as"):
        checked(tmp_path, counter(), suppress=("race",))


def test_only_comments_suppress(tmp_path: Path) -> None:
    text = 'int main(void) { const char *text = "// sley: ignore reach"; assert(text == 0); return 0; }'
    result = checked(tmp_path, f"#include <assert.h>\n{text}\n")
    assert (result.answer, result.suppressed) == (Answer.BUG, ())


def test_what_follows_a_comment_is_not_part_of_it(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="what is to be ignored is not said"):
        checked(tmp_path, counter("/* sley: ignore */ race: other++;"))


@pytest.mark.parametrize(
    "mark",
    [
        "/* sley: ignore race - for\n   two reasons */ MARK",
        "\n/*\n * Counts.\n * sley: ignore race\n */\n\nMARK",
        "// sley: ignore race - for \\\n two reasons\nMARK",
        "/* sley: ignore race */ MARK",
        "MARK /* sley: ignore race - for\n two reasons */",
    ],
)
def test_comments_may_have_several_lines(mark: str, tmp_path: Path) -> None:
    text = counter().replace("    hits++; ", mark.replace("MARK", "hits++;"))
    assert checked(tmp_path, text).is_safe_otherwise


FAULTS = """\
#include <stdlib.h>
int values[2];
int main(void) {
    int *block = malloc(4), index = 2, which = __VERIFIER_nondet_int();
    if (which == 0)
        values[index] = 1; // sley: ignore deref
    if (which == 1)
        free(values + 1); // sley: ignore free
    SECOND
    return 0;
}
"""


@pytest.mark.parametrize("all_bugs", [False, True])
def test_runs_end_at_a_suppressed_fault(all_bugs: bool, tmp_path: Path) -> None:
    """Also where the trace says more of it than the program does."""
    chosen = (Property.DEREF, Property.FREE)
    text = "extern int __VERIFIER_nondet_int(void);\n" + FAULTS
    result = checked(tmp_path, text.replace("SECOND", ""), *chosen, all_bugs=all_bugs)
    assert result.is_safe_otherwise
    assert {one.trace.failure.property for one in result.suppressed} == set(chosen)
    result = checked(tmp_path, text.replace("SECOND", "values[index] = 1;"), *chosen, all_bugs=all_bugs)
    assert [trace.failure.message for trace in result.traces] == ["out of bounds: `values[index]`"]


UNINITIALISED = """\
#include <pthread.h>
#include <stdlib.h>
int main(void) {
    pthread_mutex_t mutex;
    if (__VERIFIER_nondet_int()) {
        pthread_mutex_init(&mutex, 0);
        pthread_mutex_destroy(&mutex);
    }
    pthread_mutex_lock(&mutex);
    return 0;
}
"""


@pytest.mark.parametrize("condition", ["", "!"])
def test_a_name_accepts_one_of_two_misuses_of_a_statement(condition: str, tmp_path: Path) -> None:
    text = "extern int __VERIFIER_nondet_int(void);\n" + UNINITIALISED.replace("(__", f"({condition}__")
    first = checked(tmp_path, text, Property.MISUSE)
    name = f"misuse:{fingerprint(first.traces[0])}"
    result = checked(tmp_path, text, Property.MISUSE, suppress=(name,))
    assert result.answer in (Answer.BUG, Answer.UNKNOWN)
    assert not result.is_safe_otherwise
