"""Inlining: every function that runs as a thread becomes one flat template, with call strings in its origins.

A template is built by walking the functions' graphs forwards from the start function. What is walked are
pairs of a location and a depth of atomic sections, so that nested sections become one, also where a function
only begins or only ends a section; what cannot be reached is never copied.

Registers are shared by all calls of a function at the same depth of recursion: two such calls are never
active together in one thread, and a function sets its registers before it reads them. They are not where
elements of any type are moved (``copying``): what one call moves is not what another does. Memory objects are
not shared: a dangling pointer to a local of one call must not meet the local of another.

A function that calls itself twice would have a thousand copies ten calls deep. Where that becomes large, the
calls that are equally deep share one copy, which notes where it was called from, and goes back there. So its
objects are shared by calls that follow one another, as they are by the rounds of a loop (``instances``).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count

from sley.base.errors import GaveUpError
from sley.base.reasons import Reason, Why
from sley.logic.sorts import bitvec
from sley.logic.terms import Substitution, Term, Terms
from sley.passes.function_addresses import kept_functions
from sley.passes.untyped import copying
from sley.program import instructions as ir
from sley.program.builder import FunctionBuilder
from sley.program.memory import AddressOf, Display, MemoryObject, Storage
from sley.program.names import DeclaredNames, together
from sley.program.program import PROCESS_END, THREAD_END, CallSite, Edge, Function, Origin, Program, Site
from sley.program.properties import Failure, Property
from sley.program.rewriting import rewritten, written_registers

MAX_ATOMIC_DEPTH = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class InlineOptions:
    """What a user may choose about inlining."""

    recursion_bound: int = 10
    """How many calls of one function may be active at once; deeper recursion makes the answer UNKNOWN."""

    max_edges: int = 400_000
    """Give up if the program has more edges than this after inlining."""

    followed: frozenset[Site] | None = None
    """The calls that are inlined; whoever comes to another one gives up there. None: all."""

    copied_edges: int = 5_000
    """With more edges, calls of a function that calls itself share a copy if they are equally deep."""


def not_followed(site: Site) -> str:
    """Why whoever comes to a call gives up that is not inlined."""
    caller, location, called = site
    text = f"the call of `{called}` in `{caller}` at {location} is not followed"
    return Reason(text, Why.NOT_FOLLOWED)


class _TooLargeError(Exception):
    """The flat program has too many edges."""


def inline(program: Program, options: InlineOptions | None = None) -> Program:
    """The flat program: one template for the entry and for every function that is created as a thread.

    If the recursion bound makes the program too large, a smaller one is used: whoever recurses deeper gives
    up in either case, so no answer becomes wrong.
    """
    options = options or InlineOptions()
    few = _Inlining(program, replace(options, max_edges=min(options.copied_edges, options.max_edges)))
    with suppress(_TooLargeError):
        return few.run()
    bound = options.recursion_bound
    while True:
        inlining = _Inlining(program, replace(options, recursion_bound=bound), is_sharing=True)
        try:
            return inlining.run()
        except _TooLargeError as too_large:
            if bound <= 1 or not inlining.has_met_bound:
                message = f"the program has more than {options.max_edges} steps after inlining"
                raise GaveUpError(Reason(message, Why.STEPS, str(options.max_edges))) from too_large
            bound //= 2


NO_PARAMETER = "a thread may start with a function that takes no argument"
"""C does not define that, but every calling convention does, and programs do it."""


class _Inlining:
    """The whole program: templates are made as they are needed."""

    def __init__(self, program: Program, options: InlineOptions, *, is_sharing: bool = False) -> None:
        self.program = program
        self.options = options
        self.is_sharing = is_sharing
        """Whether calls of a function that calls itself share copies."""
        self.locations: Iterator[int] = count()
        self.edges = 0
        self.has_met_bound = False
        self.assigned = {f.name: _assigned(f) for f in program.functions.values()}
        self.code = {o.address: o for o in program.objects if o.storage is Storage.CODE}
        self.kept = kept_functions(program)
        self.copying = copying(program)
        self.wanted: dict[str, str] = {}  # template -> function
        self.assumptions = dict.fromkeys(program.assumptions)

    def run(self) -> Program:
        entry = self.program.entry
        self.wanted[entry] = entry
        templates: dict[str, Function] = {}
        while len(templates) < len(self.wanted):
            name = next(name for name in self.wanted if name not in templates)
            templates[name] = _Template(self, name, self.program.functions[self.wanted[name]]).build()
        return replace(self.program, functions=templates, assumptions=tuple(self.assumptions))

    def template_of(self, function: str) -> str:
        """The name of the template that runs ``function`` as a created thread.

        The entry's own template ends the process when it returns, so it cannot be that.
        """
        name = f"{function}.thread" if function == self.program.entry else function
        self.wanted[name] = function
        return name

    def count_edge(self) -> None:
        self.edges += 1
        if self.edges > self.options.max_edges:
            raise _TooLargeError


def _assigned(function: Function) -> frozenset[str]:
    return frozenset(r.name for edge in function.edges for r in written_registers(edge.instruction))


@dataclass(slots=True)
class _Return:
    """Where a call goes back to."""

    caller: "_Instance"
    location: int
    target: ir.Register | None


@dataclass(slots=True)
class _ReturnSites:
    """Where several calls that share an instance go back to."""

    register: ir.Register
    """Which of them it is now."""
    backs: list[_Return] = field(default_factory=list)
    returns: list[tuple[Edge, Term | None, int, int]] = field(default_factory=list)
    """Where the function returns: the edge, what, and the place and the depth of its copy."""


@dataclass(slots=True)
class _Instance:
    """One call of a function inside a template, or several that are equally deep."""

    function: Function
    back: _Return | None
    registers: Mapping[str, ir.Register]
    objects: Mapping[str, MemoryObject]
    rename: Substitution
    calls: tuple[CallSite, ...]
    active: Mapping[str, int]
    """How many calls of each function are active, this one included."""
    locations: dict[tuple[int, int], int] = field(default_factory=dict)
    origins: dict[int, Origin] = field(default_factory=dict)
    sites: _ReturnSites | None = None
    """If several calls share it."""

    def rewrite(self, instruction: ir.Instruction) -> ir.Instruction:
        return rewritten(
            instruction,
            term=self.rename,
            register=lambda r: self.registers[r.name],
            memory_object=lambda o: self.objects[o.name],
        )

    def origin(self, origin: Origin) -> Origin:
        if not self.calls:
            return origin
        found = self.origins.get(id(origin))
        if found is None:
            found = replace(origin, calls=self.calls + origin.calls)
            self.origins[id(origin)] = found
        return found


_Depth = tuple[str, tuple[tuple[str, int], ...], int]
"""A function, how many calls of each are active, and how many atomic sections."""


class _Template:
    """Builds one template."""

    def __init__(self, inlining: _Inlining, name: str, start: Function) -> None:
        self.inlining = inlining
        self.terms: Terms = inlining.program.terms
        self.start = start
        self.is_entry = name == inlining.program.entry
        self.builder = FunctionBuilder(self.terms, name, locations=inlining.locations)
        self._registers: dict[tuple[str, int], dict[str, ir.Register]] = {}
        self._renamings: dict[tuple[str, int], Substitution] = {}
        self._thread_objects: dict[str, MemoryObject] = {}
        self._instances: dict[str, int] = {}
        self._pending: list[tuple[_Instance, int, int]] = []
        self._shared: dict[_Depth, _Instance] = {}
        """The instances that several calls share."""
        self._names: list[DeclaredNames] = []
        """What C calls the variables of each instance of a function."""

    def build(self) -> Function:
        start, builder = self.start, self.builder
        root = self._instance(start, None, (), {start.name: 1}, {})
        parameters = tuple(root.registers[p.name] for p in start.parameters)
        origin = Origin(start.span, start.c_name, start.c_name, is_library=start.is_library)
        self._enter(root, parameters, origin)
        while self._pending:
            instance, location, depth = self._pending.pop()
            for edge in instance.function.outgoing.get(location, ()):
                self._copy(instance, edge, depth)
        return builder.finish(
            c_name=start.c_name,
            parameters=() if self.is_entry else parameters,
            result=start.result,
            span=start.span,
            is_library=start.is_library,
            names=together(self._names),
        )

    def _enter(self, root: _Instance, parameters: tuple[ir.Register, ...], origin: Origin) -> None:
        """The entry has no caller: its arguments are input."""
        at = self.builder.entry
        for parameter in parameters if self.is_entry else ():
            following = self.builder.location()
            self._add(at, following, ir.Havoc(parameter, ir.Cause.INPUT, parameter.c_name), origin)
            at = following
        self._add(at, self._location(root, root.function.entry, 0), ir.Assign(), origin)

    # --- instances ------------------------------------------------------------------------------

    def _instance(
        self,
        function: Function,
        back: _Return | None,
        calls: tuple[CallSite, ...],
        active: Mapping[str, int],
        bound: Mapping[Term, Term],
    ) -> _Instance:
        level = active[function.name]
        registers = self._shared_registers(function, level)
        objects = {o.name: self._object(function, o, is_root=back is None) for o in function.objects}
        if any(o.storage is Storage.LOCAL for o in function.objects):
            self._instances[function.name] = self._instances.get(function.name, 1) + 1
        key = (function.name, level)
        if objects or bound or function.name in self.inlining.copying:
            rename = self._renaming(function, registers, objects, bound)
        elif key in self._renamings:
            rename = self._renamings[key]
        else:
            rename = self._renamings[key] = self._renaming(function, registers, objects, bound)
        self._note_names(function, {**registers, **objects})
        return _Instance(function, back, registers, objects, rename, calls, active)

    def _note_names(self, function: Function, variables: Mapping[str, ir.Register | MemoryObject]) -> None:
        """C knows the variables of an instance by the same names."""
        instances = Counter({function.c_name: 1})
        scopes = {variables[name].name: scope for name, scope in function.names.scopes.items()}
        self._names.append(replace(function.names, scopes=scopes, instances=instances))

    def _shared_registers(self, function: Function, level: int) -> dict[str, ir.Register]:
        key = (function.name, level)
        if key not in self._registers or function.name in self.inlining.copying:
            prefix = function.name if level == 1 else f"{function.name}#{level}"
            is_root = function is self.start and level == 1
            self._registers[key] = {
                r.name: self.builder.register(
                    r.name if is_root else f"{prefix}.{r.name}",
                    r.sort,
                    c_name="" if function.is_library else r.c_name,
                    display=Display.HIDDEN if function.is_library else r.display,
                )
                for r in function.registers
            }
        return self._registers[key]

    def _object(self, function: Function, original: MemoryObject, *, is_root: bool) -> MemoryObject:
        if original.storage is Storage.THREAD:
            if original.name not in self._thread_objects:
                name = f"{self.builder.name}.{original.name}"
                self._thread_objects[original.name] = self._renamed_object(original, name)
            return self._thread_objects[original.name]
        number = self._instances.get(function.name, 1)
        path = original.name if is_root else f"{function.name}#{number}.{original.name}"
        shown = replace(original, c_name="") if function.is_library else original
        return self._renamed_object(shown, f"{self.builder.name}.{path}")

    def _renamed_object(self, original: MemoryObject, name: str) -> MemoryObject:
        unique = self.builder.unique(name)
        address = self.terms.var(AddressOf(unique), self.terms.sort(original.address))
        made = replace(original, name=unique, address=address)
        self.builder.objects.append(made)
        return made

    def _renaming(
        self,
        function: Function,
        registers: Mapping[str, ir.Register],
        objects: Mapping[str, MemoryObject],
        bound: Mapping[Term, Term],
    ) -> Substitution:
        mapping = {r.term: registers[r.name].term for r in function.registers}
        mapping |= {o.address: objects[o.name].address for o in function.objects}
        return self.terms.substitution(mapping | dict(bound))

    # --- edges ----------------------------------------------------------------------------------

    def _location(self, instance: _Instance, location: int, depth: int) -> int:
        """The copy of a location of an instance at a depth of atomic sections; walked later if it is new."""
        found = instance.locations.get((location, depth))
        if found is None:
            found = instance.locations[location, depth] = self.builder.location()
            self._pending.append((instance, location, depth))
            if location in instance.function.errors:
                self.builder.errors[found] = instance.function.errors[location]
        return found

    def _add(self, source: int, target: int, instruction: ir.Instruction, origin: Origin) -> None:
        self.inlining.count_edge()
        self.builder.edge(source, target, instruction, origin)

    def _copy(self, instance: _Instance, edge: Edge, depth: int) -> None:
        source = self._location(instance, edge.source, depth)
        origin = instance.origin(edge.origin)
        instruction = instance.rewrite(edge.instruction)
        match instruction:
            case ir.Call():
                self._call(instance, edge, instruction, source, depth)
            case ir.CallPointer():
                self._call_pointer(instance, edge, instruction, source, depth)
            case ir.CreatePointer():
                self._create_pointer(instance, edge, instruction, source, depth)
            case ir.Return(value=value):
                self._return(instance, edge, value, source, depth)
            case ir.GiveUp(reason=reason):
                self._add(source, self.builder.exit, ir.GiveUp(_placed(reason, origin)), origin)
            case ir.Exit() | ir.End():
                self._add(source, self.builder.exit, instruction, origin)
            case ir.AtomicBegin() | ir.AtomicEnd():
                self._atomic(instance, edge, source, depth)
            case ir.Create(function=function):
                created = replace(instruction, function=self.inlining.template_of(function))
                self._add(source, self._location(instance, edge.target, depth), created, origin)
            case _:
                self._add(source, self._location(instance, edge.target, depth), instruction, origin)

    def _atomic(self, instance: _Instance, edge: Edge, source: int, depth: int) -> None:
        """Only the outermost section is left."""
        origin = instance.origin(edge.origin)
        is_begin = isinstance(edge.instruction, ir.AtomicBegin)
        if not is_begin and depth == 0:
            reason = ir.GiveUp("an atomic section ends that never began")
            self._add(source, self.builder.exit, reason, origin)
            return
        following = depth + 1 if is_begin else depth - 1
        if following > MAX_ATOMIC_DEPTH:
            raise GaveUpError("atomic sections are nested without end")
        is_outermost = min(depth, following) == 0
        instruction = edge.instruction if is_outermost else ir.Assign()
        self._add(source, self._location(instance, edge.target, following), instruction, origin)

    def _return(self, instance: _Instance, edge: Edge, value: Term | None, source: int, depth: int) -> None:
        back, origin = instance.back, instance.origin(edge.origin)
        if instance.sites is not None:
            instance.sites.returns.append((edge, value, source, depth))
            for number in range(len(instance.sites.backs)):
                self._go_back(instance, instance.sites, number, (edge, value, source, depth))
        elif back is None:
            self._end(instance, edge, value, source, depth)
        else:
            self._return_to(back, value, source, depth, origin)

    def _go_back(
        self, instance: _Instance, sites: _ReturnSites, number: int, at: tuple[Edge, Term | None, int, int]
    ) -> None:
        """Where the function returns, go back to one of the calls that share the instance if it is that."""
        edge, value, source, depth = at
        origin, register = instance.origin(edge.origin), sites.register.term
        is_this = self.terms.eq(register, self.terms.bv(number, self.terms.width(register)))
        branch = self.builder.location()
        self._add(source, branch, ir.Assume(is_this, is_certain=True), origin)
        self._return_to(sites.backs[number], value, branch, depth, origin)

    def _return_to(self, back: _Return, value: Term | None, source: int, depth: int, origin: Origin) -> None:
        target = self._location(back.caller, back.location, depth)
        if back.target is None:
            self._add(source, target, ir.Assign(), origin)
        elif value is None:
            self._add(source, target, ir.Havoc(back.target, ir.Cause.UNINITIALISED), origin)
        else:
            self._add(source, target, ir.Assign(((back.target, value),)), origin)

    def _end(self, instance: _Instance, edge: Edge, value: Term | None, source: int, depth: int) -> None:
        """The start function returns: what is to run at the end runs, then the thread or process is over."""
        ending = ir.End(ir.Ending.RETURN) if self.is_entry else ir.Exit(value)
        last = PROCESS_END if self.is_entry else THREAD_END
        origin = instance.origin(edge.origin)
        if last in self.inlining.program.functions:
            call = ir.Call(None, last, ())
            behind = ~edge.source  # no location of the function, and another one for each `return`
            after = instance.locations[behind, depth] = self.builder.location()
            self._call(instance, replace(edge, target=behind, instruction=call), call, source, depth)
            source = after
        self._add(source, self.builder.exit, ending, origin)

    def _call(self, instance: _Instance, edge: Edge, call: ir.Call, source: int, depth: int) -> None:
        function = self.inlining.program.functions[call.function]
        origin = instance.origin(edge.origin)
        site, followed = (instance.function.name, edge.source, function.name), self.inlining.options.followed
        if followed is not None and site not in followed:
            self._add(source, self.builder.exit, ir.GiveUp(not_followed(site)), origin)
            return
        active = dict(instance.active)
        active[function.name] = active.get(function.name, 0) + 1
        bound = self.inlining.options.recursion_bound
        if active[function.name] > bound:
            self.inlining.has_met_bound = True
            text = f"recursion deeper than {bound} calls of `{function.c_name}`"
            reason = Reason(text, Why.RECURSION, f"`{function.c_name}`", str(bound))
            self._add(source, self.builder.exit, ir.GiveUp(reason), origin)
            return
        called_from = CallSite(function.c_name, edge.origin.span, edge.origin.text, function.is_library)
        back = _Return(instance, edge.target, call.target)
        if self.inlining.is_sharing and active[function.name] > 1:
            self._call_shared(function, call, back, active, source, depth, origin)
            return
        constants = self._bound_functions(function, call.arguments)
        called = self._instance(function, back, (*instance.calls, called_from), active, constants)
        parameters = (called.registers[p.name] for p in function.parameters)
        passed = ir.Assign(tuple(zip(parameters, call.arguments, strict=True)))
        self._add(source, self._location(called, function.entry, depth), passed, origin)

    def _call_shared(
        self,
        function: Function,
        call: ir.Call,
        back: _Return,
        active: Mapping[str, int],
        source: int,
        depth: int,
        origin: Origin,
    ) -> None:
        """Call the instance for calls that are as deep as this one; users see no call string in it."""
        key = function.name, tuple(sorted(active.items())), depth
        called = self._shared.get(key)
        if called is None:
            called_again = CallSite(function.c_name, None, "", function.is_library)
            outer = _before_recursion(back.caller.calls, function)
            called = self._shared[key] = self._instance(function, back, (*outer, called_again), active, {})
            name = f"{function.name}#{active[function.name]}.called from"
            called.sites = _ReturnSites(self.builder.register(name, bitvec(32)))
        sites = called.sites
        assert sites is not None
        number = len(sites.backs)
        sites.backs.append(back)
        parameters = (called.registers[p.name] for p in function.parameters)
        passed = zip(parameters, call.arguments, strict=True)
        noted = ir.Assign(((sites.register, self.terms.bv(number, 32)), *passed))
        self._add(source, self._location(called, function.entry, depth), noted, origin)
        for at in sites.returns:
            self._go_back(called, sites, number, at)

    def _bound_functions(self, function: Function, arguments: tuple[Term, ...]) -> dict[Term, Term]:
        """Parameters that are the address of a known function throughout: calls of them need no dispatch."""
        assigned = self.inlining.assigned[function.name]
        return {
            parameter.term: argument
            for parameter, argument in zip(function.parameters, arguments, strict=True)
            if argument in self.inlining.code and parameter.name not in assigned
        }

    # --- function pointers ----------------------------------------------------------------------

    def _call_pointer(
        self, instance: _Instance, edge: Edge, call: ir.CallPointer, source: int, depth: int
    ) -> None:
        for branch, function in self._branches(instance, edge, call, source):
            self._call(instance, edge, ir.Call(call.target, function.name, call.arguments), branch, depth)

    def _create_pointer(
        self, instance: _Instance, edge: Edge, create: ir.CreatePointer, source: int, depth: int
    ) -> None:
        for branch, function in self._branches(instance, edge, create, source):
            template = self.inlining.template_of(function.name)
            taken = create.arguments[: len(function.parameters)]
            if len(taken) < len(create.arguments):
                self.inlining.assumptions[NO_PARAMETER] = None
            created = ir.Create(create.target, template, taken)
            target = self._location(instance, edge.target, depth)
            self._add(branch, target, created, instance.origin(edge.origin))

    def _branches(
        self, instance: _Instance, edge: Edge, call: ir.CallPointer | ir.CreatePointer, source: int
    ) -> list[tuple[int, Function]]:
        """One branch for each function that the pointer may name; the rest is wrong or given up."""
        terms, origin = self.terms, instance.origin(edge.origin)
        branches: list[tuple[int, Function]] = []
        elsewhere = terms.true
        for address, named in self.inlining.code.items():
            is_this = terms.eq(call.pointer, address)
            if is_this == terms.false:
                continue
            branch = self.builder.location()
            self._add(source, branch, ir.Assume(is_this), origin)
            elsewhere = terms.and_(elsewhere, terms.not_(is_this))
            function = self.inlining.program.functions.get(named.name)
            is_invented = is_this != terms.true and address not in self.inlining.kept
            if function is not None and self._fits(function, call) and not is_invented:
                branches.append((branch, function))
            else:
                reason = _misfit(named, function, is_invented=is_invented)
                self._add(branch, self.builder.exit, ir.GiveUp(reason), origin)
        if elsewhere != terms.false:
            self._invalid_call(source, elsewhere, origin)
        return branches

    def _invalid_call(self, source: int, elsewhere: Term, origin: Origin) -> None:
        phrase = "call through an invalid function pointer"
        failure = Failure(Property.DEREF, "call-of-invalid-pointer", phrase, origin.text)
        wrong = self.builder.location()
        self._add(source, wrong, ir.Assume(elsewhere), origin)
        self._add(wrong, self.builder.exit, ir.Check(self.terms.false, failure), origin)

    def _fits(self, function: Function, call: ir.CallPointer | ir.CreatePointer) -> bool:
        """Whether the function takes what it is given; one that a thread starts may take nothing."""
        given = [self.terms.sort(a) for a in call.arguments]
        taken = [p.sort for p in function.parameters]
        if isinstance(call, ir.CreatePointer):
            return taken in (given, [])
        return taken == given and (call.target is None or function.result == call.target.sort)


def _before_recursion(calls: tuple[CallSite, ...], function: Function) -> tuple[CallSite, ...]:
    """A call string up to the first call of a function."""
    for depth, call in enumerate(calls):
        if call.function == function.c_name:
            return calls[: depth + 1]
    return ()


def _placed(reason: str, origin: Origin) -> str:
    """Why a model gives up, with the user's call of it."""
    depth = origin.library_call
    if depth is None:
        return reason
    call = origin.calls[depth]
    if call.span is None:
        return reason
    return Reason(f"{call.span}: {reason}", Why.CONSTRUCT, reason, str(call.span))


def _misfit(named: MemoryObject, function: Function | None, *, is_invented: bool) -> str:
    name = named.c_name or named.name
    if function is None:
        return f"call of `{name}` through a pointer, but it has no model"
    if is_invented:
        return f"call of `{name}` through a pointer that was not made from its address"
    return f"call of `{name}` through a pointer of another type"
