"""The C text of a harness."""

from collections.abc import Iterator, Sequence

from sley.base.errors import InputError
from sley.frontend.harness.arguments import ArgumentBlock, Arguments
from sley.frontend.harness.functions import Functions, NamedFunction
from sley.frontend.harness.plan import Harness
from sley.frontend.harness.types import WrittenType
from sley.frontend.parse import TranslationUnit

INDENT = " " * 4
TEXT_LENGTH = 2
"""Characters of an arbitrary text before its end."""


class HarnessWriter:
    """Writes the harness for the files of a library."""

    def __init__(self, harness: Harness, units: Sequence[TranslationUnit]) -> None:
        self._harness = harness
        functions = Functions(units)
        functions.require_no_main()
        self._entries = [functions.named(name, "--entry") for name in harness.entries]
        self._setup = [functions.named(name, "--setup") for name in harness.setup]
        makers = [functions.named(name, "--make") for name in harness.make]
        named = [*self._entries, *self._setup, *makers]
        self.includes = functions.files_of(named)
        """The files that the harness includes, which are not read by themselves then."""
        self._others = [unit.path for unit in units if unit.path not in self.includes]
        taken = {name for unit in units for name in (*unit.functions, *unit.variables)}
        self._arguments = Arguments(taken, makers=_by_type(makers))
        self._thread = self._arguments.free("caller")
        self._returned: list[tuple[str, WrittenType]] = []
        """Variables for what setup returns, with their types."""

    def text(self) -> str:
        """The whole file; ``InputError`` with all parameters for which nothing can be made up."""
        setup = list(self._setup_lines())
        thread = list(self._thread_lines())
        arguments = self._arguments
        if arguments.refused:
            first, *others = arguments.refused
            first.others = tuple(others)
            raise first
        for maker in arguments.makers.values():
            if maker not in arguments.used:
                what = f"argument --make: no parameter has the type of `{maker.name}`, `{maker.result.text}`"
                raise InputError(what)
        main = list(self._main_lines(setup))
        return "\n".join([*self._head(), *self._variables(), *thread, "", *main, ""])

    # --- parts ------------------------------------------------------------------------------------

    def _head(self) -> Iterator[str]:
        arguments = self._arguments
        again = " ".join(["sley check harness.c", *self._others])
        yield f"/* Harness by sley: {self._harness}."
        yield f"   Saved as harness.c and changed as you like, it is checked by `{again}`. */"
        yield ""
        yield from (f'#include "{path}"' for path in self.includes)
        yield "#include <pthread.h>"
        yield ""
        inputs = [f"{ctype} __VERIFIER_nondet_{end}(void);" for end, ctype in arguments.inputs.items()]
        yield from ([*inputs, ""] if inputs else [])

    def _variables(self) -> Iterator[str]:
        arguments = self._arguments
        lines = [f"static {declared};" for _, declared in arguments.shared.values()]
        lines += [f"static {ctype.declared(name)};" for name, ctype in self._returned]
        if arguments.text:
            lines.append(f"static char {arguments.text}[{TEXT_LENGTH + 1}]; /* with a zero at its end */")
        if lines:
            yield "/* What all threads share; zero at first. */"
            yield from (*lines, "")

    def _setup_lines(self) -> Iterator[str]:
        """Calls before the threads; each gets what the ones before it have made."""
        arguments = self._arguments
        for function in self._setup:
            block = ArgumentBlock()
            call = arguments.call(function, block)
            if function.result.is_pointer:
                name = arguments.free(f"shared_{function.result.target.word}")
                arguments.made_once[function.result.key] = name
                self._returned.append((name, function.result))
                call = f"{name} = {call}"
            yield from _in_braces([*block.lines, f"{call};"]) if block.lines else (f"{call};",)

    def _thread_lines(self) -> Iterator[str]:
        yield f"static void *{self._thread}(void *unused) {{"
        body = list(self._choice())
        if self._harness.calls > 1:
            body = [f"for (int calls = 0; calls < {self._harness.calls}; calls++) {{", *_indented(body), "}"]
        yield from _indented([*body, "return unused;"])
        yield "}"

    def _choice(self) -> Iterator[str]:
        """A call of any of the functions."""
        calls = [list(self._entry(function)) for function in self._entries]
        if len(calls) == 1:
            yield from calls[0]
            return
        self._arguments.inputs["int"] = "int"
        yield "switch (__VERIFIER_nondet_int()) {"
        for number, lines in enumerate(calls, start=1):
            yield "default: {" if number == len(calls) else f"case {number}: {{"
            yield from _indented([*lines, "break;"])
            yield "}"
        yield "}"

    def _entry(self, function: NamedFunction) -> Iterator[str]:
        block = ArgumentBlock(names={"calls", "unused"})
        call = self._arguments.call(function, block)
        yield from (*block.lines, f"{call};")

    def _main_lines(self, setup: Sequence[str]) -> Iterator[str]:
        threads = self._harness.threads
        yield "int main(void) {"
        yield f"{INDENT}pthread_t threads[{threads}];"
        if text := self._arguments.text:
            self._arguments.inputs["char"] = "char"
            for index in range(TEXT_LENGTH):
                yield f"{INDENT}{text}[{index}] = __VERIFIER_nondet_char();"
        yield from _indented(setup)
        each = f"for (int i = 0; i < {threads}; i++)"
        yield from _indented([each, f"{INDENT}pthread_create(&threads[i], 0, {self._thread}, 0);"])
        yield from _indented([each, f"{INDENT}pthread_join(threads[i], 0);"])
        yield from _indented(["return 0;"])
        yield "}"


def _indented(lines: Sequence[str]) -> Iterator[str]:
    return (f"{INDENT}{line}" for line in lines)


def _in_braces(lines: Sequence[str]) -> Iterator[str]:
    yield from ("{", *_indented(lines), "}")


def _by_type(makers: Sequence[NamedFunction]) -> dict[str, NamedFunction]:
    found: dict[str, NamedFunction] = {}
    for maker in makers:
        if maker.result.is_void:
            raise InputError(f"argument --make: `{maker.name}` returns nothing")
        former = found.setdefault(maker.result.key, maker)
        if former is not maker:
            both = f"`{former.name}` and `{maker.name}` both make a `{maker.result.text}`"
            raise InputError(f"argument --make: {both}: name one of them")
    return found
