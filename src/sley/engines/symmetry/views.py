"""Any number of threads, forwards: what a few threads at a time can be (view abstraction).

P. Abdulla, F. Haziza, L. Holík, Parameterized Verification through View Abstraction, 2016.

A *view* is a configuration with all but a few threads left out: those of single templates stay, of the others
at most k, none of them still to come. A set of views stands for all configurations whose views are in it. To
be closed under steps, it is enough to look at configurations of k + 1 threads: whoever steps, and the threads
of the view afterwards. Clauses hold for all threads, so leaving some out only makes more steps possible.
"""

from collections.abc import Callable, Iterator
from itertools import combinations

from sley.engines.symmetry.machine import BooleanMachine
from sley.engines.symmetry.reachability import Configuration, initial_configurations, is_bad, transitions


class ViewSet:
    """A set of views of at most ``size`` threads of templates that are not single."""

    def __init__(self, machine: BooleanMachine, size: int) -> None:
        assert all(template.is_created or template.is_single for template in machine.templates)
        self.machine = machine
        self.size = size
        self.groups: dict[tuple[int, tuple[int, ...]], dict[tuple[int, ...], None]] = {}
        """Shared bits and threads of single templates -> the other threads of its views."""
        self._spare = tuple(
            sorted(
                machine.absent[i] << machine.local_bits
                for i, template in enumerate(machine.templates)
                if not template.is_single
            )
        )
        """A thread to come of each template."""
        self._kinds = {
            at: None if at << machine.local_bits in self._spare else machine.templates[number].is_single
            for at, number in machine.template_at.items()
        }
        """Location -> whether its threads are single; None for those to come."""

    def __iter__(self) -> Iterator[Configuration]:
        for (shared, singles), group in self.groups.items():
            for others in group:
                yield shared, tuple(sorted((*singles, *others)))

    def initial(self) -> Iterator[Configuration]:
        """What the start looks like: threads that are not single are still to come."""
        return initial_configurations(self.machine, {})

    def parts(self, configuration: Configuration) -> tuple[tuple[int, tuple[int, ...]], tuple[int, ...]]:
        """A configuration divided into what is in all its views, and the other threads that exist."""
        shared, threads = configuration
        singles: list[int] = []
        others: list[int] = []
        kinds, width = self._kinds, self.machine.local_bits
        for local in threads:
            kind = kinds[local >> width]
            if kind is not None:
                (singles if kind else others).append(local)
        return (shared, tuple(singles)), tuple(others)

    def of(self, configuration: Configuration) -> Iterator[Configuration]:
        """All views of a configuration."""
        (shared, singles), others = self.parts(configuration)
        for size in range(min(self.size, len(others)) + 1):
            for chosen in dict.fromkeys(combinations(others, size)):
                yield shared, tuple(sorted((*singles, *chosen)))

    def add(self, view: Configuration) -> bool:
        """Add a view; whether it is new."""
        key, others = self.parts(view)
        group = self.groups.setdefault(key, {})
        if others in group:
            return False
        group[others] = None
        return True

    def larger(self, view: Configuration) -> Iterator[Configuration]:
        """The configurations with one thread more than a view of full size, all of whose views are there."""
        (shared, singles), others = self.parts(view)
        if len(others) < self.size:
            return
        group = self.groups[shared, singles]
        for (other,) in [few for few in group if len(few) == 1]:
            more = tuple(sorted((*others, other)))
            if all(few in group for few in combinations(more, self.size)):
                yield shared, tuple(sorted((*singles, *more)))

    def after(self, configuration: Configuration) -> Iterator[Configuration]:
        """What a configuration becomes by one step of some thread."""
        shared, threads = configuration
        for transition in transitions(self.machine, (shared, tuple(sorted((*threads, *self._spare))))):
            yield transition.after


def saturate(machine: BooleanMachine, size: int, spend: Callable[[], None] = lambda: None) -> ViewSet | None:
    """The smallest closed set of views; None if something bad is among the configurations it stands for."""
    views = ViewSet(machine, size)
    waiting: list[Configuration] = []

    seen: set[Configuration] = set()

    def insert(configuration: Configuration) -> None:
        if configuration not in seen:
            seen.add(configuration)
            waiting.extend(view for view in views.of(configuration) if views.add(view))

    for configuration in views.initial():
        insert(configuration)
    done: set[Configuration] = set()
    while waiting:
        view = waiting.pop()
        for configuration in (view, *views.larger(view)):
            if configuration in done:
                continue
            done.add(configuration)
            spend()
            if is_bad(machine, configuration):
                return None
            for after in views.after(configuration):
                insert(after)
    return views
