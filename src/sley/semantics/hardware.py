"""What machines allow: execution graphs of accesses and barriers, and the axioms of SC, TSO, PSO, RMO, Power.

The framework, SC, TSO and Power are those of J. Alglave, L. Maranget, M. Tautschnig, *Herding Cats:
Modelling, Simulation, Testing, and Data Mining for Weak Memory*, TOPLAS 36(2), 2014, sections 4 and 6.
PSO and RMO are those of SPARC as J. Alglave states them (*A formal hierarchy of weak memory models*, FMSD 41,
2012), put into the same framework: they are TSO with less preserved program order.

| paper | here |
|---|---|
| po, rf, co, fr, com | ``po``, ``rf``, ``co``, ``fr``, ``com`` |
| addr, data, ctrl, ctrl+cfence, rmw | ``addr``, ``data``, ``ctrl``, ``ctrl_cfence``, ``rmw`` |
| fences, ffence, lwfence | ``fences``, ``ffence``, ``lwfence`` |
| ppo, hb, prop | ``Architecture.ppo``, ``.hb``, ``.prop`` |
| SC PER LOCATION, NO THIN AIR, OBSERVATION, PROPAGATION | one function each |

An event may access several locations at once: it is an atomic section, with full barriers around it. Two
axioms of N. Chong, T. Sorensen, J. Wickerson, *The Semantics of Transactions and Weak Memory in x86, Power,
ARM, and C++*, PLDI 2018, come from that: StrongIsol is ``isolation``, and TxnOrder is implied, as a section
is one event. A locked instruction is such a section with one location; one that is not locked (on RMO and
Power) is two events, linked by ``rmw``.

Threads: what comes before the creation of a thread comes before all of it in program order.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sley.program.instructions import Barrier
from sley.program.memory_model import MemoryModel
from sley.semantics.axioms import Relation

INITIAL = -1
"""The thread of initial writes."""

Pairs = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Event:
    """An access, a section, or a barrier; threads list their events in program order."""

    thread: int
    reads: frozenset[object] = frozenset()
    writes: frozenset[object] = frozenset()
    barrier: Barrier | None = None


@dataclass(frozen=True)
class Execution:
    """A candidate execution, and the relations that all models derive from it."""

    events: Sequence[Event]
    reads_from: Mapping[tuple[int, object], int]
    """A read and its location -> the write that it reads from."""
    coherence: Mapping[object, Sequence[int]]
    """The writes of each location, from the initial one on."""
    creators: Mapping[int, int] = field(default_factory=dict)
    """Thread -> the last event before it was created, of the thread that did so."""
    address_dependencies: Pairs = ()
    data_dependencies: Pairs = ()
    control_dependencies: Pairs = ()
    """From a read to all events after a branch that depends on it."""
    control_fences: Pairs = ()
    """From a read to all events after an ``isync`` after such a branch."""
    updates: Pairs = ()
    """The read and the write of an instruction that is not locked."""

    def _relation(self, pairs: Pairs) -> Relation:
        return Relation.of(len(self.events), pairs)

    def those(self, is_wanted: Callable[[Event], object]) -> int:
        """The set of events with a property."""
        return sum(1 << i for i, event in enumerate(self.events) if is_wanted(event))

    @cached_property
    def R(self) -> int:  # noqa: N802 - the paper's name
        """Events that read."""
        return self.those(lambda e: e.reads)

    @cached_property
    def W(self) -> int:  # noqa: N802 - the paper's name
        """Events that write."""
        return self.those(lambda e: e.writes)

    @cached_property
    def po(self) -> Relation:
        """Program order, over creations of threads too."""
        size = len(self.events)
        lines = ((i, j) for j in range(size) for i in range(j) if self._thread(i) == self._thread(j))
        created = ((self.creators[t], j) for j in range(size) if (t := self._thread(j)) in self.creators)
        return self._relation((*((i, j) for i, j in lines if self._thread(i) != INITIAL), *created)).closure

    def _thread(self, event: int) -> int:
        return self.events[event].thread

    @cached_property
    def internal(self) -> Relation:
        """Pairs of events of one thread."""
        size = range(len(self.events))
        return self._relation((i, j) for i in size for j in size if self._thread(i) == self._thread(j))

    @cached_property
    def locations(self) -> tuple[object, ...]:
        """All that is accessed."""
        return tuple(dict.fromkeys(one for e in self.events for one in (*e.reads, *e.writes)))

    def rf_at(self, location: object) -> Relation:
        """Who reads from whom at one location."""
        pairs = ((w, r) for (r, place), w in self.reads_from.items() if place == location)
        return self._relation(pairs)

    def co_at(self, location: object) -> Relation:
        """The coherence order of one location."""
        line = self.coherence.get(location, ())
        return self._relation((a, b) for i, a in enumerate(line) for b in line[i + 1 :])

    def fr_at(self, location: object) -> Relation:
        """A read comes before the writes that overwrite what it reads."""
        return (self.rf_at(location).inverse @ self.co_at(location)).irreflexive_part

    def _everywhere(self, relation: Callable[[object], Relation]) -> Relation:
        found = self._relation(())
        for location in self.locations:
            found = found | relation(location)
        return found

    @cached_property
    def rf(self) -> Relation:
        """Reads from."""
        return self._everywhere(self.rf_at)

    @cached_property
    def co(self) -> Relation:
        """The coherence orders."""
        return self._everywhere(self.co_at)

    @cached_property
    def fr(self) -> Relation:
        """From-read."""
        return self._everywhere(self.fr_at)

    @cached_property
    def com(self) -> Relation:
        """Communications."""
        return self.rf | self.co | self.fr

    @cached_property
    def rfe(self) -> Relation:
        """Reads from another thread."""
        return self.rf - self.internal

    @cached_property
    def po_loc(self) -> Relation:
        """Program order of accesses to one location."""
        return self._everywhere(lambda location: self.po.between(*[self.at(location)] * 2))

    def at(self, location: object) -> int:
        """The events that access a location."""
        return self.those(lambda e: location in e.reads or location in e.writes)

    @cached_property
    def addr(self) -> Relation:
        """An address depends on a read."""
        return self._relation(self.address_dependencies)

    @cached_property
    def data(self) -> Relation:
        """A value that is written depends on a read."""
        return self._relation(self.data_dependencies)

    @cached_property
    def ctrl(self) -> Relation:
        """A branch before depends on a read."""
        return self._relation(self.control_dependencies)

    @cached_property
    def ctrl_cfence(self) -> Relation:
        """The same, with an ``isync`` after the branch."""
        return self._relation(self.control_fences)

    @cached_property
    def rmw(self) -> Relation:
        """The read and the write of one instruction."""
        return self._relation(self.updates)

    def separated(self, barrier: Barrier) -> Relation:
        """Pairs of accesses that a barrier stands between, and keeps in order."""
        everything, here = (1 << len(self.events)) - 1, self.those(lambda e: e.barrier is barrier)
        apart = self.po.between(everything, here) @ self.po.between(here, everything)
        sets = {"R": self.R, "W": self.W}
        kept = [apart.between(sets[pair[0]], sets[pair[1]]) for pair in sorted(barrier.pairs)]
        return _union(kept, self._relation(()))

    @cached_property
    def ffence(self) -> Relation:
        """Full fences; on Power nothing less keeps a write and a later read in order."""
        return self.separated(Barrier.FULL) | self.separated(Barrier.STORE_LOAD)

    @cached_property
    def lwfence(self) -> Relation:
        """Fences that keep some pairs in order."""
        light = (Barrier.LIGHTWEIGHT, Barrier.LOADS, Barrier.STORES)
        return _union(map(self.separated, light), self._relation(()))

    @cached_property
    def fences(self) -> Relation:
        """All of them."""
        return self.ffence | self.lwfence


def _union(relations: Iterable[Relation], found: Relation) -> Relation:
    for relation in relations:
        found = found | relation
    return found


# --- preserved program order ----------------------------------------------------------------------------


def ppo_sc(x: Execution) -> Relation:
    """All of it."""
    return x.po.between(x.R | x.W, x.R | x.W)


def ppo_tso(x: Execution) -> Relation:
    """All but WR: a write may be overtaken by a later read."""
    return x.po.between(x.R, x.R | x.W) | x.po.between(x.W, x.W)


def ppo_pso(x: Execution) -> Relation:
    """All but WM: a write may be overtaken."""
    return x.po.between(x.R, x.R | x.W)


def ppo_rmo(x: Execution) -> Relation:
    """Dependencies, those by branches from reads to writes only."""
    return x.addr | x.data | x.ctrl.between(x.R, x.W)


def ppo_power(x: Execution) -> Relation:
    """The least fixpoint of section 6.2 (figure 25): of *init* and *commit* parts of instructions."""
    rfi, fre, coe = x.rf & x.internal, x.fr - x.internal, x.co - x.internal
    dp = x.addr | x.data
    rdw, detour = x.po_loc & (fre @ x.rfe), x.po_loc & (coe @ x.rfe)
    ii = ii0 = dp | rdw | rfi
    ci = ci0 = x.ctrl_cfence | detour
    cc = cc0 = dp | x.po_loc | x.ctrl | (x.addr @ x.po)
    ic = Relation.of(len(x.events), ())
    while True:
        after = (
            ii0 | ci | ic @ ci | ii @ ii,
            ci0 | ci @ ii | cc @ ci,
            ii | cc | ic @ cc | ii @ ic,
            cc0 | ci | ci @ ic | cc @ cc,
        )
        if all(new.rows == old.rows for new, old in zip(after, (ii, ci, ic, cc), strict=True)):
            return ii.between(x.R, x.R) | ic.between(x.R, x.W)
        ii, ci, ic, cc = after


# --- architectures --------------------------------------------------------------------------------------


class Architecture:
    """An execution with what a model adds to it."""

    def __init__(self, x: Execution, model: MemoryModel) -> None:
        self.x = x
        self.model = model
        self.ppo = _PPO[model](x)

    @cached_property
    def hb(self) -> Relation:
        """Happens before: ppo | fences | rfe."""
        return self.ppo | self.x.fences | self.x.rfe

    @cached_property
    def hb_star(self) -> Relation:
        """Its reflexive and transitive closure."""
        return self.hb.closure.optional

    @cached_property
    def prop(self) -> Relation:
        """The order in which writes propagate."""
        return self._prop_power if self.model is MemoryModel.POWER else self.hb | self.x.fr

    @property
    def _prop_power(self) -> Relation:
        """(prop-base ∩ WW) | (com*; prop-base*; ffence; hb*), prop-base = (fences | rfe; fences); hb*."""
        x = self.x
        base = (x.fences | x.rfe @ x.fences) @ self.hb_star
        strong = x.com.closure.optional @ base.closure.optional @ x.ffence @ self.hb_star
        return base.between(x.W, x.W) | strong


_PPO: Mapping[MemoryModel, Callable[[Execution], Relation]] = {
    MemoryModel.SC: ppo_sc,
    MemoryModel.TSO: ppo_tso,
    MemoryModel.PSO: ppo_pso,
    MemoryModel.RMO: ppo_rmo,
    MemoryModel.POWER: ppo_power,
}


# --- axioms ---------------------------------------------------------------------------------------------


def sc_per_location(a: Architecture) -> bool:
    """SC PER LOCATION: acyclic(po-loc | com); RMO lets two reads of one location pass each other."""
    return all(_is_coherent(a, location) for location in a.x.locations)


def _is_coherent(a: Architecture, location: object) -> bool:
    x = a.x
    here, com = x.at(location), x.rf_at(location) | x.co_at(location) | x.fr_at(location)
    order = x.po.between(here, here)
    if a.model is MemoryModel.RMO:
        only_read = here & ~x.those(lambda e: location in e.writes)
        order = order - order.between(only_read, only_read)
    return (order | com).is_acyclic


def atomicity(a: Architecture) -> bool:
    """Nothing comes between the read and the write of an update: empty(rmw & (fre; coe))."""
    x = a.x
    return (x.rmw & ((x.fr - x.internal) @ (x.co - x.internal))).is_empty


def isolation(a: Architecture) -> bool:
    """Sections happen at once: acyclic(com)."""
    return a.x.com.is_acyclic


def no_thin_air(a: Architecture) -> bool:
    """NO THIN AIR: acyclic(hb)."""
    return a.hb.is_acyclic


def observation(a: Architecture) -> bool:
    """OBSERVATION: irreflexive(fre; prop; hb*)."""
    return ((a.x.fr - a.x.internal) @ a.prop @ a.hb_star).is_irreflexive


def propagation(a: Architecture) -> bool:
    """PROPAGATION: acyclic(co | prop)."""
    return (a.x.co | a.prop).is_acyclic


AXIOMS = (sc_per_location, atomicity, isolation, no_thin_air, observation, propagation)


def is_allowed(execution: Execution, model: MemoryModel) -> bool:
    """Whether a machine of this model may execute so."""
    architecture = Architecture(execution, model)
    return all(axiom(architecture) for axiom in AXIOMS)
