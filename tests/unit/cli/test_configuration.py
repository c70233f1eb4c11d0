"""What ``sley.toml`` says, where it is found, and how mistakes in it are told."""

import argparse
from pathlib import Path

import pytest

from sley.base.errors import InputError
from sley.cli.application import invoke
from sley.cli.commands import make_parser
from sley.cli.configuration import configured
from sley.program.memory_model import MemoryModel

WHOLE = """\
files = ["src/*.c", "main.c"]
include = ["include"]
define = ["SIZE=3"]
models = ["models.c"]
properties = ["race", "deadlock", "only.prp"]
data-model = "ILP32"
memory-model = "sc"
time-limit = "5m"
memory-limit = "2GB"
engines = ["explore", "bmc"]
jobs = 2
arguments = ["-n", "4"]
allow-inner-overrun = true
all-bugs = true
"""


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    for name in ("main.c", "src/a.c", "src/b.c"):
        (project / name).write_text("int main(void) { return 0; }\n")
    (project / "only.prp").write_text("CHECK( init(main()), LTL(G ! overflow) )")
    (project / "sley.toml").write_text(WHOLE)
    monkeypatch.chdir(project)
    return project


def chosen(*words: str) -> argparse.Namespace:
    parser, commands = make_parser()
    return configured(words, parser, commands["check"])


def test_every_key_becomes_a_flag() -> None:
    flags = chosen("check")
    assert flags.files == [Path("src/a.c"), Path("src/b.c"), Path("main.c")]
    assert flags.include_dirs == [Path("include")]
    assert flags.defines == ["SIZE=3"]
    assert flags.models == [Path("models.c")]
    assert flags.properties == ["race", "deadlock", "only.prp"]
    assert (flags.data_model, flags.memory_model) == ("ILP32", MemoryModel.SC)
    assert (flags.time_limit, flags.memory_limit) == (300, 2000)
    assert (flags.engine, flags.jobs) == ("explore,bmc", 2)
    assert flags.arguments == ["-n", "4"]
    assert flags.allow_inner_overrun
    assert flags.all_bugs


@pytest.mark.parametrize(("words", "given"), [(["--", "-x"], ["-x"]), (["--"], [])])
def test_arguments_of_the_command_line_replace_those_of_the_configuration(
    words: list[str], given: list[str]
) -> None:
    assert chosen("check", *words).arguments == given


def test_the_command_line_wins() -> None:
    words = "check src/b.c -p reach -I more -D A --memory-model tso --time-limit 7 --no-all-bugs"
    flags = chosen(*words.split())
    assert flags.files == [Path("src/b.c")]
    assert flags.properties == ["reach"]
    assert flags.include_dirs == [Path("include"), Path("more")]
    assert flags.defines == ["SIZE=3", "A"]
    assert (flags.memory_model, flags.time_limit, flags.all_bugs) == (MemoryModel.TSO, 7, False)
    assert flags.memory_limit == 2000


def test_it_is_found_above_and_its_paths_are_relative_to_it(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project / "src")
    flags = chosen("check", "a.c")
    assert flags.include_dirs == [Path("../include")]
    assert flags.properties[-1] == "../only.prp"
    assert flags.configuration.file == Path("../sley.toml")


def test_a_folder_stands_for_the_files_of_its_configuration(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project.parent)
    assert chosen("check", "project").files == [
        Path("project/src/a.c"), Path("project/src/b.c"), Path("project/main.c"),
    ]  # fmt: skip
    (project / "compile_commands.json").touch()
    assert chosen("check", "project").files == [Path("project")]


def test_commands_take_what_they_have_flags_for() -> None:
    flags = chosen("run", "main.c", "--seed", "1")
    assert flags.include_dirs == [Path("include")]
    assert not hasattr(flags, "jobs")


@pytest.mark.parametrize("words", ["check main.c --no-config", "check task.yml"])
def test_it_is_not_read_where_it_does_not_belong(words: str) -> None:
    assert chosen(*words.split()).configuration is None


def test_without_files_anywhere_there_is_nothing_to_check(project: Path) -> None:
    (project / "sley.toml").write_text("jobs = 1\n")
    with pytest.raises(InputError, match="no files: name C files"):
        chosen("check")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("propertys = []", ":2:1: unknown key `propertys`; did you mean `properties`"),
        ("[table]", ":2:1: unknown key `table`; known are files, include, "),
        ("no-config = true", ":2:1: unknown key"),
        ("properties = 'race'", ":2:1: `properties`: must be a list of strings"),
        ("properties = ['races']", ":2:1: `properties`: `races` is none of reach, "),
        ("engines = ['steam']", ":2:1: `engines`: `steam` is none of explore, "),
        ("jobs = true", ":2:1: `jobs`: must be a whole number"),
        ("jobs = 0", ":2:1: `jobs`: `0` is not a positive whole number"),
        ("time-limit = 'soon'", ":2:1: `time-limit`: `soon` is not a time"),
        ("memory-model = 'x86'", ":2:1: `memory-model`: `x86` is none of c11, sc, "),
        ("data-model = 'X'", ":2:1: `data-model`: `X` is none of ILP32, LP64"),
        ("all-bugs = 1", ":2:1: `all-bugs`: must be true or false"),
        ("files = ['*.x']", ":2:1: `files`: no file is called"),
        ("jobs = ", ":2:8: "),
    ],
)
def test_mistakes_are_told_with_their_line(
    line: str, message: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "sley.toml").write_text(f"# limits\n{line}\n")
    assert invoke(["check"]) == 2
    assert capsys.readouterr().err.startswith(f"sley: sley.toml{message}")


def test_the_report_says_where_flags_come_from(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "sley.toml").write_text("files = ['main.c']\n")
    assert invoke(["check"]) == 0
    assert " Note  configuration: sley.toml\n" in capsys.readouterr().out
    assert invoke(["check", "main.c", "--no-config"]) == 0
    assert "configuration" not in capsys.readouterr().out


RACE = """\
#include <pthread.h>
int hits;
void *worker(void *argument) { hits++; return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    worker(0);
    return 0;
}
"""


def test_what_a_configuration_narrows_stands_beside_the_answer(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "sley.toml").write_text("properties = ['reach']\nallow-inner-overrun = true\n")
    (project / "main.c").write_text(RACE)
    assert invoke(["check", "main.c"]) == 0
    first, second = capsys.readouterr().out.splitlines()[:2]
    assert first.startswith(" SAFE")
    assert second == " Only  sley.toml narrows what was asked: properties reach; allow-inner-overrun"


def test_a_configuration_that_all_can_write_is_not_obeyed(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "sley.toml").write_text("properties = ['reach']\n")
    (project / "sley.toml").chmod(0o666)
    (project / "main.c").write_text(RACE)
    assert invoke(["check", "main.c"]) == 1
    assert "sley.toml: not obeyed" in capsys.readouterr().err


def test_a_finding_can_be_suppressed_by_its_name(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "sley.toml").write_text("files = ['main.c']\nproperties = ['race']\n")
    (project / "main.c").write_text(RACE)
    assert invoke(["check"]) == 1
    capsys.readouterr()
    invoke(["show", "trace"])
    name = capsys.readouterr().out.splitlines()[-1].split()[-1]
    with (project / "sley.toml").open("a") as file:
        file.write(f"suppress = ['{name}', 'race:0']\n")
    assert invoke(["check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(" UNKNOWN  Safe apart from 1 suppressed finding.")
    assert f" Note  Suppressed: data race on `hits`: main.c:3 ({name})" in lines
    assert "       Suppresses nothing: race:0" in lines
    assert lines[-1] == "RESULT: unknown"
    (project / "main.c").write_text("#include <stdlib.h>\n\n" + RACE)
    assert invoke(["check"]) == 0


def test_a_report_says_where_runs_end(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    body = "int zero = 0;\nzero = 1 / zero; // sley: ignore division\nassert(0);"
    (project / "main.c").write_text(f"#include <assert.h>\nint main(void) {{ {body} }}\n")
    assert invoke(["check", "main.c", "--no-config"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "Runs end at main.c:3: what comes after that was not looked at." in text
    assert text.count("othing else goes wrong") == 1
