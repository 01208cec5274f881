"""SillyTavern as its users have it: the npm package, a data folder, a browser, a model that is scripted."""

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
        words = ["--port", str(port), "--listen", "false", "--dataRoot", str(data),
                 "--configPath", str(data / "config.yaml"), "--browserLaunchEnabled", "false"]  # fmt: skip
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
