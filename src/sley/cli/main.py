"""The entry point: arguments in, exit code out; every kind of error has its own way to end.

Nothing heavy is imported at the top: ``sley --version`` must not wait for a C parser.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper

from sley import __version__
from sley.cli.exit_codes import ExitCode


def main() -> None:
    """Run with the arguments of the process, and exit; limits count from the start of the process."""
    arguments = sys.argv[1:]
    try:
        _open_standard_files()
        code = _version() if arguments == ["--version"] else run(arguments, is_whole_process=True)
    except OSError as error:
        code = _crashed(error, arguments)
    if code == ExitCode.INTERNAL:
        os._exit(code)  # what Python does at its end may fail, too, and has codes of its own
    sys.exit(code)


def _version() -> int:
    try:
        print(f"sley {__version__}", flush=True)
    except OSError as error:
        print(f"sley: cannot write: {error.strerror}", file=sys.stderr)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is still in the buffer
        return ExitCode.USAGE
    return ExitCode.SAFE


def _open_standard_files() -> None:
    """Where the shell closed one (``>&-``), print to nowhere rather than into a file that is opened later."""
    while (nowhere := os.open(os.devnull, os.O_RDWR)) <= 2:
        pass
    os.close(nowhere)
    sys.stdout = sys.stdout or os.fdopen(1, "w")
    sys.stderr = sys.stderr or os.fdopen(2, "w")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # names of files are in any encoding, and all can be shown
            stream.reconfigure(errors="backslashreplace")


def run(arguments: Sequence[str], *, is_whole_process: bool = False) -> int:
    """Run a command line and return its exit code; the only place that catches the unexpected."""
    try:
        from sley.cli.application import invoke

        return invoke(list(arguments), is_whole_process=is_whole_process)
    except KeyboardInterrupt:
        print("REASON: interrupted\nRESULT: unknown")
        return ExitCode.UNKNOWN
    except SystemExit:
        raise
    except BaseException as error:  # noqa: BLE001 - the last resort, so that no user sees a stack trace
        return _crashed(error, arguments)


def _crashed(error: BaseException, arguments: Sequence[str]) -> int:
    """Whatever fails while a failure is told, the code says that there is no answer."""
    try:
        from sley.cli.crash import report_crash

        report_crash(error, arguments)
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001 - nothing is left to be relied on
        with suppress(OSError):
            os.write(2, b"sley: internal error, no answer; no crash file could be written\n")
    return ExitCode.INTERNAL


if __name__ == "__main__":
    main()
