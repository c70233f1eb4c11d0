"""What predicates are called: the names that users see, and write in files of predicates.

Global variables have their C names (``table[1].next``); a variable of a thread comes after the name of its
function (``worker.old``), as does the thread's own handle (``worker.self``). Temporaries and what else has no
name in C get one that can be read back.
"""

from collections.abc import Mapping

from sley.evidence.symmetric.proof import Predicate
from sley.logic.printer import to_c
from sley.logic.terms import Term
from sley.program.memory import Display
from sley.semantics.templates import MAIN, TemplateSystem
from sley.semantics.vocabulary import Lifetime

UNSIGNED = (Display.UNSIGNED, Display.POINTER, Display.BOOL, Display.HIDDEN)


class SystemNames:
    """Names for the variables of a system of templates."""

    def __init__(self, system: TemplateSystem) -> None:
        self.system = system
        self.terms = system.terms
        self.names: dict[Term, str] = {}
        self.unsigned: set[Term] = set()
        self.owners: dict[Term, int] = {}
        """Variable of a worker -> the number of its template."""
        self._name_globals()
        for number, template in enumerate(system.templates):
            self._name_template(number, template.position)

    @property
    def variables(self) -> Mapping[str, Term]:
        """Name -> variable."""
        return {name: variable for variable, name in reversed(self.names.items())}

    def text(self, predicate: Predicate) -> str:
        """A predicate in C syntax."""
        return to_c(self.terms, predicate.term, self.names, unsigned=self.unsigned)

    def _name_globals(self) -> None:
        vocabulary, program = self.system.vocabulary, self.system.program
        for instance in vocabulary.everything.values():
            owner = vocabulary.owner(instance.number)
            if instance.kind is Lifetime.HEAP:
                name = f"heap#{instance.number - program.pointers.heap_base + 1}"
                self._name_cells(instance.number, name)
                self.names[vocabulary.alive(instance)] = f"alive({name})"
            elif owner is None:
                obj = program.static_object(instance.number)
                assert obj is not None
                self._name_cells(instance.number, obj.c_name or obj.name)
            elif self.system.template(owner).position == owner:
                function = vocabulary.threads[owner]
                local = function.objects[instance.number - program.local_number(owner, 0)]
                name = f"{self._prefix(owner)}{local.c_name or local.name}"
                self._name_cells(instance.number, name)
                self.names[vocabulary.alive(instance)] = f"alive({name})"

    def _name_cells(self, number: int, name: str) -> None:
        instance = self.system.vocabulary.everything[number]
        cells = instance.layout.cells
        vocabulary = self.system.vocabulary
        for index, variable in zip(vocabulary.indices(instance), vocabulary.cells(instance), strict=True):
            self.names[variable] = name + instance.layout.path_of(index, instance.capacity)
            if cells[index % len(cells)].display in UNSIGNED:
                self.unsigned.add(variable)

    def _name_template(self, number: int, position: int) -> None:
        system, vocabulary = self.system, self.system.vocabulary
        prefix = self._prefix(position)
        for register in vocabulary.threads[position].registers:
            variable = vocabulary.register(position, register)
            self.names[variable] = prefix + (register.c_name or register.name)
            if self.names[variable] in list(self.names.values())[:-1]:
                self.names[variable] = prefix + register.name
            if register.display in UNSIGNED:
                self.unsigned.add(variable)
        if number != MAIN:
            handle = system.handle(position)
            if not self.terms.is_const(handle):
                self.names[handle] = f"{prefix}self"
                self.unsigned.add(handle)
            self.owners |= dict.fromkeys(system.own(position), number)
        self.names[vocabulary.status(position)] = f"{prefix}status"
        self.names[vocabulary.result(position)] = f"{prefix}result"
        self.names[vocabulary.detached(position)] = f"{prefix}detached"
        self.unsigned |= {vocabulary.status(position), vocabulary.result(position)}

    def _prefix(self, position: int) -> str:
        template = self.system.template(position)
        name = self.system.program.functions[template.function].c_name or template.function
        return f"{name}_{position}." if template.site is not None else f"{name}."
