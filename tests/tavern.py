"""SillyTavern as its users have it: the npm package, a data folder, a page, a scripted model."""

import json
import os
import random
import shutil
import socket
import subprocess
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from conftest import PATIENCE

playwright = pytest.importorskip("playwright.sync_api", reason="the extra 'test' is not installed")

EXTENSION = Path(__file__).parents[1] / "extras" / "sillytavern"
PACKAGE = "sillytavern@1.19.0"
BESIDES = """const ctx = SillyTavern.getContext(), st = window.tavernScript;
    const isOpen = ctx.chatId !== undefined
        && ctx.chatMetadata.vividmem?.chat === String(ctx.chatId);
    const isBusy = st.isGenerating() || st.isChatSaving || !!document.body.dataset.generating
        || !!ctx.streamingProcessor || ctx.swipe.state() !== 'none';
    const isQuiet = isOpen && !isBusy;"""  # what each script of a visit may ask
STATE = """return {
    chat: ctx.chat.map(m => `${m.name}: ${m.mes}`), chatId: ctx.chatId, group: ctx.groupId,
    character: ctx.characters[ctx.characterId]?.avatar, ledger: ctx.chatMetadata.vividmem,
    isGenerating: st.isGenerating(), isChatSaving: st.isChatSaving, swipe: ctx.swipe.state(),
    generating: document.body.dataset.generating, isStreaming: !!ctx.streamingProcessor,
    online: ctx.onlineStatus, box: document.getElementById('send_textarea').value,
    toasts: [...document.querySelectorAll('.toast')].map(toast => toast.textContent),
    server: document.getElementById('vividmem_state')?.textContent,
    told: document.getElementById('vividmem_message')?.textContent };"""


def missing() -> str:
    """Return why SillyTavern cannot run here, "" if it can."""
    absent = [name for name in ("node", "npm") if shutil.which(name) is None]
    return f"no {' and no '.join(absent)} on the PATH" if absent else ""


def install(folder: Path) -> Path:
    """Return the folder of the package, installed into *folder*; raise OSError if npm could not."""
    kept = os.environ.get("VIVIDMEM_SILLYTAVERN")  # an installation that is there already
    if kept:
        return Path(kept)
    words = "npm install --no-audit --no-fund --ignore-scripts --loglevel=error --prefix".split()
    done = subprocess.run([*words, str(folder), PACKAGE], capture_output=True, text=True)
    if done.returncode:
        raise OSError(done.stderr[-500:])
    return folder / "node_modules" / "sillytavern"


class Model:
    """A chat completion server that says what it is told to, and keeps the prompts it got."""

    def __init__(self) -> None:
        self.prompts: list[list[dict]] = []
        self.replies: list[str] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer({"data": [{"id": "scripted"}]})

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                model.prompts.append(body["messages"])
                said = model.replies.pop(0) if model.replies else "Hm."
                if body.get("stream"):
                    self.stream(said)
                else:
                    message = {"role": "assistant", "content": said}
                    self.answer({"choices": [{"index": 0, "message": message}]})

            def answer(self, told):
                content = json.dumps(told).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def stream(self, said):
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                for word in said.split(" "):
                    told = {"choices": [{"index": 0, "delta": {"content": f"{word} "}}]}
                    self.wfile.write(f"data: {json.dumps(told)}\n\n".encode())
                self.wfile.write(b"data: [DONE]\n\n")

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def last(self) -> str:
        """Return the whole text of the last prompt."""
        return "\n".join(str(message["content"]) for message in self.prompts[-1])

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def free_port() -> int:
    """Return a port that is free, and that the system gives to nobody who asks for any."""
    while True:
        port = random.randrange(20_000, 32_000)
        with suppress(OSError), socket.socket() as probe:
            probe.bind(("127.0.0.1", port))
            return port


class Tavern:
    """A running SillyTavern with the extension in its user's folder."""

    def __init__(self, package: Path, data: Path, model: Model, port: int, extension: dict):
        self.address = f"http://127.0.0.1:{port}"
        user = data / "default-user"
        shutil.copytree(EXTENSION, user / "extensions" / "vividmem")
        chosen = json.loads((package / "default" / "content" / "settings.json").read_text())
        chosen |= {"firstRun": False, "main_api": "openai"}
        chosen["oai_settings"] |= {
            "chat_completion_source": "custom", "custom_url": model.address,
            "custom_model": "scripted", "stream_openai": False,
            "openai_max_context": 8000, "openai_max_tokens": 300,
        }  # fmt: skip
        chosen["power_user"] |= {"auto_connect": True, "confirm_message_delete": False}
        chosen["extension_settings"]["vividmem"] = extension
        chosen["extension_settings"]["disabledExtensions"] = ["expressions", "assets", "caption"]
        (user / "settings.json").write_text(json.dumps(chosen))
        words = ["--port", str(port), "--listen", "false", "--browserLaunchEnabled", "false",
                 "--dataRoot", str(data), "--configPath", str(data / "config.yaml")]  # fmt: skip
        self._log = (data / "log").open("wb")
        self._process = subprocess.Popen(
            ["node", "server.js", *words], cwd=package, stdout=self._log, stderr=self._log
        )
        self._wait()

    def _wait(self) -> None:
        """Return once it answers; raise OSError if it does not."""
        end = time.monotonic() + 2 * PATIENCE  # it builds its page's library first
        while time.monotonic() < end and self._process.poll() is None:
            try:
                with urlopen(self.address, timeout=PATIENCE):
                    return
            except (URLError, OSError):
                time.sleep(0.2)
        self.close()
        raise OSError(Path(self._log.name).read_text(errors="replace")[-2000:])

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=PATIENCE)
        self._log.close()


class Visit:
    """A user before SillyTavern's page; what is done is begun when nothing else is under way."""

    def __init__(self, page, tavern: Tavern, model: Model) -> None:
        self.page, self.model = page, model
        page.set_default_timeout(PATIENCE * 1000)
        if not page.url.startswith(tavern.address) or not self.run(
            "return isOpen && !document.querySelector('dialog[open]');"
        ):
            page.goto(tavern.address)
            self.ready()
        # another visit may have chosen otherwise
        usual = {"scope": "all", "budget": 800, "position": "chat", "storeUser": True}
        self.run("Object.assign(ctx.extensionSettings.vividmem, x);", usual)

    def ready(self) -> None:
        """Return once a page just loaded is all there: it shows its welcome last, as messages."""
        self.page.locator("#vividmem_state[data-state]").wait_for(state="attached")
        self.page.evaluate("async () => { window.tavernScript = await import('/script.js'); }")
        self.until(
            """return ctx.onlineStatus === 'Valid' && !document.querySelector('dialog[open]')
                && ctx.chat[0]?.extra?.type === 'assistant_message';"""
        )

    def reload(self) -> None:
        """Load the page anew, once nothing is under way that this would cut short."""
        self.until("return !isBusy;")
        self.page.reload()
        self.ready()

    def save_late(self) -> None:
        """Have the open chat saved once more after its file is deleted: that brings it back."""
        self.run(
            """const plain = window.fetch;
            let isDeleted = false;
            window.fetch = async (address, ...more) => {
                if (isDeleted && address === '/api/characters/chats') {
                    window.fetch = plain;
                    await ctx.saveMetadata();
                }
                isDeleted ||= address === '/api/chats/delete';
                return plain(address, ...more);
            };"""
        )

    def run(self, code: str, argument=None):
        """Return what *code* returns; `ctx` is SillyTavern's context, `x` the argument."""
        return self.page.evaluate(f"async x => {{ {BESIDES} {code} }}", argument)

    def until(self, code: str, argument=None) -> None:
        """Return once *code* returns true; raise AssertionError with the state if it never does."""
        try:
            self.page.wait_for_function(f"x => {{ {BESIDES} {code} }}", arg=argument, polling=100)
        except playwright.TimeoutError:
            raise AssertionError(f"never true: {code} of {argument!r}\n{self.state()}") from None

    def state(self) -> str:
        """Return what a failure is told with: the chat, what is under way, the last prompts."""
        told = self.run(STATE) | {
            "prompts": [str(prompt[-1]["content"])[:100] for prompt in self.model.prompts[-4:]],
            "replies left": self.model.replies,
        }
        return json.dumps(told, indent=1, ensure_ascii=False)

    def idle(self) -> None:
        """Return once a chat is open and nothing is generated, swiped, loaded or saved."""
        self.until("return isQuiet;")

    def make(self, name: str, greeting: str = "Welcome.") -> str:
        """Make a character and return its avatar."""
        card = {"name": name, "description": f"{name} of the test", "first_mes": greeting}
        return self.run(
            """const form = new FormData();
            const file = new File([JSON.stringify(x)], 'card.json', {type: 'application/json'});
            form.append('avatar', file);
            form.append('file_type', 'json');
            const headers = ctx.getRequestHeaders({omitContentType: true});
            const reply = await fetch('/api/characters/import',
                {method: 'POST', headers, body: form});
            const {file_name} = await reply.json();
            await ctx.getCharacters();
            return file_name + '.png';""",
            card,
        )

    def meet(self, avatar: str) -> None:
        """Open the chat with a character."""
        self.until(  # while a chat is saved no other is opened
            """if (isBusy) { return false; }
            void ctx.selectCharacterById(ctx.characters.findIndex(c => c.avatar === x));
            return true;""",
            avatar,
        )
        self.until(
            """return isQuiet && !ctx.groupId && ctx.chat.length
                && ctx.characters[ctx.characterId]?.avatar === x;""",
            avatar,
        )

    def say(self, text: str, *replies: str) -> None:
        """Send a message and wait for all replies."""
        self.idle()
        before = self.run("return ctx.chat.length;")
        self.model.replies = list(replies)
        self.page.fill("#send_textarea", text)
        # What is taken leaves the box; a click that comes too early does nothing.
        self.until(
            """const box = document.getElementById('send_textarea');
            if (box.value === x[1] && !isBusy) { document.getElementById('send_but').click(); }
            return !box.value && ctx.chat.slice(x[0]).some(m => m.is_user && m.mes === x[1]);""",
            [before, text],
        )
        self.await_length(before + 1 + max(1, len(replies)))

    def await_length(self, length: int) -> None:
        """Return once the chat has *length* messages and nothing is under way."""
        self.until("return isQuiet && ctx.chat.length === x;", length)

    def swipe(self, *replies: str) -> None:
        """Swipe the last message to the right; what is generated then is *replies*."""
        self.model.replies = list(replies)
        before = self.run("return ctx.chat.at(-1).swipe_id ?? 0;")
        self._turn("right", before, before + 1)

    def _turn(self, side: str, before: int, after: int) -> None:
        """Click an arrow of the last message until it shows swipe *after*."""
        self.until(
            """const message = ctx.chat.at(-1), place = ctx.chat.length - 1;
            const arrow = document.querySelector(`.last_mes[mesid="${place}"] .swipe_${x[0]}`);
            if ((message.swipe_id ?? 0) === x[1] && isQuiet) { arrow?.click(); }
            return message.swipe_id === x[2] && message.mes === message.swipes[x[2]];""",
            [side, before, after],
        )
        self.idle()

    def swipe_back(self) -> None:
        before = self.run("return ctx.chat.at(-1).swipe_id;")
        self._turn("left", before, before - 1)

    def generate(self, how: str, reply: str) -> None:
        """Have the last message generated anew ("regenerate") or go on ("continue")."""
        self.idle()
        before = self.run("return [ctx.chat.length, ctx.chat.at(-1).mes];")
        self.model.replies = [reply]
        self.run("document.getElementById(`option_${x}`).click();", how)
        self.until(
            "return isQuiet && ctx.chat.length === x[0] && ctx.chat.at(-1).mes !== x[1];", before
        )

    def edit(self, place: int, text: str) -> None:
        """Edit message *place* with the pencil."""
        self.idle()
        message = self.page.locator(f'.mes[mesid="{place}"]')
        message.locator(".mes_edit").evaluate("e => e.click()")
        self.page.fill("#curEditTextarea", text)
        message.locator(".mes_edit_done").evaluate("e => e.click()")
        self.until("return isQuiet && ctx.chat[x[0]].mes === x[1];", [place, text])
        message.locator(".mes_text", has_text=text[:20]).wait_for()

    def delete(self, place: int) -> None:
        """Delete message *place* with the bin of its editor."""
        self.idle()
        length = self.run("return ctx.chat.length;")
        message = self.page.locator(f'.mes[mesid="{place}"]')
        message.locator(".mes_edit").evaluate("e => e.click()")
        message.locator(".mes_edit_delete").evaluate("e => e.click()")
        self.await_length(length - 1)

    def group(self, name: str, avatars: list[str]) -> None:
        """Make a group in which everybody answers in turn, and open it."""
        told = {"name": name, "members": avatars, "activation_strategy": 1, "avatar_url": ""}
        made = self.run(
            """const reply = await fetch('/api/groups/create', {method: 'POST',
                headers: ctx.getRequestHeaders(), body: JSON.stringify(x)});
            const made = await reply.json();
            await ctx.getCharacters();
            return made.id;""",
            told,
        )
        self.reload()
        self.until(
            """const shown = document.querySelector(`.group_select[data-grid='${x}']`);
            if (isBusy || !shown) { return false; }
            shown.click();
            return true;""",
            made,
        )
        self.until("return isQuiet && ctx.groupId === x;", made)
        self.await_length(len(avatars))

    def panel(self) -> None:
        """Open the extension's panel; SillyTavern closes it once more after a chat has opened."""
        actions = self.page.locator("#vividmem_actions")
        end = time.monotonic() + PATIENCE
        while not actions.is_visible() and time.monotonic() < end:
            self.run("""const drawer = document.getElementById('rm_extensions_block');
                if (drawer.classList.contains('closedDrawer')) {
                    document.querySelector('#extensions-settings-button .drawer-toggle').click();
                }
                const inside = document.querySelector('#vividmem_settings .inline-drawer-content');
                if (getComputedStyle(inside).display === 'none') {
                    document.querySelector('#vividmem_settings .inline-drawer-toggle').click();
                }""")
            self.page.wait_for_timeout(400)
        actions.wait_for()

    def press(self, label: str) -> None:
        """Press a button of the panel."""
        self.page.locator("#vividmem_actions").get_by_role("button", name=label, exact=True).click()

    def answer(self, text: str | None = None) -> None:
        """Answer the popup on top with yes, or with a text."""
        popups = self.page.locator("dialog.popup[open]")
        popups.locator(".popup-button-ok:visible").last.wait_for()
        popup = popups.last.element_handle()
        if text is not None:
            popups.last.locator("textarea").fill(text)
        popups.last.locator(".popup-button-ok").click()
        self.page.wait_for_function("popup => !popup.isConnected || !popup.open", arg=popup)

    def told(self) -> str:
        """Return what the panel says came of the last button."""
        return self.page.locator("#vividmem_message").inner_text()
