"""Arguments for the functions of a library, as C text.

A number is arbitrary, unless it is known what callers give. A pointer points to a variable that all threads
share, zero at first; behind the first pointer of a function, one to a number or to a pointer is taken for a
place to put a result, which is the caller's own. A pointer with a length behind it is a short buffer. Blocks,
texts and functions that do nothing are made up, too. A function that makes the argument comes before all of
these.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sley.base.errors import InputError
from sley.frontend.harness.functions import NamedFunction, Parameter
from sley.frontend.harness.types import WrittenType

BUFFER = 2
"""Elements of a buffer whose length is an argument."""
BLOCK = 64
"""Bytes of a block of which nothing is known, and elements behind a structure that has a flexible end."""
_LENGTH = re.compile(
    r"n|.*(len|size|sz|count|cnt|num|bytes|length|capacity)|n_?(bytes|elems?|items?|values?)"
)
_PLAIN_LENGTHS = frozenset({"n", "len", "length", "size", "sz", "count"})


@dataclass(slots=True)
class ArgumentBlock:
    """Declarations in the order in which they are needed, and the names that they use up."""

    lines: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    needed: list[str] = field(default_factory=list)
    """Those without which there is no call: what makes them may fail."""


@dataclass(slots=True)
class Arguments:
    """Makes arguments, and remembers what the harness needs for them."""

    taken: set[str]
    """Names that mean something else."""
    makers: dict[str, NamedFunction] = field(default_factory=dict)
    """Functions that make an argument, by its type."""
    usual: Mapping[tuple[str, int], Sequence[str]] = field(default_factory=dict)
    """What callers give a function for its parameter of a number."""
    giving: Mapping[str, NamedFunction] = field(default_factory=dict)
    """By functions that take back a block: what gives it."""
    thread: int = 0
    """The number of the thread that calls: what makes something of a thread's own gets it."""
    only_shared: str | None = None
    """The only structure that threads share; None: all that functions have pointers to."""
    inputs: dict[str, str] = field(default_factory=dict)
    """The types of arbitrary values, by the ending of the function that returns one."""
    shared: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Variables that all threads share by their types: their names and declarations."""
    made_once: dict[str, str] = field(default_factory=dict)
    """Variables for the pointers that setup returns, by their types."""
    used: set[NamedFunction] = field(default_factory=set)
    """The makers that are called."""
    callbacks: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Functions that do nothing, by their types: their names and definitions."""
    allocates: bool = False
    """Whether a block is made for an argument."""
    text: str = ""
    """The variable with a constant text; empty if there is none."""
    refused: list[InputError] = field(default_factory=list)

    def call(
        self, function: NamedFunction, block: ArgumentBlock, callers: tuple[NamedFunction, ...] = ()
    ) -> str:
        """A call with arguments of the right types; ``block`` gets what has to be declared before it.

        A function that makes arguments is not called to make its own.
        """
        arguments: list[str] = []
        has_pointer = is_length = False
        parameters = function.parameters
        for number, parameter in enumerate(parameters):
            ctype = parameter.ctype
            maker = self.giving.get(function.name) if ctype.key == "void *" else self.makers.get(ctype.key)
            usual = self.usual.get((function.name, number), ())
            if ctype.key in self.made_once:
                arguments.append(self.made_once[ctype.key])
            elif ctype.is_number and self._is_own(function):
                arguments.append(str(self.thread))
            elif usual:
                arguments.append(self._usual(parameter, usual, block))
            elif maker is not None and maker not in callers:
                self.used.add(maker)
                value = self.call(maker, block, (*callers, maker))
                arguments.append(self._variable(parameter, ctype, value, block))
                block.needed += arguments[-1:]
            elif ctype.is_number:
                name = self._variable(parameter, ctype, self.arbitrary(ctype), block)
                if is_length:
                    block.lines.append(f"if ({name} < 0 || {name} > {BUFFER}) {name} = {BUFFER};")
                arguments.append(name)
            elif _is_buffer(parameters, number):
                arguments.append(self._buffer(parameter, block))
            elif has_pointer and _is_result(ctype):
                value = self.arbitrary(ctype.target) if ctype.target.is_number else "0"
                arguments.append("&" + self._variable(parameter, ctype.target, value, block))
            elif not ctype.is_pointer:
                arguments.append(self._variable(parameter, ctype, "{0}", block))
            else:
                arguments.append(self._address(function, parameter, block))
            is_length = _is_buffer(parameters, number)
            has_pointer = has_pointer or ctype.is_pointer
        return f"{function.name}({', '.join(arguments)})"

    def _is_own(self, function: NamedFunction) -> bool:
        """Whether a function makes something for one thread, which its number is for."""
        making = [maker.name for maker in self.makers.values()]
        return self.only_shared is not None and function.name in making

    def arbitrary(self, ctype: WrittenType) -> str:
        """Any value of a type."""
        assert ctype.input is not None
        self.inputs[ctype.input] = "int" if ctype.input == "int" else ctype.key
        return f"__VERIFIER_nondet_{ctype.input}()"

    def free(self, name: str) -> str:
        """A fresh name, which counts as used from now on."""
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name

    def _variable(self, parameter: Parameter, ctype: WrittenType, value: str, block: ArgumentBlock) -> str:
        """A variable of the caller's, named like the parameter."""
        name = self._own(parameter, block)
        block.lines.append(f"{ctype.declared(name)} = {value};")
        return name

    def _own(self, parameter: Parameter, block: ArgumentBlock) -> str:
        name = parameter.name
        while name in self.taken or name in block.names:
            name += "_"
        block.names.add(name)
        return name

    def _usual(self, parameter: Parameter, values: Sequence[str], block: ArgumentBlock) -> str:
        """One of the values that callers give."""
        if len(values) == 1:
            return values[0]
        self.inputs["bool"] = "_Bool"
        chosen = "".join(f"__VERIFIER_nondet_bool() ? {value} : " for value in values[:-1])
        return self._variable(parameter, parameter.ctype, chosen + values[-1], block)

    def _buffer(self, parameter: Parameter, block: ArgumentBlock) -> str:
        """A short array with arbitrary elements."""
        target = parameter.ctype.target
        name = self._own(parameter, block)
        if target.is_number:
            values = ", ".join(self.arbitrary(target) for _ in range(BUFFER))
            block.lines.append(f"{target.declared(f'{name}[{BUFFER}]')} = {{{values}}};")
        else:
            block.lines.append(f"char {name}[{BUFFER}] = {{0}};")
        return name

    def _address(self, function: NamedFunction, parameter: Parameter, block: ArgumentBlock) -> str:
        """The address of something that all threads share, or of something new."""
        ctype = parameter.ctype
        target = ctype.target
        if target.is_text:
            self.text = self.text or self.free("any_text")
            return self.text
        if target.is_function:
            return self._callback(parameter, target)
        if target.is_character:
            name = self._own(parameter, block)
            self.inputs["char"] = "char"
            block.lines.append(f"{target.declared(f'{name}[{BLOCK}]')} = {{__VERIFIER_nondet_char()}};")
            return name
        if target.is_void:
            return self._block(parameter, f"{BLOCK}", block)
        if not target.is_complete_object:
            return self._refuse(function, parameter, "what it points to is not known here")
        if self.only_shared not in (None, target.key) and target.is_record:
            return self._block(parameter, f"sizeof({target.text})", block)
        if target.key not in self.shared:
            name = self.free(f"shared_{target.word}")
            self.shared[target.key] = (name, target.declared(name))
        return f"&{self.shared[target.key][0]}"

    def _block(self, parameter: Parameter, size: str, block: ArgumentBlock) -> str:
        self.allocates = True
        return self._variable(parameter, parameter.ctype, f"calloc(1, {size})", block)

    def _callback(self, parameter: Parameter, target: WrittenType) -> str:
        if target.key not in self.callbacks:
            name = self.free(f"any_{parameter.name}")
            self.callbacks[target.key] = (name, target.defined(name))
        return self.callbacks[target.key][0]

    def _refuse(self, function: NamedFunction, parameter: Parameter, why: str) -> str:
        what = f"`{parameter.name}` of `{function.name}` is a `{parameter.ctype.text}`: {why}"
        advice = "name a function that returns one (--make, or --setup for one that all threads share)"
        self.refused.append(InputError(f"{what}; {advice}", function.unit.span(parameter.cursor)))
        return "0"


def _is_result(ctype: WrittenType) -> bool:
    """Whether a pointer may be one to where a result goes."""
    if not ctype.is_pointer:
        return False
    return ctype.target.is_plain_scalar and not ctype.target.is_character


def _is_buffer(parameters: Sequence[Parameter], number: int) -> bool:
    """Whether a parameter is a pointer to what the next one counts."""
    if number + 1 >= len(parameters) or not parameters[number].ctype.is_pointer:
        return False
    one, following = parameters[number], parameters[number + 1]
    name = following.name.lower()
    is_length = following.ctype.is_integer and _LENGTH.fullmatch(name) is not None
    if one.ctype.target.is_text and name not in _PLAIN_LENGTHS and one.name.lower() not in name:
        return False  # a name, and the size of something else
    return is_length and (one.ctype.target.is_void or one.ctype.target.is_number)
