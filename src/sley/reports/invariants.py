"""The invariants of a proof: what always holds where a thread stands, and where all of them stand.

Every reachable state satisfies the label of a node that agrees with it on where the threads stand. So the
disjunction of the labels of all such nodes holds there, and positions that no node combines never meet.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, permutations

from sley.inspection.unfolding import UnfoldedNode, Unfolding
from sley.logic.readable import Clause
from sley.logic.terms import Terms
from sley.reports.lines import Line, Segment, line, wrapped
from sley.reports.positions import StatementPosition
from sley.reports.tree import TreeContent

MOST_CASES = 4
"""A disjunction of more cases is not written out."""

MOST_COMBINATIONS = 60
"""With more combinations of positions than this only single positions are shown."""

Fact = tuple[Clause, str]
Case = frozenset[Fact]


def invariants_report(unfolding: Unfolding, *, width: int) -> list[Line]:
    """What an accepted proof says about the program, for people."""
    return _Invariants(unfolding).report(width)


class _Invariants:
    def __init__(self, unfolding: Unfolding) -> None:
        self.content = TreeContent(unfolding)
        self.terms = unfolding.program.terms
        # a covered node's label implies that of another node
        self.nodes = [node for node in unfolding.nodes if node.content.cover is None]
        self.cases = {node.number: self._case(node) for node in self.nodes}

    def _case(self, node: UnfoldedNode) -> Case:
        labels = self.content.labels
        clauses = labels.clauses(node.shape, node.control, node.content.label)
        return frozenset((clause, labels.text(node.shape, clause)) for clause in clauses)

    def report(self, width: int) -> list[Line]:
        """All sections."""
        lines = self._exclusive()
        lines += self._single(width)
        return lines + self._combined(width)

    # --- lines where threads exclude each other ----------------------------------------------------------

    def _exclusive(self) -> list[Line]:
        """Statements that several threads get to, but never at the same time."""
        groups = exclusive_groups([self.content.positions.all(node) for node in self.nodes])
        lines: list[Line] = []
        for group in groups:
            lines.append(line(Segment(" Never two threads at the same time are about to execute", "label")))
            lines += [line(f"   {position}") for position in group]
            lines.append(line(""))
        return lines

    # --- invariants --------------------------------------------------------------------------------------

    def _single(self, width: int) -> list[Line]:
        """By statement and thread; what is said about variables of other threads is left out."""
        found: dict[StatementPosition, dict[str, list[Case]]] = {}
        for node in self.nodes:
            for thread, (name, position) in enumerate(self.content.positions.all(node)):
                if position.line:
                    case = self._projected(self.cases[node.number], thread)
                    found.setdefault(position, {}).setdefault(name, []).append(case)
        lines: list[Line] = []
        for position in sorted(found):
            lines.append(line(Segment(f" {position}", "label")))
            by_text: dict[str, list[str]] = {}
            for name, cases in found[position].items():
                by_text.setdefault(self._text(cases), []).append(name)
            for text, names in by_text.items():
                lines += _entry(f"{', '.join(names)}: ", text, width)
        return [*lines, line("")]

    def _projected(self, case: Case, thread: int) -> Case:
        """What a case says about shared variables and those of one thread."""
        return frozenset(fact for fact in case if self.content.labels.owners(fact[0]) <= {thread})

    def _combined(self, width: int) -> list[Line]:
        """By where all threads stand."""
        found: dict[str, list[Case]] = {}
        for node in self.nodes:
            where = ", ".join(f"{n} {p.place}" for n, p in self.content.positions.all(node))
            found.setdefault(where, []).append(self.cases[node.number])
        heading = line(Segment(" Where all threads stand", "label"))
        if len(found) > MOST_COMBINATIONS:
            return [heading, line(f"   {len(found)} combinations: `sley show tree` has them all")]
        lines = [heading]
        for where, cases in found.items():
            lines += [line(f"   [{where}]"), *_entry("  ", self._text(cases), width)]
        return lines

    def _text(self, cases: Iterable[Case]) -> str:
        """The disjunction of some cases."""
        return disjunction(weakest_cases(self.terms, cases))


def _entry(head: str, text: str, width: int) -> Iterator[Line]:
    first, *rest = wrapped(text, max(40, width - 5 - len(head)))
    yield line(f"   {head}", first)
    for part in rest:
        yield line(" " * (3 + len(head)), part)


# --- disjunctions ----------------------------------------------------------------------------------------


def weakest_cases(terms: Terms, cases: Iterable[Case]) -> list[Case]:
    """Cases with the same disjunction: without those that imply another, complementary ones made one."""
    current = _without_stronger(dict.fromkeys(cases))
    while (merged := _merged_once(terms, current)) is not None:
        current = _without_stronger(dict.fromkeys(merged))
    return current


def _without_stronger(cases: Collection[Case]) -> list[Case]:
    return [case for case in cases if not any(other < case for other in cases)]


def _merged_once(terms: Terms, cases: Sequence[Case]) -> list[Case] | None:
    """With two cases ``A && x`` and ``A && !x`` made ``A``; None if there are none."""
    for i, one in enumerate(cases):
        for other in cases[i + 1 :]:
            (mine, theirs) = one - other, other - one
            if len(mine) == len(theirs) == 1:
                ((clause, _),), ((opposite, _),) = mine, theirs
                if len(clause) == len(opposite) == 1 and terms.not_(clause[0]) == opposite[0]:
                    return [one & other, *(case for case in cases if case not in (one, other))]
    return None


def disjunction(cases: Sequence[Case]) -> str:
    """The disjunction in C syntax, what all cases have in common first."""
    if not cases:
        return "never reached"
    common = frozenset.intersection(*cases)
    parts = [_in_brackets(text, " || ") for text in _ordered(common)]
    rest = [case - common for case in cases]
    if not all(rest):
        return " && ".join(parts) or "true"
    if len(rest) > MOST_CASES:
        return " && ".join([*parts, f"(one of {len(rest)} cases)"])
    inner = [" && ".join(_in_brackets(t, " || ") for t in _ordered(case)) for case in rest]
    either = " || ".join(_in_brackets(text, " && ") for text in dict.fromkeys(inner))
    return " && ".join([*parts, f"({either})"]) if parts else either


def _ordered(case: Case) -> list[str]:
    return list(dict.fromkeys(text for _, text in sorted(case, key=lambda fact: (len(fact[0]), fact))))


def _in_brackets(text: str, sign: str) -> str:
    return f"({text})" if sign in text else text


# --- mutual exclusion -------------------------------------------------------------------------------------


def exclusive_groups(
    nodes: Sequence[Sequence[tuple[str, StatementPosition]]],
) -> list[list[StatementPosition]]:
    """Statements that at least two threads get to, no two of them at the same time; largest groups first."""
    users: dict[StatementPosition, set[str]] = {}
    meetings: set[tuple[StatementPosition, StatementPosition]] = set()
    for positions in nodes:
        for name, position in positions:
            if position.line:
                users.setdefault(position, set()).add(name)
        meetings.update(permutations([position for _, position in positions], 2))
    candidates = sorted(p for p in users if len(users[p]) > 1 and (p, p) not in meetings)
    return _groups(candidates, {pair: pair not in meetings for pair in _pairs(candidates)})


def _pairs(candidates: Sequence[StatementPosition]) -> Iterator[tuple[StatementPosition, StatementPosition]]:
    return combinations_with_replacement(candidates, 2)


def _groups(
    candidates: Sequence[StatementPosition],
    is_exclusive: Mapping[tuple[StatementPosition, StatementPosition], bool],
) -> list[list[StatementPosition]]:
    """Each statement with the earlier ones that it excludes as well."""
    groups: list[list[StatementPosition]] = []
    for position in candidates:
        for group in groups:
            if all(is_exclusive[earlier, position] for earlier in group):
                group.append(position)
                break
        else:
            groups.append([position])
    return sorted(groups, key=len, reverse=True)
