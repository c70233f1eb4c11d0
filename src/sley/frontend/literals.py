"""Floating constants as exact numbers: clang tells their values as ``double`` only."""

import re
from fractions import Fraction

_DECIMAL = re.compile(r"(?P<digits>\d+\.?\d*|\.\d+)(?:[eE](?P<power>[+-]?\d+))?")
_HEXADECIMAL = re.compile(r"0[xX](?P<whole>[0-9a-fA-F]*)\.?(?P<part>[0-9a-fA-F]*)[pP](?P<power>[+-]?\d+)")
_LARGEST_POWER = 100_000
"""More than any format has: what is beyond is infinite or zero anyway."""
_HEX_BITS = 4


def floating_literal(text: str) -> Fraction | None:
    """The number that the text begins with, if it is a floating constant of C."""
    found = _HEXADECIMAL.match(text)
    if found is not None:
        digits = Fraction(
            int(found["whole"] + found["part"] or "0", 16), 1 << (_HEX_BITS * len(found["part"]))
        )
        return digits * Fraction(2) ** _limited(found["power"])
    found = _DECIMAL.match(text)
    return None if found is None else Fraction(found["digits"]) * Fraction(10) ** _limited(found["power"])


def _limited(power: str | None) -> int:
    return max(-_LARGEST_POWER, min(_LARGEST_POWER, int(power or "0")))
