"""Events of an unrolled program in the user's words.

What event 5 found in ``counter`` is ``counter@5``, an input ``input1``. A condition that the unrolling gave a
name to is written out where it is short, and called ``c1``, ``c2`` otherwise. How far a thread is, and
whether it is detached, is left out where it never changes.
"""

from collections.abc import Iterable, Iterator

from sley.engines.bmc.events.graph import ArbitraryNode, EventGraph, FillingNode, NodeRead, NodeWrite
from sley.logic.clauses import conjuncts, disjuncts
from sley.logic.operators import Op
from sley.logic.sorts import BitVecSort
from sley.logic.terms import Term, Terms
from sley.semantics.roles import FirstRole, ThreadRole
from sley.semantics.symbolic_step import Shape, SymbolicSteps
from sley.wording.labels import LabelTexts, Sense, Word

LONGEST_INLINE = 60
"""Conditions with more characters than this keep their name."""


class EventTexts(LabelTexts):
    """Writes the events of one unrolling."""

    def __init__(self, steps: SymbolicSteps, shape: Shape, graph: EventGraph) -> None:
        super().__init__(steps, [shape])
        self.shape = shape
        self.graph = graph
        self._replaced = dict(self._steady_symbols())
        """Reads of how threads are that no event changes -> the value; names of short conditions -> these."""
        self.conditions: dict[str, list[str]] = {}
        """Name of a condition -> the conjuncts that it stands for, for those that were not written out."""
        for name, meaning in graph.definitions:
            self._name_condition(name, self._plain(meaning))
        self._used = {v for term in self._all_terms() for v in self.terms.variables(self._plain(term))}

    # --- parts of events ----------------------------------------------------------------------------------

    def condition(self, condition: Term) -> list[str]:
        """The conjuncts of a condition; none if it always holds."""
        plain = factored(self.terms, self._plain(condition))
        if plain == self.terms.false:
            return ["never"]
        parts = conjuncts(self.terms, (plain,))
        texts = [(part, self.text(self.shape, tuple(disjuncts(self.terms, part)))) for part in parts]
        return [text for part, text in texts if part != self.terms.true]

    def read(self, read: NodeRead) -> str:
        """What is read; nothing if it is of no consequence."""
        if read.symbol in self._replaced or read.needed == self.terms.false:
            return ""
        if self._is_of_thread(read.variable) and read.symbol not in self._used:
            return ""
        word = self._table(self.shape).words[read.symbol]
        if word.sense in (Sense.FACT, Sense.STATUS):
            return f"state of {word.text.split(' ')[0]}"
        return word.text

    def write(self, write: NodeWrite) -> str:
        """What is written."""
        return self.assigned(write.variable, write.value)

    def assigned(self, variable: Term, value: Term) -> str:
        """That a variable has a value from now on."""
        value = self._plain(value)
        word, number = self._table(self.shape).words[variable], self.terms.number(value)
        if word.sense is Sense.FACT and value in (self.terms.true, self.terms.false):
            return word.text if value == self.terms.true else word.opposite
        if word.sense is Sense.FACT:
            return f"{word.text} iff {self._printed(self.shape, value)}"
        if number is not None and isinstance(self.terms.sort(value), BitVecSort):
            said = self._comparison(self.shape, word, number, self.terms.width(value))
            if said is not None:
                return said[0].replace(" == ", " = ", 1)
        return f"{word.text} = {self._printed(self.shape, value)}"

    def initial(self) -> Iterator[str]:
        """What shared memory holds when there are two threads for the first time."""
        written = {v: write.value for v, write in self.graph.nodes[0].writes.items()}
        for variable, value in {**self.graph.initial, **written}.items():
            is_first = self.terms.is_var(value) and isinstance(self.terms.symbol(value), FirstRole)
            is_fact = self._table(self.shape).words[variable].sense is Sense.FACT
            if not is_first and not is_fact and not self._is_of_thread(variable):
                yield self.assigned(variable, value)

    def _is_of_thread(self, variable: Term) -> bool:
        return isinstance(self.terms.symbol(variable), ThreadRole)

    def _phrases(self, shape: Shape, formula: Term) -> dict[Term, str]:
        """Also for pointers to objects that are compared or chosen between."""
        found: dict[Term, str] = {}
        for part in self.terms.walk((formula,)):
            number = self._address_in(part)
            if number and number >> self.code.program.pointers.offset_bits:
                text = self.address(shape, number)
                found |= {part: text} if text != hex(number) else {}
        return found | super()._phrases(shape, formula)

    # --- symbols ------------------------------------------------------------------------------------------

    def _words(self, shape: Shape) -> Iterator[tuple[Term, Word]]:
        words = dict(super()._words(shape))
        yield from words.items()
        for node in self.graph.nodes:
            for read in node.reads.values():
                yield read.symbol, _marked(words[read.variable], f"@{read.node}")
        for variable in self.graph.initial:
            first = self.terms.var(FirstRole(self.terms.symbol(variable)), self.terms.sort(variable))
            yield first, _marked(words[variable], "@start")
        makings = [making for thread in self.graph.threads for making in thread.makings]
        inputs = [making.term for making in makings if isinstance(making, ArbitraryNode)]
        unset = [term for making in makings if isinstance(making, FillingNode) for term in making.terms]
        yield from _numbered("input", inputs)
        yield from _numbered("any", [term for term in unset if self.terms.op(term) is Op.VAR])

    def _steady_symbols(self) -> Iterator[tuple[Term, Term]]:
        for variable, (reads, writes) in self.graph.variables.items():
            first = self.graph.initial[variable]
            if self._is_of_thread(variable) and not writes and self.terms.is_const(first):
                yield from ((read.symbol, first) for read in reads)

    def _plain(self, term: Term) -> Term:
        return self.terms.substitute(term, self._replaced)

    def _all_terms(self) -> Iterator[Term]:
        for node in self.graph.nodes:
            yield node.occurs
            for write in node.writes.values():
                yield from (write.condition, write.value)
        yield from (meaning for _, meaning in self.graph.definitions)
        yield from (cut.condition for cut in self.graph.cuts)

    # --- names of conditions ------------------------------------------------------------------------------

    def _name_condition(self, name: Term, meaning: Term) -> None:
        texts, table = self.condition(meaning), self._table(self.shape)
        if len(" && ".join(texts)) <= LONGEST_INLINE:
            self._replaced[name] = factored(self.terms, meaning)
            return
        text = f"c{len(self.conditions) + 1}"
        self.conditions[text] = texts
        table.words[name] = Word(text, Sense.FACT, f"!{text}")
        table.names[name] = text


def factored(t: Terms, formula: Term) -> Term:
    """The same formula with what all disjuncts have in common in front: ``a && (b || c)``.

    ``a || !a && b`` becomes ``a || b``.
    """
    cases = [conjuncts(t, (case,)) for case in disjuncts(t, formula)]
    if len(cases) < 2:
        return formula
    common = [part for part in cases[0] if all(part in case for case in cases[1:])]
    rests = [[part for part in case if part not in common] for case in cases]
    for _ in rests:
        known = {t.not_(rest[0]) for rest in rests if len(rest) == 1}
        rests = [[part for part in rest if part not in known] or rest for rest in rests]
    return t.and_(*common, t.or_(*(t.and_(*rest) for rest in rests)))


def _marked(word: Word, mark: str) -> Word:
    """The word for what a variable held once; facts are marked behind their subject."""
    if word.sense is not Sense.FACT:
        return Word(word.text + mark, word.sense)
    subject, opposite = word.text.partition(" "), word.opposite.partition(" ")
    return Word(f"{subject[0]}{mark} {subject[2]}", word.sense, f"{opposite[0]}{mark} {opposite[2]}")


def _numbered(name: str, terms: Iterable[Term]) -> Iterator[tuple[Term, Word]]:
    for number, term in enumerate(dict.fromkeys(terms), start=1):
        yield term, Word(f"{name}{number}", Sense.SIGNED)
