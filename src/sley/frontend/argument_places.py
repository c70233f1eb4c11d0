"""Where the strings of `argv` are, and the values of the environment, in the objects that stand for them."""

from sley.program.memory import PointerLayout

MODELLED = 4
"""So many arguments, from the name of the program on, have characters that a model decides."""
OF_ENVIRONMENT = 4
"""So many values of the environment, too: in an object of their own, as if they were behind those."""
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


def place_of_variable(pointers: PointerLayout) -> int:
    """Where the first value of the environment is in its object; the next are ``rest_of`` apart."""
    return end_of_modelled(pointers)


def end_of_environment(pointers: PointerLayout) -> int:
    """Where the last one ends."""
    return end_of_modelled(pointers) + OF_ENVIRONMENT * rest_of(pointers)
