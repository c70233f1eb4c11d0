"""SV-COMP task definitions."""

from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.frontend.data_model import DataModel
from sley.program.properties import Property
from sley.verification.task_definition import read_task_definition

DEFINITION = """\
format_version: "2.0"
input_files: 'lost_update.i'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: false
  - property_file: ../properties/races.prp
    expected_verdict: false
options:
  language: C
  data_model: ILP32
"""


@pytest.fixture
def task(tmp_path: Path) -> Path:
    (tmp_path / "properties").mkdir()
    (tmp_path / "tasks").mkdir()
    (tmp_path / "properties/unreach-call.prp").write_text(
        "CHECK( init(main()), LTL(G ! call(reach_error())) )"
    )
    (tmp_path / "properties/races.prp").write_text("CHECK( init(main()), LTL(G ! data-race) )")
    path = tmp_path / "tasks/lost_update.yml"
    path.write_text(DEFINITION)
    return path


def test_files_properties_and_data_model(task: Path) -> None:
    definition = read_task_definition(task)
    assert definition.paths == (task.parent / "lost_update.i",)
    assert definition.selection is not None
    assert definition.selection.properties == {Property.REACH, Property.RACE}
    assert definition.selection.error_call == "reach_error"
    assert definition.data_model is DataModel.ILP32


def test_what_is_not_said_is_left_open(task: Path) -> None:
    task.write_text("input_files: [a.c, b.c]\n")
    definition = read_task_definition(task)
    assert [path.name for path in definition.paths] == ["a.c", "b.c"]
    assert definition.selection is None
    assert definition.data_model is None


def test_another_language_is_not_supported(task: Path) -> None:
    task.write_text(DEFINITION.replace("language: C", "language: Java"))
    selection = read_task_definition(task).selection
    assert selection is not None
    assert "language Java" in selection.unsupported[0].what


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("input_files: [", "1:15: not a YAML file"),
        ("- a\n- b\n", "no `input_files`"),
        ("input_files: {}\n", "`input_files` is not a file name"),
        ("input_files: []\n", "`input_files` is not a file name"),
        ("input_files: a.c\nproperties: 3\n", "`properties` is not a list"),
        ("input_files: a.c\nproperties: [{}]\n", "a property without `property_file`"),
        ("input_files: a.c\noptions: [1]\n", "`options` is not a mapping"),
        ("input_files: a.c\noptions: {data_model: LP128}\n", "unknown data model `LP128`"),
        ("input_files: a.c\nproperties: [{property_file: none.prp}]\n", "no such file"),
        ("\x00", "not a YAML file"),
    ],
)
def test_mistakes_are_one_line_with_a_place(task: Path, content: str, message: str) -> None:
    task.write_text(content)
    with pytest.raises(InputError) as caught:
        read_task_definition(task)
    assert message in str(caught.value)
    assert str(caught.value).startswith(str(task.parent))
    assert "\n" not in str(caught.value)
