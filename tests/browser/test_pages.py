"""Pages as a reader sees them, in a browser."""

import re
from pathlib import Path

import pytest

from sley.program.memory_model import MemoryModel
from sley.reports.html.page import page_of
from sley.verification.task import Task, everything
from sley.verification.verify import verify
from tests.browser.browser import DESKTOP, PHONE, Browser

EXAMPLES = Path("examples")
HARMFUL = '</script><img src=x onerror="window.harmed=1">'


def page(file: Path) -> str:
    return page_of(verify(Task(paths=(file,), engines=("explore",))))


def written(folder: Path, text: str) -> Path:
    file = folder / "program.c"
    file.write_text(text)
    return file


@pytest.fixture(scope="module")
def lost_update() -> str:
    return page(EXAMPLES / "lost_update.c")


@pytest.fixture(scope="module")
def deadlock() -> str:
    return page(EXAMPLES / "deadlock.c")


def marked(browser: Browser) -> dict[str, str]:
    """The source lines that threads stand at."""
    lines = browser.all(".code .at")
    return {str(line.get_attribute("data-at")): line.text.strip() for line in lines}


def test_stepping_by_keys_shows_lines_values_and_history(browser: Browser, lost_update: str) -> None:
    browser.open(lost_update)
    assert "assertion can fail" in browser.text("h1")
    assert browser.text(".count") == "Step 9 of 9"
    browser.press("HOME")
    assert browser.text("tr.current .number") == "1"
    browser.press("j", "ARROW_DOWN", "j", "j")
    assert browser.text(".now").startswith("Step 5. worker #2, line 8: counter = tmp + 1")
    assert browser.text(".code .acting") == "counter = tmp + 1;"
    assert browser.text(".variables output") == "1"
    assert browser.texts(".variables ol li") == ["step 5 worker #2 0 → 1"]
    assert browser.texts(".threads output") == ["waits for worker #1 to end", "preempted", "runs"]
    browser.press("k")
    assert browser.text(".variables output") == "0"
    assert marked(browser) == {
        "worker #1": "counter = tmp + 1;",
        "worker #2": "int tmp = counter;",
        "main": "pthread_create(&b, 0, worker, 0);",
    }
    browser.press("END")
    assert browser.text(".now").startswith("Step 9. main, line 18")
    assert browser.text(".now").endswith("reads what step 6 wrote")
    assert browser.text("tr.fails .number") == "9"


def test_stepping_by_slider_buttons_clicks_and_links(browser: Browser, lost_update: str) -> None:
    browser.open(lost_update)
    (slider,) = browser.all("input[type=range]")
    slider.send_keys("\ue012")  # arrow left
    assert browser.text(".count") == "Step 8 of 9"
    browser.all(".controls button")[0].click()
    assert browser.text(".count") == "Step 1 of 9"
    browser.all(".controls button")[2].click()
    assert browser.text(".count") == "Step 2 of 9"
    browser.all("tr[data-row]")[6].click()
    assert browser.text(".count") == "Step 7 of 9"
    browser.all(".why a")[0].click()
    assert browser.text(".now").startswith("Step 3.")


def test_all_steps_can_be_unfolded(browser: Browser, lost_update: str) -> None:
    browser.open(lost_update)
    fewer = len(browser.all("tr[data-row]"))
    (button,) = [one for one in browser.all(".controls button") if one.text == "All steps"]
    button.click()
    more = len(browser.all("tr[data-row]"))
    assert more > fewer
    assert browser.text(".count") == f"Step {more} of {more}"
    browser.press("k")
    assert browser.text(".count") == f"Step {more - 1} of {more}"


def test_several_violations_have_a_chooser(browser: Browser, lost_update: str) -> None:
    browser.open(lost_update)
    assert len(browser.all("article")) == 1
    browser.all(".chooser a")[1].click()
    assert "data race on counter" in browser.text("article h2")
    browser.press("HOME")
    assert "current" in str(browser.all("tr[data-row]")[0].get_attribute("class"))


def test_a_deadlock_shows_locks(browser: Browser, deadlock: str) -> None:
    browser.open(deadlock)
    held = [text for text in browser.texts(".locks li") if "held by" in text and "wanted by" in text]
    assert len(held) == 2
    assert any("waits for" in text for text in browser.texts(".threads output"))
    browser.press("HOME")
    assert sorted(browser.texts(".locks output")) == ["held by deposit", "is free"]


def test_pending_stores_and_the_execution_graph(browser: Browser) -> None:
    model = MemoryModel.TSO
    file = Path("tests/programs/orders/store_buffering.c")
    browser.open(page_of(verify(Task(paths=(file,), memory_model=model, selection=everything(model)))))
    assert "No interleaving of the threads has this cycle" in browser.text(".execution p")
    assert "reads what is overwritten by" in browser.text(".execution pre")
    assert browser.text(".pending output") == "none"
    browser.press("HOME", "j", "j")
    assert "x = 1" in browser.text(".pending output") or "y = 1" in browser.text(".pending output")


def test_a_proof_shows_invariants_and_the_tree(browser: Browser) -> None:
    task = Task(paths=(EXAMPLES / "locked_update.c",), engines=("impact",), wants_invariants=True)
    browser.open(page_of(verify(task)))
    assert browser.text(".badge") == "SAFE"
    assert "no data race" in browser.texts(".proved li")
    assert any("counter" in text for text in browser.texts(".code .note"))
    assert "counter" in browser.text("main pre")


@pytest.mark.parametrize("size", [DESKTOP, PHONE, (360, 640)])
def test_nothing_sticks_out_of_the_page(
    browser: Browser, lost_update: str, deadlock: str, size: tuple[int, int]
) -> None:
    browser.size(*size)
    for text in (lost_update, deadlock):
        browser.open(text)
        assert browser.ask("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_what_is_behind_them(browser: Browser, deadlock: str, scheme: str) -> None:
    browser.prefer(scheme)
    browser.open(deadlock)
    for selector in (
        "h1",
        ".badge",
        ".quiet",
        ".statement code",
        ".statement small b",
        ".code li",
        ".threads b",
        "dd",
    ):
        for colour, ground in map(colours, browser.all(selector)[:3]):
            assert contrast(colour, ground) >= 4.5, selector


def test_the_theme_can_be_switched(browser: Browser, lost_update: str) -> None:
    browser.open(lost_update)
    before = browser.ask("getComputedStyle(document.body).backgroundColor")
    browser.all(".theme")[0].click()
    assert browser.ask("getComputedStyle(document.body).backgroundColor") != before


def test_without_scripts_all_steps_are_there(browser: Browser, lost_update: str) -> None:
    browser.allow_scripts(False)
    browser.open(lost_update)
    assert len(browser.all("#b0s tr[data-row]")) == 9
    assert "assert(counter == 2)" in browser.texts("#b0s tr.fails")[0]
    assert len(browser.all("article")) == 2
    assert browser.all(".controls") == []


def test_texts_of_the_program_do_no_harm(browser: Browser, tmp_path: Path) -> None:
    text = HARMFUL.replace('"', '\\"')
    program = f"""
#include <assert.h>
const char *text = "{text}"; // {HARMFUL}
int seen;
int main(void) {{ seen = text[0]; assert(seen != '<' && "{text}"); }}
"""
    made = page(written(tmp_path, program))
    browser.open(made)
    assert browser.ask("window.harmed") is None
    assert browser.all("img") == []
    assert HARMFUL in browser.text(".code .acting") or "onerror" in browser.text("tr.fails code")


def colours(element: object) -> tuple[str, str]:
    """Of a text, and of what is behind it."""
    script = """
      const own = getComputedStyle(arguments[0]).color;
      for (let e = arguments[0]; e; e = e.parentElement) {
        const ground = getComputedStyle(e).backgroundColor;
        if (!ground.endsWith(", 0)")) return [own, ground];
      }
      return [own, "rgb(255, 255, 255)"];"""
    own, ground = element.parent.execute_script(script, element)  # type: ignore[attr-defined]
    return own, ground


def contrast(one: str, other: str) -> float:
    """As the Web Content Accessibility Guidelines define it."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
