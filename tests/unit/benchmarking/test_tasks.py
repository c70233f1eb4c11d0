"""Sets of tasks are read as the competitions write them."""

from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.benchmarking.tasks import BenchTask, read_tasks
from sley.frontend.data_model import DataModel

RACE = "CHECK( init(main()), LTL(G ! data-race) )\n"
REACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
MEMORY = "".join(
    f"CHECK( init(main()), LTL(G {part}) )\n" for part in ("valid-free", "valid-deref", "valid-memtrack")
)
DEFINITION = """\
format_version: '2.0'
input_files: '{name}.c'
properties:
  - property_file: race.prp
    expected_verdict: {race}
  - property_file: memory.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: end.prp
    expected_verdict: true
  - property_file: cover.prp
options:
  language: C
  data_model: ILP32
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name, text in {"race": RACE, "reach": REACH, "memory": MEMORY}.items():
        (tmp_path / f"{name}.prp").write_text(text)
    (tmp_path / "end.prp").write_text("CHECK( init(main()), LTL(F end) )\n")
    (tmp_path / "cover.prp").write_text("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n")
    for name, race in {"one": "true", "two": "false"}.items():
        (tmp_path / f"{name}.c").write_text("int main(void) { return 0; }\n")
        (tmp_path / f"{name}.yml").write_text(DEFINITION.format(name=name, race=race))
    (tmp_path / "other.yml").write_text("a: b\n")
    (tmp_path / "all.set").write_text("# a comment\n\none.yml\nt*.yml\n")
    return tmp_path


def expected(tasks: tuple[BenchTask, ...]) -> dict[str, str | None]:
    return {f"{Path(task.name).stem} {task.group()}": task.expected for task in tasks}


ALL = {
    "one race": "true",
    "one memory": "false(valid-deref)",
    "two race": "false",
    "two memory": "false(valid-deref)",
}


@pytest.mark.parametrize("source", ["all.set", "."])
def test_sets_and_folders(suite: Path, source: str) -> None:
    found = read_tasks([suite / source])
    assert expected(found.tasks) == ALL
    assert found.skipped == 4
    assert {task.data_model for task in found.tasks} == {DataModel.ILP32}


def test_one_property(suite: Path) -> None:
    for name in ("race", str(suite / "race.prp")):
        found = read_tasks([suite / "one.yml", suite / "one.yml"], [name])
        assert expected(found.tasks) == {"one race": "true"}


def test_tables(suite: Path) -> None:
    table = suite / "tasks.csv"
    table.write_text("file,property,expected\none.c,race,SAFE\ntwo.c,race.prp,false\none.c,,\n")
    found = read_tasks([table])
    assert expected(found.tasks) == {"one race": "true", "two race": "false", "one all": None}


def test_programs_alone(suite: Path) -> None:
    assert expected(read_tasks([suite / "one.c"]).tasks) == {"one all": None}
    assert expected(read_tasks([suite / "one.c"], ["race", "reach"]).tasks) == {
        "one race": None,
        "one reach": None,
    }


def test_a_draw_depends_on_its_seed_alone(suite: Path) -> None:
    tasks = read_tasks([suite])
    draws = [expected(tasks.drawn(2, seed).tasks) for seed in (1, 1, 2, 3, 4)]
    assert draws[0] == draws[1]
    assert len({tuple(draw) for draw in draws}) > 1
    assert tasks.drawn(9, 1) == tasks


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "file\none.c\n", "does not name the columns"),
        ("a.csv", "file,expected\nnone.c,safe\n", "no file `none.c`"),
        ("a.csv", "file,expected\none.c,perhaps\n", "`perhaps` is none of"),
        ("a.set", "three.yml\n", "nothing fits `three.yml`"),
        ("a.txt", "", "neither .set"),
    ],
)
def test_what_is_wrong_is_said(suite: Path, name: str, text: str, message: str) -> None:
    (suite / name).write_text(text)
    with pytest.raises(InputError, match=message):
        read_tasks([suite / name])


def test_unknown_names_are_said() -> None:
    with pytest.raises(InputError, match="`speed` is none of"):
        read_tasks([], ["speed"])
