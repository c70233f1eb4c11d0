"""The part of a program that runs come to: calls are inlined when a run has come to them.

Inlined as a whole, a large program is too large to be prepared. A run needs little of it: of the calls in the
code that it passes, those on its way. So runs start in a program in which only calls of small functions are
inlined; a run that comes to another call gives up there, and the part grows by it. What runs of a part do, up
to where they give up, they do in the whole program: only where they give up is different.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from sley.engines.directed.thresholds import SMALL
from sley.passes.inline import not_followed
from sley.program import instructions as ir
from sley.program.memory import Storage
from sley.program.program import PROCESS_END, THREAD_END, Edge, Program, Site

Prepare = Callable[[frozenset[Site]], Program]
"""Makes the flat program in which these calls are inlined."""


class WholeProgram:
    """A program that is flat already."""

    sites: Mapping[str, Site] = {}
    followed: frozenset[Site] = frozenset()

    def __init__(self, program: Program) -> None:
        self.program = program

    def grow(self, met: Iterable[Site]) -> None:
        """There is nothing that is not in it."""
        raise AssertionError(met)


class InlinedPart:
    """A part of a program, which grows."""

    def __init__(self, loaded: Program, prepare: Prepare) -> None:
        self._loaded = loaded
        self._prepare = prepare
        self._sizes: dict[str, int] = {}
        self.sites = {not_followed(site): site for site in _sites(loaded)}
        """Every call, by the reason why a run gives up at it while it is not inlined."""
        self.followed = frozenset(site for site in self.sites.values() if self._size(site[2]) <= SMALL)

    def grow(self, met: Iterable[Site]) -> None:
        """Inline these calls as well."""
        self.followed |= frozenset(met)

    @property
    def program(self) -> Program:
        """The part as it is, flat."""
        return self._prepare(self.followed)

    def _size(self, name: str) -> int:
        """How many edges a call of a function becomes; more than small where it calls itself."""
        if name not in self._sizes:
            self._sizes[name] = SMALL + 1
            function = self._loaded.functions[name]
            called = [edge.instruction for edge in function.edges]
            size = len(called)
            for instruction in called:
                if isinstance(instruction, ir.Call):
                    size += self._size(instruction.function)
                elif isinstance(instruction, ir.CallPointer):
                    size += SMALL
            self._sizes[name] = size
        return self._sizes[name]


def _sites(program: Program) -> Iterator[Site]:
    for function in program.functions.values():
        for edge in function.edges:
            for called in _called(program, edge):
                yield function.name, edge.source, called


def _called(program: Program, edge: Edge) -> Iterable[str]:
    """Whom an edge may call; at its end, a function may call what is to run at the end of a thread."""
    match edge.instruction:
        case ir.Call(function=name):
            return (name,)
        case ir.CallPointer():
            code = (o.name for o in program.objects if o.storage is Storage.CODE)
            return tuple(name for name in code if name in program.functions)
        case ir.Return():
            return tuple(name for name in (THREAD_END, PROCESS_END) if name in program.functions)
        case _:
            return ()
