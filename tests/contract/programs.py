"""Programs that ask a model for what a row of the contract says of its function."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from sley.frontend.contract import ContractGroup, ContractRow, ErrorNumber, OrderingColumn
from sley.program.properties import ALL_PROPERTIES, PROPERTY_GROUPS, Property
from sley.verification.result import Answer

_HEADERS = ("assert.h", "errno.h", "pthread.h", "stdatomic.h", "stdio.h", "stdlib.h", "string.h")
_REACH = PROPERTY_GROUPS["reach"]
_RACE = PROPERTY_GROUPS["race"]
_UNDEFINED = ALL_PROPERTIES - _REACH - _RACE - {Property.LEAK}
_PASSING = _RACE | PROPERTY_GROUPS["deadlock"]
_START = 7
"""What ``errno`` is before a call."""


@dataclass(frozen=True)
class Question:
    """A program, what is asked of it, and the answer that the row demands."""

    name: str
    text: str
    properties: frozenset[Property]
    expected: Answer
    is_open: bool = False
    """Whether to give up is right, too."""
    is_possible: bool = False
    """Whether the right answer is a bug that rests on what is unknown."""
    engine: str = "explore"


def questions(group: ContractGroup, row: ContractRow) -> Iterator[Question]:
    """All that can be asked about a row."""
    maker = _Maker(group, row)
    if row.gives_up:
        yield maker.given_up()
        return
    yield maker.holds()
    if "_Noreturn" not in row.c:
        yield maker.returns()
    yield from maker.possible()
    yield from maker.not_computed()
    yield from maker.invalid()
    yield maker.threads()
    if row.release:
        yield maker.ordered()
    if row.tries:
        yield maker.failed_in_vain()


class _Maker:
    def __init__(self, group: ContractGroup, row: ContractRow) -> None:
        self.row = row
        headers = dict.fromkeys((*_HEADERS, *group.headers))
        self.head = "".join(f"#include <{name}>\n" for name in headers) + row.globals + "\n"
        self.has_result = not re.match(r"\s*(_Noreturn\s+)?void\s+\w", row.c)

    def _question(
        self, kind: str, body: str, properties: frozenset[Property], expected: Answer, *, before: str = ""
    ) -> Question:
        main = f"int main({self.row.main})\n{{\n    {self.row.setup}\n{body}    exit(0);\n}}\n"
        text = self.head + before + main
        name = f"{self.row.name}-{kind}"
        is_open = bool(self.row.undecided) and (expected is Answer.SAFE or kind == "errno")
        return Question(name, "#define _GNU_SOURCE\n" + text, properties, expected, is_open)

    def _called(self, result: str = "r", call: str = "") -> str:
        call = call or self.row.call
        return f"    __auto_type {result} = {call};\n" if self.has_result else f"    {call};\n"

    def _failed(self) -> str:
        return self.row.fails or "0"

    def given_up(self) -> Question:
        """What is not modelled is not taken for something else."""
        return self._question("gives-up", self._called(), _REACH, Answer.UNKNOWN)

    def holds(self) -> Question:
        """Everything that is true in all runs, in one program."""
        row = self.row
        body = f"    errno = {_START};\n" + self._called()
        body += "    int e = errno;\n    assert(e != 0);\n"
        match row.errno:
            case ErrorNumber.KEPT:
                body += f"    assert(e == {_START});\n"
            case ErrorNumber.EXACT:
                body += f"    if (!({self._failed()})) assert(e == {_START});\n"
            case ErrorNumber.SET | ErrorNumber.MAY:
                pass
        body += "".join(f"    assert({one});\n" for one in row.holds)
        if row.is_same or row.is_distinct:
            body += "    {\n" + self._called("q")
            relation = "q == r" if row.is_same else "q != r"
            failed_again = re.sub(r"\br\b", "q", self._failed())
            body += f"    if (!({self._failed()}) && !({failed_again})) assert({relation});\n    }}\n"
        return self._question("holds", body, _REACH, Answer.SAFE)

    def returns(self) -> Question:
        """The end of all these calls is reached: no run that goes round for ever keeps everything."""
        body = self._called() + "".join(f"    (void)({one});\n" for one in self.row.holds)
        asked = self._question("returns", body + "    assert(0);\n", _REACH, Answer.BUG)
        return replace(asked, is_open=bool(self.row.undecided))

    def possible(self) -> Iterator[Question]:
        """What happens in some run: a failure, with ``errno`` set, and results of a kind."""
        row = self.row
        conditions = [*row.may, *([row.fails] if row.fails else [])]
        for number, condition in enumerate(conditions):
            is_of_call = re.search(r"\br\b", condition) or not self.has_result
            body = (self._called() if is_of_call else "") + f"    assert(!({condition}));\n"
            yield self._question(f"may-{number}", body, _REACH, Answer.BUG)
        if row.errno in (ErrorNumber.EXACT, ErrorNumber.SET):
            body = f"    errno = {_START};\n" + self._called()
            body += f"    int e = errno;\n    if ({self._failed()}) assert(e == {_START});\n"
            yield self._question("errno", body, _REACH, Answer.BUG)
        elif row.errno is ErrorNumber.MAY:
            body = f"    errno = {_START};\n" + self._called() + f"    assert(errno == {_START});\n"
            yield self._question("errno", body, _REACH, Answer.BUG)

    def not_computed(self) -> Iterator[Question]:
        """Results that are unknown, asked of ``bmc``: ``explore`` enumerates values."""
        if self.row.bounds:
            body = "".join(f"    assert({one});\n" for one in self.row.bounds)
            yield replace(self._question("bounds", body, _REACH, Answer.SAFE), engine="bmc", is_open=False)
        for number, condition in enumerate(self.row.unknown):
            asked = self._question(
                f"unknown-{number}", f"    assert(!({condition}));\n", _REACH, Answer.UNKNOWN
            )
            yield replace(asked, engine="bmc", is_possible=True)

    def invalid(self) -> Iterator[Question]:
        for number, call in enumerate(self.row.invalid):
            yield self._question(f"invalid-{number}", f"    (void)({call});\n", _UNDEFINED, Answer.BUG)

    def threads(self) -> Question:
        """The same call in two threads."""
        row = self.row
        before = f"void *also(void *unused)\n{{\n    (void)({row.call});\n    return 0;\n}}\n"
        body = "    pthread_t t;\n    pthread_create(&t, 0, also, 0);\n"
        body += f"    (void)({row.call});\n"
        expected = Answer.SAFE if row.is_thread_safe else Answer.BUG
        return self._question("threads", body, _RACE, expected, before=before)

    def ordered(self) -> Question:
        """What a thread wrote before ``release``, and another writes after a call that succeeds."""
        before = (
            f"int x;\nvoid *other(void *unused)\n{{\n    x = 1;\n    {self.row.release};\n    return 0;\n}}\n"
        )
        succeeds = f"!({self._failed()})" if self.row.orders is OrderingColumn.SUCCESS else "1"
        condition = self.row.after or succeeds
        body = "    pthread_t t;\n    pthread_create(&t, 0, other, 0);\n"
        body += self._called(call=self.row.acquire) + f"    if ({condition})\n        x = 2;\n"
        asked = _PASSING if self.row.acquire else _RACE
        is_known = self.row.orders is not OrderingColumn.OPEN
        answer = Answer.SAFE if is_known else Answer.UNKNOWN
        return replace(self._question("orders", body, asked, answer, before=before), is_possible=not is_known)

    def failed_in_vain(self) -> Question:
        """The same after a call that fails, where it is known, without order, that another has released."""
        relaxed = "memory_order_relaxed"
        before = "int x;\n_Atomic int done;\nvoid *other(void *unused)\n{\n"
        before += f"    x = 1;\n    {self.row.release};\n    atomic_store_explicit(&done, 1, {relaxed});\n"
        before += "    return 0;\n}\n"
        body = "    pthread_t t;\n    pthread_create(&t, 0, other, 0);\n"
        body += f"    if (!atomic_load_explicit(&done, {relaxed}))\n        exit(0);\n"
        body += self._called() + f"    if ({self._failed()})\n        x = 2;\n"
        asked = self._question("orders-nothing", body, _RACE, Answer.BUG, before=before)
        return replace(asked, is_open=True)
