"""Reading witnesses in YAML, formats 2.0 to 2.2."""

from collections.abc import Iterator
from pathlib import Path

from sley.base import outside
from sley.base.errors import Unsupported, UnsupportedFeatureError
from sley.frontend.data_model import DataModel
from sley.verification.property_files import read_formulas
from sley.verification.witnesses.document import (
    Invariant,
    Passing,
    Subject,
    Waypoint,
    Witness,
    WitnessPlace,
    WitnessSegment,
)
from sley.verification.witnesses.expressions import RESULT, Condition, condition_of, printed
from sley.verification.witnesses.yaml_nodes import YamlNode, read_yaml

VERSIONS = ("2.0", "2.1", "2.2")
ENTRIES = ("violation_sequence", "invariant_set", "ghost_instrumentation")
INVARIANTS = ("loop_invariant", "location_invariant")
WAYPOINTS = ("assumption", "branching", "function_enter", "function_return", "target")
_DATA_MODELS = {model.name: model for model in DataModel}


def read_witness(file: Path) -> Witness:
    """What the witness says; InputError, with its place, for what is none."""
    root = read_yaml(outside.text(file, outside.WITNESS), str(file))
    entries = root.items()
    if not entries:
        raise root.wrong("a witness without entries")
    kinds = [_kind(entry) for entry in entries]
    if "ghost_instrumentation" in kinds:
        ghosts = entries[kinds.index("ghost_instrumentation")]
        raise UnsupportedFeatureError((Unsupported("ghost variables in a witness", ghosts.span),))
    if "violation_sequence" in kinds:
        if len(entries) > 1:
            raise entries[1].wrong("a violation stands alone")
        return Witness(_subject(entries[0]), _Violation(entries[0].field("content")).segments())
    found = [_invariant(one) for entry in entries for one in entry.field("content").items()]
    return Witness(_subject(entries[0]), (), tuple(found))


def _kind(entry: YamlNode) -> str:
    kind = entry.field("entry_type").one_of(ENTRIES)
    version = entry.field("metadata").field("format_version")
    if version.text() not in VERSIONS:
        raise version.wrong(f"format {version.text()}, of which I know only {', '.join(VERSIONS)}")
    return kind


def _subject(entry: YamlNode) -> Subject:
    metadata = entry.field("metadata")
    task = metadata.field("task")
    specification, data_model = task.field("specification"), task.field("data_model")
    model = _DATA_MODELS[data_model.one_of(_DATA_MODELS)]
    task.field("language").one_of(("C",))
    files = [file.text() for file in task.field("input_files").items()]
    hashes = task.field("input_file_hashes").fields()
    if not files:
        raise task.wrong("a task without files")
    return Subject(
        read_formulas(specification.text(), specification.span),
        specification.span,
        model,
        data_model.span,
        tuple((name, one.text(), one.span) for name, one in hashes.items()),
    )


def _place(location: YamlNode) -> WitnessPlace:
    column, function = location.optional("column"), location.optional("function")
    return WitnessPlace(
        location.field("file_name").text(),
        location.field("line").number(1),
        None if column is None else column.number(1),
        None if function is None else function.text(),
    )


def _invariant(item: YamlNode) -> Invariant:
    content = item.field("invariant")
    kind = content.field("type").one_of(INVARIANTS)
    content.field("format").one_of(("c_expression",))
    value = content.field("value")
    printed(value.text(), value.span)  # it is one
    return Invariant(_place(content.field("location")), value.text(), kind == "loop_invariant", value.span)


# --- violations ------------------------------------------------------------------------------------


class _Violation:
    """Reads the segments; several targets at the end are segments of their own."""

    def __init__(self, content: YamlNode) -> None:
        self.content = content
        self.threads = 0
        """So many may have been created; which calls create threads, the program says."""

    def segments(self) -> tuple[WitnessSegment, ...]:
        segments = self.content.items()
        if not segments:
            raise self.content.wrong("a violation without segments")
        return tuple(read for one in segments for read in self._segment(one, is_last=one is segments[-1]))

    def _segment(self, segment: YamlNode, *, is_last: bool) -> Iterator[WitnessSegment]:
        waypoints = [item.field("waypoint") for item in segment.field("segment").items()]
        actions = [one.field("action").one_of(("follow", "avoid")) for one in waypoints]
        kinds = [one.field("type").one_of(WAYPOINTS) for one in waypoints]
        followed = actions.count("follow")
        is_multiple = is_last and all(kind == "target" for kind in kinds)
        if followed != 1 and not (is_multiple and followed == len(actions) > 0):
            raise segment.wrong(f"a segment follows one waypoint, and this one {followed}")
        if actions[-1] != "follow":
            raise waypoints[-1].wrong("the last waypoint of a segment is the one to follow")
        if ("target" in kinds) != is_last or (is_last and kinds[-1] != "target"):
            raise segment.wrong("the last segment, and no other, ends with the target")
        avoided: list[Waypoint] = []
        for node, action in zip(waypoints, actions, strict=True):
            waypoint = self._waypoint(node, is_followed=action == "follow")
            if action == "follow":
                yield WitnessSegment(waypoint, tuple(avoided))
            else:
                avoided.append(waypoint)

    def _waypoint(self, node: YamlNode, *, is_followed: bool) -> Waypoint:
        kind = node.field("type").text()
        thread = self._thread(node)
        condition = _condition(node, kind)
        place = _place(node.field("location"))
        self.threads += kind == "function_enter" and is_followed
        return Waypoint(_PASSINGS[kind], place, node.span, thread, condition)

    def _thread(self, node: YamlNode) -> int | None:
        name = node.optional("thread_id")
        if name is None:
            return None
        number = name.number(0)
        if number > self.threads:
            raise name.wrong(f"thread {number} acts, but only {self.threads} have been created")
        return number


_PASSINGS = {
    "assumption": Passing.STATEMENT,
    "branching": Passing.STATEMENT,
    "function_enter": Passing.CREATION,
    "function_return": Passing.INPUT,
    "target": Passing.TARGET,
}


def _condition(node: YamlNode, kind: str) -> Condition:
    constraint = node.optional("constraint")
    if kind in ("target", "function_enter"):
        if constraint is not None:
            raise constraint.wrong(f"a waypoint of type {kind} has no constraint")
        return ()
    if constraint is None:
        raise node.wrong(f"a waypoint of type {kind} needs a constraint")
    value = constraint.field("value")
    if kind == "branching":
        if value.text() not in ("true", "false", "default") and not value.text().lstrip("-").isdigit():
            raise value.wrong(f"`{value.text()}` is no way to branch")
        return ()
    formats = ("acsl_expression",) if kind == "function_return" else ("c_expression", "ext_c_expression")
    constraint.field("format").one_of(formats)
    condition = condition_of(value.text(), value.span)
    if kind == "function_return" and not all(one is not None and one.name == RESULT for one in condition):
        raise value.wrong("a constraint on `\\result` is a comparison with a constant")
    return condition
