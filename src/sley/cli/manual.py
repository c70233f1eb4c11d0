"""``sley man``: the manual page, made from the parser and from what is written by hand in ``manual.roff``."""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from sley import __version__
from sley.cli import arguments
from sley.cli.commands import make_parser
from sley.cli.exit_codes import ExitCode
from sley.cli.parser import CommandParser
from sley.cli.tasks import ENGINE_OPTIONS
from sley.cli.terminal import write

FILE = "share/man/man1/sley.1"
"""Where it belongs below a prefix."""

_BY_HAND = Path(__file__).parent / "manual.roff"


def show_manual() -> int:
    """Show the page on a terminal that has ``man``; print it for others."""
    if sys.stdout.isatty() and shutil.which("man") is not None:
        subprocess.run(["man", "--local-file", "-"], input=manual(), text=True, check=False)
    else:
        write(manual())
    return ExitCode.SAFE


def manual() -> str:
    """The page in the language of ``man``."""
    _, commands = make_parser()
    parts = {
        "@VERSION@": [__version__],
        "@COMMANDS@": [one for name, command in commands.items() for one in _command(name, command)],
        "@CHECK@": list(_groups(commands["check"])),
        "@OTHERS@": [
            one
            for name, command in commands.items()
            if name != "check"
            for one in _own(name, command, commands["check"])
        ],
        "@ENGINES@": [one for name in ENGINE_OPTIONS for one in _engine(name)],
    }
    text = _BY_HAND.read_text(encoding="utf-8")
    for mark, lines in parts.items():
        text = text.replace(mark, "\n".join(lines))
    return text


def _command(name: str, command: CommandParser) -> Iterator[str]:
    yield from (".TP", rf"\fBsley {name}\fR", _escaped(command.description or ""))


def _groups(command: CommandParser) -> Iterator[str]:
    """All flags that help shows, by groups."""
    for group in command._action_groups:
        shown = [action for action in group._group_actions if action.help is not argparse.SUPPRESS]
        if shown:
            yield f".SS {_escaped(str(group.title)).capitalize()}"
            for action in shown:
                yield from _flag(action)


def _own(name: str, command: CommandParser, check: CommandParser) -> Iterator[str]:
    """The flags that ``check`` does not have; of commands below a command, what they are."""
    known = {flag for action in check._actions for flag in action.option_strings}
    yield from (f".SS sley {name}", _escaped(command.description or ""))
    for action in command._actions:
        if isinstance(action, argparse._SubParsersAction):
            for thing, parser in action.choices.items():
                yield from _command(f"{name} {thing}", parser)
        elif known.isdisjoint(action.option_strings) and action.dest != "files":
            yield from _flag(action)


def _engine(name: str) -> Iterator[str]:
    parser = CommandParser(add_help=False)
    arguments.add_options(parser, ENGINE_OPTIONS[name], name)
    yield f".SS Engine {name}"
    for action in parser._actions:
        yield from _flag(action)


def _flag(action: argparse.Action) -> Iterator[str]:
    value = action.metavar or ("|".join(action.choices) if action.choices else "")
    if isinstance(value, tuple):
        value = " ".join(value)
    shown = rf" \fI{_escaped(value)}\fR" if value and action.nargs != 0 else ""
    names = ", ".join(rf"\fB{_escaped(flag)}\fR" for flag in action.option_strings)
    yield from (".TP", f"{names}{shown}".strip(), _escaped(action.help or ""))


def _escaped(text: str) -> str:
    """Text as ``man`` prints it: nothing in it is a command."""
    escaped = text.replace("\\", r"\e").replace("-", r"\-").replace("%%", "%").replace("…", "...")
    return "\n".join(rf"\&{line}" if line[:1] in (".", "'") else line for line in escaped.split("\n"))
