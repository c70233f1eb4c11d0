"""``sley completion``: scripts for shells that complete commands, flags and their values."""

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

from sley.cli.commands import make_parser
from sley.cli.exit_codes import ExitCode
from sley.cli.tasks import ENGINE_OPTIONS
from sley.cli.terminal import write
from sley.program.memory_model import MemoryModel
from sley.program.properties import PROPERTY_GROUPS
from sley.wording.topics import TOPICS

FILES = {
    "bash": "share/bash-completion/completions/sley",
    "zsh": "share/zsh/site-functions/_sley",
    "fish": "share/fish/vendor_completions.d/sley.fish",
}
"""The shells, and where each looks for scripts below a prefix."""

_MODELS = [one.value for one in MemoryModel]
_WORDS = {
    "properties": [*PROPERTY_GROUPS, "all"],
    "engine": list(ENGINE_OPTIONS),
    "topic": list(TOPICS),
    "memory_model": _MODELS,
    "model": _MODELS,
}
"""Values that the parser does not insist on, as there are others."""


def print_completion(*, shell: str) -> int:
    """Print the script for a shell."""
    write(script(shell))
    return ExitCode.SAFE


def script(shell: str) -> str:
    """The script for a shell."""
    import shtab

    parser, commands = make_parser()
    for action in _actions(commands):
        if action.dest in _WORDS:
            action.choices = _WORDS[action.dest]
        elif action.type is Path or action.dest == "outputs":
            is_folder = action.metavar == "DIR"
            setattr(action, "complete", shtab.DIRECTORY if is_folder else shtab.FILE)  # noqa: B010 - shtab's way
    return str(shtab.complete(parser, shell)).rstrip() + "\n"


def _actions(commands: Mapping[str, argparse.ArgumentParser]) -> Iterator[argparse.Action]:
    """The flags and arguments of commands, and of commands of theirs."""
    for command in commands.values():
        for action in command._actions:
            if isinstance(action, argparse._SubParsersAction):
                yield from _actions(action.choices)
            else:
                yield action
