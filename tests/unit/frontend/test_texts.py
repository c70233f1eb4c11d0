"""Texts by formats are those of the C library here: the models, compiled, on formats and values by lot."""

import shutil
import subprocess
from pathlib import Path

import pytest

from sley.frontend.parse import MODELS

HERE = Path(__file__).parent / "texts"
FILES = ("written_text.c", "written_floats.c", "formats.c", "decimals.c", "scanning.c")
LIBRARY = (
    *("printf", "fprintf", "dprintf", "snprintf", "sprintf", "asprintf", "syslog", "openlog", "closelog"),
    *("vprintf", "vfprintf", "vdprintf", "vsnprintf", "vsprintf", "vasprintf", "vsyslog"),
    *("scanf", "fscanf", "sscanf", "vscanf", "vfscanf", "vsscanf", "strtod", "strtof", "atof"),
)
"""Functions that get other names, so that both can be called."""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_models_agree_with_the_c_library(tmp_path: Path) -> None:
    common = ["gcc", "-w", "-O1", f"-I{MODELS}"]
    renamed = [f"-D{name}=sley_{name}" for name in LIBRARY]
    for file in FILES:
        made = tmp_path / f"{file}.o"
        subprocess.run([*common, *renamed, "-c", str(MODELS / file), "-o", str(made)], check=True)
    made_all = [str(tmp_path / f"{file}.o") for file in FILES]
    sources = [str(HERE / "compare.c"), str(HERE / "primitives.c")]
    program = str(tmp_path / "compare")
    subprocess.run([*common, *sources, *made_all, "-lm", "-o", program], check=True)
    for seed in range(3):
        done = subprocess.run([program, str(seed)], check=False, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout
