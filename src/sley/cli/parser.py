"""The parser of command lines: argparse with groups, values that are optional, and errors of one line."""

import argparse
import shutil
from collections.abc import Generator, Iterator, Sequence
from typing import Any, NoReturn

from sley.base.errors import InputError

WIDTH = 100
"""Columns of a help text, at most: longer lines are hard to read."""


BEHIND = "--"
"""A flag that takes all words behind it, whatever they look like."""


class CommandParser(argparse.ArgumentParser):
    """Says what is wrong in one line; a value that may be left out is never taken from a file's name."""

    def __init__(self, **more: Any) -> None:
        has_help = more.pop("add_help", True)
        super().__init__(allow_abbrev=False, formatter_class=_Help, add_help=False, **more)
        self._groups: dict[str, argparse._ArgumentGroup] = {}
        if has_help:
            self.add_argument("-h", "--help", action="help", help="show this help")

    def group(self, title: str) -> argparse._ArgumentGroup:
        """The group of flags with this title; help shows groups in the order of their first use."""
        if title not in self._groups:
            self._groups[title] = self.add_argument_group(title)
        return self._groups[title]

    def flags(self, title: str) -> Iterator[argparse.Action]:
        """The flags and arguments of a group that help shows."""
        return (one for one in self.group(title)._group_actions if one.help is not argparse.SUPPRESS)

    def add_opposites(self) -> None:
        """For every ``--flag`` that a configuration may turn on a ``--no-flag``, which help does not show."""
        if not any("--no-config" in one.option_strings for one in self._actions):
            return
        switches = [one for one in self._actions if isinstance(one, argparse._StoreTrueAction)]
        for switch in switches:
            opposites = [f"--no-{flag[2:]}" for flag in switch.option_strings if not flag.startswith("--no-")]
            if opposites:
                self.add_argument(
                    *opposites,
                    dest=switch.dest,
                    action="store_false",
                    default=switch.default,
                    help=argparse.SUPPRESS,
                )

    def parse_known_args(  # type: ignore[override] # argparse has overloads for every kind of namespace
        self, args: Sequence[str] | None = None, namespace: Any = None
    ) -> tuple[Any, list[str]]:
        """As argparse does, but the word after a flag is its value only if the flag has such a value."""
        if args is None:
            return super().parse_known_args(None, namespace)
        behind = next((one for one in self._actions if BEHIND in one.option_strings), None)
        end = args.index(BEHIND) if behind is not None and BEHIND in args else len(args)
        chosen, rest = super().parse_known_args(self._with_values(args[:end]), namespace)
        if behind is not None and end < len(args):
            setattr(chosen, behind.dest, list(args[end + 1 :]))
        return chosen, rest

    def _with_values(self, words: Sequence[str]) -> list[str]:
        flags = {flag: one for one in self._actions if one.nargs == "?" for flag in one.option_strings}
        return [
            f"{word}={flags[word].const.value}"
            if word in flags and following not in {value.value for value in type(flags[word].const)}
            else word
            for word, following in zip(words, [*words[1:], ""], strict=False)
        ]

    def error(self, message: str) -> NoReturn:
        """Not for a screen full of usage: one line, and where to read more."""
        raise InputError(f"{message} (`{self.prog} --help` says more)")


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal, within reason."""

    def __init__(self, prog: str) -> None:
        width = min(WIDTH, shutil.get_terminal_size().columns)
        super().__init__(prog, max_help_position=26, width=width - 2)

    def _iter_indented_subactions(self, action: argparse.Action) -> Generator[argparse.Action, None, None]:
        """Commands stand where flags stand: the title above says what they are."""
        if isinstance(action, argparse._SubParsersAction):
            yield from action._get_subactions()

    def _format_action(self, action: argparse.Action) -> str:
        text = super()._format_action(action)
        return text.split("\n", 1)[1] if isinstance(action, argparse._SubParsersAction) else text
