"""The entry point: arguments in, exit code out; every kind of error has its own way to end.

Nothing heavy is imported at the top: ``sley --version`` must not wait for a C parser.
"""

import sys
from collections.abc import Sequence

from sley import __version__
from sley.cli.exit_codes import ExitCode


def main() -> None:
    """Run with the arguments of the process, and exit."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        print(f"sley {__version__}")
        return
    sys.exit(run(arguments))


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code; the only place that catches what nobody expected."""
    try:
        from sley.cli.application import invoke

        return invoke(list(arguments))
    except Exception as error:  # noqa: BLE001 - the last resort, so that no user sees a stack trace
        from sley.cli.crash import report_crash

        report_crash(error, arguments)
        return ExitCode.INTERNAL


if __name__ == "__main__":
    main()
