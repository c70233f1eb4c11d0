"""Each part of our texts is needed: without it a published verdict of a litmus test changes."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from sley.memory_models.model import MemoryModelText, bundled, prelude, reachable
from sley.memory_models.pairs import Pairs, broken
from sley.memory_models.syntax import Apply, Binding, Expression, Let, Name, Operation, Operator
from tests.unit.semantics import litmus, machine_litmus, test_axioms, test_hardware

MACHINES = ("sc", "tso", "pso", "rmo", "power", "armv8")

UNSEEN = frozenset(
    {
        "sc: without threads in sc",
        "sc: without fences in sc",
        "power: without threads in po-loc",
        "power: without threads in sync",
        "power: without ffence in fences",
        "power: without ic; ci in ii",
        "power: without ii in ic",
        "power: without ic; cc in ic",
        "power: without ii; ic in ic",
        "power: without ci in cc",
        "power: without ci; ic in cc",
        "power: without cc; cc in cc",
        "power: without dp in cc0",
        "power: without po-loc in cc0",
        "power: without ci; ii in ci",
        "power: without cc; ci in ci",
        "power: without detour in ci0",
        "armv8: without ctrl in dob",
        "armv8: without rmw in aob",
        "rc11: without coherence-of-updates",
        "rc11: without atomicity",
        "rc11: without asw in no-thin-air",
        "rc11: without asw in hb",
        "rc11: without mo in eco",
        "rc11: without hb in psc-fences",
        "rc11: without other(sb); hb; other(sb) in scb",
        "rc11: without mo in scb",
    }
)
"""What these tests do not need: implied by the rest (one of two axioms about updates, fences under SC), about
threads, which litmus tests have from the start, or steps of Power's fixpoint that take longer tests."""


def without(expression: Expression) -> Iterator[tuple[str, Expression]]:
    """The expression without one alternative somewhere in it, each with its words."""
    match expression:
        case Operation(operator=operator, parts=parts):
            if operator is Operator.UNION:
                for i, part in enumerate(parts):
                    yield words(part), replace(expression, parts=(*parts[:i], *parts[i + 1 :]))
            for i, part in enumerate(parts):
                for said, other in without(part):
                    yield said, replace(expression, parts=(*parts[:i], other, *parts[i + 1 :]))
        case Name() | Apply():
            return


def words(expression: Expression) -> str:
    match expression:
        case Name(name=name):
            return name
        case Apply(function=function, arguments=arguments):
            return f"{function}({', '.join(map(words, arguments))})"
        case Operation(operator=Operator.IDENTITY, parts=(part,)):
            return f"[{words(part)}]"
        case Operation(operator=operator, parts=(part,)):
            return f"{words(part)}{operator.value[-1]}"
        case Operation(operator=operator, parts=parts):
            return {";": "; "}.get(operator.value, f" {operator.value} ").join(map(words, parts))


def faults(name: str) -> Iterator[tuple[str, MemoryModelText]]:
    """The model with one axiom or one alternative less."""
    model = bundled(name)
    for axiom in model.axioms:
        others = tuple(one for one in model.axioms if one is not axiom)
        yield f"{name}: without {axiom.name}", replace(model, axioms=others)
        for said, relation in without(axiom.relation):
            changed = tuple(replace(one, relation=relation) if one is axiom else one for one in model.axioms)
            yield f"{name}: without {said} in {axiom.name}", replace(model, axioms=changed)
    used = dict.fromkeys(n for axiom in model.axioms for n in reachable(model, axiom.relation))
    own = set(model.lets) - set(prelude())
    for defined in used:
        if defined in own or (name == "power" and defined in model.lets and defined in prelude()):
            binding, let = model.lets[defined]
            for said, body in without(binding.body):
                changed_let = replaced(let, replace(binding, body=body))
                lets = {**model.lets, **{b.name: (b, changed_let) for b in changed_let.bindings}}
                yield f"{name}: without {said} in {defined}", replace(model, lets=lets)


def replaced(let: Let, binding: Binding) -> Let:
    return replace(let, bindings=tuple(binding if b.name == binding.name else b for b in let.bindings))


Candidates = tuple[bool, tuple[Pairs, ...]]
"""Of a test: what is published, and the executions with its outcome."""


@cache
def candidates(name: str) -> tuple[Candidates, ...]:
    """The tests with published verdicts."""
    if name == "rc11":
        groups = ((test_axioms.ALLOWED, True), (test_axioms.FORBIDDEN, False))
        return tuple(
            (is_allowed, tuple(litmus.candidates(threads, {})))
            for group, is_allowed in groups
            for threads in group.values()
        )
    return tuple(
        (is_allowed, tuple(one.pairs() for one in machine_litmus.executions(*threads, last=last)))
        for is_allowed, last, threads in published(name)
    )


def published(name: str) -> Iterator[tuple[bool, dict[str, int], tuple[str, ...]]]:
    is_arm = name == "armv8"
    values: Mapping[str, Any] = test_hardware.ARM if is_arm else test_hardware.CASES
    ends: Mapping[str, Any] = test_hardware.ARM_LAST if is_arm else test_hardware.LAST
    for said, *threads in values.values():
        yield said if is_arm else name in said.split(), {}, tuple(threads)
    for said, last, *threads in ends.values():
        yield said if is_arm else name in said.split(), last, tuple(threads)


def agrees(model: MemoryModelText, name: str) -> bool:
    """Whether a model says what is published about all tests."""
    return all(
        any(broken(model, one) is None for one in executions) == is_allowed
        for is_allowed, executions in candidates(name)
    )


@pytest.mark.parametrize("name", [*MACHINES, "rc11"])
def test_published_verdicts_need_every_part(name: str) -> None:
    assert agrees(bundled(name), name)
    unseen = [said for said, fault in faults(name) if agrees(fault, name)]
    assert set(unseen) == {said for said in UNSEEN if said.startswith(f"{name}:")}
