"""Names of agents as names of folders."""

from __future__ import annotations

import hashlib
import re

from vividmem import checked_name

MAX_NAME = 200  # characters of an agent's name
_SHOWN = 40  # characters of a folder's name that let people recognise it


def folder_name(agent: str) -> str:
    """Return the name of the folder of *agent*: no two agents have the same one.

    It is safe on every file system, whatever the name holds, and where case does not count.
    Raises `InvalidMemoryError` for a blank name, and for one with a control character.

    >>> folder_name("Ana/../B")
    'ana-b-475c0c2e17c5d0a4411ef6c8'
    """
    name = checked_name(agent, "agent", MAX_NAME)
    readable = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:_SHOWN].strip("-")
    digest = hashlib.sha256(name.encode()).hexdigest()[:24]  # of the exact name
    return f"{readable or 'agent'}-{digest}"
