"""What is true of every violation of a rule, for runs of which nothing else is known."""

from sley.program.properties import FLOAT_CONVERSION, Failure, Property
from sley.reports.explanation.explanation import Explanation

_BY_RULE = {
    "shift-amount": Explanation(
        ("A shift by a negative number, or by the width of the type or more, has no meaning in C.",),
        ("Check the number of places before the shift.",),
    ),
    FLOAT_CONVERSION: Explanation(
        ("Without what is behind the point, the number is none that the integer type has.",),
        ("Check the range before the conversion.",),
    ),
    "overlap": Explanation(
        ("The function may copy in any order: where source and target overlap, the result is open.",),
        ("Use memmove, or another buffer.",),
    ),
    "inner-bounds": Explanation(
        ("The array is part of a larger object: what is beside it there is not the array's.",),
        ("Check the index against the length of the array.",),
    ),
    "call-of-invalid-pointer": Explanation(("The pointer leads to no function that can be called so.",)),
    "use-uninitialised": Explanation(fix=("Initialise it before it is used.",)),
    "format": Explanation(("Arguments are taken by the types that the format names.",)),
    "unreachable": Explanation(("The program promises that it never gets here.",)),
    "noreturn": Explanation(("Callers rely on it: what comes after the call may not even be compiled.",)),
}
_BY_PROPERTY = {
    Property.OVERFLOW: Explanation(
        ("The result does not fit the type; C gives signed overflow no meaning.",),
        ("Use a wider type, or check before the operation that the result fits.",),
    ),
    Property.DIVISION: Explanation(("The divisor is 0.",), ("Check the divisor before dividing.",)),
    Property.PROGRESS: Explanation(
        (
            "Nothing that can still happen ends the loop: all other threads have ended, wait, or repeat "
            "loops as well.",
        ),
        ("Let what the loop looks for happen on every path, or wait with a condition variable instead.",),
    ),
    Property.DEADLOCK: Explanation(
        ("Every thread that has not ended waits, and none is left that could let another one go on.",)
    ),
}


def general_words(failure: Failure) -> Explanation:
    """Words about the kind of violation; none where the message says it all."""
    return _BY_RULE.get(failure.rule) or _BY_PROPERTY.get(failure.property) or Explanation()
