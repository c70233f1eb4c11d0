"""What ``sley check`` writes beside the report on the screen: a file for each format that is asked for."""

import argparse
import shlex
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from sley.base.errors import InputError
from sley.cli.files import require_writable, write_file
from sley.cli.terminal import warn

if TYPE_CHECKING:
    from sley.verification.result import Result
    from sley.verification.task import Task


@dataclass(frozen=True, slots=True)
class Output:
    """A format: its flag, its help, and its writer."""

    flag: str
    text: str
    writer: str
    """``module:function``, from a result and the file to its text, None if there is nothing to write;
    imported when it is asked for."""
    suffixes: tuple[str, ...] = ()
    """How the names of such files end; empty: as they like."""
    needs_invariants: bool = False
    """Whether it says what holds at places of a program that is safe."""
    needs_proof: bool = False
    """Whether it has the proof itself."""
    needs_checks: bool = False
    """Whether every check is to be settled on its own."""
    needs_files: bool = False
    """Whether it makes sense only beside files that hold all of the program."""


OUTPUTS: tuple[Output, ...] = (
    Output(
        "html",
        "write a page to walk through the result, for a browser",
        "sley.reports.html.page:page_of",
        needs_invariants=True,
    ),
    Output("sarif", "write the findings in SARIF 2.1.0, for code scanning", "sley.reports.sarif:sarif_of"),
    Output(
        "witness",
        "write a witness for validators, in YAML (.yml)",
        "sley.reports.witnesses.yaml_format:witness_of",
        (".yml", ".yaml"),
        needs_invariants=True,
        needs_files=True,
    ),
    Output(
        "proof",
        "save the proof that the program is safe, for `sley prove-check`; compressed if the name ends in .gz",
        "sley.verification.proof_files:proof_of",
        needs_proof=True,
    ),
    Output(
        "write-baseline",
        "write down the checks that are open now, so that --baseline accepts them",
        "sley.verification.baseline:baseline_of",
        needs_checks=True,
    ),
)


@dataclass(frozen=True, slots=True)
class Requested:
    """A file that the user wants."""

    output: Output
    file: Path

    def write(self, result: "Result") -> None:
        """Write it, whole or not at all."""
        module, function = self.output.writer.split(":")
        text = getattr(import_module(module), function)(result, self.file)
        if text is None:
            warn(f"{self.file}: not written, as the answer is {result.answer.value}")
        else:
            write_file(self.file, text)


def require_files(task: "Task") -> None:
    """A harness that is only in memory cannot be given to others."""
    if task.harness is not None:
        words = shlex.join([*map(str, task.paths), *task.harness.flags()])
        raise InputError(
            "a witness needs a program in files: save the harness, and name it instead of the files that it "
            f"includes (sley show harness {words} > harness.c)"
        )


def add_outputs(parser: argparse._ActionsContainer) -> None:
    """A flag for each format; they may be repeated, and are collected in ``outputs``."""
    parser.set_defaults(outputs=[])
    for output in OUTPUTS:
        parser.add_argument(
            f"--{output.flag}", dest="outputs", action="append", metavar="FILE", help=output.text,
            type=partial(_requested, output),
        )  # fmt: skip


def _requested(output: Output, file: str) -> Requested:
    require_writable(Path(file))
    if output.suffixes and Path(file).suffix not in output.suffixes:
        raise InputError(f"--{output.flag}: `{file}` does not end in {' or '.join(output.suffixes)}")
    return Requested(output, Path(file))
