"""What the tests of pages ask of a browser."""

from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

DESKTOP, PHONE = (1280, 900), (390, 844)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
)


class Browser:
    """A page at a time, looked at and used as a reader would."""

    def __init__(self, program: str, driver: str, profile: Path) -> None:
        options = Options()
        options.binary_location = program
        for flag in (*FLAGS, f"--user-data-dir={profile}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(driver))
        self.folder = profile

    def reset(self) -> None:
        """As if it had just been started."""
        self.size(*DESKTOP)
        self.prefer("light")
        self.allow_scripts(True)

    def quit(self) -> None:
        self.driver.quit()

    def open(self, page: str) -> None:
        """Show a page from disk."""
        file = self.folder / "report.html"
        file.write_text(page, encoding="utf-8")
        self.driver.get(file.as_uri())

    def size(self, width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)

    def prefer(self, scheme: str) -> None:
        """Light or dark."""
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def allow_scripts(self, is_allowed: bool) -> None:
        self.driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": not is_allowed})

    def all(self, selector: str) -> list[WebElement]:
        """The elements that a reader can see."""
        found = self.driver.find_elements(By.CSS_SELECTOR, selector)
        return [element for element in found if element.is_displayed()]

    def texts(self, selector: str) -> list[str]:
        return [" ".join(element.text.split()) for element in self.all(selector)]

    def text(self, selector: str) -> str:
        """The one text that is there."""
        (text,) = self.texts(selector)
        return text

    def press(self, *keys: str) -> None:
        for key in keys:
            self.driver.find_element(By.TAG_NAME, "body").send_keys(getattr(Keys, key, key))

    def ask(self, expression: str) -> object:
        """What a piece of script says of the page."""
        return self.driver.execute_script(f"return {expression}")

    def complaints(self) -> list[str]:
        """What stands on the console."""
        entries = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [str(entry["message"]) for entry in entries]
