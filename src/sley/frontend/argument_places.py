"""Where the strings of `argv` are, in the object that stands for them where they may be any."""

from sley.program.memory import PointerLayout

MODELLED = 4
"""So many arguments, from the name of the program on, have characters that a model decides."""
APART = 1 << 12
"""Bytes from one text to the next behind these, as far as their addresses tell."""


def rest_of(pointers: PointerLayout) -> int:
    """Where in one of the first arguments the value of an option is, if it does not stand alone."""
    return 1 << 18 if pointers.width == 64 else 1 << 9  # as in `models/arguments.c`


def end_of_modelled(pointers: PointerLayout) -> int:
    """Where the first arguments end, in the object that all of them are in."""
    return MODELLED * 2 * rest_of(pointers)


def most_arguments(pointers: PointerLayout) -> int:
    """There is room for so many."""
    return MODELLED + (pointers.largest_object - end_of_modelled(pointers)) // APART
