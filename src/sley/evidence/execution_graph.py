"""The execution behind a trace as memory models see it: events, reads-from, coherence."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sley.program.program import Origin

MOST_NODES = 64
"""Larger graphs are not readable."""

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GraphNode:
    """An access or a fence; those of one thread are in program order."""

    thread: int
    kind: str
    """R, W, U (reads and writes at once) or F."""
    order: str
    """Its memory order, or what kind of fence it is; empty for plain accesses."""
    place: str
    value: str
    """What is read, or written: by an update, what it writes."""
    origin: Origin


@dataclass(frozen=True, slots=True)
class ExecutionGraph:
    """Nodes are named by their numbers; first values have no node."""

    nodes: tuple[GraphNode, ...]
    sources: Mapping[int, int | None]
    """A node that reads -> the one that it reads from; None: the first value."""
    coherence: tuple[tuple[int, ...], ...]
    """For each place the nodes that write there, from the oldest to the newest."""

    @property
    def po(self) -> Iterator[Pair]:
        """Program order, from each node to the next."""
        last: dict[int, int] = {}
        for number, node in enumerate(self.nodes):
            if node.thread in last:
                yield last[node.thread], number
            last[node.thread] = number

    @property
    def rf(self) -> Iterator[Pair]:
        """Reads from: the write and the read."""
        return ((write, read) for read, write in self.sources.items() if write is not None)

    @property
    def co(self) -> Iterator[Pair]:
        """Coherence, from each write to the next."""
        return (pair for line in self.coherence for pair in pairwise(line))

    @property
    def fr(self) -> Iterator[Pair]:
        """From-read: a read, and the first write that overwrites what it reads."""
        for read, write in self.sources.items():
            later = self._newer(self.nodes[read].place, write)
            if later is not None and later != read:
                yield read, later

    def _newer(self, place: str, write: int | None) -> int | None:
        line = next((line for line in self.coherence if self.nodes[line[0]].place == place), ())
        if write is not None and write not in line:
            return None
        at = 0 if write is None else line.index(write) + 1
        return line[at] if at < len(line) else None

    def of_threads(self, threads: Sequence[int]) -> "ExecutionGraph":
        """Only the nodes of some threads, one after another; what they read from others is a first value."""
        of_one = ((n for n, node in enumerate(self.nodes) if node.thread == thread) for thread in threads)
        kept = [number for numbers in of_one for number in numbers]
        new = {number: index for index, number in enumerate(kept)}
        sources = {new[r]: None if w is None else new.get(w) for r, w in self.sources.items() if r in new}
        lines = (tuple(new[write] for write in line if write in new) for line in self.coherence)
        return ExecutionGraph(
            tuple(self.nodes[number] for number in kept), sources, tuple(line for line in lines if line)
        )
