"""A language model behind any OpenAI-compatible URL, for reflection only."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Callable

from vividmem import VividMemError

TIMEOUT = 120.0  # seconds a model may think
MOST_REPLY = 4_000_000  # bytes


class ModelError(VividMemError, OSError):
    """The model could not be reached or answered with something else than a completion."""


class NoModelError(VividMemError, LookupError):
    """The server was started without a model."""


def chat_model(url: str, name: str, key: str = "") -> Callable[[str], str]:
    """Return a callable, text to text, that asks the model *name* at *url*, as ``.../v1``."""
    address = url.rstrip("/") + "/chat/completions"
    headers = {"Content-Type": "application/json"}
    if key:
        headers["Authorization"] = f"Bearer {key}"

    def ask(prompt: str) -> str:
        body = {"model": name, "messages": [{"role": "user", "content": prompt}]}
        request = urllib.request.Request(address, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as reply:
                told = json.loads(reply.read(MOST_REPLY))
            text = told["choices"][0]["message"]["content"]
        except (OSError, ValueError, KeyError, IndexError, TypeError) as error:
            what = f"HTTP {error.code}" if isinstance(error, urllib.error.HTTPError) else error
            raise ModelError(f"the model at {address} failed: {what}") from error
        if not isinstance(text, str):
            raise ModelError(f"the model at {address} answered without a text")
        return text

    return ask
