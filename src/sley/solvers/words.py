"""Bit-vector operators as gates; a word is a tuple of literals, the lowest bit first.

Every circuit is a function of its inputs that ``operators.MEANING`` describes, divisions by zero included;
constants fold away in the gates. Sums are ripple-carry with full adders, products shift and add, divisions
subtract and restore.
"""

from collections.abc import Callable

from sley.solvers.gates import FALSE, TRUE, Gates, Literal

Word = tuple[Literal, ...]


class Words:
    """Circuits over words."""

    def __init__(self, gates: Gates) -> None:
        self.gates = gates
        self._divisions: dict[tuple[Word, Word], tuple[Word, Word]] = {}

    # --- bit by bit -------------------------------------------------------------------------------

    def bitwise(self, gate: Callable[[Literal, Literal], Literal], x: Word, y: Word) -> Word:
        """One gate for each pair of bits."""
        return tuple([gate(a, b) for a, b in zip(x, y, strict=True)])

    def choose(self, condition: Literal, x: Word, y: Word) -> Word:
        """If-then-else."""
        gate = self.gates.choose
        return tuple([gate(condition, a, b) for a, b in zip(x, y, strict=True)])

    def equal(self, x: Word, y: Word) -> Literal:
        """Equality."""
        differ = self.gates.differ
        return self.gates.conjunction([-differ(a, b) for a, b in zip(x, y, strict=True)])

    def less(self, x: Word, y: Word, *, signed: bool, or_equal: bool = False) -> Literal:
        """Whether x is less than y, decided from the lowest bit to the highest."""
        gate = self.gates.majority
        result = TRUE if or_equal else FALSE
        for a, b in zip(x[:-1], y[:-1], strict=True):
            result = gate(-a, b, result)
        return gate(x[-1], -y[-1], result) if signed else gate(-x[-1], y[-1], result)

    # --- sums ---------------------------------------------------------------------------------------

    def _sum(self, x: Word, y: Word, carry: Literal) -> tuple[Word, list[Literal]]:
        """The sum, and the carries into each bit and out of the last."""
        parity, majority = self.gates.parity, self.gates.majority
        bits, carries = [], [carry]
        for a, b in zip(x, y, strict=True):
            bits.append(parity(a, b, carry))
            carry = majority(a, b, carry)
            carries.append(carry)
        return tuple(bits), carries

    def add(self, x: Word, y: Word) -> Word:
        """The sum."""
        return self._sum(x, y, FALSE)[0]

    def subtract(self, x: Word, y: Word) -> Word:
        """The difference."""
        return self._sum(x, invert(y), TRUE)[0]

    def negate(self, x: Word) -> Word:
        """Two's complement."""
        return self.subtract((FALSE,) * len(x), x)

    def sum_overflows(self, x: Word, y: Word) -> Literal:
        """Whether the signed sum does not fit: the last two carries differ."""
        carries = self._sum(x, y, FALSE)[1]
        return self.gates.differ(carries[-1], carries[-2])

    def difference_overflows(self, x: Word, y: Word) -> Literal:
        """Whether the signed difference does not fit."""
        carries = self._sum(x, invert(y), TRUE)[1]
        return self.gates.differ(carries[-1], carries[-2])

    # --- products -----------------------------------------------------------------------------------

    def multiply(self, x: Word, y: Word) -> Word:
        """The product: for each bit of y, x shifted is added or not; for a constant y, by signed digits."""
        if _is_constant(x):
            x, y = y, x
        width, both = len(x), self.gates.both
        result: Word = (FALSE,) * width
        if _is_constant(y):
            for i, digit in _signed_digits(y):
                operation = self.add if digit > 0 else self.subtract
                result = result[:i] + operation(result[i:], x[: width - i])
            return result
        for i, bit in enumerate(y):
            row = tuple([both(a, bit) for a in x[: width - i]])
            result = result[:i] + self.add(result[i:], row)
        return result

    def product_overflows(self, x: Word, y: Word) -> Literal:
        """Whether the signed product does not fit.

        Either a bit of one factor that differs from its sign meets one of the other, and their places add up
        to the width less one or more; or the product fits into one bit more, and its two highest bits differ.
        The lower bits of the product are the same gates as those of ``multiply``.
        """
        gates, width = self.gates, len(x)
        high, low = [gates.differ(a, x[-1]) for a in x[:-1]], [gates.differ(b, y[-1]) for b in y[:-1]]
        meets, seen = [], FALSE
        for j in range(1, width - 1):
            seen = gates.either(seen, high[width - 1 - j])
            meets.append(gates.both(seen, low[j]))
        product = self.multiply((*x, x[-1]), (*y, y[-1]))
        return gates.disjunction([*meets, gates.differ(product[-1], product[-2])])

    # --- quotients ----------------------------------------------------------------------------------

    def divide(self, x: Word, y: Word) -> tuple[Word, Word]:
        """Unsigned quotient and remainder; by zero: all ones, and x."""
        found = self._divisions.get((x, y))
        if found is None:
            found = self._divisions[x, y] = self._divide(x, y)
        return found

    def _divide(self, x: Word, y: Word) -> tuple[Word, Word]:
        divisor = (*y, FALSE)
        quotient: list[Literal] = []
        rest: Word = (FALSE,) * len(x)
        for bit in reversed(x):
            shifted = (bit, *rest)
            difference, carries = self._sum(shifted, invert(divisor), TRUE)
            quotient.append(carries[-1])
            rest = self.choose(carries[-1], difference, shifted)[:-1]
        return tuple(reversed(quotient)), rest

    def divide_signed(self, x: Word, y: Word) -> tuple[Word, Word]:
        """Signed quotient towards zero, and remainder with the sign of x."""
        quotient, rest = self.divide(self._magnitude(x), self._magnitude(y))
        sign = self.gates.differ(x[-1], y[-1])
        return self._negate_if(sign, quotient), self._negate_if(x[-1], rest)

    def _magnitude(self, x: Word) -> Word:
        return self._negate_if(x[-1], x)

    def _negate_if(self, condition: Literal, x: Word) -> Word:
        flipped = tuple([self.gates.differ(a, condition) for a in x])
        return self._sum(flipped, (FALSE,) * len(x), condition)[0]

    # --- shifts ---------------------------------------------------------------------------------------

    def shift_left(self, x: Word, amount: Word) -> Word:
        """Zeros from below."""
        return self.shift_right(x[::-1], amount, FALSE)[::-1]

    def shift_right(self, x: Word, amount: Word, fill: Literal) -> Word:
        """``fill`` from above: one stage for each bit of the amount that can matter."""
        width = len(x)
        stages = (width - 1).bit_length()
        for k in range(min(stages, len(amount))):
            distance = 1 << k
            x = self.choose(amount[k], x[distance:] + (fill,) * distance, x)
        is_too_far = self.gates.disjunction(amount[stages:])
        return self.choose(is_too_far, (fill,) * width, x)


def invert(x: Word) -> Word:
    """The complement of every bit."""
    return tuple([-a for a in x])


def constant_word(value: int, width: int) -> Word:
    """The bits of a number."""
    return tuple([TRUE if value >> i & 1 else FALSE for i in range(width)])


def _is_constant(x: Word) -> bool:
    return all(abs(a) == TRUE for a in x)


def _signed_digits(x: Word) -> list[tuple[int, int]]:
    """Places and signs of powers of two that sum up to a constant, no two of them neighbours."""
    value = sum(1 << i for i, bit in enumerate(x) if bit == TRUE)
    digits = []
    for i in range(len(x)):
        if value >> i & 1:
            digit = 2 - (value >> i & 3)
            value -= digit << i
            digits.append((i, digit))
    return digits
