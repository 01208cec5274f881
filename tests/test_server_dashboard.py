"""The dashboard in headless Chromium, over a real server: what it shows and what its buttons do."""

import time
from types import SimpleNamespace

import pytest

pytest.importorskip("fastapi", reason="the extra 'server' is not installed")
pytest.importorskip("playwright", reason="the extra 'test' is not installed")

from conftest import PATIENCE
from tavern import free_port
from vividmem import VividMem
from vividmem_extras.server import screenshot
from vividmem_extras.server.process import ServerProcess
from vividmem_extras.server.roster import Roster
from vividmem_extras.server.screenshot import NAME, SIZES

EVIL = '<img src="x" onerror="window.pwned=1">'
PANELS = {  # what each panel holds once there is something to show
    "surprise": "circle", "mood": "circle", "feed": "li .tag", "retention": "path.curve",
    "retention-legend": "li button", "chemistry": "rect.bar", "spread": "rect",
    "fading": "li .said", "conflicts": "li .tag", "tokens": ".big", "snapshots": "li button",
    "found": "li .said", "figures": "dd",
}  # fmt: skip


def opened_page(browser, **options):
    """Return a page that waits as long as a loaded machine may need: only a failure waits so."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE * 1000)
    return context.new_page()


@pytest.fixture(scope="module")
def browser():
    """Chromium, headless."""
    if screenshot.browser_path() is None:
        pytest.skip("no Chromium on the PATH: apt-get install chromium")
    with screenshot.opened_browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def life(tmp_path_factory):
    """A server that has heard the made-up life of the screenshot."""
    folder = tmp_path_factory.mktemp("life")
    screenshot.fill(folder, time.time())
    with ServerProcess(folder) as server:
        client = server.client()
        screenshot.speak(client)
        client.post("/snapshot", character=NAME)
        yield SimpleNamespace(address=server.address, token=server.token, client=client)
        client.close()


@pytest.fixture
def alone(tmp_path):
    """A server that knows nobody."""
    with ServerProcess(tmp_path) as server:
        client = server.client()
        yield SimpleNamespace(address=server.address, token=server.token, client=client)
        client.close()


@pytest.fixture
def show(browser):
    """Open the dashboard; at the end nothing may have been logged, failed or asked of others."""
    opened = []

    def open_page(server, size="desktop", theme="dark", token=None):
        width, height = SIZES[size]
        window = {"width": width, "height": height}
        page = opened_page(browser, viewport=window, color_scheme=theme, locale="en-GB")
        faults = []
        page.on("console", lambda m: faults.append(m.text) if m.type in ("error", "warning") else 0)
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on(
            "request", lambda r: None if r.url.startswith(server.address) else faults.append(r.url)
        )
        page.goto(f"{server.address}/#token={server.token if token is None else token}")
        opened.append((page.context, faults))
        return page

    yield open_page
    for context, faults in opened:
        context.close()
        assert faults == []


def shown(page, selector):
    """The texts of all elements that match, once there is one."""
    page.locator(selector).first.wait_for()
    return page.locator(selector).all_inner_texts()


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("size", SIZES)
def test_every_panel_shows_what_the_server_knows(show, life, size, theme):
    page = show(life, size, theme)
    for panel, inside in PANELS.items():
        page.locator(f"#{panel} {inside}").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator("#character").input_value() == NAME
    assert "token" not in page.url
    known = life.client.get("/stats", character=NAME).json["stats"]
    assert shown(page, "#figures dd")[0] == f"{known['memories']}"
    state = life.client.get("/pulse", character=NAME).json
    assert page.locator("#surprise circle").count() == min(len(state["decisions"]), 40)
    assert shown(page, "#mood-label b") == [state["mood"]["label"]]
    assert shown(page, "#tokens .big") == ["0"]
    assert (
        page.locator("#chemistry rect.bar").count()
        == page.locator("#chemistry line.base").count()
        == 5
    )
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (sum(map(int, background[4:-1].split(","))) < 200) == (theme == "dark")


def test_an_observation_appears_without_a_reload(alone, show):
    alone.client.post("/observe", character="Kai", entity="Ines", text="I keep bees")
    page = show(alone)
    assert shown(page, "#feed .said") == ["store I keep bees"]
    alone.client.post("/observe", character="Kai", entity="Ines", text="I moved to Ghent last week")
    alone.client.post("/observe", character="Kai", entity="Ines", text="I moved to Porto yesterday")
    page.locator("#feed", has_text="I moved to Porto yesterday").wait_for()
    assert (
        "supersede" in shown(page, "#feed li")[0]
        and "I moved to Ghent" in shown(page, "#feed .old")[0]
    )
    page.locator("#conflicts", has_text="I moved to Ghent last week").wait_for()
    page.locator("#found", has_text="I moved to Porto yesterday").wait_for()
    assert page.locator("#surprise circle").count() == 3


def test_what_is_forgotten_elsewhere_leaves_the_page(alone, show):
    told = alone.client.post("/observe", character="Kai", entity="Ines", text="I keep bees")
    page = show(alone)
    page.locator("#feed", has_text="I keep bees").wait_for()
    alone.client.delete(f"/memories/{told.json['memory']['id']}", character="Kai")
    page.locator("#feed .empty").wait_for()
    for panel in ("found", "retention", "fading"):
        page.locator(f"#{panel} .empty").first.wait_for()
    assert "bees" not in page.locator("main").inner_text()


def test_search_shows_why_each_hit_surfaced(show, life):
    page = show(life)
    page.fill("#query", "what is Theo allergic to?")
    page.press("#query", "Enter")
    page.locator(".why i").first.wait_for()
    assert "allergic to walnuts" in shown(page, "#found .said")[0]
    parts = shown(page, "#found .parts")[0]
    assert "lexical" in parts and "words: " in parts and "theo" in parts
    widths = page.locator("#found .why").first.evaluate(
        "e => [...e.children].map(c => c.offsetWidth)"
    )
    assert sum(widths) > 100
    before = life.client.get("/export", character=NAME).json
    page.fill("#query", "zyxwv quokka marmalade")
    page.press("#query", "Enter")
    page.locator("#found .empty", has_text="Nothing known").wait_for()
    assert life.client.get("/export", character=NAME).json == before  # looking strengthens nothing


def test_the_detail_tells_the_history_of_a_fact_and_how_it_will_fade(show, life):
    page = show(life)
    page.select_option("#kind", "fact")
    page.locator("#found button", has_text="Jonas: phone: Fairphone 5").click()
    page.locator("#detail[open]").wait_for()
    assert shown(page, "#detail .rows .said") == ["Pixel 7", "Fairphone 5"]
    assert page.locator("#detail path.curve").count() == 1
    assert "fades" in page.locator("#detail h3").first.inner_text()


def test_a_memory_is_corrected_and_forgotten_from_the_page(alone, show):
    alone.client.post("/observe", character="Kai", entity="Ines", text="I live in Gent with my cat")
    page = show(alone)
    page.locator("#found button").first.click()
    page.get_by_role("button", name="Correct").click()
    page.fill("#detail textarea", "I live in Ghent with my cat")
    page.get_by_role("button", name="Save wording").click()
    page.locator("#detail .text", has_text="I live in Ghent with my cat").wait_for()
    page.get_by_role("button", name="Forget").click()
    assert page.locator("#detail[open]").count() == 1  # it asks first
    page.get_by_role("button", name="Erase it").click()
    page.locator("#found .empty").wait_for()
    assert alone.client.get("/memories", character="Kai").json["memories"] == []
    assert "Ghent" not in page.locator("body").inner_text()


def test_a_snapshot_is_taken_and_gone_back_to_from_the_page(alone, show):
    alone.client.post("/reflection", character="Kai", text="I keep bees")
    page = show(alone)
    page.locator("#snapshots .empty").wait_for()
    page.click("#snapshot")
    page.locator("#snapshots li button").first.wait_for()
    alone.client.delete("/memories/1", character="Kai")
    page.locator("#found .empty").wait_for()
    page.get_by_role("button", name="Restore").click()
    page.get_by_role("button", name="Go back to this").click()
    page.locator("#found", has_text="I keep bees").wait_for()
    assert len(alone.client.get("/memories", character="Kai").json["memories"]) == 1
    page.locator("#snapshots li", has_text="before a restore").wait_for()


def test_chemistry_is_switched_and_stirred_from_the_page(alone, show):
    alone.client.post("/reflection", character="Kai", text="I keep bees")
    page = show(alone)
    page.locator("#chemistry-switch[aria-pressed=false]").click()
    page.locator("#chemistry-switch[aria-pressed=true]").wait_for()
    page.select_option("#chemistry-events", "achievement")
    page.get_by_role("button", name="Send event").click()
    page.locator("#chemistry .strong", has_text="0.71").wait_for()
    assert alone.client.get("/chemistry", character="Kai").json["levels"]["dopamine"] > 0.65


def test_the_page_can_be_used_with_the_keyboard_alone(show, life):
    page = show(life)
    page.locator("#found button").first.wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "jump"
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "query"
    page.keyboard.type("violins")
    page.keyboard.press("Enter")
    page.locator(".why").first.wait_for()
    while page.evaluate("!document.activeElement.matches('#found button')"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.locator("#detail[open]").wait_for()
    assert page.evaluate("document.getElementById('detail').contains(document.activeElement)")
    page.keyboard.press("Escape")
    page.locator("#detail").wait_for(state="hidden")


def test_hostile_names_emotions_and_texts_are_shown_as_text(alone, show):
    """Case 58, S8."""
    mine = {"character": EVIL, "entity": EVIL, "speaker": EVIL, "source": EVIL}
    alone.client.post("/observe", **mine, text=f"I moved to {EVIL}", emotion=EVIL)
    alone.client.post("/observe", **mine, text=f"I moved to Porto {EVIL}")
    alone.client.post("/fact", character=EVIL, entity=EVIL, attribute=EVIL, value=EVIL)
    alone.client.post("/fact", character=EVIL, entity=EVIL, attribute=EVIL, value="calm")
    alone.client.post("/mood", character=EVIL, emotions=[EVIL])
    page = show(alone)
    for panel in ("feed", "found", "retention-legend", "conflicts"):
        page.locator(f"#{panel}", has_text=EVIL).first.wait_for()
    page.fill("#query", "where did I move to?")
    page.press("#query", "Enter")
    page.locator(".why").first.wait_for()
    page.locator("#found button").first.click()
    page.locator("#detail[open]", has_text=EVIL).wait_for()
    assert page.locator("img").count() == 0
    assert page.evaluate("window.pwned") is None


def test_an_empty_server_tells_how_to_begin(alone, show):
    page = show(alone)
    page.locator("#surprise code", has_text="/api/memory/observe").wait_for()
    alone.client.post("/reflection", character="Kai", text="I keep bees")
    page.locator("#found", has_text="I keep bees").wait_for()
    for panel in ("surprise", "feed", "conflicts", "snapshots"):
        page.locator(f"#{panel} .empty").first.wait_for()


def test_the_character_shown_is_the_one_chosen(alone, show):
    for name, text in (("Ada", "I keep bees"), ("Bo", "I keep goats")):
        alone.client.post("/observe", character=name, entity="Ines", text=text)
    page = show(alone)
    page.locator("#found", has_text="bees").wait_for()
    page.select_option("#character", "Bo")
    page.locator("#found", has_text="goats").wait_for()
    page.locator("#feed", has_text="goats").wait_for()
    assert "bees" not in page.locator("main").inner_text()


def test_without_a_token_it_is_asked_for(browser, alone):
    alone.client.post("/reflection", character="Kai", text="I keep bees")
    page = opened_page(browser)
    page.goto(f"{alone.address}/")
    page.fill("#entry-token", "wrong-token-entirely")
    page.press("#entry-token", "Enter")
    page.locator("#entry[open]").wait_for()
    page.fill("#entry-token", alone.token)
    page.press("#entry-token", "Enter")
    page.locator("#found", has_text="I keep bees").wait_for()
    page.context.close()


def test_a_server_that_went_and_came_back_is_noticed(browser, tmp_path):
    page = opened_page(browser)
    token, port = tmp_path / "token", str(free_port())
    with ServerProcess(tmp_path / "all", "--token-file", str(token), "--port", port) as server:
        client = server.client()
        client.post("/reflection", character="Kai", text="I keep bees")
        client.close()
        page.goto(f"{server.address}/#token={server.token}")
        page.locator("#found", has_text="I keep bees").wait_for()
    page.locator("#live.off", has_text="does not answer").wait_for()
    with ServerProcess(tmp_path / "all", "--token-file", str(token), "--port", port) as server:
        client = server.client()
        client.post("/observe", character="Kai", entity="Ines", text="I keep goats")
        page.locator("#live.on").wait_for()
        page.locator("#feed", has_text="I keep goats").wait_for()
        client.close()
        page.goto("about:blank")
    page.context.close()


def test_the_theme_button_overrides_the_system_and_is_kept(show, life):
    page = show(life, theme="dark")
    page.click("#theme")
    assert page.evaluate("document.documentElement.dataset.theme") == "light"
    page.reload()
    assert page.evaluate("document.documentElement.dataset.theme") == "light"


def test_many_memories_come_a_page_at_a_time(show, tmp_path, long):
    """50,000 with --long, else 5,000."""
    amount = 50_000 if long else 5_000
    with VividMem(Roster(tmp_path).make("Kai"), config={"store": {"durability": "os"}}) as mem:
        with mem.batch():
            for number in range(amount):
                text = f"box {number} of shelf {number % 97} holds {number * 7919 % 10_007} corks"
                mem.add_social_impression("Ines", text)
        mem.save()
    with ServerProcess(tmp_path) as server:
        page = show(server)
        page.locator("#figures dd", has_text=f"{amount:,}").wait_for()
        page.locator("#found li:nth-child(50)").wait_for()
        assert page.locator("#found button").count() == 50
        assert f"box {amount - 1}" in shown(page, "#found .said")[0]
        page.click("#more")
        page.locator("#found li:nth-child(100)").wait_for()
        page.fill("#query", "what is in box 4321?")
        page.press("#query", "Enter")
        page.locator("#found .said", has_text="box 4321 ").first.wait_for()
        assert page.evaluate("document.querySelectorAll('*').length") < 3000
        page.goto("about:blank")  # it must not ask a server that has ended
