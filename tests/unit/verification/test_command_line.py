"""A task, and the command line that asks for it again."""

import shlex

import pytest

from sley.cli.commands import make_parser
from sley.cli.tasks import task_of
from sley.verification.command_line import command_line
from sley.verification.task import Task


def task(text: str) -> Task:
    parser, _ = make_parser()
    return task_of(parser.parse_args(shlex.split(text)[1:]))


@pytest.mark.parametrize(
    "text",
    [
        "sley check examples/lost_update.c",
        "sley check --property race --memory-model tso --malloc-may-fail --buffer-size 2 --all-bugs a.c",
        "sley check --time-limit 20s --memory-limit 500MB --engine impact --unwind 4 --no-force-cover a.c",
        "sley check --argc-may-be-zero a.c",
        "sley check a.c -- --time-limit -p 'a b' --",
        "sley check a.c --",
        "sley check --data-model ILP32 -Iinclude -DN=2 --models m.c --allow-inner-overrun 'a b.c' c.c",
    ],
)
def test_a_command_line_asks_the_same_again(text: str) -> None:
    assert command_line(task(text)) == text
    assert task(command_line(task(text))) == task(text)
