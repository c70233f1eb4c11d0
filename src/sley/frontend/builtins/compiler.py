"""What compilers understand without a library: hints, what cannot happen, variable arguments, ``alloca``."""

from sley.frontend.builtins.shapes import shaped
from sley.frontend.c_types import PointerType
from sley.frontend.calls import Calls, Handler
from sley.frontend.fences import MACHINE_FENCES, fences_of_pairs
from sley.frontend.syntax import STACK_ALLOCATORS, SyntaxNode
from sley.logic.terms import Term
from sley.program.properties import Failure, Property


def _unreachable(calls: Calls, _node: SyntaxNode, _arguments: list[SyntaxNode]) -> None:
    message = "`__builtin_unreachable()` is reached"
    calls.emitter.fail(Failure(Property.MISUSE, "unreachable", message))


def _nothing(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    for argument in arguments:
        calls.expressions.value(argument)


def _is_constant(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    is_constant = arguments[0].constant() is not None
    return calls.expressions.literal(is_constant, calls.expressions.value_type(node))


def _fence(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    """CBMC's fence names the pairs that it orders."""
    names = {argument.inner().name.strip('"') for argument in arguments}
    for fence in fences_of_pairs({name.removesuffix("fence") for name in names if name.endswith("fence")}):
        calls.emitter.emit(fence)


def _machine_fence(calls: Calls, node: SyntaxNode, _arguments: list[SyntaxNode]) -> None:
    """What compilers call an instruction of x86."""
    name = node.children[0].inner().name.rpartition("_")[2]
    calls.emitter.emit(MACHINE_FENCES[name])


def _long_jump(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """What changes control and memory in ways that no instruction expresses."""
    name = node.children[0].inner().name
    if calls.objects.library.model(name) is None:
        return calls.expressions.give_up(node, f"a call to `{name}`")
    return calls.of_model(node, arguments)


def _message(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """``strerror_r``: GNU's returns a text, that of POSIX an error number."""
    if isinstance(calls.expressions.value_type(node), PointerType):
        return calls.of_model(node, arguments)
    return calls.model("__xpg_strerror_r", calls.values(arguments))


_X86 = ("_mm_", "__builtin_ia32_")
_FIRST = ("expect", "expect_with_probability", "assume_aligned")
_LONG_JUMPS = ("setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "longjmp", "siglongjmp")

HANDLERS: dict[str, Handler] = {
    **{f"__builtin_{name}": lambda calls, _, arguments: calls.values(arguments)[0] for name in _FIRST},
    "__builtin_unreachable": _unreachable,
    "__builtin_prefetch": _nothing,
    "__builtin_constant_p": _is_constant,
    "__builtin_va_start": lambda calls, _, arguments: calls.expressions.arguments.start(arguments[0]),
    "__builtin_va_copy": lambda calls, _, arguments: calls.expressions.arguments.copy(*arguments),
    "__builtin_va_end": lambda calls, _, arguments: calls.expressions.arguments.hand_over(arguments[0]),
    "__CPROVER_fence": _fence,
    **{f"{prefix}{name}": _machine_fence for prefix in _X86 for name in ("mfence", "lfence", "sfence")},
    **{f"{prefix}pause": _nothing for prefix in _X86},
    **dict.fromkeys(STACK_ALLOCATORS, lambda calls, node, _: calls.expressions.blocks.make(node)),
    **dict.fromkeys(_LONG_JUMPS, _long_jump),
    "strerror_r": shaped("strerror_r", "ipi", _message),
}
