"""The C text of a harness."""

from collections.abc import Iterator, Sequence

from sley.base.errors import InputError
from sley.frontend.harness.arguments import BLOCK, ArgumentBlock, Arguments
from sley.frontend.harness.functions import Functions, NamedFunction
from sley.frontend.harness.plan import Carving, Harness
from sley.frontend.harness.types import WrittenType
from sley.frontend.parse import TranslationUnit

INDENT = " " * 4
TEXT_LENGTH = 2
"""Characters of an arbitrary text before its end."""


class HarnessWriter:
    """Writes the harness for the files of a library, or for a component of a larger program."""

    def __init__(
        self, harness: Harness, units: Sequence[TranslationUnit], carving: Carving | None = None
    ) -> None:
        self._harness = harness
        self._carving = carving
        functions = Functions(units, is_part=carving is not None)
        if carving is None:
            functions.require_no_main()
        self._setup = [functions.named(name, "--setup") for name in harness.setup]
        self._teardown = (
            [functions.named(carving.destructor, "--entry")] if carving and carving.destructor else []
        )
        around = {} if carving is None else {"enter": carving.enter, "leave": carving.leave}
        self._around = {when: [functions.named(name, "--entry")] for when, name in around.items() if name}
        makers = [functions.named(name, "--make") for name in harness.make]
        roles = (harness.entries,) if carving is None else tuple(dict.fromkeys(carving.roles))
        self._roles = {role: [functions.named(name, "--entry") for name in role] for role in roles}
        """What threads choose from: one list for all of them, or one for each kind."""
        entries = [function for role in self._roles.values() for function in role]
        self.includes = functions.files_of([*entries, *self._setup, *makers])
        """The files that the harness includes, which are not read by themselves then."""
        self._others = [unit.path for unit in units if unit.path not in self.includes]
        taken = {name for unit in units for name in (*unit.functions, *unit.variables)}
        self._arguments = Arguments(taken, makers=_by_type(makers))
        if carving is not None:
            self._arguments.usual, self._arguments.only_shared = carving.usual, carving.record
            self._arguments.giving = {
                taking: functions.named(giving, "--make") for taking, giving in carving.giving.items()
            }
        threads = range(harness.threads if carving is not None and makers else 1)
        self._threads = {
            (number, role): self._arguments.free("caller")
            for number in threads
            for role in (roles if carving is None or not makers else carving.roles[number : number + 1])
        }
        """The functions of threads: those that make something of their own have one each."""
        self._returned: list[tuple[str, WrittenType]] = []
        """Variables for what setup returns, with their types."""

    def text(self) -> str:
        """The whole file; ``InputError`` with all parameters for which nothing can be made up."""
        setup = list(self._setup_lines())
        threads = [line for number, role in self._threads for line in self._thread_lines(number, role)]
        beginning = list(self._beginning())
        teardown = [line for function in self._teardown for line in self._single_call(function)]
        arguments = self._arguments
        if arguments.refused:
            first, *others = arguments.refused
            first.others = tuple(others)
            raise first
        for maker in arguments.makers.values():
            if maker not in arguments.used and self._carving is None:
                what = f"argument --make: no parameter has the type of `{maker.name}`, `{maker.result.text}`"
                raise InputError(what)
        main = list(self._main_lines([*setup, *beginning], teardown))
        return "\n".join([*self._head(), *self._variables(), *threads, *main, ""])

    @property
    def allocates(self) -> bool:
        """Whether blocks are made for arguments."""
        return self._arguments.allocates

    # --- parts ------------------------------------------------------------------------------------

    def _head(self) -> Iterator[str]:
        arguments, carving = self._arguments, self._carving
        if carving is None:
            again = " ".join(["sley check harness.c", *self._others])
            yield f"/* Harness by sley: {self._harness}."
            yield f"   Saved as harness.c and changed as you like, it is checked by `{again}`. */"
            yield ""
            yield from (f'#include "{path}"' for path in self.includes)
        else:
            yield from (f"/* {carving.head} */", "")
            main = ("#define main main_of_program", "#undef main") if carving.renames_main else ()
            yield from (*main[:1], f'#include "{carving.include}"', *main[1:])
        yield "#include <pthread.h>"
        yield from ["#include <stdlib.h>"] if arguments.allocates else []
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
        yield from (definition for _, definition in arguments.callbacks.values())

    def _setup_lines(self) -> Iterator[str]:
        """Calls before the threads; each gets what the ones before it have made."""
        for function in self._setup:
            returns = function.result.is_pointer
            if not returns:
                yield from self._room_for_flexible(function)
            block = ArgumentBlock()
            call = self._arguments.call(function, block)
            lines = [f"{call};"]
            if returns:
                name = self._arguments.free(f"shared_{function.result.target.word}")
                self._arguments.made_once[function.result.key] = name
                self._returned.append((name, function.result))
                lines = [f"{name} = {call};"]
                if self._carving is not None:
                    lines.append(f"if (!{name}) return 0;")
            yield from _in_braces([*block.lines, *lines]) if block.lines else lines

    def _room_for_flexible(self, function: NamedFunction) -> Iterator[str]:
        """A block for a structure that is initialised with as many elements behind it as it likes."""
        for parameter in function.parameters:
            ctype = parameter.ctype
            if self._carving is None or not (ctype.is_pointer and ctype.target.has_flexible_end):
                continue
            name = self._arguments.free(f"shared_{ctype.target.word}")
            self._arguments.made_once[ctype.key] = name
            self._arguments.allocates = True
            self._returned.append((name, ctype))
            yield f"{name} = calloc(1, sizeof(*{name}) + {BLOCK});"

    def _single_call(self, function: NamedFunction) -> Iterator[str]:
        block = ArgumentBlock()
        call = self._arguments.call(function, block)
        yield from _in_braces([*block.lines, f"{call};"]) if block.lines else (f"{call};",)

    def _thread_lines(self, number: int, role: tuple[str, ...]) -> Iterator[str]:
        yield f"static void *{self._threads[number, role]}(void *unused) {{"
        self._arguments.thread = number
        body = list(self._choice(self._roles[role]))
        if self._harness.calls > 1:
            body = [f"for (int calls = 0; calls < {self._harness.calls}; calls++) {{", *_indented(body), "}"]
        yield from _indented([*self._aside("enter"), *body, *self._aside("leave"), "return unused;"])
        yield from ("}", "")

    def _aside(self, when: str) -> Iterator[str]:
        """What a thread calls before or after all else."""
        for function in self._around.get(when, ()):
            yield from self._single_call(function)

    def _beginning(self) -> Iterator[str]:
        """One call before the threads start, or none."""
        if self._carving is not None and self._carving.begins:
            self._arguments.thread = 0
            functions = {one.name: one for role in self._roles.values() for one in role}
            self._arguments.inputs["bool"] = "_Bool"
            yield "if (__VERIFIER_nondet_bool()) {"
            choice = self._choice(tuple(functions.values()))
            yield from _indented([*self._aside("enter"), *choice, *self._aside("leave")])
            yield "}"

    def _choice(self, functions: Sequence[NamedFunction]) -> Iterator[str]:
        """A call of any of the functions."""
        calls = [list(self._entry(function)) for function in functions]
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
        condition = " && ".join(block.needed) if self._carving is not None else ""
        yield from (*block.lines, f"if ({condition}) {call};" if condition else f"{call};")

    def _main_lines(self, setup: Sequence[str], teardown: Sequence[str]) -> Iterator[str]:
        threads = self._harness.threads
        yield "int main(void) {"
        yield f"{INDENT}pthread_t threads[{threads}];"
        if text := self._arguments.text:
            self._arguments.inputs["char"] = "char"
            for index in range(TEXT_LENGTH):
                yield f"{INDENT}{text}[{index}] = __VERIFIER_nondet_char();"
        yield from _indented(setup)
        each = f"for (int i = 0; i < {threads}; i++)"
        yield from _indented(self._creations(each))
        yield from _indented([each, f"{INDENT}pthread_join(threads[i], 0);", *teardown])
        yield from _indented(["return 0;"])
        yield "}"

    def _creations(self, each: str) -> Iterator[str]:
        if len(self._threads) == 1:
            (thread,) = self._threads.values()
            yield from (each, f"{INDENT}pthread_create(&threads[i], 0, {thread}, 0);")
            return
        assert self._carving is not None
        for number, role in enumerate(self._carving.roles):
            thread = self._threads.get((number, role)) or self._threads[0, role]
            yield f"pthread_create(&threads[{number}], 0, {thread}, 0);"


def _indented(lines: Sequence[str] | Iterator[str]) -> Iterator[str]:
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
