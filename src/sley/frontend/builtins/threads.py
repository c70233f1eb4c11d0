"""The primitives that models of thread libraries are written in; see ``models/sley.h``."""

from sley.frontend.argument_places import APART, place_of_variable, rest_of
from sley.frontend.builtins.cells import asked_piece, unspecified_byte
from sley.frontend.c_types import INT, IntegerType
from sley.frontend.calls import Calls, Handler
from sley.frontend.clang_library import CursorKind
from sley.frontend.strings import string_text
from sley.frontend.syntax import SyntaxNode
from sley.frontend.writing import c_text
from sley.logic.operators import Op
from sley.logic.sorts import BOOL, bitvec
from sley.logic.terms import Term
from sley.program import instructions as ir
from sley.program.program import HANDLE, ID, SELF
from sley.program.properties import Failure, Property

_HANDLE_WIDTH = 64


def _cell(calls: Calls, argument: SyntaxNode) -> ir.Access:
    address = calls.expressions.value(argument)
    text = c_text(argument).removeprefix("&")
    return ir.Access(address, INT.sort, ir.MemoryOrder.SEQUENTIAL, text)


def _handle_value(calls: Calls, node: SyntaxNode, handle: Term) -> Term:
    """A handle as a value of the type of the call."""
    ctype = calls.expressions.value_type(node)
    assert isinstance(ctype, IntegerType)
    return calls.terms.resize(handle, ctype.width, signed=False)


def _handle(calls: Calls, argument: SyntaxNode) -> Term:
    return calls.terms.resize(calls.expressions.value(argument), _HANDLE_WIDTH, signed=False)


def _id(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    handle = _handle(calls, arguments[0])
    return _handle_value(calls, node, calls.terms.add(handle, calls.terms.var(ID, HANDLE)))


def _of_id(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """``passes.addresses`` knows this form, and that it is no id any more."""
    known = _handle(calls, arguments[0])
    return _handle_value(calls, node, calls.terms.apply(Op.BVXOR, known, calls.terms.var(ID, HANDLE)))


def _create(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    expressions = calls.expressions
    start = expressions.value(arguments[0])
    argument = expressions.value(arguments[1])
    target = calls.emitter.temporary(HANDLE)
    known = calls.objects.function_at(start)
    if known is None:
        calls.emitter.emit(ir.CreatePointer(target, start, (argument,)))
    else:
        name = calls.objects.library.program_name(known)
        calls.emitter.emit(ir.Create(target, name, (argument,)))
    return _handle_value(calls, node, target.term)


def _may_fail(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """Whether nothing is made, such as a thread."""
    note = _literal(arguments[0])
    if not calls.objects.library.options.create_may_fail:
        calls.objects.assumptions.setdefault(f"{note.partition(' fails')[0]} succeeds")
        return calls.terms.false
    return calls.emitter.havoc(BOOL, ir.Cause.FAILURE, note)


def _join(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    handle = _handle(calls, arguments[0])
    target = calls.emitter.temporary(bitvec(calls.objects.pointers.width))
    calls.emitter.emit(ir.Join(target, handle))
    return target.term


def _exit_thread(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    value = calls.emitter.saved(calls.expressions.value(arguments[0]))
    calls.expressions.automatic.at_thread_exit()
    calls.emitter.end(ir.Exit(value))


def _end(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    how = arguments[0].constant()
    if how not in (0, 1):
        raise node.unsupported("__sley_end with another argument than 0 or 1")
    calls.emitter.end(ir.End(ir.Ending.ABORT if how else ir.Ending.EXIT))


def _exit(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    """The status does not matter, and some programs forget it."""
    for argument in arguments:
        calls.expressions.value(argument)
    calls.model("exit", [calls.terms.bv(0, 32)])
    calls.emitter.end(ir.End(ir.Ending.EXIT))


def _literal(argument: SyntaxNode) -> str:
    literal = argument.inner()
    if literal.kind != CursorKind.STRING:
        raise argument.unsupported("a primitive that needs a string literal here")
    return string_text(literal)


def _check(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    violated, rule, text, *subjects = (_literal(argument) for argument in arguments[1:])
    if violated not in {p.value for p in Property}:
        raise node.unsupported(f"a check of the unknown property `{violated}`")
    condition = calls.expressions.choices.condition(arguments[0])
    made = Failure(Property(violated), rule, text)
    for subject in subjects:  # of which the text is only the frame
        made = Failure(Property(violated), rule, "", subject, text)
    calls.emitter.check(condition, made)


def _include(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    """The function becomes part of the program: something that is not a call will run it."""
    (named,) = (n for n in arguments[0].walk() if n.kind == CursorKind.REFERENCE)
    definition = calls.objects.library.function(named.declaration)
    assert definition is not None, f"{named.name} has no definition"
    calls.objects.requested.setdefault(calls.objects.library.program_name(named.declaration), definition)


def unknown(calls: Calls, node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """A value that the named library function computes from what it is given, but we do not."""
    ctype = calls.expressions.value_type(node)
    return calls.emitter.havoc(calls.expressions.sort(ctype), ir.Cause.UNMODELLED, _literal(arguments[0]))


def _is_static(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """Whether an address is that of a global: the numbers of others come after the last of them."""
    pointers = calls.objects.pointers
    number = calls.objects.number_of(calls.expressions.value(arguments[0]))
    end = ir.Access(calls.objects.end_of_globals(), bitvec(pointers.width), ir.MemoryOrder.SEQUENTIAL)
    return calls.terms.ult(calls.terms.resize(number, pointers.width, signed=False), calls.emitter.load(end))


def _text(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """One of two addresses: whether two calls return the same text is open (C11 7.22.4.6p4, 7.24.6.2p3)."""
    terms, width = calls.terms, calls.objects.pointers.width
    is_other = calls.emitter.havoc(BOOL, ir.Cause.INPUT, _literal(arguments[0]))
    apart = terms.ite(is_other, terms.bv(APART, width), terms.bv(0, width))
    return terms.add(calls.objects.plan_texts(), apart)


def _variable(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """The value of a variable of the environment, by its number."""
    terms, pointers = calls.terms, calls.objects.pointers
    number = terms.resize(calls.expressions.value(arguments[0]), pointers.width, signed=False)
    behind = terms.mul(number, terms.bv(rest_of(pointers), pointers.width))
    first = terms.bv(place_of_variable(pointers), pointers.width)
    return terms.add(calls.objects.plan_environment(), terms.add(first, behind))


def _is_text(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """Whether nothing is known of a string; without any from outside in the program, nothing is asked."""
    address = calls.expressions.value(arguments[0])
    found = [i for start in calls.objects.strings for i in calls.objects.inside(address, start)]
    if not found:
        return calls.terms.false
    is_modelled = calls.objects.in_modelled_argument(address)
    return calls.terms.and_(calls.terms.or_(*found), calls.terms.not_(is_modelled))


def _is_argument(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """Whether a string is one of the arguments of which a model decides the characters."""
    return calls.objects.in_modelled_argument(calls.expressions.value(arguments[0]))


def _known(cause: ir.Cause) -> Handler:
    """Whether a value, or a text, is made in the program; see ``passes.known_values``."""

    def handler(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
        target = calls.emitter.temporary(BOOL)
        calls.emitter.emit(ir.Havoc(target, cause, about=calls.expressions.value(arguments[0])))
        return target.term

    return handler


def _copy_padding(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> None:
    """What is unspecified stays so; but both are accessed."""
    to, start = calls.values(arguments)
    calls.emitter.load(ir.Access(start, bitvec(8), is_unused=True))
    calls.emitter.store(ir.Access(to, bitvec(8)), unspecified_byte(calls))


def _is_free(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """Whether these are the arguments of the program, which may be any."""
    address = calls.expressions.value(arguments[0])
    found = [i for start in calls.objects.arguments for i in calls.objects.inside(address, start)]
    return calls.terms.or_(*found) if found else calls.terms.false


def _rest_of(calls: Calls, _node: SyntaxNode, arguments: list[SyntaxNode]) -> Term:
    """Another text in an argument of the program."""
    argument, pointers = calls.expressions.value(arguments[0]), calls.objects.pointers
    is_modelled = calls.objects.in_modelled_argument(argument)
    rest, short = (calls.terms.bv(n, pointers.width) for n in (rest_of(pointers), APART // 2))
    return calls.terms.add(argument, calls.terms.ite(is_modelled, rest, short))


def _joins_as_first(calls: Calls, _node: SyntaxNode, _arguments: list[SyntaxNode]) -> Term:
    """Whether a join is one of the first thread: known for all engines where only ``main`` mentions any."""
    if calls.objects.library.is_joined_by_main_only:
        return calls.terms.true
    return calls.terms.eq(calls.terms.var(SELF, HANDLE), calls.terms.const(1, HANDLE))


HANDLERS: dict[str, Handler] = {
    "__sley_await": lambda calls, _, given: calls.emitter.emit(
        ir.Await(calls.expressions.choices.condition(given[0]))
    ),
    "__sley_await_spurious": lambda calls, _, given: calls.emitter.emit(
        ir.Await(calls.expressions.choices.condition(given[0]), is_spurious=True)
    ),
    "__sley_lock": lambda calls, _, given: calls.emitter.emit(ir.Lock(_cell(calls, given[0]))),
    "__sley_unlock": lambda calls, _, given: calls.emitter.emit(ir.Unlock(_cell(calls, given[0]))),
    "__sley_unlock_plainly": lambda calls, _, given: calls.emitter.emit(
        ir.Unlock(_cell(calls, given[0]), is_plain=True)
    ),
    "__sley_self": lambda calls, node, _: _handle_value(calls, node, calls.terms.var(SELF, HANDLE)),
    "__sley_joins_as_first": _joins_as_first,
    "__sley_id": _id,
    "__sley_handle": _of_id,
    "__sley_create": _create,
    "__sley_create_fails": _may_fail,
    "__sley_join": _join,
    "__sley_detach": lambda calls, _, given: calls.emitter.emit(ir.Detach(_handle(calls, given[0]))),
    "__sley_exit_thread": _exit_thread,
    "__sley_end": _end,
    "exit": _exit,
    "__sley_check": _check,
    "__sley_give_up": lambda calls, _, given: calls.emitter.pass_over(_literal(given[0])),
    "__sley_include": _include,
    "__sley_fails_anyway": lambda calls, _, __: calls.emitter.havoc(BOOL, ir.Cause.SPURIOUS),
    "__sley_rely_on": lambda calls, _, given: calls.objects.assumptions.setdefault(_literal(given[0])),
    "__sley_is_static": _is_static,
    "__sley_uses_errno": lambda calls, _, __: calls.terms.boolean(calls.objects.library.uses_error_number),
    "__sley_mentions": lambda calls, _, given: calls.terms.boolean(
        calls.objects.library.mentions(_literal(given[0]))
    ),
    "__sley_fence": lambda calls, _, __: calls.emitter.emit(ir.Fence.of(ir.MemoryOrder.SEQUENTIAL)),
    "__sley_is_same_object": lambda calls, _, given: calls.objects.share_object(*calls.values(given)),
    "__sley_text": _text,
    "__sley_variable": _variable,
    "__sley_offset": lambda calls, _, given: calls.objects.offset_of(calls.expressions.value(given[0])),
    "__sley_is_text": _is_text,
    "__sley_is_argument": _is_argument,
    "__sley_is_known": _known(ir.Cause.KNOWN),
    "__sley_is_known_text": _known(ir.Cause.KNOWN_TEXT),
    "__sley_copy_padding": _copy_padding,
    "__sley_piece": lambda calls, _, given: asked_piece(calls, calls.expressions.value(given[0])),
    "__sley_argument_kind": lambda calls, _, given: calls.expressions.arguments.kind(given[0]),
    "__sley_is_free": _is_free,
    "__sley_rest_of": _rest_of,
}
