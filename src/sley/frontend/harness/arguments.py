"""Arguments for the functions of a library, as C text.

A number is arbitrary. A pointer points to a variable that all threads share, zero at first. Only behind the
first pointer of a function, one to a number or to a pointer is taken for a place to put a result: that is a
variable of the caller's own. What cannot be known (how long is the buffer, what does the callback do?) is for
the user to say, by a function that makes it.
"""

from dataclasses import dataclass, field

from sley.base.errors import InputError
from sley.frontend.harness.functions import NamedFunction, Parameter
from sley.frontend.harness.types import WrittenType


@dataclass(slots=True)
class ArgumentBlock:
    """Declarations in the order in which they are needed, and the names that they use up."""

    lines: list[str] = field(default_factory=list)
    names: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Arguments:
    """Makes arguments, and remembers what the harness needs for them."""

    taken: set[str]
    """Names that mean something else."""
    inputs: dict[str, str] = field(default_factory=dict)
    """The types of arbitrary values, by the ending of the function that returns one."""
    shared: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Variables that all threads share by their types: their names and declarations."""
    made_once: dict[str, str] = field(default_factory=dict)
    """Variables for the pointers that setup returns, by their types."""
    makers: dict[str, NamedFunction] = field(default_factory=dict)
    """Functions that make an argument, by its type."""
    used: set[NamedFunction] = field(default_factory=set)
    """The makers that are called."""
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
        has_pointer = False
        for parameter in function.parameters:
            ctype = parameter.ctype
            maker = self.makers.get(ctype.key)
            if ctype.key in self.made_once:
                arguments.append(self.made_once[ctype.key])
            elif maker is not None and maker not in callers:
                self.used.add(maker)
                value = self.call(maker, block, (*callers, maker))
                arguments.append(self._variable(parameter, ctype, value, block))
            elif ctype.is_number:
                arguments.append(self._variable(parameter, ctype, self.arbitrary(ctype), block))
            elif has_pointer and _is_result(ctype):
                value = self.arbitrary(ctype.target) if ctype.target.is_number else "0"
                arguments.append("&" + self._variable(parameter, ctype.target, value, block))
            else:
                arguments.append(self._address(function, parameter))
            has_pointer = has_pointer or ctype.is_pointer
        return f"{function.name}({', '.join(arguments)})"

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
        name = parameter.name
        while name in self.taken or name in block.names:
            name += "_"
        block.names.add(name)
        block.lines.append(f"{ctype.declared(name)} = {value};")
        return name

    def _address(self, function: NamedFunction, parameter: Parameter) -> str:
        """The address of something that all threads share."""
        ctype = parameter.ctype
        if not ctype.is_pointer:
            return self._refuse(function, parameter, "values of this type cannot be made up")
        target = ctype.target
        if target.is_text:
            self.text = self.text or self.free("any_text")
            return self.text
        if not target.is_complete_object:
            return self._refuse(function, parameter, "what it points to is not known here")
        if target.is_character:
            return self._refuse(function, parameter, "how many characters it points to is not known here")
        if target.key not in self.shared:
            name = self.free(f"shared_{target.word}")
            self.shared[target.key] = (name, target.declared(name))
        return f"&{self.shared[target.key][0]}"

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
