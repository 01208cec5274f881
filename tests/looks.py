"""Looking at a memory from outside, without leaving a trace: for any test."""

import base64
import hashlib
import json
import re
import zlib

PASSWORD = "open, sesame"  # of all tests that need one


def found(mem, query, **options):
    """The texts a query brings up; nothing is strengthened."""
    return [hit.text for hit in mem.resonate(query, reinforce=False, **options)]


def texts(mem, **options):
    """The texts of all memories, in id order."""
    return [memory.text for memory in mem.memories(limit=100_000, **options)]


def on_disk(folder):
    """All that stands in the files of *folder*, as one text."""
    return b"".join(files_of(folder).values()).decode("utf-8", "backslashreplace")


def files_of(folder):
    """What each file of *folder* holds, zipped and sealed parts opened too: path -> bytes."""
    files = {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    for path in files:
        if path.name == "index.cache":
            files[path] += zlib.decompress(files[path].partition(b"\n")[2])
    if not (folder / "memory.key").exists():
        return files
    keys = data_keys((folder / "memory.key").read_bytes())
    return {path: data + uncovered(path.name, data, keys) for path, data in files.items()}


def data_keys(text, password=PASSWORD):
    """The data keys in the file memory.key, opened without the library: id -> key."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    record = json.loads(text.splitlines()[0])[2]
    cost, salt = record["cost"], bytes.fromhex(record["salt"])
    memory = (1 << cost) * 1024 + 65536
    master = hashlib.scrypt(
        password.encode(), salt=salt, n=1 << cost, r=8, p=1, maxmem=memory, dklen=32
    )
    keys = {}
    for key_id, wrapped in record["keys"].items():
        sealed, place = bytes.fromhex(wrapped), f"key {key_id} scrypt {cost} 8".encode()
        keys[key_id] = AESGCM(master).decrypt(sealed[:12], sealed[12:], place)
    return keys


def uncovered(name, data, keys):
    """The plain text of all lines in a file called *name*; raises if one does not open."""
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    generation = re.match(r"journal-(\d+)", name)
    found = b""
    for line in re.finditer(rb'^\["[0-9a-f]{8}",(\d+),"([^"]*)"\]', data, re.MULTILINE):
        number, sealed = int(line[1]), base64.b64decode(line[2])
        place = f"change {generation[1]} {number}" if generation else f"memory {number}"
        for key_id, key in keys.items():
            bound = f"{key_id} {place}".encode()
            found += AESGCM(key).decrypt(sealed[:12], sealed[12:], bound) + b"\n"
    return found
