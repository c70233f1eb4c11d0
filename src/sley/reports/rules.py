"""What can be reported, for tools that list rules: a name, a sentence and advice for each property."""

from dataclasses import dataclass

from sley.program.properties import Property


@dataclass(frozen=True, slots=True)
class Rule:
    """A property from the side of what goes wrong."""

    name: str
    short: str
    full: str
    advice: str
    weakness: int
    """Its number in the Common Weakness Enumeration."""


def rule_of(prop: Property) -> Rule:
    """The rule that a violation of the property is reported under."""
    return _RULES[prop.value]


_RULES = {
    "reach": Rule(
        "AssertionFails",
        "An assertion can fail",
        "Some schedule and some inputs lead to an assertion that is false, or to a call of the error "
        "function.",
        "Follow the steps to the write that the assertion did not expect. Hold one mutex around what has to "
        "be one step, or use an atomic operation.",
        617,
    ),
    "deref": Rule(
        "InvalidDereference",
        "Memory is used that is not there",
        "Some schedule and some inputs lead to an access through a null, freed, dangling or wild pointer, or "
        "outside an object.",
        "Free memory only when no thread can use it any more, and look at pointers and indices before use.",
        119,
    ),
    "free": Rule(
        "InvalidFree",
        "Memory is freed that cannot be freed",
        "Some schedule and some inputs free a block twice, or something that was not allocated.",
        "Decide who owns the block; let only the owner free it, once.",
        763,
    ),
    "overflow": Rule(
        "SignedOverflow",
        "Signed arithmetic can overflow",
        "Some schedule and some inputs make a result that does not fit its signed type, which C leaves "
        "undefined.",
        "Check the operands before, use a wider type, or unsigned arithmetic.",
        190,
    ),
    "deadlock": Rule(
        "ThreadsDeadlock",
        "Threads can wait for each other for ever",
        "Some schedule leads to a state in which threads wait and none of them can ever go on.",
        "Take locks in the same order in every thread, release them on every path, and signal under the "
        "lock.",
        833,
    ),
    "race": Rule(
        "DataRace",
        "Two threads can access the same memory at once",
        "Two accesses to the same memory, one of them a write and not both atomic, are ordered by nothing. C "
        "gives such a program no meaning.",
        "Hold the same mutex around both accesses, or make the variable atomic.",
        362,
    ),
    "leak": Rule(
        "MemoryLeak",
        "Memory is lost",
        "Some schedule and some inputs end with a block that was allocated, not freed, and that nothing "
        "points to.",
        "Free the block on every path before the last pointer to it is gone.",
        401,
    ),
    "division": Rule(
        "DivisionByZero",
        "A division by zero can happen",
        "Some schedule and some inputs make a divisor zero.",
        "Check the divisor before.",
        369,
    ),
    "misuse": Rule(
        "LibraryMisuse",
        "A library function is used wrongly",
        "Some schedule and some inputs call a function of the thread library in a way that its standard "
        "leaves undefined: an unlock by another thread, a use of a destroyed lock, a second join.",
        "Keep to the life of the object: initialise, use, destroy, each once and in this order.",
        667,
    ),
    "progress": Rule(
        "NoProgress",
        "A thread can spin for ever",
        "Some schedule leads to a state in which a thread goes round a loop for ever while all others wait "
        "or have ended.",
        "Let the thread that is waited for run to the write that ends the loop, or wait with a condition "
        "variable.",
        835,
    ),
    "uninitialised": Rule(
        "UninitialisedRead",
        "Memory is read that was never written",
        "Some schedule and some inputs read a variable or a block before anything is stored there.",
        "Give it a value where it is made.",
        457,
    ),
}
