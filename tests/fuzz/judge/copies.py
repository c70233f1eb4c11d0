"""Elements of any type, moved by copies of a size that only the run knows."""

from sley.program.properties import Property
from tests.fuzz.judge.draft import Corner, Draft

COUNT = 3
"""Elements of a container."""

VALUES = {
    "char": "(char)({n} % 100)",
    "short": "(short)(7 * {n})",
    "int": "{n} - 1000",
    "long": "{n} * 100000L",
    "int *": "&{numbers}[{n} % 4]",
    "double": "{n} / 2.0",
}
SHOWN = {"int *": "*{}", "double": "(int)(2 * {})"}


def copied_elements(draft: Draft) -> None:
    """Random records go into a container, around in it, and out of it."""
    tag, numbers, size, data = (draft.name(stem) for stem in ("record", "numbers", "size", "data"))
    members = [(f"m{i}", draft.pick(*VALUES)) for i in range(draft.number(1, 4))]
    declared = " ".join(f"{kind}{'' if kind.endswith('*') else ' '}{name};" for name, kind in members)
    draft.file_scope(f"struct {tag} {{ {declared} }};", tag)
    draft.file_scope(f"static int {numbers}[4] = {{3, 1, 4, 1}};", numbers)
    draft.file_scope(f"static size_t {size} = sizeof(struct {tag});", size)
    is_heap = _container(draft, tag, size, data)
    for slot in range(COUNT):
        made = draft.name("made")
        draft.line(f"struct {tag} {made} = {_literal(draft, members, numbers)};")
        draft.line(f"memcpy({data} + {slot} * {size}, &{made}, {size});")
    for _ in range(draft.number(1, 4)):
        _step(draft, tag, size, data)
    room = COUNT
    if is_heap and draft.chance(0.4):
        room += draft.number(-1, 2)
        draft.line(f"{data} = realloc({data}, {room} * {size});")
    found, slot = draft.name("found"), draft.number(0, min(room, COUNT) - 1)
    draft.code(f"struct {tag} {found};", f"memcpy(&{found}, {data} + {slot} * {size}, {size});")
    for name, kind in members:
        draft.check(SHOWN.get(kind, "{}").format(f"{found}.{name}"))
    if draft.fails(Property.DEREF, what="an element behind the container"):
        draft.line(f"memcpy({data} + {room} * {size}, &{found}, {size});")
    if is_heap:
        draft.line(f"free({data});")


def _container(draft: Draft, tag: str, size: str, data: str) -> bool:
    """Memory for the elements; whether it is a block."""
    place = draft.pick("heap", "heap", "static", "local", "typed")
    if place == "heap":
        draft.line(f"char *{data} = malloc({COUNT} * {size});")
        return True
    room, alignment = draft.name("room"), f"_Alignas({draft.pick('16', 'max_align_t')})"
    if place == "static":
        draft.file_scope(f"static {alignment} char {room}[{COUNT} * sizeof(struct {tag})];", room)
    elif place == "local":
        draft.line(f"{alignment} unsigned char {room}[{COUNT} * sizeof(struct {tag})];")
    else:
        draft.line(f"struct {tag} {room}[{COUNT}];")
    draft.line(f"char *{data} = (char *){room};")
    return False


def _literal(draft: Draft, members: list[tuple[str, str]], numbers: str) -> str:
    given = [VALUES[kind].format(n=draft.number(0, 1999), numbers=numbers) for _, kind in members]
    return f"{{{', '.join(given)}}}"


def _step(draft: Draft, tag: str, size: str, data: str) -> None:
    """Elements change places."""
    one, other = draft.random.sample(range(COUNT), 2)
    here, there = f"{data} + {one} * {size}", f"{data} + {other} * {size}"
    form = draft.pick("copy", "move up", "move down", "swap", "bytes", "twice", "zero")
    if form == "copy":
        draft.line(f"memcpy({here}, {there}, {size});")
    elif form == "move up":
        draft.line(f"memmove({data} + {size}, {data}, {COUNT - 1} * {size});")
    elif form == "move down":
        draft.line(f"memmove({data}, {data} + {size}, {COUNT - 1} * {size});")
    elif form == "swap":
        kept = draft.name("kept")
        typed = f"struct {tag} {kept}[1];" if draft.chance() else f"char {kept}[sizeof(struct {tag})];"
        draft.code(typed, f"memcpy({kept}, {here}, {size});", f"memmove({here}, {there}, {size});")
        draft.line(f"memcpy({there}, {kept}, {size});")
    elif form == "bytes":
        with draft.block(f"for (size_t i = 0; i < {size}; i++)"):
            draft.line(f"({here})[i] = ({there})[i];")
    elif form == "twice":
        first, most = draft.name("first"), draft.pick("1", "2", "4", "8")
        draft.line(f"size_t {first} = {size} < {most} ? {size} : {most};")
        draft.line(f"memcpy({here}, {there}, {first});")
        draft.line(f"memcpy({here} + {first}, {there} + {first}, {size} - {first});")
    else:
        draft.code(f"memset({here}, 0, {size});", f"memcpy({here}, {there}, {size});")


CORNERS: dict[str, tuple[Corner, int]] = {"copied-elements": (copied_elements, 3)}
