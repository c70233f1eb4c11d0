"""How BenchExec runs sley: a tool-info module, ``<benchmark tool="sley.tool_info">``.

BenchExec is not needed for anything else. The module knows nothing of sley but its command line, so it can
stand among BenchExec's own, too.
"""

from typing import Any

from benchexec import result
from benchexec.tools import template


class Tool(template.BaseTool2):
    """sley, a model checker for multi-threaded C."""

    def name(self) -> str:
        """For people."""
        return "sley"

    def executable(self, tool_locator: Any) -> str:
        """On PATH, or in the folder that is named."""
        found: str = tool_locator.find_executable("sley")
        return found

    def version(self, executable: str) -> str:
        """The number alone."""
        found: str = self._version_from_tool(executable, line_prefix="sley ")
        return found

    def cmdline(self, executable: str, options: list[str], task: Any, rlimits: Any) -> list[str]:
        """One property of one program; sley is told the limits, and ends by itself."""
        command = [executable, "check", *task.input_files_or_identifier, *options]
        if task.property_file:
            command += ["--property", task.property_file]
        data_model = (task.options or {}).get("data_model")
        if data_model:
            command += ["--data-model", data_model]
        seconds = rlimits.walltime or rlimits.cputime
        if seconds and "--time-limit" not in options:
            command += ["--time-limit", f"{seconds}s"]
        if rlimits.memory and "--memory-limit" not in options:
            command += ["--memory-limit", f"{rlimits.memory // 1_000_000}MB"]
        return command

    def determine_result(self, run: Any) -> str:
        """What the last line says."""
        told: list[str] = [line.strip() for line in run.output if line.startswith("RESULT: ")]
        return told[-1].removeprefix("RESULT: ") if told else str(result.RESULT_ERROR)
