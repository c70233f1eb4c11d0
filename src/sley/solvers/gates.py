"""Gates as clauses: the propositional layer below bit-vectors.

A literal is an integer as in DIMACS: a variable, or minus it for its negation. Variable 1 is always true, so
that constants are literals, too. A gate is defined in both directions (Tseitin), hence its output means the
same wherever it is used; equal gates are made once, up to the order and the signs of their inputs.
"""

from collections.abc import Iterable

TRUE = 1
FALSE = -1

Literal = int
Clause = tuple[int, ...]


class Gates:
    """Makes gates; ``clauses`` has those that no solver has been given yet."""

    def __init__(self) -> None:
        self.clauses: list[Clause] = [(TRUE,)]
        self.variable_count = 1
        self._conjunctions: dict[Clause, Literal] = {}
        self._choices: dict[Clause, Literal] = {}
        self._parities: dict[Clause, Literal] = {}
        self._majorities: dict[Clause, Literal] = {}

    def take_clauses(self) -> list[Clause]:
        """The clauses since the last call."""
        taken, self.clauses = self.clauses, []
        return taken

    def variable(self) -> Literal:
        """A variable that was not used before."""
        self.variable_count += 1
        return self.variable_count

    def add(self, clause: Clause) -> None:
        """Assert a clause; it may contain constants."""
        if TRUE in clause:
            return
        if FALSE in clause:
            clause = tuple([c for c in clause if c != FALSE])
        self.clauses.append(clause)

    def conjunction(self, inputs: Iterable[Literal]) -> Literal:
        """All of the inputs."""
        key = tuple(sorted({i for i in inputs if i != TRUE}))
        if len(key) < 2:
            return key[0] if key else TRUE
        output = self._conjunctions.get(key)
        if output is None:
            output = FALSE if _is_contradictory(key) else self._define_conjunction(key)
            self._conjunctions[key] = output
        return output

    def _define_conjunction(self, inputs: Clause) -> Literal:
        output = self.variable()
        self.clauses += [(-output, i) for i in inputs]
        self.clauses.append((output, *[-i for i in inputs]))
        return output

    def disjunction(self, inputs: Iterable[Literal]) -> Literal:
        """One of the inputs."""
        return -self.conjunction([-i for i in inputs])

    def both(self, a: Literal, b: Literal) -> Literal:
        """The conjunction of two."""
        if a == b or b == TRUE:
            return a
        if a == TRUE:
            return b
        if a in (FALSE, -b) or b == FALSE:
            return FALSE
        key = (a, b) if a < b else (b, a)
        output = self._conjunctions.get(key)
        if output is None:
            output = self.variable()
            self.clauses += [(-output, a), (-output, b), (output, -a, -b)]
            self._conjunctions[key] = output
        return output

    def either(self, a: Literal, b: Literal) -> Literal:
        """The disjunction of two."""
        return -self.both(-a, -b)

    def differ(self, a: Literal, b: Literal) -> Literal:
        """Whether two literals differ."""
        x, y = abs(a), abs(b)
        is_positive = (a > 0) == (b > 0)
        if x == y:
            return FALSE if is_positive else TRUE
        if y == TRUE:
            output = -x
        elif x == TRUE:
            output = -y
        else:
            key = (x, y) if x < y else (y, x)
            found = self._parities.get(key)
            output = self._define_parity(*key) if found is None else found
        return output if is_positive else -output

    def _define_parity(self, a: Literal, b: Literal) -> Literal:
        output = self.variable()
        self.clauses += [(-output, a, b), (-output, -a, -b), (output, -a, b), (output, a, -b)]
        self._parities[a, b] = output
        return output

    def choose(self, condition: Literal, then: Literal, otherwise: Literal) -> Literal:
        """If-then-else."""
        if condition < 0:
            condition, then, otherwise = -condition, otherwise, then
        if condition == TRUE or then == otherwise:
            return then
        if then == -otherwise:
            return self.differ(condition, otherwise)
        if then in (TRUE, condition):
            return self.either(condition, otherwise)
        if then in (FALSE, -condition):
            return self.both(-condition, otherwise)
        if otherwise in (TRUE, -condition):
            return self.either(-condition, then)
        if otherwise in (FALSE, condition):
            return self.both(condition, then)
        if then < 0:
            return -self._choice(condition, -then, -otherwise)
        return self._choice(condition, then, otherwise)

    def _choice(self, c: Literal, then: Literal, otherwise: Literal) -> Literal:
        output = self._choices.get((c, then, otherwise))
        if output is None:
            output = self._choices[c, then, otherwise] = self.variable()
            self.clauses += [(-c, -then, output), (-c, then, -output)]
            self.clauses += [(c, -otherwise, output), (c, otherwise, -output)]
            # these two follow, but let the solver conclude without the condition
            self.clauses += [(-then, -otherwise, output), (then, otherwise, -output)]
        return output

    def parity(self, a: Literal, b: Literal, c: Literal) -> Literal:
        """Whether an odd number of the three holds: the sum of a full adder."""
        x, y, z = sorted((abs(a), abs(b), abs(c)))
        is_negative = ((a < 0) + (b < 0) + (c < 0)) & 1
        if x == TRUE:
            output = -self.differ(y, z)
        elif x == y:
            output = z
        elif y == z:
            output = x
        else:
            found = self._parities.get((x, y, z))
            output = self._define_parity_of_three(x, y, z) if found is None else found
        return -output if is_negative else output

    def _define_parity_of_three(self, a: Literal, b: Literal, c: Literal) -> Literal:
        output = self.variable()
        self.clauses += [(-output, a, b, c), (-output, a, -b, -c), (-output, -a, b, -c), (-output, -a, -b, c)]
        self.clauses += [(output, -a, -b, -c), (output, -a, b, c), (output, a, -b, c), (output, a, b, -c)]
        self._parities[a, b, c] = output
        return output

    def majority(self, a: Literal, b: Literal, c: Literal) -> Literal:
        """Whether at least two of the three hold: the carry of a full adder."""
        x, y, z = sorted((a, b, c), key=abs)
        if x == TRUE:
            return self.either(y, z)
        if x == FALSE:
            return self.both(y, z)
        if x in (y, z) or y == z:
            return x if x in (y, z) else y
        if x == -y:
            return z
        if y == -z:
            return x
        if (x < 0) + (y < 0) + (z < 0) >= 2:
            return -self._majority(-x, -y, -z)
        return self._majority(x, y, z)

    def _majority(self, a: Literal, b: Literal, c: Literal) -> Literal:
        output = self._majorities.get((a, b, c))
        if output is None:
            output = self._majorities[a, b, c] = self.variable()
            self.clauses += [(-a, -b, output), (-a, -c, output), (-b, -c, output)]
            self.clauses += [(a, b, -output), (a, c, -output), (b, c, -output)]
        return output


def _is_contradictory(literals: Clause) -> bool:
    known = set(literals)
    return FALSE in known or any(-literal in known for literal in literals)
