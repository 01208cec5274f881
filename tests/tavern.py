"""SillyTavern as its users have it: the npm package, a data folder, a page, a scripted model."""

import json
import os
import shutil
import socket
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

EXTENSION = Path(__file__).parents[1] / "extras" / "sillytavern"
PACKAGE = "sillytavern@1.19.0"
PATIENCE = 120  # seconds in which it must answer


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
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


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
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end and self._process.poll() is None:
            try:
                with urlopen(self.address, timeout=5):
                    return
            except (URLError, OSError):
                time.sleep(0.2)
        self.close()
        raise OSError(Path(self._log.name).read_text(errors="replace")[-2000:])

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(timeout=30)
        self._log.close()


class Visit:
    """A user before SillyTavern's page."""

    def __init__(self, page, tavern: Tavern, model: Model) -> None:
        self.page, self.model = page, model
        page.set_default_timeout(30_000)
        if not page.url.startswith(tavern.address) or page.locator("dialog[open]").count():
            page.goto(tavern.address)
            self.ready()
        # another visit may have chosen otherwise
        usual = {"scope": "all", "budget": 800, "position": "chat", "storeUser": True}
        self.run("Object.assign(ctx.extensionSettings.vividmem, x);", usual)

    def ready(self) -> None:
        """Return once the page and the extension are up."""
        self.page.locator("#vividmem_state[data-state]").wait_for(state="attached")
        self.page.wait_for_function("SillyTavern.getContext().onlineStatus === 'Valid'")

    def run(self, code: str, argument=None):
        """Return what *code* returns; `ctx` is SillyTavern's context, `x` the argument."""
        return self.page.evaluate(
            f"async x => {{ const ctx = SillyTavern.getContext(); {code} }}", argument
        )

    def idle(self) -> None:
        """Return once nothing is generated, swiped or loaded."""
        self.page.wait_for_function(
            """() => { const ctx = SillyTavern.getContext();
            return !document.body.dataset.generating && !ctx.streamingProcessor
                && ctx.swipe.state() === 'none' && ctx.chatId !== undefined; }"""
        )

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
        self.run(
            "await ctx.selectCharacterById(ctx.characters.findIndex(c => c.avatar === x));", avatar
        )
        self.page.wait_for_function(
            """x => { const ctx = SillyTavern.getContext();
            return ctx.characters[ctx.characterId]?.avatar === x && ctx.chat.length; }""",
            arg=avatar,
        )
        self.idle()

    def say(self, text: str, *replies: str) -> None:
        """Send a message and wait for all replies."""
        before = self.run("return ctx.chat.length;")
        self.model.replies = list(replies)
        self.page.fill("#send_textarea", text)
        self.page.wait_for_function(  # a click does nothing until the answer before is all done
            """x => { const isSent = SillyTavern.getContext().chat.length > x;
            if (!isSent && !document.body.dataset.generating) {
                document.getElementById('send_but').click();
            }
            return isSent; }""",
            arg=before,
            polling=700,
        )
        self.await_length(before + 1 + max(1, len(replies)))

    def await_length(self, length: int) -> None:
        """Return once the chat has *length* messages and nothing is generated."""
        self.page.wait_for_function("x => SillyTavern.getContext().chat.length === x", arg=length)
        self.idle()

    def swipe(self, *replies: str) -> None:
        """Swipe the last message to the right; what is generated then is *replies*."""
        self.model.replies = list(replies)
        before = self.run("return ctx.chat.at(-1).swipe_id ?? 0;")
        self._turn("right", before, before + 1)

    def _turn(self, side: str, before: int, after: int) -> None:
        """Click an arrow of the last message until it shows swipe *after*."""
        self.page.wait_for_function(
            """([side, before, after]) => { const ctx = SillyTavern.getContext();
            const message = ctx.chat.at(-1);
            if ((message.swipe_id ?? 0) === before && ctx.swipe.state() === 'none') {
                document.querySelector(`.last_mes .swipe_${side}`).click();
            }
            return message.swipe_id === after && message.mes === message.swipes[after]; }""",
            arg=[side, before, after],
            polling=250,
        )
        self.idle()

    def swipe_back(self) -> None:
        before = self.run("return ctx.chat.at(-1).swipe_id;")
        self._turn("left", before, before - 1)

    def generate(self, how: str, reply: str) -> None:
        """Have the last message generated anew ("regenerate") or go on ("continue")."""
        before = self.run("return [ctx.chat.length, ctx.chat.at(-1).mes];")
        self.model.replies = [reply]
        self.run("document.getElementById(`option_${x}`).click();", how)
        self.page.wait_for_function(
            """([length, text]) => { const {chat} = SillyTavern.getContext();
            return chat.length === length && chat.at(-1).mes !== text; }""",
            arg=before,
        )
        self.idle()

    def edit(self, place: int, text: str) -> None:
        """Edit message *place* with the pencil."""
        message = self.page.locator(f'.mes[mesid="{place}"]')
        message.locator(".mes_edit").evaluate("e => e.click()")
        self.page.fill("#curEditTextarea", text)
        message.locator(".mes_edit_done").evaluate("e => e.click()")
        message.locator(".mes_text", has_text=text[:20]).wait_for()

    def delete(self, place: int) -> None:
        """Delete message *place* with the bin of its editor."""
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
        self.page.reload()
        self.ready()
        self.run("document.querySelector(`.group_select[data-grid='${x}']`).click();", made)
        self.page.wait_for_function("x => SillyTavern.getContext().groupId === x", arg=made)
        self.await_length(len(avatars))

    def panel(self) -> None:
        """Open the extension's panel; SillyTavern closes it once more after a chat has opened."""
        actions = self.page.locator("#vividmem_actions")
        end = time.monotonic() + 30
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
        before = popups.count()
        if text is not None:
            popups.last.locator("textarea").fill(text)
        popups.last.locator(".popup-button-ok").click()
        self.page.wait_for_function(
            "x => document.querySelectorAll('dialog.popup[open]').length < x", arg=before
        )

    def told(self) -> str:
        """Return what the panel says came of the last button."""
        return self.page.locator("#vividmem_message").inner_text()
