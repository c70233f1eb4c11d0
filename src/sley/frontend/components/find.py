"""Components of a repository: what threads share, and the functions of one file that use it.

A component is a structure with its operations, or the variables of a file with the functions that touch them.
Law: this chooses what is tried, and nothing else; what it overlooks is not tried, and what it gets wrong
makes a harness that the reader can judge.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from sley.frontend.components.facts import STARTS, FileFacts, FunctionFacts, Sync

MOST_FILES = 12
"""So many files beside its own are read with a component."""
MOST_OPERATIONS = 24
_CONSTRUCTS = re.compile(
    r"(.*_)?(init|initialize|initialise|create|new|make|alloc|open|setup|construct|ctor)(_.*)?"
)
_INITIALISES = re.compile(r"(.*_)?(init|initialize|initialise|create|new|setup|construct|ctor)(_.*)?")
"""The same of what takes the structure and returns no other."""
_DESTRUCTS = re.compile(
    r"(.*_)?(free|destroy|del|delete|close|fini|finish|deinit|term|terminate|shutdown|cleanup|uninit|dtor|destruct|"
    r"dispose|teardown|stop)(_.*)?"
)
_ENDS = re.compile(
    r"(.*_)?(free|destroy|delete|close|fini|deinit|cleanup|uninit|dtor|dispose|teardown)(_.*)?"
)
_MAKES = re.compile(_CONSTRUCTS.pattern + r"|(.*_)?(register|reserve|acquire|attach|get|join|add)(_.*)?")
"""How functions are called that give each thread something of its own."""
_GIVES = re.compile(r"(.*_)?(alloc|malloc|get|take|acquire|borrow|new|lease|checkout)(_.*)?")
_TAKES_BACK = re.compile(r"(.*_)?(free|release|put|return|recycle|give|dealloc|unref|checkin)(_.*)?")
_ENTERS = re.compile(r"(.*_)?(register|attach|thread_init|thread_enter|online)")
_LEAVES = re.compile(r"(.*_)?(unregister|deregister|detach|thread_fini|thread_exit|offline)")
_TRIAL = re.compile(
    r"(^|.*[/_.-])(tests?|t|examples?|samples?|demos?|bench(marks?)?|fuzz(ing|er)?|check)([/_.-].*|\d*\.c)"
)
"""Files that try the others out."""
_MAIN = "main"


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """What is checked by itself."""

    name: str
    source: FileFacts
    """The file of its operations, which a harness includes."""
    others: tuple[FileFacts, ...]
    """The files that define what it calls."""
    missing: int
    """How many files that define what it calls are left out."""
    record: str
    """The structure that threads share; empty: variables of the file."""
    operations: tuple[FunctionFacts, ...]
    makers: tuple[str, ...]
    """Functions that make arguments, in the order of trust."""
    giving: Mapping[str, str]
    """For operations that take a block back, the one that gives it."""
    enter: str
    leave: str
    """What each thread calls before and after all else; empty: nothing."""
    starts_threads: bool
    """Whether the constructor does."""
    constructor: FunctionFacts | None
    destructor: FunctionFacts | None
    rank: tuple[int, ...]
    """What is promising comes first."""
    left_out: tuple[tuple[str, str], ...]
    """Functions that are no operations, and why."""

    @property
    def key(self) -> str:
        """Its name, and where it is: two files may have a structure of one name."""
        return f"{self.name} ({self.source.path})"

    @property
    def word(self) -> str:
        """How the names of its harnesses begin."""
        words: list[str] = re.findall(r"\w+", self.record or self.source.source.path.stem)
        return words[-1]


class Repository:
    """All files that were read."""

    def __init__(self, files: Sequence[FileFacts]) -> None:
        self.files = files
        folders = [os.path.dirname(os.path.abspath(file.path)) for file in files]
        self._root = os.path.commonpath(folders) if folders else os.curdir
        self._own = {file.path: {one.name: one for one in file.functions} for file in files}
        self._public: dict[str, FunctionFacts] = {}
        for file in files:
            for one in file.functions:
                if not one.is_static:
                    self._public.setdefault(one.name, one)
        self._file_of = {file.path: file for file in files}
        self._closures: dict[tuple[str, str], tuple[FunctionFacts, ...]] = {}

    # --- calls ------------------------------------------------------------------------------------

    def resolve(self, name: str, file: str) -> FunctionFacts | None:
        """The function that a name stands for in a file."""
        return self._own[file].get(name) or self._public.get(name)

    def closure(self, function: FunctionFacts) -> tuple[FunctionFacts, ...]:
        """A function, and all that it calls or hands on."""
        key = (function.file, function.name)
        if key not in self._closures:
            found = {key: function}
            waiting = [function]
            while waiting:
                one = waiting.pop()
                for name in (*(call.name for call in one.calls), *one.mentioned):
                    called = self.resolve(name, one.file)
                    if called is not None and (called.file, called.name) not in found:
                        found[called.file, called.name] = called
                        waiting.append(called)
            self._closures[key] = tuple(found.values())
        return self._closures[key]

    def sync(self, function: FunctionFacts) -> frozenset[Sync]:
        """How a function and what it calls agree with other threads."""
        return frozenset().union(*(one.sync for one in self.closure(function)))

    def touches(self, function: FunctionFacts) -> dict[str, bool]:
        """What a function and what it calls touch, and whether they write it."""
        found: dict[str, bool] = {}
        for one in self.closure(function):
            for what, is_written in one.touches.items():
                found[what] = found.get(what, False) or is_written
        return found

    @cached_property
    def routines(self) -> tuple[FunctionFacts, ...]:
        """The functions that threads are created with."""
        found = (self.resolve(name, file.path) for file in self.files for name, _ in file.started)
        return _distinct(found)

    @cached_property
    def _beside(self) -> list[tuple[frozenset[str], int]]:
        """For each routine, the functions that its threads call, and whether there are several of them."""
        starts = Counter(
            name for file in self.files for name, is_loop in file.started for _ in range(1 + is_loop)
        )
        return [
            (frozenset(one.name for one in self.closure(routine)), starts[routine.name])
            for routine in self.routines
        ]

    def are_beside(self, one: str, other: str) -> bool:
        """Whether the repository has two threads that call them."""
        threads = self._beside
        return any(
            one in called and other in others and (number != place or count > 1)
            for number, (called, count) in enumerate(threads)
            for place, (others, _) in enumerate(threads)
        )

    def warning(self, name: str) -> str:
        """What a comment says of a function that not every thread may call; empty if there is none."""
        return next((file.warned[name] for file in self.files if name in file.warned), "")

    def constants(self, name: str) -> dict[int, tuple[str, ...]]:
        """By the number of a parameter, the constants that callers give; the most frequent first.

        Where callers give other things, too, there is an empty one among them.
        """
        given: dict[int, Counter[str]] = {}
        for file in self.files:
            for function in file.functions:
                for call in function.calls:
                    if call.name == name:
                        for number, constant in enumerate(call.constants):
                            given.setdefault(number, Counter())[constant] += 1
        return {
            number: tuple(sorted(counts, key=lambda one: (-counts[one], len(one), one)))
            for number, counts in given.items()
        }

    # --- components -------------------------------------------------------------------------------

    def components(self) -> list[Component]:
        """All that is worth a check, the most promising first."""
        found = [one for file in self.files for one in self._of_file(file)]
        return sorted(found, key=lambda one: one.rank)

    def _of_file(self, file: FileFacts) -> Iterator[Component]:
        records = [record for record, home in self._homes.items() if file.path in home]
        used: set[str] = set()
        for record in records:
            component = self._of_record(file, record)
            if component is not None:
                used.update(one.name for one in component.operations)
                yield component
        is_aside = file.has_main or self._is_trial(file.path)
        component = None if is_aside else self._of_variables(file, used)
        if component is not None:
            yield component

    def _is_trial(self, path: str) -> bool:
        """Whether a file tries others out, by its name in the repository, wherever that lies."""
        return _TRIAL.fullmatch(os.path.relpath(path, self._root).lower()) is not None

    @cached_property
    def _homes(self) -> dict[str, list[str]]:
        """By structure, the files with functions for it; of those in headers, the first that has them."""
        own: dict[str, list[str]] = {}
        included: dict[str, list[str]] = {}
        for file in self.files:
            for one in file.functions:
                if one.records and one.records[0] and not self._is_trial(one.written_in):
                    homes = own if one.written_in == one.file else included
                    homes.setdefault(one.records[0], []).append(file.path)
        return {record: paths[:1] for record, paths in included.items()} | own

    def _of_record(self, file: FileFacts, record: str) -> Component | None:
        taking = [one for one in file.functions if one.records and one.records[0] == record]
        constructor = self._constructor(file, record)
        destructor = self._destructor(taking)
        if constructor is None and record not in file.complete:
            return None
        is_shared = record in file.shared
        return self._component(record, file, record, taking, constructor, destructor, is_shared=is_shared)

    def _constructor(self, file: FileFacts, record: str) -> FunctionFacts | None:
        """What returns a new object, or initialises one; one that callers use comes first."""
        known = [one for one in self._public.values() if one.file == file.path or one.name in file.declared]
        known += [one for one in file.functions if one.is_static]
        made = [
            one
            for one in known
            if not one.is_variadic
            and _CONSTRUCTS.fullmatch(one.name.lower())
            and (one.returns == record or record in file.complete)
        ]
        made = [one for one in made if one.returns == record or self._initialises(one, record)]
        return max(made, key=lambda one: (self._merit(one, record), -one.line), default=None)

    def _initialises(self, function: FunctionFacts, record: str) -> bool:
        """Whether it makes an object of what it is given."""
        named = _INITIALISES.fullmatch(function.name.lower()) is not None
        return named and function.records[:1] == (record,) and not function.returns_pointer

    def _ends(self, function: FunctionFacts) -> bool:
        """Whether it ends what it is given: beside that it takes numbers only."""
        named = _DESTRUCTS.fullmatch(function.name.lower()) is not None
        return named and not function.returns_pointer and all(function.numbers[1:])

    def _merit(self, function: FunctionFacts, record: str) -> tuple[int, ...]:
        """How likely a function is to be the constructor."""
        written = sum(
            is_written for what, is_written in self.touches(function).items() if what.startswith(record)
        )
        callers = sum(
            call.name == function.name for f in self.files for one in f.functions for call in one.calls
        )
        others = [one for one in function.records if one and one != record]
        return (function.returns == record, -len(others), not function.is_static, min(written, 3), callers)

    def _destructor(self, taking: Sequence[FunctionFacts]) -> FunctionFacts | None:
        ends = [one for one in taking if _ENDS.fullmatch(one.name.lower()) and self._ends(one)]
        return min(ends, key=lambda one: (one.is_static, -len(self.closure(one)), one.line), default=None)

    def _of_variables(self, file: FileFacts, used: set[str]) -> Component | None:
        touching = [
            one
            for one in file.functions
            if one.name not in used and not file.variables.isdisjoint(self.touches(one))
        ]
        setup = [one for one in touching if _CONSTRUCTS.fullmatch(one.name.lower()) and not any(one.records)]
        constructor = max(setup, key=lambda one: (not one.is_static, one.lines), default=None)
        is_shared = any(self.sync(one) for one in touching)
        name = "variables"
        return self._component(name, file, "", touching, constructor, None, is_shared=is_shared)

    def _component(
        self,
        name: str,
        file: FileFacts,
        record: str,
        taking: Sequence[FunctionFacts],
        constructor: FunctionFacts | None,
        destructor: FunctionFacts | None,
        *,
        is_shared: bool,
    ) -> Component | None:
        reasons = {one.name: self._why_not(one, record, taking) for one in taking if one is not constructor}
        operations = [one for one in taking if one is not constructor and not reasons[one.name]]
        if any(not one.is_static for one in operations):
            operations = [one for one in operations if not one.is_static]
        operations = [one for one in operations if self._conflicts(one, operations, record, file)]
        if not operations or not (is_shared or any(self.sync(one) for one in operations)):
            return None
        needed = self.files_of([*operations, *filter(None, (constructor, destructor))], file)
        size = sum(one.lines for one in self._distinct_closure(operations))
        beside = any(self.are_beside(one.name, one.name) for one in operations)
        return Component(
            name=name,
            source=file,
            others=tuple(needed[:MOST_FILES]),
            missing=max(0, len(needed) - MOST_FILES),
            record=record,
            operations=tuple(operations[:MOST_OPERATIONS]),
            makers=self._makers(file, record, operations),
            giving=_giving(operations),
            enter=_first_named(_ENTERS, taking, record),
            leave=_first_named(_LEAVES, taking, record) if _first_named(_ENTERS, taking, record) else "",
            starts_threads=constructor is not None and self.starts_threads(constructor),
            constructor=constructor,
            destructor=destructor,
            rank=(file.has_main, not beside, not (constructor and is_shared), size),
            left_out=tuple((other, why) for other, why in reasons.items() if why),
        )

    def _distinct_closure(self, operations: Sequence[FunctionFacts]) -> list[FunctionFacts]:
        found = {(one.file, one.name): one for operation in operations for one in self.closure(operation)}
        return list(found.values())

    def _why_not(self, function: FunctionFacts, record: str, taking: Sequence[FunctionFacts]) -> str:
        """Why threads do not call a function beside others; empty if they may."""
        name = function.name.lower()
        if function.name == _MAIN or function.is_routine or function.name in {r.name for r in self.routines}:
            return "starts a program or a thread"
        if not record and self.starts_threads(function):
            return "starts threads"
        if function.name in (_first_named(_ENTERS, taking, record), _first_named(_LEAVES, taking, record)):
            return "is called by each thread at its begin or end"
        other = next((one for one in taking if self._only_calls(function, one)), None)
        if other is not None:
            return f"only calls {other.name}"
        if function.is_variadic:
            return "takes any number of arguments"
        is_setup = _CONSTRUCTS.fullmatch(name) and not record and not function.records
        if (
            self._ends(function)
            or is_setup
            or function.returns == record != ""
            or self._initialises(function, record)
        ):
            return "makes or ends what is shared"
        if record and sum(one == record for one in function.records) > 1:
            return "takes two of them"
        if sum(one.locks for one in [function]) != 0 and not self._is_balanced(function):
            return "takes a lock and keeps it, or releases one that it has not taken"
        callers = [one for one in taking if any(call.name == function.name for call in one.calls)]
        if callers and not self.sync(function) and any(Sync.LOCK in one.sync for one in callers):
            return "is called with a lock held"
        return ""

    def _only_calls(self, function: FunctionFacts, other: FunctionFacts) -> bool:
        """Whether it does nothing to what is shared but by calling another one."""
        is_called = any(call.name == other.name for call in function.calls)
        return is_called and not function.touches and not function.sync and other is not function

    def starts_threads(self, function: FunctionFacts) -> bool:
        """Whether it, or what it calls, creates a thread."""
        return any(call.name in STARTS for one in self.closure(function) for call in one.calls)

    def _is_balanced(self, function: FunctionFacts) -> bool:
        """Early returns release a lock more than once in the text."""
        return function.locks < 0 and Sync.LOCK in function.sync

    def _conflicts(
        self, function: FunctionFacts, operations: Sequence[FunctionFacts], record: str, file: FileFacts
    ) -> bool:
        """Whether it touches something that it or another operation writes."""

        def own(touched: dict[str, bool]) -> dict[str, bool]:
            return {
                what: is_written
                for what, is_written in touched.items()
                if "." in what or what in file.variables
            }

        mine = own(self.touches(function))
        return any(
            mine[what] or is_written
            for one in operations
            for what, is_written in own(self.touches(one)).items()
            if what in mine
        )

    def _makers(self, file: FileFacts, record: str, operations: Sequence[FunctionFacts]) -> tuple[str, ...]:
        """For structures that operations take beside theirs, functions of the file that return one."""
        wanted = dict.fromkeys(one for operation in operations for one in operation.records if one != record)
        found: list[str] = []
        for other in filter(None, wanted):
            made = [one for one in file.functions if one.returns == other and not one.is_variadic]
            made = [one for one in made if set(one.records) <= {"", record}]
            made = [one for one in made if other not in file.complete or _MAKES.fullmatch(one.name.lower())]
            best = max(made, key=lambda one: bool(_MAKES.fullmatch(one.name.lower())), default=None)
            found += [best.name] if best is not None else []
        return tuple(found)

    def files_of(self, functions: Sequence[FunctionFacts], file: FileFacts) -> list[FileFacts]:
        """The other files that define what these call; no program has two ``main``."""
        needed = dict.fromkeys(one.file for one in self._distinct_closure(functions) if one.file != file.path)
        return [found for path in needed if not (found := self._file_of[path]).has_main]


def _first_named(pattern: re.Pattern[str], taking: Sequence[FunctionFacts], record: str) -> str:
    """The function with which a thread says that it is there, or goes: it takes the structure alone."""
    plain = [one for one in taking if record and one.records == (record,) and not one.returns_pointer]
    return next((one.name for one in plain if pattern.fullmatch(one.name.lower())), "")


def _giving(operations: Sequence[FunctionFacts]) -> dict[str, str]:
    """What is taken back by one operation is what another has given."""
    giving = [
        one.name for one in operations if one.returns_pointer and not one.returns and all(one.numbers[1:])
    ]
    giving = [name for name in giving if _GIVES.fullmatch(name.lower())]
    taking = [one.name for one in operations if _TAKES_BACK.fullmatch(one.name.lower())]
    return dict.fromkeys(taking, giving[0]) if giving else {}


def _distinct(found: Iterator[FunctionFacts | None]) -> tuple[FunctionFacts, ...]:
    by_name = {(one.file, one.name): one for one in found if one is not None}
    return tuple(by_name.values())
