"""A picture of the dashboard over a made-up life: ``python -m vividmem_extras.server.screenshot``.

Needs Playwright (``pip install playwright``) and a Chromium on the PATH. The life is told twice:
what is past is written with its own dates, and the last messages go through the server.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from vividmem import MissingExtraError, VividMem
from vividmem_extras.server.process import PATIENCE, Client, ServerProcess
from vividmem_extras.server.roster import Roster

NAME = "Seraphina"
DAY = 86_400.0
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
PICTURES = {"desktop": (1440, 1400), "phone": (390, 1500)}  # more than a window shows
OPTIONS = ("--no-sandbox", "--disable-gpu")
Theme = Literal["dark", "light"]

#: Days ago, whom it is about ("" is the character), emotion, importance, text.
PAST = """
88|Nadia|curious|6|Nadia restores old violins in a workshop behind the station
85|Nadia|afraid|8|Nadia's brother Theo had an accident on the ferry and was taken to hospital
80||thoughtful|5|I talk too fast when somebody is sad
74|Nadia|warm|5|Nadia likes her tea with cardamom
61|Nadia|proud|7|Nadia sold her first cello to the city orchestra
47|Jonas|amused|4|Jonas hides his chocolate behind the encyclopedias
33|Jonas|grateful|7|Jonas drove through the snow to bring the spare keys
20||happy|7|I really enjoyed the evening about astronomy on the roof
12|Nadia|sad|7|Nadia's workshop was flooded and she lost everything on the lower shelves
6|Jonas|hopeful|6|Jonas applied for a place at the conservatory in Leuven
3|Nadia|relieved|6|The insurance pays for Nadia's varnish and tools
1|Jonas|excited|8|Jonas was admitted to the conservatory
"""
#: Speaker, whom it is about, what is said; through the gate, as it happens.
PRESENT = """
user|Nadia|Good morning!
user|Nadia|I moved to Ghent last week, the new workshop has light from the north
user|Nadia|My brother Theo is allergic to walnuts, please never forget that
assistant|Nadia|I will remember the walnuts
user|Nadia|ok thanks
user|Nadia|My favourite tea is green tea with cardamom
user|Jonas|I am so happy, I found a room near the canal
user|Jonas|I work as a night porter at the Hotel Aurora
user|Nadia|Do you still remember what Theo must not eat?
user|Nadia|The cello with the broken neck came back from the orchestra
user|Jonas|I play the bassoon in a wind quintet now
user|Nadia|My brother Theo is allergic to walnuts
user|Jonas|I quit the hotel, since Monday I work as a piano tuner
user|Nadia|My favourite tea is jasmine tea these days
user|Nadia|haha
user|Jonas|I am proud, my first lesson with the professor went well
user|Nadia|Production is down at the varnish supplier, nobody gets shellac this month
user|Jonas|I don't like the canteen food at all
user|Nadia|My apprentice is called Wim and he has steady hands
user|Jonas|I bought a second-hand bicycle for forty euros
user|Nadia|I moved to Antwerp yesterday, the rent in Ghent was too high
user|Jonas|I am anxious about the concert in March
"""
FACTS = (
    ("Nadia", "home town", "Porto", 88),
    ("Nadia", "home town", "Ghent", 34),
    ("Jonas", "phone", "Pixel 7", 60),
    ("Jonas", "phone", "Fairphone 5", 9),
)


def fill(folder: Path, now: float) -> None:
    """Write the past into *folder*, each memory on its own day."""
    moment = [now]
    with VividMem(Roster(folder).make(NAME), clock=lambda: moment[0]) as mem:
        for row in PAST.strip().splitlines():
            days, entity, emotion, importance, text = row.split("|")
            moment[0] = now - float(days) * DAY
            if entity:
                mem.add_social_impression(entity, text, emotion, float(importance))
            else:
                mem.add_self_reflection(text, emotion, float(importance))
        for entity, attribute, value, ago in FACTS:
            moment[0] = now - ago * DAY
            mem.add_fact(entity, attribute, value)
        for ago in (60, 30, 9):  # what was recalled lasts
            moment[0] = now - ago * DAY
            mem.resonate("which instruments does Nadia restore?")


def speak(client: Client) -> None:
    """Let the server hear the present."""
    client.post("/chemistry", character=NAME, enabled=True)
    for number, row in enumerate(PRESENT.strip().splitlines()):
        speaker, entity, text = row.split("|")
        source = f"chat:{number}"
        told = {"text": text, "speaker": speaker, "entity": entity, "source": source}
        reply = client.post("/process", character=NAME, **told)
        if reply.status != 200:
            raise OSError(f"the server refused: {reply.content!r}")
    client.post("/chemistry", character=NAME, event="learning_breakthrough")
    client.post("/chemistry", character=NAME, event="threat_detected", intensity=0.4)


def browser_path() -> str | None:
    """Return the Chromium of this machine, None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


@contextmanager
def opened_browser() -> Iterator[Any]:
    """Give a headless Chromium; raise MissingExtraError where Playwright or Chromium is not."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as err:
        raise MissingExtraError("the screenshot", "pip install playwright") from err
    path = browser_path()
    if path is None:
        raise MissingExtraError("the screenshot", "apt-get install chromium, or another Chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=list(OPTIONS), timeout=PATIENCE * 1000
        )
        try:
            yield browser
        finally:
            browser.close()


def page_of(browser: Any, address: str, token: str, size: str, theme: Theme) -> Any:
    """Return the dashboard in a window of *size*, once all panels have something to show."""
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=theme, locale="en-GB",
        device_scale_factor=2 if size == "phone" else 1,
    )  # fmt: skip
    page = context.new_page()
    page.goto(f"{address}/#token={token}")
    page.wait_for_selector("#live.on")
    return page


def shoot(
    target: Path, size: str, theme: Theme, *, prepare: Callable[[Any], None] | None = None
) -> None:
    """Write the picture of a server that has just heard all of it to *target*."""
    with tempfile.TemporaryDirectory(prefix="vividmem-shot-") as scratch:
        fill(Path(scratch), time.time())
        with ServerProcess(Path(scratch)) as server, opened_browser() as browser:
            client = server.client()
            speak(client)
            client.post("/snapshot", character=NAME)
            page = page_of(browser, server.address, server.token, size, theme)
            page.wait_for_selector("#retention svg")
            page.wait_for_selector("#found button")
            if prepare is not None:
                prepare(page)
            width, height = PICTURES[size]
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=str(target))
            client.close()


def main(argv: list[str] | None = None) -> int:
    """Take one picture; return 0."""
    parser = argparse.ArgumentParser(prog="python -m vividmem_extras.server.screenshot")
    parser.add_argument("target", type=Path, help="the PNG file to write")
    parser.add_argument("--size", choices=SIZES, default="desktop")
    parser.add_argument("--theme", choices=("dark", "light"), default="dark")
    args = parser.parse_args(argv)
    shoot(args.target, args.size, args.theme)
    print(f"written: {args.target}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
