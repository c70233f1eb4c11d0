"""A look at one translation unit: what its functions touch, call, and how they agree with other threads."""

import re
from collections.abc import Iterator
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError
from sley.frontend import clang_library as clang
from sley.frontend.clang_library import (
    COMPUTED_BY,
    Binary,
    ClangCursor,
    ClangType,
    CursorKind,
    StorageClass,
    TypeKind,
    Unary,
    library,
)
from sley.frontend.comments import comments
from sley.frontend.compilation_database import SourceFile
from sley.frontend.components.facts import STARTS, Call, FileFacts, FunctionFacts, Sync
from sley.frontend.harness.types import WrittenType, parameter_types, result_type
from sley.frontend.parse import MODELS, TranslationUnit

_LOCK = re.compile(
    r"(pthread_(mutex|spin|rwlock)|mtx)_(try|timed|clock|rd|wr|tryrd|trywr|timedrd|timedwr)?lock"
)
_UNLOCK = re.compile(r"(pthread_(mutex|spin|rwlock)|mtx)_unlock")
_WAIT = re.compile(
    r"(pthread_cond|cnd)_(timed|clock)?wait|sem_(timed|clock)?wait|pthread_barrier_wait|select|poll|epoll_wait|"
    r"accept4?|read|recv|recvfrom|recvmsg|sigwait|nanosleep|usleep|sleep|pause|getchar|fgets|sched_yield|thrd_yield"
)
_ATOMIC = re.compile(r"(__c11|__)?atomic_\w+|__sync_\w+|_?Interlocked\w+")
_JOIN = re.compile(r"pthread_join|thrd_join")
_SYNC_TYPES = re.compile(
    r"\b(pthread_(mutex|spinlock|rwlock|cond)|mtx|cnd|sem)_t\b|\batomic_|_Atomic|\bvolatile\b"
)
_STEPS = frozenset({Unary.POST_INCREMENT, Unary.POST_DECREMENT, Unary.PRE_INCREMENT, Unary.PRE_DECREMENT})
_LOOPS = frozenset({CursorKind.FOR, CursorKind.WHILE, CursorKind.DO})
_WARNS = re.compile(
    r"not (thread|mt)[- ]?safe|not (be )?safe to (be )?call|not re-?entrant|"
    r"single[- ](producer|consumer|reader|writer)|only (by )?(one|a single) thread|one thread only|"
    r"(must|should) (already )?(be )?(held|hold|own|acquire|lock)|caller (must|holds)|"
    r"(lock|mutex) (is|must be|should be) (held|locked|taken)|with (the )?\w*(lock|mutex) held",
    re.IGNORECASE,
)
"""What a comment says of a function that not every thread may call as it likes."""
_SMALL = 1 << 16
"""Larger constants are not taken for what callers usually give."""
_TRANSPARENT = frozenset({CursorKind.PARENTHESES, CursorKind.UNEXPOSED_EXPRESSION, CursorKind.CAST})


def facts_of(unit: TranslationUnit, source: SourceFile) -> FileFacts:
    """All that is known of a file."""
    look = _Look(unit)
    functions = tuple(look.function(name, cursor) for name, cursor in look.defined())
    return FileFacts(
        source=source,
        functions=functions,
        complete=frozenset(look.complete),
        shared=frozenset(look.shared),
        volatile=frozenset(look.volatile),
        variables=frozenset(look.variables()),
        declared=frozenset(look.called - set(unit.functions)),
        lines=sum(text.count(b"\n") for text in unit.written_texts()),
        started=tuple(look.started),
        warned=dict(look.warnings()),
    )


class _Look:
    def __init__(self, unit: TranslationUnit) -> None:
        self.unit = unit
        self.complete: set[str] = set()
        self.shared: set[str] = set()
        self.called: set[str] = set()
        self.volatile: set[str] = set()
        self.started: list[tuple[str, bool]] = []
        self._is_shared_field: dict[str, bool] = {}

    def defined(self) -> Iterator[tuple[str, ClangCursor]]:
        """The functions of the user."""
        for name, cursor in self.unit.functions.items():
            if not self._is_foreign(cursor):
                yield name, cursor

    def variables(self) -> Iterator[str]:
        """The variables at file scope of the user that may change."""
        for name, cursors in self.unit.variables.items():
            ctype = library().clang_getCursorType(cursors[-1])
            if not clang.is_constant(ctype) and not self._is_foreign(cursors[-1]):
                yield name

    def warnings(self) -> Iterator[tuple[str, str]]:
        """By function, what its comments say, those at its declarations among them."""
        found: dict[str, dict[int, str]] = {}
        for name in self.unit.functions:
            for cursor in self.unit.declarations(name):
                span = self.unit.span(cursor)
                if span.file not in found:
                    found[span.file] = dict(_said(Path(span.file)))
                for line in (span.line, span.line - 1):
                    if line in found[span.file]:
                        yield name, found[span.file][line]

    def _is_foreign(self, cursor: ClangCursor) -> bool:
        place = library().clang_getCursorLocation(cursor)
        if library().clang_Location_isInSystemHeader(place):
            return True
        return self.unit.span(cursor).file.startswith(str(MODELS))

    def function(self, name: str, cursor: ClangCursor) -> FunctionFacts:
        """What there is to know of a function."""
        types = parameter_types(cursor)
        for ctype in [*types, result_type(cursor)]:
            self._note_record(ctype)
        body = _Body(self)
        body.walk(cursor)
        called = {call.name for call in body.calls}
        self.called |= called
        self.started += body.started
        span = self.unit.span(cursor)
        lib = library()
        canonical = lib.clang_getCanonicalType(lib.clang_getCursorType(cursor))
        is_variadic = canonical.kind == TypeKind.FUNCTION and lib.clang_isFunctionTypeVariadic(canonical)
        result = result_type(cursor)
        return FunctionFacts(
            name=name,
            file=self.unit.path,
            written_in=span.file,
            line=span.line,
            lines=span.end_line - span.line + 1,
            is_static=lib.clang_Cursor_getStorageClass(cursor) == StorageClass.STATIC,
            is_variadic=bool(is_variadic),
            parameters=tuple(
                clang.text(lib.clang_getCursorSpelling(one)) for one in clang.parameters(cursor)
            ),
            records=tuple(_record(one) for one in types),
            numbers=tuple(one.is_number for one in types),
            returns=_record(result),
            returns_pointer=result.is_pointer,
            is_routine=len(types) == 1 and types[0].key == "void *" and result.key in ("void *", "int"),
            touches=body.touches,
            calls=tuple(body.calls),
            mentioned=tuple(dict.fromkeys(one for one in body.mentioned if one not in called)),
            sync=frozenset(body.sync),
            locks=body.locks,
        )

    def _note_record(self, ctype: WrittenType) -> None:
        name = _record(ctype)
        if name and name not in self.complete and ctype.target.is_complete_object:
            self.complete.add(name)
            if any(self.is_shared(library().clang_getCursorType(one)) for one in ctype.target.members):
                self.shared.add(name)

    def is_shared(self, ctype: ClangType) -> bool:
        """Whether a type is one of objects that threads share on purpose."""
        spelling = clang.text(library().clang_getTypeSpelling(ctype))
        if spelling not in self._is_shared_field:
            canonical = library().clang_getCanonicalType(ctype)
            texts = (spelling, clang.text(library().clang_getTypeSpelling(canonical)))
            found = any(_SYNC_TYPES.search(text) for text in texts)
            self._is_shared_field[spelling] = found or canonical.kind == TypeKind.ATOMIC
        return self._is_shared_field[spelling]


def _said(file: Path) -> Iterator[tuple[int, str]]:
    """The comments of a file that warn, by the lines that they are about."""
    try:
        text = outside.content(file, outside.SOURCE).decode("utf-8", "replace")
    except InputError:
        return
    if _WARNS.search(" ".join(text.split())) is None:
        return
    for comment in comments(text):
        words = re.sub(r"\s+(\*\s+)?", " ", comment.text)
        if (said := _WARNS.search(words)) is not None:
            yield comment.about, said[0]


def _record(ctype: WrittenType) -> str:
    """The structure that a pointer points to."""
    return ctype.target.key if ctype.is_pointer and ctype.target.is_record else ""


class _Body:
    """What happens in the body of one function."""

    def __init__(self, look: _Look) -> None:
        self._look = look
        self.touches: dict[str, bool] = {}
        self.calls: list[Call] = []
        self.mentioned: list[str] = []
        self.started: list[tuple[str, bool]] = []
        self.sync: set[Sync] = set()
        self.locks = 0
        self._in_loop = False

    def walk(self, root: ClangCursor) -> None:
        """Look at everything inside; what is written is known from above."""
        stack = [(child, False, False) for child in _children(root)]
        while stack:
            node, is_written, in_loop = stack.pop()
            children = _children(node)
            self._in_loop = in_loop = in_loop or node.kind in _LOOPS
            written = self._look_at(node, children, is_written=is_written)
            stack += ((child, one, in_loop) for child, one in zip(children, written, strict=True))

    def _look_at(self, node: ClangCursor, children: list[ClangCursor], *, is_written: bool) -> list[bool]:
        """Note what a node is; for each child whether it is written."""
        below = [False] * len(children)
        match node.kind:
            case CursorKind.MEMBER:
                self._member(node, children, is_written=is_written)
                return [is_written] * len(children)
            case CursorKind.REFERENCE:
                self._reference(node, is_written=is_written)
            case CursorKind.CALL:
                self._call(node, children)
            case CursorKind.ASM:
                self.sync.add(Sync.ATOMIC)
            case CursorKind.SUBSCRIPT | CursorKind.COMPOUND_ASSIGNMENT:
                below[:1] = [is_written or node.kind == CursorKind.COMPOUND_ASSIGNMENT]
            case CursorKind.BINARY:
                operator = library().clang_getCursorBinaryOperatorKind(node)
                below[:1] = [operator == Binary.ASSIGN or operator in COMPUTED_BY]
            case CursorKind.UNARY:
                operator = library().clang_getCursorUnaryOperatorKind(node)
                is_step = operator in _STEPS or operator == Unary.ADDRESS_OF
                below[:1] = [is_step or (is_written and operator == Unary.DEREFERENCE)]
            case kind if kind in _TRANSPARENT:
                return [is_written] * len(children)
            case _:
                pass
        return below

    def _touch(self, what: str, *, is_written: bool) -> None:
        self.touches[what] = self.touches.get(what, False) or is_written

    def _member(self, node: ClangCursor, children: list[ClangCursor], *, is_written: bool) -> None:
        lib = library()
        base = WrittenType(lib.clang_getCursorType(children[0])) if children else None
        owner = "" if base is None else (base.target if base.is_pointer else base).key
        name = clang.text(lib.clang_getCursorSpelling(node))
        self._touch(f"{owner}.{name}", is_written=is_written)
        self._shared(name, lib.clang_getCursorType(node))

    def _reference(self, node: ClangCursor, *, is_written: bool) -> None:
        lib = library()
        target = lib.clang_getCursorReferenced(node)
        name = clang.text(lib.clang_getCursorSpelling(node))
        if target.kind == CursorKind.FUNCTION:
            self.mentioned.append(name)
        elif target.kind == CursorKind.VARIABLE and lib.clang_getCursorLinkage(target) != clang.NO_LINKAGE:
            self._touch(name, is_written=is_written)
            self._shared(name, lib.clang_getCursorType(target))

    def _shared(self, name: str, ctype: ClangType) -> None:
        if self._look.is_shared(ctype):
            self.sync.add(Sync.ATOMIC)
        if library().clang_isVolatileQualifiedType(library().clang_getCanonicalType(ctype)):
            self._look.volatile.add(name)

    def _call(self, node: ClangCursor, children: list[ClangCursor]) -> None:
        name = clang.text(library().clang_getCursorSpelling(node))
        if not name:
            return
        for pattern, sync in (
            (_LOCK, Sync.LOCK),
            (_WAIT, Sync.WAIT),
            (_ATOMIC, Sync.ATOMIC),
            (_JOIN, Sync.JOIN),
        ):
            if pattern.fullmatch(name):
                self.sync.add(sync)
        self.locks += (_LOCK.fullmatch(name) is not None) - (_UNLOCK.fullmatch(name) is not None)
        arguments = children[1:]
        if name in STARTS and len(arguments) > STARTS[name]:
            words = re.findall(r"\w+", self._look.unit.text(arguments[STARTS[name]]))
            self.started += [(word, self._in_loop) for word in words[-1:]]
        self.calls.append(Call(name, tuple(self._constant(one) for one in arguments)))

    def _constant(self, argument: ClangCursor) -> str:
        """A small number or a null pointer as C writes it; empty if it is none."""
        if argument.kind not in (CursorKind.INTEGER, *_TRANSPARENT, CursorKind.REFERENCE, CursorKind.UNARY):
            return ""
        if self._look.unit.text(argument) in ("NULL", "0"):
            return "0"
        lib = library()
        result = lib.clang_Cursor_Evaluate(argument)
        if not result:
            return ""
        is_integer = lib.clang_EvalResult_getKind(result) == 1
        value = int(lib.clang_EvalResult_getAsLongLong(result)) if is_integer else _SMALL
        lib.clang_EvalResult_dispose(result)
        return str(value) if -_SMALL < value < _SMALL else ""


def _children(node: ClangCursor) -> list[ClangCursor]:
    found: list[ClangCursor] = []

    def collect(child: ClangCursor, _parent: ClangCursor) -> int:
        found.append(child)
        return clang.VISIT_CONTINUE

    clang.visit(node, collect)
    return found
