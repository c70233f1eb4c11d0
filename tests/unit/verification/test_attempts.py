"""A failed attempt orders nothing: what that does to the answer."""

from pathlib import Path

import pytest

from sley.passes.attempts import has_attempts
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.verification.property_files import Selection
from sley.verification.reading import loaded_program, program_of
from sley.verification.result import Answer, Result
from sley.verification.task import Task
from sley.verification.verify import verify

PROGRAM = """
#include <pthread.h>
#include <assert.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int data;
void *writer(void *unused) { %s pthread_mutex_lock(&m); %s return 0; }
int main(void) {
    pthread_t one;
    pthread_create(&one, 0, writer, 0);
    int error = pthread_mutex_trylock(&m);
    %s
    return 0;
}
"""

HIDDEN = PROGRAM % ("data = 1;", "", "if (error) data = 2;")
GUARDED = PROGRAM % ("", "data = 1; pthread_mutex_unlock(&m);", "if (!error) data = 2;")
PLAIN = PROGRAM % ("data = 1;", "", "data = 2;")
ALONE = PROGRAM % ("return 0;", "", "assert(error == 0);")


def result_of(path: Path, text: str, properties: frozenset[Property] = ALL_PROPERTIES) -> Result:
    source = path / "program.c"
    source.write_text(text)
    return verify(Task(paths=(source,), selection=Selection(properties), engines=("explore",)))


def test_a_race_behind_a_failed_attempt_is_possible(tmp_path: Path) -> None:
    result = result_of(tmp_path, HIDDEN)
    assert result.answer is Answer.UNKNOWN
    assert result.reason is not None
    assert "trylock" in result.reason
    assert (
        "data race on `data`: main writes `data` at line 11; writer writes `data` at line 6" in result.reason
    )


def test_only_races_lose_the_order(tmp_path: Path) -> None:
    without_race = ALL_PROPERTIES - PROPERTY_GROUPS["race"]
    assert result_of(tmp_path, HIDDEN, without_race).answer is Answer.SAFE


@pytest.mark.parametrize("text", [GUARDED, ALONE])
def test_what_needs_no_order_is_safe(tmp_path: Path, text: str) -> None:
    assert result_of(tmp_path, text).answer is Answer.SAFE


def test_a_race_that_needs_no_failure_is_a_bug(tmp_path: Path) -> None:
    assert result_of(tmp_path, PLAIN, PROPERTY_GROUPS["race"]).answer is Answer.BUG


def test_engines_see_attempts_that_fail_for_a_reason(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_text(HIDDEN)
    task = Task(paths=(source,))
    assert has_attempts(loaded_program(task))
    assert not has_attempts(program_of(task))
