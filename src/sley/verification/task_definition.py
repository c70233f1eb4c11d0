"""Task definitions (``.yml``) as SV-COMP and BenchExec write them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sley.base import outside
from sley.base.errors import InputError, Unsupported
from sley.base.source import Span
from sley.frontend.data_model import DataModel
from sley.verification.property_files import Selection, read_property_file


@dataclass(frozen=True, slots=True)
class TaskDefinition:
    """What a task definition says."""

    paths: tuple[Path, ...]
    selection: Selection | None
    """None: the definition names no property."""
    data_model: DataModel | None


def read_task_definition(path: Path, *, reads_properties: bool = True) -> TaskDefinition:
    """The input files, properties and data model of a definition; paths are relative to its folder.

    Where properties are chosen already, the property files that it names need not exist.
    """
    content = _load(path)
    options = content.get("options") or {}
    if not isinstance(options, Mapping):
        raise InputError("`options` is not a mapping", Span(str(path), 1, 1))
    files = [_property_file(entry, path) for entry in _property_entries(content, path)]
    selection = _selection(files) if reads_properties else None
    language = options.get("language", "C")
    if language != "C":
        foreign = Unsupported(f"language {language}", Span(str(path), 1, 1))
        selection = (selection or Selection()) | Selection(unsupported=(foreign,))
    return TaskDefinition(_input_files(content, path), selection, _data_model(options, path))


def _load(path: Path) -> Mapping[str, object]:
    content = outside.yaml_of(outside.text(path, outside.TASK), str(path))
    if not isinstance(content, Mapping) or "input_files" not in content:
        raise InputError("not a task definition: no `input_files`", Span(str(path), 1, 1))
    return content


def _input_files(content: Mapping[str, object], path: Path) -> tuple[Path, ...]:
    files = content["input_files"]
    names = [files] if isinstance(files, str) else files
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise InputError("`input_files` is not a file name or a list of them", Span(str(path), 1, 1))
    return tuple(path.parent / name for name in names)


def _property_entries(content: Mapping[str, object], path: Path) -> list[object]:
    entries = content.get("properties") or []
    if not isinstance(entries, list):
        raise InputError("`properties` is not a list", Span(str(path), 1, 1))
    return entries


def _property_file(entry: object, path: Path) -> Path:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("property_file"), str):
        raise InputError("a property without `property_file`", Span(str(path), 1, 1))
    return path.parent / str(entry["property_file"])


def _selection(files: Sequence[Path]) -> Selection | None:
    selection: Selection | None = None
    for file in files:
        asked = read_property_file(file)
        selection = asked if selection is None else selection | asked
    return selection


def _data_model(options: Mapping[str, object], path: Path) -> DataModel | None:
    name = options.get("data_model")
    if name is None:
        return None
    if name not in DataModel.__members__:
        raise InputError(f"unknown data model `{name}`", Span(str(path), 1, 1))
    return DataModel[str(name)]
