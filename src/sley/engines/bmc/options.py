"""What a user may choose about engine ``bmc``."""

from dataclasses import dataclass, field, replace
from enum import Enum
from pathlib import Path


class OrderEncoding(Enum):
    """How the order of events is put into formulas."""

    CYCLES = "cycles"
    """Cycles are excluded, the short ones at once, others when they come up."""
    CLOCKS = "clocks"
    """Every event has a clock."""


class Conflicts(Enum):
    """When wrong orders are excluded."""

    EAGER = "eager"
    """Cycles of three threads at once, unless there are too many; others when they come up."""
    LAZY = "lazy"
    """All when they come up."""


class Stage(Enum):
    """What makes a formula smaller, and can be left out."""

    SUMMARIES = "summaries"
    """What a thread does by itself is summarised; without it all its assignments are part of the formula."""
    PRUNING = "pruning"
    """Writes that a read can never see are left out, and all else that cannot matter."""
    CELLS = "cells"
    """Without pruning: a read may copy writes to its own cell; without this all pairs are in the formula."""
    SECTIONS = "sections"
    """A critical section that cannot be interrupted is one event; without it each of its accesses is."""
    SETTLED = "settled"
    """Values of variables that are not written any more are known; without it their reads are events."""
    SUMS = "sums"
    """With pruning: a read of a variable that is only added to sees a sum, and copies no write."""
    RELEVANCE = "relevance"
    """With pruning: reads that nothing depends on are left out, and values that cannot come up."""
    LOCKSETS = "locksets"
    """Accesses under a common lock are no data race; without this and sections, the solver is asked."""
    SYMMETRY = "symmetry"
    """Interchangeable threads begin in the order of their creation only."""


REDUCTIONS = tuple(one for one in Stage if one not in (Stage.SUMMARIES, Stage.PRUNING))
"""What the staged analysis does not have as published."""


class Copies(Enum):
    """How it is put into formulas which write a read copies."""

    LITERALS = "literals"
    """A literal for each pair of a read and a write."""
    NUMBERS = "numbers"
    """Every write has a number, and a read has that of the write it copies."""


class Switches(Enum):
    """What is given up at once of a likely invariant that stands in the way of an answer."""

    READS = "reads"
    """What it says of one read of the unrolled program."""
    PLACES = "places"
    """What it says of all reads at one place of the program."""


class Likely(Enum):
    """What is done with likely invariants."""

    OFF = "off"
    REFINE = "refine"
    """As published: the search begins with all of them, and drops those in the core of a refutation."""
    SWITCHED = "switched"
    """They restrict the search at first, and are given up where they stand in the way of an answer."""
    DIRECT = "direct"
    """What they exclude is not part of the formula: only a violation is an answer."""
    HINTS = "hints"
    """The solver tries first what they allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BmcOptions:
    """What a user may choose about engine ``bmc``."""

    unwind: int | None = None
    """Unroll every loop this often (default: more and more often, each as far as it matters)."""

    context_bound: int | None = None
    """Look only at runs with at most this many context switches; the answer is never SAFE."""

    slice_of_run: int | None = None
    """Look only at what the random run with this seed executes, in all orders; the answer is never SAFE."""

    order: OrderEncoding = OrderEncoding.CYCLES
    """How the order of events becomes a formula: excluded cycles, or a clock for every event."""

    conflicts: Conflicts = Conflicts.EAGER
    """With `--order cycles`: exclude small cycles at once, or all only when they come up."""

    without: tuple[Stage, ...] = ()
    """Leave out stages: summaries, pruning, cells, sections, settled, sums, relevance, locksets, symmetry."""

    copies: Copies = Copies.LITERALS
    """How it becomes a formula which write a read copies: a literal for each, or the number of one."""

    published: bool = False
    """The encoding of the staged analysis as published: no reductions beside summaries and pruning."""

    likely_invariants: Likely = field(default=Likely.OFF, metadata={"alone": Likely.SWITCHED})
    """Look first, or only, where reads get their values as in random runs (see `sley mine`)."""

    invariants: Path | None = None
    """Likely invariants from this file, as written by `sley mine`, instead of mined ones."""

    switches: Switches = Switches.READS
    """Give up a likely invariant for one read of the unrolled program at a time, or for all at its place."""

    runs: int = 50
    """Runs from which likely invariants are mined."""

    def resolved(self) -> "BmcOptions":
        """The same with what ``published`` stands for."""
        if not self.published:
            return self
        without = (*self.without, *REDUCTIONS)
        return replace(self, order=OrderEncoding.CLOCKS, without=without, copies=Copies.NUMBERS)

    def has(self, stage: Stage) -> bool:
        """Whether a stage is not left out."""
        return stage not in self.without

    def with_cells(self) -> "BmcOptions":
        """The same, so that a read copies writes to its own cell."""
        return replace(self, without=tuple(one for one in self.without if one is not Stage.CELLS))

    @property
    def takes_all_pairs(self) -> bool:
        """Whether every read is compared with every write: one map of all memory, nothing pruned."""
        return not (self.has(Stage.CELLS) or self.has(Stage.PRUNING))
