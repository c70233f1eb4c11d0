"""Which heap blocks may be made after which others have been freed, and so get their numbers.

Control flow tells, and which thread creates which: what main makes before it creates a thread is made before
any other thread frees something, and what a thread makes before it frees something is, too, unless there are
several such threads.
"""

from collections.abc import Mapping

from sley.analyses.graphs import reachable
from sley.analyses.threads import Creations, Instances
from sley.program.instructions import Allocate, Create, Free
from sley.program.program import Edge, Program


def made_after_frees(program: Program) -> Mapping[int, frozenset[int]]:
    """The location of each Free -> those of Allocates that may be executed after it."""
    creations = Creations(program)
    made = {
        name: frozenset(edge.source for edge in function.edges if isinstance(edge.instruction, Allocate))
        for name, function in program.functions.items()
    }
    if not any(made.values()):
        return {}

    def behind(edges: list[Edge]) -> frozenset[int]:
        name = creations.template_at[edges[0].source]
        return reachable((edge.target for edge in edges), program.functions[name].successors)

    creating = [
        edge for edge in program.functions[program.entry].edges if isinstance(edge.instruction, Create)
    ]
    while_others_run = behind(creating) if creating else frozenset()

    def after(free: Edge, name: str) -> frozenset[int]:
        """The Allocates of a template that may come after a Free."""
        template = creations.template_at[free.source]
        if name == template and creations.instances[name] is not Instances.MANY:
            return made[name] & behind([free])
        return made[name] & while_others_run if name == program.entry else made[name]

    return {
        edge.source: frozenset[int]().union(*(after(edge, name) for name in made))
        for edge in program.edges
        if isinstance(edge.instruction, Free)
    }
