"""Statements: control flow as edges, blocks as lifetimes of objects."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from sley.base.errors import Unsupported
from sley.base.source import Span
from sley.frontend import atomic_assembly
from sley.frontend.assembly import fences
from sley.frontend.builtins.verifier import is_assertion
from sley.frontend.c_types import (
    IntegerType,
    RecordType,
    VariableSizeError,
    VoidType,
    promoted,
    unatomic,
)
from sley.frontend.clang_library import CursorKind
from sley.frontend.conversions import convert
from sley.frontend.declarations import Declarations
from sley.frontend.emitter import Mark, Scopes, Snapshot
from sley.frontend.expressions import Expressions
from sley.frontend.generic_selection import GenericSelections
from sley.frontend.loops import ForHeaders
from sley.frontend.syntax import SyntaxNode, UnsupportedConstructError
from sley.logic.terms import Term
from sley.program.instructions import Assume, Cause, GiveUp, Havoc
from sley.program.program import Origin

_FIRST_STATEMENT = CursorKind.UNEXPOSED_STATEMENT
_LABELS = (CursorKind.LABEL, CursorKind.CASE, CursorKind.DEFAULT)
_RANGE_CASE_PARTS = 3
_THREAD_LABEL = "__CPROVER_ASYNC_"
"""Labels whose statement runs in a new thread."""


@dataclass(frozen=True, slots=True)
class _Target:
    """A place that can be jumped to, and what lives there."""

    location: int
    alive: Snapshot


@dataclass(frozen=True, slots=True)
class _Goto:
    location: int
    alive: Snapshot
    label: int | None
    origin: Origin


@dataclass
class _Breakable:
    """A loop or switch: where ``break`` and ``continue`` lead, and how many blocks stay open there."""

    end: int
    again: int | None
    depth: int


@dataclass
class _Switch:
    value: Term
    ctype: IntegerType
    cases: list[tuple[Term, _Target]] = field(default_factory=list)
    default: _Target | None = None


@dataclass(frozen=True, slots=True)
class _Progress:
    """How far the lowering has come: what to return to when a statement turns out not to be supported."""

    mark: Mark
    lengths: tuple[int, int, int, int]
    cases: int
    default: _Target | None


class Statements:
    """Lowers the statements of one function."""

    def __init__(
        self,
        expressions: Expressions,
        scopes: Scopes,
        function: SyntaxNode,
        leave_function: Callable[[SyntaxNode | None], None],
    ) -> None:
        self._expressions = expressions
        self._emitter = expressions.emitter
        self._scopes = scopes
        self._leave_function = leave_function
        self._function = function
        self._for_headers = ForHeaders(function)
        self._breakables: list[_Breakable] = []
        self._switches: list[_Switch] = []
        self._labels: dict[int | None, _Target] = {}
        self._gotos: list[_Goto] = []
        self.start_thread: Callable[[SyntaxNode, str, Expressions], None] = _start_nothing
        self.loops: dict[Span, Span] = {}
        """The condition of each loop that tests first -> the loop."""
        expressions.lower_statement_expression = self._statement_expression
        expressions.selected = GenericSelections(function).chosen
        self._handlers: dict[int, Callable[[SyntaxNode], None]] = {
            CursorKind.COMPOUND: self._compound,
            CursorKind.DECLARATIONS: Declarations(expressions, scopes).lower,
            CursorKind.IF: partial(self._in_block, self._if),
            CursorKind.WHILE: partial(self._in_block, self._while),
            CursorKind.DO: partial(self._in_block, self._do),
            CursorKind.FOR: partial(self._in_block, self._for),
            CursorKind.SWITCH: partial(self._in_block, self._switch),
            CursorKind.CASE: self._case,
            CursorKind.DEFAULT: self._default,
            CursorKind.LABEL: self._label,
            CursorKind.GOTO: self._goto,
            CursorKind.INDIRECT_GOTO: self._computed_goto,
            CursorKind.BREAK: self._break,
            CursorKind.CONTINUE: self._continue,
            CursorKind.RETURN: self._return,
            CursorKind.ASM: self._asm,
            CursorKind.NULL: lambda _node: None,
            CursorKind.UNEXPOSED_STATEMENT: self._attributed,
        }

    def lower(self, node: SyntaxNode) -> None:
        """One statement; whoever gets to one that is not supported gives up there."""
        is_needed = self._emitter.is_live or node.kind == CursorKind.DECLARATIONS or _has_label(node)
        if not is_needed:
            return
        progress = self._progress()
        try:
            self._dispatch_sized(node)
        except UnsupportedConstructError as error:
            self._return_to(progress)
            self._pass_over(node, error)
            if _has_case(node):
                raise
            self._pass_over_labels(node, error)

    def _progress(self) -> _Progress:
        switch = self._switches[-1] if self._switches else None
        return _Progress(
            self._emitter.mark(),
            (len(self._scopes.open), len(self._breakables), len(self._switches), len(self._gotos)),
            0 if switch is None else len(switch.cases),
            None if switch is None else switch.default,
        )

    def _return_to(self, progress: _Progress) -> None:
        """Forget half a statement; what it declares stays declared, as for a jump past it."""
        self._emitter.rewind(progress.mark)
        scopes, breakables, switches, gotos = progress.lengths
        del self._scopes.open[scopes:], self._breakables[breakables:]
        del self._switches[switches:], self._gotos[gotos:]
        if self._switches:
            del self._switches[-1].cases[progress.cases :]
            self._switches[-1].default = progress.default

    def _pass_over(self, node: SyntaxNode, error: UnsupportedConstructError) -> None:
        """Whoever passes a statement over knows nothing of the variables in it any more."""
        emitter = self._emitter
        emitter.pass_over(f"not modelled: {Unsupported(error.what, error.span)}")
        named = set(re.findall(r"[A-Za-z_]\w*", node.text))
        for register in emitter.builder.registers if emitter.is_live else ():
            if register.c_name in named:
                emitter.emit(Havoc(register, Cause.UNMODELLED, node.text))

    def _pass_over_labels(self, node: SyntaxNode, error: UnsupportedConstructError) -> None:
        """A statement that is not supported cannot be jumped into either."""
        for label in (part for part in node.walk() if part.kind == CursorKind.LABEL):
            self._labels[label.label] = self._here_as_target()
            self._pass_over(node, error)

    def _dispatch_sized(self, node: SyntaxNode) -> None:
        try:
            self._dispatch(node)
        except VariableSizeError:
            raise node.unsupported(f"this use of an array of variable length: `{node.text}`") from None

    def _dispatch(self, node: SyntaxNode) -> None:
        handler = self._handlers.get(node.kind)
        if handler is not None:
            handler(node)
        elif node.kind < _FIRST_STATEMENT:
            self._emitter.at(*node.unit.statement(node.cursor))
            self._expressions.effect(node)
            self._expressions.aggregates.end_temporaries()
        else:
            raise node.unsupported(f"this kind of statement: `{node.text}`")

    def finish(self) -> None:
        """Connect the jumps to labels."""
        for jump in self._gotos:
            target = self._labels[jump.label]
            self._emitter.origin = jump.origin
            self._emitter.move(jump.location, is_live=True)
            self._scopes.move_between(jump.alive, target.alive)
            self._emitter.jump(target.location)

    # --- blocks and declarations ------------------------------------------------------------------

    def _compound(self, node: SyntaxNode) -> None:
        self._scopes.push()
        for child in node.children:
            self.lower(child)
        self._scopes.pop()

    def _in_block(self, lower: Callable[[SyntaxNode], None], node: SyntaxNode) -> None:
        """A loop or choice and each statement in it is a block, with or without braces (6.8.4p3, 6.8.5p5)."""
        self._scopes.push()
        lower(node)
        self._scopes.pop()

    def _part(self, node: SyntaxNode) -> None:
        """A statement in a loop or choice."""
        self._in_block(self.lower, node)

    def _attributed(self, node: SyntaxNode) -> None:
        for child in node.children:
            self.lower(child)

    def _statement_expression(self, node: SyntaxNode) -> Term:
        """``({ ...; value; })``: the value of the last statement."""
        former = self._emitter.origin
        (block,) = node.children
        ctype = unatomic(node.ctype)
        kept = None
        if isinstance(ctype, RecordType):
            kept = self._expressions.aggregates.temporary(ctype, node)
        outer = self._expressions.aggregates.set_temporaries([])
        self._scopes.push()
        result = self._expressions.terms.true
        statements = block.children
        has_value = not isinstance(ctype, VoidType) and bool(statements)
        for child in statements[:-1] if has_value else statements:
            self.lower(child)
        if has_value:
            last = statements[-1]
            while last.kind == CursorKind.LABEL:
                raise last.unsupported("a label before the value of a statement expression")
            result = self._expressions.value(last)
            if kept is not None:
                self._expressions.aggregates.copy(kept, result, last.text, last)
                result = kept.address
            self._expressions.aggregates.end_temporaries()
        self._scopes.pop()
        self._expressions.aggregates.set_temporaries(outer)
        self._emitter.origin = former
        return result

    # --- branches and loops -----------------------------------------------------------------------

    def _branch(self, condition: SyntaxNode, then: int, otherwise: int) -> None:
        """Go to one of two locations; what the condition made for itself ends on the way."""
        emitter, aggregates = self._emitter, self._expressions.aggregates
        if not any(aggregates.is_temporary(part) for part in condition.walk()):
            self._expressions.choices.branch(condition, then, otherwise)
            return
        ways = [(emitter.location(), then), (emitter.location(), otherwise)]
        self._expressions.choices.branch(condition, ways[0][0], ways[1][0])
        ending = aggregates.set_temporaries([])
        for way, target in ways:
            aggregates.set_temporaries(list(ending))
            emitter.move(way)
            aggregates.end_temporaries()
            emitter.jump(target)

    def _header(self, node: SyntaxNode, condition: SyntaxNode) -> None:
        self._emitter.at(*node.unit.header(node.cursor, condition.cursor))

    def _expression_origin(self, node: SyntaxNode) -> None:
        self._emitter.at(*node.unit.expression(node.cursor))

    def _if(self, node: SyntaxNode) -> None:
        condition, then = node.children[0], node.children[1]
        otherwise = node.children[2] if len(node.children) > 2 else None
        self._header(node, condition)
        if is_assertion(self._expressions.calls, condition, then, otherwise):
            return
        emitter = self._emitter
        yes, end = emitter.location(), emitter.location()
        no = end if otherwise is None else emitter.location()
        self._branch(condition, yes, no)
        emitter.move(yes)
        self._part(then)
        emitter.jump(end)
        if otherwise is not None:
            emitter.move(no)
            self._part(otherwise)
            emitter.jump(end)
        emitter.move(end)

    def _while(self, node: SyntaxNode) -> None:
        condition, body = node.children
        emitter = self._emitter
        head, inside, end = emitter.location(), emitter.location(), emitter.location()
        self._header(node, condition)
        self._note_loop(node)
        self._enter_loop(head, node)
        self._branch(condition, inside, end)
        self._loop_body(body, inside, again=head, end=end)
        emitter.jump(head)
        emitter.move(end)

    def _do(self, node: SyntaxNode) -> None:
        body, condition = node.children
        emitter = self._emitter
        head, test, end = emitter.location(), emitter.location(), emitter.location()
        self._expression_origin(condition)
        self._enter_loop(head, node)
        self._loop_body(body, head, again=test, end=end)
        emitter.jump(test)
        emitter.move(test)
        self._expression_origin(condition)
        self._branch(condition, head, end)
        emitter.move(end)

    def _for(self, node: SyntaxNode) -> None:
        parts = self._for_headers.parts(node)
        emitter = self._emitter
        self._expression_origin(node if parts.condition is None else parts.condition)
        if parts.condition is None:
            emitter.at(node.span, "for (;;)")
        else:
            self._note_loop(node)
        loop_origin = emitter.origin
        if parts.start is not None:
            self.lower(parts.start)
        head, inside, again, end = (emitter.location() for _ in range(4))
        emitter.origin = loop_origin
        self._enter_loop(head, node)
        if parts.condition is None:
            emitter.jump(inside)
        else:
            self._branch(parts.condition, inside, end)
        self._loop_body(parts.body, inside, again=again, end=end)
        emitter.jump(again)
        emitter.move(again)
        if parts.step is not None:
            self._expression_origin(parts.step)
            self._expressions.effect(parts.step)
            self._expressions.aggregates.end_temporaries()
        emitter.origin = loop_origin
        emitter.jump(head)
        emitter.move(end)

    def _note_loop(self, node: SyntaxNode) -> None:
        """What is written now is the condition of a loop."""
        if self._emitter.origin.span is not None:
            self.loops[self._emitter.origin.span] = node.span

    def _enter_loop(self, head: int, node: SyntaxNode) -> None:
        """Go to the head of a loop; it is reached from inside if something jumps into the loop."""
        is_live = self._emitter.is_live or _has_label(node)
        self._emitter.jump(head)
        self._emitter.move(head, is_live=is_live)

    def _loop_body(self, body: SyntaxNode, start: int, *, again: int, end: int) -> None:
        self._breakables.append(_Breakable(end, again, len(self._scopes.open)))
        self._emitter.move(start)
        self._part(body)
        self._breakables.pop()

    def _break(self, node: SyntaxNode) -> None:
        self._emitter.at(node.span, "break;")
        self._leave_loop(self._breakables[-1].depth, self._breakables[-1].end)

    def _continue(self, node: SyntaxNode) -> None:
        loops = [(b.depth, b.again) for b in self._breakables if b.again is not None]
        self._emitter.at(node.span, "continue;")
        self._leave_loop(*loops[-1])

    def _leave_loop(self, depth: int, target: int) -> None:
        self._scopes.leave_down_to(depth)
        self._emitter.jump(target)

    # --- switch -----------------------------------------------------------------------------------

    def _switch(self, node: SyntaxNode) -> None:
        condition, body = node.children
        emitter, expressions = self._emitter, self._expressions
        self._header(node, condition)
        origin = emitter.origin
        ctype = promoted(expressions.value_type(condition))
        assert isinstance(ctype, IntegerType)
        value = expressions.value_as(condition, ctype)
        expressions.aggregates.end_temporaries()
        dispatch, was_live, alive = emitter.here, emitter.is_live, self._scopes.snapshot()
        end = emitter.location()
        switch = _Switch(value, ctype)
        self._switches.append(switch)
        self._breakables.append(_Breakable(end, None, len(self._scopes.open)))
        emitter.stop()
        self._part(body)
        self._breakables.pop()
        self._switches.pop()
        emitter.jump(end)
        emitter.origin = origin
        if was_live:
            self._dispatch_cases(switch, dispatch, alive, end)
        emitter.move(end)

    def _dispatch_cases(self, switch: _Switch, dispatch: int, alive: Snapshot, end: int) -> None:
        emitter, terms = self._emitter, self._emitter.terms
        otherwise = terms.true
        for condition, target in switch.cases:
            self._enter_case(dispatch, terms.and_(otherwise, condition), alive, target)
            otherwise = terms.and_(otherwise, terms.not_(condition))
        if switch.default is not None:
            self._enter_case(dispatch, otherwise, alive, switch.default)
        elif otherwise != terms.false:
            emitter.edge(dispatch, end, Assume(otherwise))

    def _enter_case(self, dispatch: int, condition: Term, alive: Snapshot, target: _Target) -> None:
        emitter = self._emitter
        if condition == emitter.terms.false:
            return
        first = emitter.location()
        emitter.edge(dispatch, first, Assume(condition))
        emitter.move(first)
        self._scopes.move_between(alive, target.alive)
        emitter.jump(target.location)

    def _here_as_target(self) -> _Target:
        """Make the current place one that can be jumped to."""
        location = self._emitter.location()
        self._emitter.jump(location)
        self._emitter.move(location, is_live=True)
        return _Target(location, self._scopes.snapshot())

    def _case(self, node: SyntaxNode) -> None:
        switch = self._switches[-1]
        terms = self._emitter.terms
        bounds = [self._case_value(child, switch) for child in node.children[:-1]]
        value = switch.value
        if len(node.children) == _RANGE_CASE_PARTS:
            below, above = (terms.sle, terms.sle) if switch.ctype.is_signed else (terms.ule, terms.ule)
            condition = terms.and_(below(bounds[0], value), above(value, bounds[1]))
        else:
            condition = terms.eq(value, bounds[0])
        switch.cases.append((condition, self._here_as_target()))
        self.lower(node.children[-1])

    def _case_value(self, node: SyntaxNode, switch: _Switch) -> Term:
        constant = node.constant()
        if not isinstance(constant, int):
            raise node.unsupported(f"this case label: `{node.text}`")
        source = self._expressions.value_type(node)
        value = self._expressions.literal(constant, source)
        return convert(self._emitter.terms, value, source, switch.ctype)

    def _default(self, node: SyntaxNode) -> None:
        self._switches[-1].default = self._here_as_target()
        self.lower(node.children[-1])

    # --- jumps ------------------------------------------------------------------------------------

    def _label(self, node: SyntaxNode) -> None:
        self._labels[node.label] = self._here_as_target()
        if node.name.startswith(_THREAD_LABEL):
            (statement,) = node.children
            self._emitter.at(*node.unit.statement(statement.cursor))
            self.start_thread(statement, node.name, self._expressions)
            return
        for child in node.children:
            self.lower(child)

    def _goto(self, node: SyntaxNode) -> None:
        self._emitter.at(*node.unit.statement(node.cursor))
        if self._emitter.is_live:
            self._gotos.append(
                _Goto(self._emitter.here, self._scopes.snapshot(), node.label, self._emitter.origin)
            )
        self._emitter.stop()

    def _computed_goto(self, node: SyntaxNode) -> None:
        """Go to whichever label the address is that of; other addresses than of labels here are wrong."""
        emitter = self._emitter
        emitter.at(*node.unit.statement(node.cursor))
        address = emitter.saved(self._expressions.value(node.children[0]))
        taken = {n.label: n for n in self._function.walk() if n.kind == CursorKind.LABEL_ADDRESS}
        for label, named in taken.items():
            is_this = emitter.terms.eq(address, self._expressions.objects.label_address(named))
            with emitter.when(is_this):
                if emitter.is_live:
                    self._gotos.append(_Goto(emitter.here, self._scopes.snapshot(), label, emitter.origin))
                emitter.stop()
        if emitter.is_live:
            emitter.end(GiveUp("a computed goto leads to no label of its function"))
        emitter.stop()

    def _return(self, node: SyntaxNode) -> None:
        self._emitter.at(*node.unit.statement(node.cursor))
        self._leave_function(node.children[0] if node.children else None)
        self._expressions.aggregates.set_temporaries([])

    def _asm(self, node: SyntaxNode) -> None:
        self._emitter.at(node.span, node.text)
        found = fences(node)
        if found is None and not atomic_assembly.lower(node, self._expressions):
            raise node.unsupported(f"inline assembly: `{node.text}`")
        for fence in found or ():
            self._emitter.emit(fence)


def _start_nothing(node: SyntaxNode, label: str, _outer: Expressions) -> None:
    raise node.unsupported(f"`{label}` in such a thread")


def _has_case(node: SyntaxNode) -> bool:
    """Whether a ``switch`` around the statement leads into it."""
    stack = [node]
    while stack:
        part = stack.pop()
        if part.kind in (CursorKind.CASE, CursorKind.DEFAULT):
            return True
        if part.kind != CursorKind.SWITCH:
            stack += part.children
    return False


def _has_label(node: SyntaxNode) -> bool:
    """Whether something can jump into the statement."""
    return any(part.kind in _LABELS for part in node.walk())
