"""Tasks are read from folders and tables."""

from pathlib import Path

import pytest
from bench.running.tasks import BenchTask, drawn, read_tasks

from sley.base.errors import InputError


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    (tmp_path / "race.prp").write_text("CHECK( init(main()), LTL(G ! data-race) )\n")
    for name in ("one", "two", "three"):
        (tmp_path / f"{name}.c").write_text("int main(void) { return 0; }\n")
    return tmp_path


def expected(tasks: list[BenchTask]) -> dict[str, str | None]:
    return {f"{Path(task.name).stem} {task.group()}": task.expected for task in tasks}


def test_tables(suite: Path) -> None:
    table = suite / "tasks.csv"
    table.write_text("file,property,expected\none.c,race,SAFE\ntwo.c,race.prp,false\none.c,,\n")
    assert expected(read_tasks([table])) == {"one race": "true", "two race": "false", "one all": None}


def test_folders_and_programs_alone(suite: Path) -> None:
    assert expected(read_tasks([suite / "one.c"])) == {"one all": None}
    assert expected(read_tasks([suite, suite / "one.c"])) == dict.fromkeys(
        ("one all", "two all", "three all")
    )


def test_a_draw_depends_on_its_seed_alone(suite: Path) -> None:
    tasks = read_tasks([suite])
    draws = [tuple(one.name for one in drawn(tasks, 2, seed)) for seed in (1, 1, 2, 3, 4)]
    assert draws[0] == draws[1]
    assert len(set(draws)) > 1
    assert drawn(tasks, 9, 1) == tasks


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.csv", "file\none.c\n", "does not name the columns"),
        ("a.csv", "file,expected\nnone.c,safe\n", "no file `none.c`"),
        ("a.csv", "file,expected\none.c,perhaps\n", "`perhaps` is none of"),
        ("a.csv", "file,property,expected\none.c,speed,safe\n", "`speed` is none of"),
        ("a.txt", "", "neither .csv"),
    ],
)
def test_what_is_wrong_is_said(suite: Path, name: str, text: str, message: str) -> None:
    (suite / name).write_text(text)
    with pytest.raises(InputError, match=message):
        read_tasks([suite / name])
