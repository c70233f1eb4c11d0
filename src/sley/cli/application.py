"""From a command line to an exit code: every kind of error has its own way to end."""

import os
from collections.abc import Container
from pathlib import Path

from sley.base.errors import GaveUpError, InputError, UnsupportedFeatureError
from sley.base.shown import visible
from sley.cli.commands import make_parser
from sley.cli.configuration import configured
from sley.cli.exit_codes import ExitCode
from sley.cli.signals import count_from_start
from sley.cli.terminal import stop_printing, warn, write


def invoke(command_line: list[str], *, is_whole_process: bool = False) -> int:
    """Run a command line; the exit code."""
    try:
        if is_whole_process:
            count_from_start()
        _require_folder()
        parser, commands = make_parser()
        chosen = configured(_with_command(command_line, commands), parser, commands["check"])
        return int(chosen.command(chosen))
    except InputError as error:
        for one in (error, *error.others):
            warn(" ".join(str(one).split()), one.excerpt)
        return ExitCode.USAGE
    except UnsupportedFeatureError as error:
        return _stopped(str(error), ExitCode.NOT_SUPPORTED)
    except GaveUpError as error:
        return _stopped(str(error), ExitCode.UNKNOWN)
    except BrokenPipeError:
        stop_printing()
        return ExitCode.UNKNOWN


def _require_folder() -> None:
    try:
        os.getcwd()
    except OSError as error:
        raise InputError(f"the current folder is gone ({error.strerror}): change to another one") from None


def _with_command(words: list[str], commands: Container[str]) -> list[str]:
    """``sley prog.c`` is short for ``sley check prog.c``, with flags before it or after it."""
    first = words[0] if words else "--help"
    if first in commands or first in ("-h", "--help", "--version"):
        return words
    is_file = Path(first).suffix != "" or Path(first).exists()
    return ["check", *words] if is_file or first.startswith("-") else words


def _stopped(reason: str, code: ExitCode) -> int:
    """Ended before there was a result to report."""
    write(f"REASON: {visible(reason)}\nRESULT: unknown\n")
    return code
