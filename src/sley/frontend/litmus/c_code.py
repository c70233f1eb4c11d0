"""Threads in C: the file as C sees it.

The functions stay where they are, so that places are those of the test; what else is there becomes blank. As
herd has it, ``*x`` is an access that is not atomic, whatever the type of the location says: locations are
plain objects, and only the functions of ``<stdatomic.h>`` are atomic (``sley_litmus.h`` has them).
"""

import re
from collections.abc import Iterator

from sley.frontend.litmus.test import (
    CFunction,
    Conjunction,
    Disjunction,
    Holds,
    LitmusTest,
    Negation,
    Outcome,
)

HEADER = '#include "sley_litmus.h"'


def c_text(test: LitmusTest) -> str:
    """A C program with an assertion that fails iff the test has the outcome that must not happen."""
    parts, at = [], 0
    for function in test.functions:
        parts.append(_blank(test.text[at : function.start]))
        if not at:
            parts.append(" ".join(_declarations(test)) + " ")
        parts.append(f"static long {test.text[function.start : function.end]}")
        parts.append(f" return {_result(test, function)}; }}")
        at = function.end + 1
    parts.append(_blank(test.text[at:]))
    program = "".join(parts)
    first, _, rest = program.partition("\n")
    assert not first.strip(), "the first line names the test"
    return "\n".join([HEADER, rest, *_main(test), ""])


def _blank(text: str) -> str:
    return re.sub(r"[^\n]", " ", text)


def _declarations(test: LitmusTest) -> Iterator[str]:
    """The locations; those that only the first values or the outcome mention are integers."""
    types = {name: kind for f in reversed(test.functions) for kind, name in reversed(f.parameters)}
    for name in dict.fromkeys((*types, *test.memory, *test.locations)):
        values = test.memory.get(name, (0,))
        size = f"[{len(values)}]" if len(values) > 1 else ""
        first = f"{{{', '.join(map(str, values))}}}" if size else str(values[0])
        yield f"{types.get(name, 'int')} {name}{size} = {first};"


def _result(test: LitmusTest, function: CFunction) -> str:
    """A bit for each statement about a local variable; one that is not there is 0."""
    body = test.text[function.body : function.end]
    bits = []
    for bit, atom in enumerate(test.asked_of(function.number)):
        name = atom.name if re.search(rf"\b{atom.name}\b", body) else "0"
        bits.append(f"(long)({name} == {atom.value}) << {bit}")
    return " | ".join(bits) or "0"


def _main(test: LitmusTest) -> Iterator[str]:
    """The threads are started and awaited; then the outcome is looked at."""
    for function in test.functions:
        given = ", ".join(f"(void *)&{name}" for _, name in function.parameters)
        number = function.number
        yield f"static void *thread_{number}(void *unused) {{ return (void *)P{number}({given}); }}"
    numbers = [function.number for function in test.functions]
    yield "int main(void) {"
    for number in numbers:
        yield f"  pthread_t id_{number}; void *result_{number};"
        yield f"  pthread_create(&id_{number}, 0, thread_{number}, 0);"
    for number in numbers:
        yield f"  pthread_join(id_{number}, &result_{number}); long bits_{number} = (long)result_{number};"
    text = str(test.outcome).replace("\\", "\\\\")
    yield f'  if ({_condition(test, test.bad)}) __assert_fail("{text}", "", 0, "main"); }}'


def _condition(test: LitmusTest, outcome: Outcome) -> str:
    match outcome:
        case Holds(thread=None, name=name, value=value):
            return f"({name} == {value})"
        case Holds(thread=thread):
            assert thread is not None
            return f"(bits_{thread} >> {test.asked_of(thread).index(outcome)} & 1)"
        case Negation(part=part):
            return f"!{_condition(test, part)}"
        case Conjunction(parts=parts):
            return f"({' & '.join(_condition(test, part) for part in parts) or '1'})"
        case Disjunction(parts=parts):
            return f"({' | '.join(_condition(test, part) for part in parts) or '0'})"
