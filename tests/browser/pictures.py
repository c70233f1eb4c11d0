"""The pictures of pages in docs/pictures: ``python -m tests.browser.pictures`` (needs pngquant)."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from sley.program.memory_model import MemoryModel
from sley.reports.html.page import page_of
from sley.verification.task import Task, everything
from sley.verification.verify import verify
from tests.browser.browser import PHONE, Browser

FOLDER = Path("docs/pictures")
WIDE = (1280, 860)


@dataclass(frozen=True)
class Picture:
    name: str
    task: Task
    size: tuple[int, int] = WIDE
    scheme: str = "light"
    row: int | None = None
    """Which row is current; None: the last one."""


def task(file: str, model: MemoryModel = MemoryModel.C11, *engines: str) -> Task:
    return Task(
        paths=(Path(file),),
        memory_model=model,
        selection=everything(model),
        engines=engines,
        wants_invariants=True,
    )


PICTURES = (
    Picture("page-bug", task("examples/lost_update.c"), row=5),
    Picture("page-proof", task("examples/locked_update.c", MemoryModel.C11, "impact"), (1280, 1100)),
    Picture("page-phone", task("examples/lost_update.c"), PHONE, "dark", row=5),
)


def main() -> None:
    program, driver = which("chromium"), which("chromedriver")
    assert program is not None
    assert driver is not None
    with TemporaryDirectory() as profile:
        browser = Browser(program, driver, Path(profile))
        for picture in PICTURES:
            browser.size(*picture.size)
            browser.prefer(picture.scheme)
            browser.open(page_of(verify(picture.task)))
            if picture.row is not None:
                browser.driver.execute_script(
                    "arguments[0].click()", browser.all("tr[data-row]")[picture.row]
                )
            file = str(FOLDER / f"{picture.name}.png")
            browser.driver.save_screenshot(file)
            subprocess.run(["pngquant", "--force", "--ext", ".png", "--strip", "96", file], check=True)
        browser.quit()


if __name__ == "__main__":
    main()
