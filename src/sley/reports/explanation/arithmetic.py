"""Overflow and division: the values that make it so."""

import re

from sley.evidence.remarks import Value
from sley.program.c_text import divisor_in
from sley.reports.explanation.atomicity import where_from
from sley.reports.explanation.explanation import Explanation
from sley.reports.explanation.run import TraceRun

_NAME = re.compile(r"[A-Za-z_][\w.\->\[\]]*")
_INT_MAX = 2**31 - 1
_ASSIGNED = re.compile(r"^(?P<left>[^=]+?)\s*(?P<operator>[-+*])=\s*(?P<right>.+)$")
_STEPPED = re.compile(r"^(?:(?P<before>.+?)(?P<by>\+\+|--)|(?P<by2>\+\+|--)(?P<after>.+))$")


def overflow(run: TraceRun) -> Explanation:
    """The operation with its values."""
    values = {fact.name: fact.value for fact in run.trace.facts if isinstance(fact, Value)}
    said = computed(run.trace.failure.subject, values)
    return run.said([f"{said} does not fit the type."] if said else [])


def computed(text: str, values: dict[str, str]) -> str:
    """``3000000000 + 5 = 3000000005`` for ``total += n``; nothing unless all values are known."""
    operation = _operation(text.strip().removesuffix(";"))
    used = [name for name in _NAME.findall(operation) if not name.isdigit()]
    if not operation or any(name not in values or not _is_number(values[name]) for name in used):
        return ""
    shown = _NAME.sub(lambda name: values.get(name[0], name[0]), operation)
    operands = re.fullmatch(r"\(?(-?\d+)\)?\s*([-+*])\s*\(?(-?\d+)\)?", shown)
    if operands is None:
        return ""
    one, other = int(operands[1]), int(operands[3])
    result = {"+": one + other, "-": one - other, "*": one * other}[operands[2]]
    return f"{one} {operands[2]} {other} = {result}" if not -_INT_MAX - 1 <= result <= _INT_MAX else ""


def _operation(text: str) -> str:
    """What is computed: ``a + b`` of ``a += b``."""
    assigned = _ASSIGNED.match(text)
    if assigned:
        return f"{assigned['left'].strip()} {assigned['operator']} {assigned['right']}"
    stepped = _STEPPED.match(text)
    if stepped:
        return f"{stepped['before'] or stepped['after']} {(stepped['by'] or stepped['by2'])[0]} 1"
    return text


def _is_number(text: str) -> bool:
    return re.fullmatch(r"-?\d+", text) is not None


def division(run: TraceRun) -> Explanation:
    """Where the zero comes from."""
    divisor = divisor_in(run.trace.failure.subject)
    zeros = [i for i in run.feeding(run.failing[0]) if run.events[i].value == "0"]
    named = [i for i in zeros if run.events[i].target == divisor] or zeros
    is_known = len({run.events[i].target for i in named}) == 1
    return where_from(run, only=named[-1]) if is_known else Explanation()
