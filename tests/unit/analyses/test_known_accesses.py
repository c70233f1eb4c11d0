"""Which addresses a thread knows: by registers that it cannot change any more, and for its next access."""

from pathlib import Path

import pytest

from sley.analyses.accesses import find_accesses
from sley.analyses.effects import ClassEffect
from sley.analyses.known_accesses import KnownAccesses
from sley.program.program import Program
from tests.fuzz.laws import loaded

NOWHERE: frozenset[int] = frozenset()
PROGRAM = """
#include <pthread.h>
#include <stdatomic.h>
atomic_int elements[4];
void *worker(void *number) {{
  long own = (long)number;
  {body}
  return 0;
}}
int main(void) {{
  pthread_t a, b;
  pthread_create(&a, 0, worker, (void *)0);
  pthread_create(&b, 0, worker, (void *)1);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}}
"""


def known_in(folder: Path, body: str) -> tuple[Program, KnownAccesses]:
    path = folder / "program.c"
    path.write_text(PROGRAM.format(body=body))
    program = loaded(path)
    return program, KnownAccesses(program, find_accesses(program, is_elsewhere_excluded=True))


@pytest.mark.parametrize(
    ("body", "now", "ahead"),
    [
        ("elements[own] = 1;", 1, 1),
        ("elements[own] = 1; elements[own] = 2;", 1, 2),
        ("for (int i = 0; i < 2; i++) elements[own] = i;", 1, 1),
        ("for (int i = 0; i < 2; i++) elements[own ^ i] = 1;", 1, 0),
        ("elements[own] = 1; own = elements[0] & 3; elements[own] = 2;", 1, 0),
    ],
)
def test_an_address_is_known_ahead_if_its_registers_stay(
    body: str, now: int, ahead: int, tmp_path: Path
) -> None:
    _, known = known_in(tmp_path, body)
    found = known.known(min(known.indexed))
    assert (len(found.now), len(found.ahead)) == (now, ahead)


def test_different_elements_are_different_places(tmp_path: Path) -> None:
    program, known = known_in(tmp_path, "elements[own] = 1;")
    (at,) = known.indexed
    first = program.pointers.address(program.pointers.first_object + _number(program))

    def future(address: int | None) -> ClassEffect:
        return known.future(at, NOWHERE, {at: address})

    action = known.action(at, {at: first})
    assert action.conflicts_with(future(first))
    assert not action.conflicts_with(future(first + 4))
    assert action.conflicts_with(future(first + 2))
    assert action.conflicts_with(future(None))
    assert action.conflicts_with(future(first + 16)), "outside of the object, nothing is known"


def _number(program: Program) -> int:
    return next(i for i, obj in enumerate(program.objects) if obj.name == "elements")


def test_threads_that_run_the_same_code_have_other_registers(tmp_path: Path) -> None:
    body = "pthread_t t; if (own < 2) pthread_create(&t, 0, worker, (void *)(own + 1)); elements[own] = 1;"
    program, known = known_in(tmp_path, body)
    entry = program.functions["worker"].entry
    (at,) = known.indexed
    every = known.accesses.future_until(entry, NOWHERE)
    assert known.future(entry, NOWHERE, {at: None}).writes == every.writes
    first = program.pointers.address(program.pointers.first_object + _number(program))
    assert known.future(entry, NOWHERE, {at: first}).writes == every.writes
