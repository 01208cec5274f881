"""The extension in the real SillyTavern: chats with a scripted model, memories on a server."""

import json
import random
import re
import shutil
import subprocess
import time
from itertools import product
from types import SimpleNamespace

import pytest

pytest.importorskip("fastapi", reason="the extra 'server' is not installed")
pytest.importorskip("playwright", reason="the extra 'test' is not installed")

import tavern as house
from conftest import PATIENCE
from vividmem_extras.server import screenshot
from vividmem_extras.server.process import ServerProcess

EVIL = '<img src=x onerror="window.pwned=1">'
BLOCK = re.compile(r"<memory>.*?</memory>", re.DOTALL)


@pytest.fixture(scope="module")
def units(tmp_path_factory):
    """A folder with the extension's modules and their tests, as node takes them."""
    if shutil.which("node") is None:
        pytest.skip("no node on the PATH")
    folder = tmp_path_factory.mktemp("units")
    shutil.copytree(house.EXTENSION, folder, dirs_exist_ok=True)
    shutil.copy(house.EXTENSION.parents[1] / "tests" / "tavern_units.mjs", folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """SillyTavern's package, from npm."""
    if house.missing():
        pytest.skip(house.missing())
    if screenshot.browser_path() is None:
        pytest.skip("no Chromium on the PATH: apt-get install chromium")
    try:
        return house.install(tmp_path_factory.mktemp("npm"))
    except OSError as error:
        pytest.skip(f"npm could not install SillyTavern: {error}")


@pytest.fixture(scope="module")
def inn(package, tmp_path_factory):
    """SillyTavern, a model, a browser, and a memory server that can be stopped and started."""
    folder = tmp_path_factory.mktemp("inn")
    model, port, servers = house.Model(), house.free_port(), []
    memory_port = house.free_port()

    def serve():
        origin = f"http://127.0.0.1:{port}"
        words = ["--token-file", str(folder / "token"), "--port", str(memory_port)]
        servers.append(ServerProcess(folder / "memories", *words, "--allow-origin", origin))
        return servers[-1]

    server = serve()
    chosen = {"address": server.address, "token": server.token}
    tavern = house.Tavern(package, folder / "data", model, port, chosen)
    with screenshot.opened_browser() as browser:
        yield SimpleNamespace(model=model, tavern=tavern, browser=browser, serve=serve,
                              servers=servers, folder=folder)  # fmt: skip
    tavern.close()
    for one in servers:
        one.stop()
    model.close()


@pytest.fixture(scope="module")
def page(inn):
    """A page of SillyTavern; at the end no script may have failed."""
    context = inn.browser.new_context(viewport={"width": 1200, "height": 900})
    page, faults = context.new_page(), []
    page.on("pageerror", lambda error: faults.append(str(error)))
    yield page
    context.close()
    assert faults == []


@pytest.fixture
def visit(inn, page):
    """A user before SillyTavern, with the usual settings and no window open."""
    return house.Visit(page, inn.tavern, inn.model)


def until(found, expected):
    """Return once *found* returns *expected*; else fail and show what it returned."""
    end = time.monotonic() + PATIENCE
    while (last := found()) != expected and time.monotonic() < end:
        time.sleep(0.05)
    assert last == expected


@pytest.fixture
def known(inn):
    """What a character remembers: its texts, in order."""
    client = inn.servers[-1].client()

    def texts(avatar, name=None):
        reply = client.get("/memories", character=name or avatar.removesuffix(".png"), limit=1000)
        return sorted(m["text"] for m in reply.json.get("memories", []))

    texts.client = client
    yield texts
    client.close()


def block_of(model):
    """The memory block of the last prompt."""
    (block,) = BLOCK.findall(model.last())
    return block


def test_the_pure_modules_pass_their_own_tests(units):
    done = subprocess.run(
        ["node", "--test", "tavern_units.mjs"], cwd=units, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


def test_only_the_text_that_survives_is_remembered(visit, known, inn):
    """Case 55, S14: messages swiped, regenerated, edited, deleted; asides; another character."""
    ada, bo = visit.make("Ada"), visit.make("Bo")
    visit.meet(ada)
    visit.say("I keep bees behind the chapel", "I grew up in Turku.")
    until(lambda: known(ada), ["I grew up in Turku.", "I keep bees behind the chapel"])
    visit.swipe("I grew up in Umea.")
    until(lambda: known(ada), ["I grew up in Umea.", "I keep bees behind the chapel"])
    visit.swipe_back()
    until(lambda: known(ada), ["I grew up in Turku.", "I keep bees behind the chapel"])
    visit.edit(1, "I keep goats behind the chapel")
    until(lambda: known(ada), ["I grew up in Turku.", "I keep goats behind the chapel"])
    visit.say("((brb, phone)) // back at eight", "I sold my canoe to the ferryman.")
    until(lambda: len(known(ada)), 3)
    inn.model.replies = ["I sold my sledge to the miller."]
    visit.run("document.getElementById('option_regenerate').click();")
    until(lambda: "I sold my sledge to the miller." in known(ada), True)
    visit.idle()
    visit.say("My brother Theo is allergic to walnuts", "Then I will bake without them.")
    until(lambda: len(known(ada)), 5)
    visit.delete(5)
    visit.meet(bo)
    visit.say("OOC: is this on?", "My mill stands on the river Lys.")
    until(lambda: known(bo), ["My mill stands on the river Lys."])
    until(
        lambda: known(ada),
        ["I grew up in Turku.", "I keep goats behind the chapel",
         "I sold my sledge to the miller.", "Then I will bake without them."],
    )  # fmt: skip
    whole = json.dumps(known.client.get("/export", character="Ada").json)
    for gone in ("bees", "Umea", "canoe", "walnuts", "phone"):
        assert gone not in whole
    assert "goats" not in inn.model.last() and "Turku" not in inn.model.last()


def sentences():
    """Sentences that share no word that matters, so that each is a memory of its own."""
    syllables = "bo ka mi tu re lo sa ne vi du go pa".split()
    words = ["".join(chosen) for chosen in product(syllables, repeat=3)]
    random.Random(7).shuffle(words)
    for a, b, c, d in zip(*[iter(words)] * 4, strict=True):
        yield f"Near {a.title()} the old {b} of {c.title()} fell into {d.title()}"


def test_whatever_is_done_to_a_chat_its_text_and_its_memories_agree(visit, known, long):
    """Case 55: 10 random changes, 80 with --long; answers come whole or as a stream."""
    pia, said, chance = visit.make("Pia"), sentences(), random.Random(11)
    visit.meet(pia)
    visit.say(next(said), next(said))
    for _ in range(80 if long else 10):
        visit.run("ctx.chatCompletionSettings.stream_openai = x;", chance.random() < 0.5)
        length = visit.run("return ctx.chat.length;")
        act = chance.choice("say swipe swipe edit delete hide regenerate continue".split())
        if act == "say" or length < 4 or visit.run("return ctx.chat.at(-1).is_user;"):
            visit.say(next(said), next(said))
        elif act == "swipe":
            visit.swipe(next(said))
        elif act == "edit":
            visit.edit(chance.randrange(1, length), next(said))
        elif act == "delete":
            visit.delete(chance.randrange(1, length))
        elif act == "hide":
            visit.run("await ctx.executeSlashCommandsWithOptions(`/hide ${x}`);", length - 1)
            visit.run("await ctx.executeSlashCommandsWithOptions(`/unhide ${x}`);", length - 1)
        else:
            visit.generate(act, next(said))
    visit.run("ctx.chatCompletionSettings.stream_openai = false;")
    left = visit.run("return ctx.chat.slice(1).map(m => m.mes.trim());")
    until(lambda: known(pia), sorted(left))


def test_the_prompt_holds_what_is_asked_for_within_its_budget(visit, known, inn):
    """S5, S13: an old memory of another chat comes to mind; the model's own tokenizer counts."""
    ada = visit.make("Cleo")
    for number in range(40):
        text = f"港の灯台守{number}は毎晩長い物語を語り、猫は窓辺で静かに聞いていた"
        known.client.post("/impression", character="Cleo", entity="User", text=text, importance=9)
    peanuts = "User is deadly allergic to peanuts {{random::boom}}"
    known.client.post("/impression", character="Cleo", entity="User", text=peanuts,
                      importance=2, when="2020-01-01")  # fmt: skip
    visit.meet(ada)
    visit.say("Shall we cook with peanuts tonight?", "Gladly.")
    block = block_of(inn.model)
    assert "deadly allergic to peanuts" in block and "{{" not in block
    assert "random::boom" in block  # shown as it was said, not expanded
    tokens = visit.run("return ctx.getTokenCountAsync(x);", block)
    assert 400 < tokens <= 800
    roles = [m["role"] for m in inn.model.prompts[-1] if "<memory>" in str(m["content"])]
    assert roles == ["system"]
    visit.panel()
    visit.page.fill('[data-setting="budget"]', "150")
    visit.page.dispatch_event('[data-setting="budget"]', "change")
    visit.say("And what with peanuts tomorrow?", "Soup.")
    block = block_of(inn.model)
    assert "deadly allergic to peanuts" in block
    assert 50 < visit.run("return ctx.getTokenCountAsync(x);", block) <= 150
    usage = visit.page.locator("#vividmem_usage")
    until(lambda: usage.text_content().endswith(" of 150 tokens"), True)


def test_everybody_in_a_group_hears_what_is_said_and_owns_only_their_own(visit, known, inn):
    """S14: group chats have no character of their own."""
    dora, emil, fay = visit.make("Dora"), visit.make("Emil"), visit.make("Fay")
    for name, text in (("Dora", "User fears thunder"), ("Emil", "User collects stamps")):
        known.client.post("/impression", character=name, entity="User", text=text)
    visit.group("Mill", [dora, emil])
    visit.say("I moved to Ghent last week", "I keep bees on the roof.", "I repair old clocks.")
    blocks = ["".join(BLOCK.findall(json.dumps(prompt))) for prompt in inn.model.prompts[-2:]]
    assert ["thunder" in block for block in blocks] == [True, False]
    assert ["stamps" in block for block in blocks] == [False, True]
    for name in ("Dora", "Emil"):
        known.client.delete("/memories/1", character=name)
    said = ["I keep bees on the roof.", "I moved to Ghent last week", "I repair old clocks."]
    until(lambda: known(dora), said)
    until(lambda: known(emil), said)
    kinds = {m["text"]: (m["kind"], m["entity"])
             for m in known.client.get("/memories", character="Dora").json["memories"]}  # fmt: skip
    assert kinds["I keep bees on the roof."] == ("reflection", "")
    assert kinds["I repair old clocks."] == ("impression", "Emil")
    assert kinds["I moved to Ghent last week"] == ("impression", "User")
    visit.run("await ctx.deleteMessage(3);")
    until(lambda: known(dora), said[1:])
    until(lambda: known(emil), said[1:])
    assert known(fay) == []


def test_a_chat_goes_on_without_the_server_and_is_caught_up_with(visit, known, inn):
    """Quiet when the server is off; what happened meanwhile is told once it is back."""
    gil = visit.make("Gil")
    visit.meet(gil)
    visit.say("I keep bees behind the chapel", "I grew up in Turku.")
    until(lambda: len(known(gil)), 2)
    inn.servers[-1].stop()
    visit.say("I moved to Ghent last week", "I sold my canoe to the ferryman.")
    assert "<memory>" not in inn.model.last()
    visit.edit(1, "I keep goats behind the chapel")
    until(visit.page.locator("#vividmem_state").inner_text, "the server is off")
    assert visit.page.locator(".toast-error, dialog.popup[open]").count() == 0
    client = inn.serve().client()
    visit.panel()
    visit.page.click("#vividmem_connect")
    expected = ["I grew up in Turku.", "I keep goats behind the chapel",
                "I moved to Ghent last week", "I sold my canoe to the ferryman."]  # fmt: skip
    until(lambda: sorted(m["text"] for m in client.get("/memories", character="Gil").json.get(
        "memories", [])), expected)  # fmt: skip
    client.close()


def test_wiped_memories_do_not_come_back(visit, known, inn):
    """Case 58, S1: neither with a new server nor with a new page."""
    hal = visit.make("Hal")
    visit.meet(hal)
    visit.say("My bank PIN hint is the blue teapot", "I grew up in Turku.")
    until(lambda: len(known(hal)), 2)
    visit.panel()
    visit.press("Wipe")
    visit.answer()
    until(visit.told, "Nothing is remembered any more.")
    assert known(hal) == []
    inn.servers[-1].stop()
    client = inn.serve().client()
    visit.reload()
    visit.meet(hal)
    visit.say("I moved to Ghent last week", "How nice it is there.")
    until(lambda: "I moved to Ghent last week" in json.dumps(
        client.get("/memories", character="Hal").json), True)  # fmt: skip
    assert "teapot" not in json.dumps(client.get("/export", character="Hal").json)
    left = b"".join(p.read_bytes() for p in (inn.folder / "memories").rglob("*") if p.is_file())
    assert b"teapot" not in left
    client.close()


def test_hostile_names_and_memories_are_shown_as_text(visit, known):
    """Case 58, S8."""
    ivy = visit.make("Ivy")
    for text in (f"I moved to {EVIL}", f"{EVIL} is my name"):
        known.client.post("/impression", character="Ivy", entity=EVIL, text=text, emotion=EVIL)
    known.client.post("/mood", character="Ivy", emotions=["happy"])
    visit.meet(ivy)
    visit.run("ctx.characters[ctx.characterId].name = x;", EVIL)
    visit.run("await ctx.eventSource.emit(ctx.eventTypes.CHAT_CHANGED, ctx.chatId);")
    visit.panel()
    visit.page.locator("#vividmem_owner option", has_text=EVIL).wait_for(state="attached")
    visit.press("Browse")
    visit.page.locator(".vividmem_said", has_text=EVIL).first.wait_for()
    visit.page.locator(".vividmem_list").get_by_role("button", name="Forget").first.click()
    visit.page.locator(".vividmem_ask", has_text=EVIL).wait_for()
    ours = "#vividmem_settings img, .vividmem_browser img, .vividmem_ask img"
    assert visit.page.locator(ours).count() == 0
    assert visit.page.evaluate("window.pwned") is None


def looked_for(visit, query):
    """The listed memories of the window, once they are those that *query* finds."""
    visit.page.fill(".vividmem_browser input", query)
    visit.page.press(".vividmem_browser input", "Enter")
    listed = visit.page.locator(".vividmem_list li")
    until(lambda: listed.count() < 60 and query in listed.first.inner_text(), True)
    return listed


def test_memories_are_noted_browsed_corrected_and_forgotten_in_the_panel(visit, known):
    """S14: not only the few most vivid ones, and not only the character's own."""
    jo = visit.make("Jo")
    for number in range(60):
        known.client.post("/impression", character="Jo", entity="User", text=f"Box {number} is red")
    visit.meet(jo)
    visit.panel()
    visit.press("Add note")
    visit.answer("User restores old violins")
    until(visit.told, "Remembered.")
    visit.press("Browse")
    listed = visit.page.locator(".vividmem_list li")
    listed.nth(49).wait_for()
    assert "old violins" in listed.first.inner_text()
    visit.page.get_by_role("button", name="Show more").click()
    listed.nth(60).wait_for()
    looked_for(visit, "violins").first.get_by_role("button", name="Correct").click()
    visit.answer("User restores old cellos")
    until(lambda: "User restores old cellos" in known(jo), True)
    looked_for(visit, "cellos").first.get_by_role("button", name="Forget").click()
    visit.answer()
    until(lambda: len(known(jo)), 60)
    assert "User restores old cellos" not in known(jo)


def test_an_export_is_imported_without_loss(visit, known):
    """S11."""
    jo = visit.make("Joan")
    known.client.post("/reflection", character="Joan", text="I keep bees", when="2020-01-01")
    known.client.post("/fact", character="Joan", entity="User", attribute="town", value="Ghent")
    before = known.client.get("/export", character="Joan").json
    visit.meet(jo)
    visit.panel()
    with visit.page.expect_download() as got:
        visit.press("Export")
    exported = got.value.path().read_bytes()
    visit.press("Wipe")
    visit.answer()
    until(lambda: known(jo), [])
    with visit.page.expect_file_chooser() as chooser:
        visit.press("Import")
    told = {"name": "Joan.json", "mimeType": "application/json", "buffer": exported}
    chooser.value.set_files(told)
    until(visit.told, "2 memories are new.")
    assert known.client.get("/export", character="Joan").json["memories"] == before["memories"]


def test_what_is_pressed_while_a_memory_is_erased_comes_after_it(visit, known):
    """The chat is saved slowly: what the first button ends with does not hide what the next did."""
    kim = visit.make("Kim")
    known.client.post("/reflection", character="Kim", text="I keep bees", when="2020-01-01")
    exported = json.dumps(known.client.get("/export", character="Kim").json).encode()
    visit.meet(kim)
    visit.panel()
    held = []
    visit.page.route("**/api/chats/save", lambda route: held.append(route))
    visit.press("Wipe")
    visit.answer()
    until(lambda: (visit.told(), len(held)), ("Wipe ...", 1))
    with visit.page.expect_file_chooser() as chooser:
        visit.press("Import")
    chooser.value.set_files({"name": "K.json", "mimeType": "application/json", "buffer": exported})
    visit.page.wait_for_timeout(500)
    held[0].continue_()
    visit.page.unroute("**/api/chats/save")
    until(visit.told, "1 memories are new.")
    visit.page.wait_for_timeout(500)
    assert visit.told() == "1 memories are new."
    assert known(kim) == ["I keep bees"]


def test_what_is_switched_off_is_not_done(visit, known, inn):
    ron = visit.make("Ron")
    known.client.post("/impression", character="Ron", entity="User", text="User keeps goats")
    visit.meet(ron)
    visit.panel()
    visit.page.uncheck('[data-setting="storeUser"]')
    visit.page.select_option('[data-setting="position"]', "off")
    visit.say("I moved to Ghent last week", "I grew up in Turku.")
    until(lambda: known(ron), ["I grew up in Turku.", "User keeps goats"])
    assert "<memory>" not in inn.model.last()
    assert "User keeps goats" in visit.run("return ctx.substituteParams('{{vividmem}}');")


def test_consolidation_and_dreams_do_what_the_model_says(visit, known, inn):
    """S4: a toast is not enough."""
    kai = visit.make("Kai")
    for day in ("on Monday", "on Tuesday", "on Friday", "at noon"):
        text = f"User practised the violin sonata in the chapel {day}"
        known.client.post("/impression", character="Kai", entity="User", text=text)
    visit.meet(kai)
    visit.panel()
    asked = known.client.post("/consolidate", character="Kai").json
    gist = "User practises the violin often"
    inn.model.replies = [json.dumps([{"gist": gist, "ids": asked["ids"]}])]
    visit.press("Consolidate")
    until(visit.told, "5 memories changed.")
    assert gist in known(kai)
    assert "chapel on Friday" in inn.model.last()
    visit.press("Dream")
    until(lambda: bool(re.search("changed|think over", visit.told())), True)


def test_macros_give_block_and_mood(visit, known):
    lea = visit.make("Lea")
    known.client.post("/impression", character="Lea", entity="User", text="User keeps bees")
    known.client.post("/mood", character="Lea", emotions=["happy", "happy", "happy"])
    mood = known.client.get("/mood", character="Lea").json["label"]
    visit.meet(lea)
    until(lambda: visit.run("return ctx.substituteParams('{{vividmood}}');"), mood)
    block = visit.run("return ctx.substituteParams('a {{vividmem}} b');")
    assert block.startswith("a <memory>") and "User keeps bees" in block
    badge = visit.page.locator("#vividmem_badge")
    assert mood in badge.inner_text() and "of 800 tokens" in badge.inner_text()


def test_a_renamed_character_keeps_its_memory_and_a_deleted_one_may_take_it_along(visit, known):
    mia = visit.make("Mia")
    visit.meet(mia)
    visit.say("I keep bees behind the chapel", "I grew up in Turku.")
    until(lambda: len(known(mia)), 2)
    visit.run(
        "await ctx.executeSlashCommandsWithOptions('/rename-char silent=true chats=false Mina');"
    )
    until(lambda: known("Mina.png"), ["I grew up in Turku.", "I keep bees behind the chapel"])
    assert known(mia) == []
    visit.idle()
    visit.delete(1)
    until(lambda: known("Mina.png"), ["I grew up in Turku."])
    visit.run("document.getElementById('delete_button').click();")
    visit.answer()
    visit.page.locator(".vividmem_ask", has_text="Erase what Mina remembers").wait_for()
    visit.answer()
    until(lambda: known("Mina.png"), [])


def test_a_chat_may_have_a_memory_of_its_own(visit, known):
    """Scopes: what one chat was told no other knows; with the chat it goes."""
    ned = visit.make("Ned")
    visit.meet(ned)
    visit.panel()
    visit.page.select_option('[data-setting="scope"]', "chat")
    visit.say("I keep bees behind the chapel", "I grew up in Turku.")
    key = visit.run("return ctx.chatMetadata.vividmem.key;")
    name = f"Ned / {key}"
    until(lambda: len(known(ned, name)), 2)
    assert known(ned) == []
    visit.run("await ctx.executeSlashCommandsWithOptions('/newchat');")
    visit.await_length(1)
    visit.say("I moved to Ghent last week", "I sold my canoe to the ferryman.")
    assert "bees" not in visit.model.last()
    file, key = visit.run("return [ctx.chatId, ctx.chatMetadata.vividmem.key];")
    other = f"Ned / {key}"
    until(lambda: len(known(ned, other)), 2)
    visit.save_late()
    visit.run("await ctx.executeSlashCommandsWithOptions('/delchat');")
    until(lambda: known(ned, other), [])
    assert len(known(ned, name)) == 2
    assert visit.run("return ctx.chatId;") == file  # it is back, and begun anew
    assert visit.run("return ctx.chatMetadata.vividmem.key;") != key


def test_a_branch_keeps_what_its_origin_takes_back(visit, known):
    oda = visit.make("Oda")
    visit.meet(oda)
    visit.say("I keep bees behind the chapel", "I grew up in Turku.")
    until(lambda: len(known(oda)), 2)
    origin = visit.run("return ctx.chatId;")
    visit.page.locator('.mes[mesid="2"] .mes_create_branch').evaluate("e => e.click()")
    visit.page.wait_for_function("x => SillyTavern.getContext().chatId !== x", arg=origin)
    visit.await_length(3)
    until(lambda: [len(m["sources"]) for m in known.client.get(
        "/memories", character="Oda").json["memories"]], [2, 2])  # fmt: skip
    visit.delete(1)
    until(lambda: [len(m["sources"]) for m in known.client.get(
        "/memories", character="Oda").json["memories"]], [1, 2])  # fmt: skip
    assert len(known(oda)) == 2
