"""Flags that several commands take, in the groups in which help shows them."""

import argparse
from pathlib import Path

from sley.cli import arguments
from sley.cli.parser import BEHIND, CommandParser
from sley.frontend.data_model import DataModel
from sley.passes.store_buffers import Instrument
from sley.program.memory_model import MemoryModel
from sley.verification.task import BUFFER_SIZE, DEFAULT_SECONDS, FOLDER_SECONDS, Granularity

PROGRAM, LIBRARY, GOAL = "the program", "a library without main", "what to check"
LIMITS, OUTPUT, MORE = "limits", "output", "for experts"
GROUPS = (PROGRAM, LIBRARY, GOAL, LIMITS, OUTPUT, MORE)
"""The titles of groups: what users need first comes first."""


def add_program(parser: CommandParser) -> None:
    """Files, and how they are compiled."""
    for title in GROUPS:
        parser.group(title)
    program = parser.group(PROGRAM)
    program.add_argument(
        "files", nargs="*", type=Path, metavar="FILE",
        help="the C files of one program, a folder (of a build, of C files, or with a sley.toml), or "
        "those of its C files that are named beside it, or one .yml task (default: `files` in sley.toml)",
    )  # fmt: skip
    program.add_argument(
        "-I", dest="include_dirs", type=Path, action="append", default=[], metavar="DIR",
        help="search this folder for headers",
    )  # fmt: skip
    program.add_argument(
        "-D", dest="defines", action="append", default=[], metavar="NAME[=VALUE]", help="define a macro"
    )
    program.add_argument(
        "--models", type=Path, action="append", default=[], metavar="FILE",
        help="a C file with models of library functions",
    )  # fmt: skip
    program.add_argument("--target", metavar="NAME", help="which of several programs in a folder")
    program.add_argument(
        "--data-model", choices=[model.name for model in DataModel], help="sizes of C types (default: LP64)"
    )
    program.add_argument(
        "--no-config", action="store_true",
        help="do not read sley.toml, which is else looked for beside the first file and above",
    )  # fmt: skip
    program.add_argument(
        "--allow-inner-overrun", action="store_true",
        help="an index may leave its row or member array inside the same object (C does not allow it)",
    )  # fmt: skip
    program.add_argument("--malloc-may-fail", action="store_true", help="malloc and its kin may return NULL")
    program.add_argument("--create-may-fail", action="store_true", help="pthread_create and its kin may fail")
    program.add_argument(
        "--argc-may-be-zero", action="store_true",
        help="the program may be started without any arguments, not even its name",
    )  # fmt: skip
    program.add_argument(
        BEHIND, dest="arguments", nargs="*", metavar="ARG",
        help="behind the files: what the program is started with, none or more (default: anything)",
    )  # fmt: skip
    _add_library(parser.group(LIBRARY))


def _add_library(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--entry", action="append", default=[], metavar="F,…",
        help="threads call these functions, any of them, with any arguments",
    )  # fmt: skip
    group.add_argument("--threads", type=arguments.count, metavar="N", help="so many threads (default: 2)")
    group.add_argument(
        "--calls", type=arguments.count, metavar="N", help="so many calls of each thread (default: 1)"
    )
    group.add_argument(
        "--setup", action="append", default=[], metavar="F,…",
        help="call these before the threads start; threads share the objects that they return",
    )  # fmt: skip
    group.add_argument(
        "--make", action="append", default=[], metavar="F,…",
        help="make each argument of the type that F returns by calling F",
    )  # fmt: skip


MODELS = "|".join([*(one.value for one in MemoryModel), "FILE.cat"])


def add_goal(parser: CommandParser) -> None:
    """Properties, and what is assumed of memory and time."""
    goal = parser.group(GOAL)
    goal.add_argument(
        "-p", "--property", dest="properties", action="append", default=[], metavar="NAME",
        help="check only this: reach, race, deadlock, memory, overflow, division, misuse, all (default), "
        "progress, uninitialised, or a .prp file; repeatable",
    )  # fmt: skip
    goal.add_argument(
        "--memory-model", type=arguments.memory_model, default=MemoryModel.C11, metavar=MODELS,
        help="what threads see of each other: what C11 says of the memory orders in the program; "
        "sequential consistency, assumed; or what a machine with total, partial or relaxed store order, "
        "Power, ARMv8, or a text in cat, makes of all accesses, plain ones too (default: c11)",
    )  # fmt: skip
    add_limits(parser)
    _add_machine(parser.group(MORE))


def _add_machine(more: argparse._ArgumentGroup) -> None:
    more.add_argument(
        "--granularity", choices=[one.value for one in Granularity], default=Granularity.ACCESS.value,
        help="what threads interleave at; `statement` only compares with published measurements "
        "(default: access)",
    )  # fmt: skip
    more.add_argument(
        "--recursion", type=arguments.count, metavar="N",
        help="follow up to N calls of one function that are active at once; who calls it once more gives up "
        "(default: 10, and more where random runs of the program need them)",
    )  # fmt: skip
    more.add_argument(
        "--buffer-size", type=arguments.count, default=BUFFER_SIZE, metavar="N",
        help="under TSO and PSO, so many stores of a thread may wait at once; where more would, nothing is "
        f"proved (default: {BUFFER_SIZE})",
    )  # fmt: skip
    more.add_argument(
        "--instrument", choices=[one.value for one in Instrument], default=Instrument.CRITICAL.value,
        help="under TSO and PSO, which stores may wait: those on critical cycles, or all, which is slower "
        "(default: critical)",
    )  # fmt: skip


def add_limits(parser: CommandParser) -> None:
    """Time and memory."""
    limits = parser.group(LIMITS)
    limits.add_argument(
        "--time-limit", type=arguments.seconds, default=DEFAULT_SECONDS, metavar="TIME",
        help=f"such as 10s or 5m (default: {DEFAULT_SECONDS:g}s; {FOLDER_SECONDS:g}s for a table)",
    )  # fmt: skip
    limits.add_argument(
        "--memory-limit", type=arguments.megabytes, metavar="SIZE",
        help="such as 500MB or 2GB (default: none)",
    )  # fmt: skip


def add_engine(parser: CommandParser) -> None:
    """The engines that search."""
    parser.group(MORE).add_argument(
        "--engine", metavar="NAME,…",
        help="explore, impact, bmc, modular, symmetry, abstract, directed, or several (default: what fits)",
    )  # fmt: skip
    parser.group(MORE).add_argument(
        "--no-facts", action="store_true",
        help="let every engine prove everything, also what `abstract` has proved already",
    )  # fmt: skip


def add_executor(parser: CommandParser) -> None:
    """Where the work is done."""
    more = parser.group(MORE)
    more.add_argument(
        "--executor", choices=["local", "ray"], default="local",
        help="where the work is done: this machine, or the nodes of a Ray cluster (default: local)",
    )  # fmt: skip
    more.add_argument(
        "--ray-address", metavar="ADDRESS",
        help="of the cluster; `local` starts one here (default: RAY_ADDRESS, else the one that runs here)",
    )  # fmt: skip


def add_report(parser: CommandParser) -> None:
    """A result that is there already."""
    parser.add_argument(
        "report", nargs="?", type=Path, metavar="FILE",
        help="what `check --json FILE` wrote; else the last result",
    )  # fmt: skip
