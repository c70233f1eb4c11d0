"""Boolean broadcast programs as text.

    shared s, t;
    initially !s;
    template main single {
        entry 1;
        1: create worker constrain !n.b' goto 1;
    }
    template worker created {
        local b, c;
        entry 2;
        2: havoc {s, a.c, all(worker.b)} constrain a.c' & forall worker p . (p.b | !p.b') goto 3;
        3 {b}: goto 4, 5;
    }
    error 4;
    error 5, 5;

``forall`` reaches to the end of the constraint or the next ``forall``.
"""

from collections.abc import Iterable, Sequence

from sley.evidence.symmetric.boolean_program import (
    PASSIVES,
    BooleanProgram,
    BooleanTemplate,
    Clause,
    Statement,
)


def print_boolean(program: BooleanProgram) -> str:
    """The program as text."""
    lines = [f"shared {', '.join(program.shared)};"] if program.shared else []
    if program.initial:
        lines.append(f"initially {_clauses(program.initial)};")
    for template in program.templates:
        lines.extend(_template_lines(template))
    lines.extend(f"error {', '.join(map(str, locations))};" for locations in program.errors)
    return "\n".join(lines) + "\n"


def _template_lines(template: BooleanTemplate) -> Iterable[str]:
    kind = (" single" if template.is_single else "") + (" created" if template.is_created else "")
    yield f"template {template.name}{kind} {{"
    if template.variables:
        yield f"    local {', '.join(template.variables)};"
    yield f"    entry {template.entry};"
    seen: set[int] = set()
    for statement in template.statements:
        yield f"    {_label(template, statement.source, seen)}: {print_statement(statement)};"
    for location in template.locations:
        if location not in seen and location in template.scopes:
            yield f"    {_label(template, location, seen)};"
    yield "}"


def _label(template: BooleanTemplate, location: int, seen: set[int]) -> str:
    scope = template.scopes.get(location)
    if location in seen or scope is None:
        return str(location)
    seen.add(location)
    return f"{location} {{{', '.join(scope)}}}"


def print_statement(statement: Statement) -> str:
    """One statement."""
    words = [f"create {statement.creates}"] if statement.creates is not None else []
    havoc = [*statement.shared, *(f"a.{name}" for name in statement.own)]
    havoc += [f"all({template}.{name})" for template, name in statement.everywhere]
    if havoc:
        words.append(f"havoc {{{', '.join(havoc)}}}")
    if statement.clauses:
        words.append(f"constrain {_clauses(statement.clauses)}")
    words.append(f"goto {', '.join(map(str, statement.targets))}")
    return " ".join(words)


def _clauses(clauses: Sequence[Clause]) -> str:
    groups: dict[tuple[str, ...], list[str]] = {(): []}
    for clause in clauses:
        groups.setdefault(clause.passives, []).append(_disjunction(clause))
    parts = groups.pop(())
    for passives, texts in groups.items():
        bound = ", ".join(f"{name} {index}" for name, index in zip(passives, PASSIVES, strict=False))
        parts.append(f"forall {bound} . {' & '.join(texts)}")
    return " & ".join(parts)


def _disjunction(clause: Clause) -> str:
    text = " | ".join(str(literal) for literal in clause.literals)
    return f"({text})" if len(clause.literals) > 1 else text or "0"
