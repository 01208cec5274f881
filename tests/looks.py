"""Looking at a memory from outside, without leaving a trace: for any test."""


def found(mem, query, **options):
    """The texts a query brings up; nothing is strengthened."""
    return [hit.text for hit in mem.resonate(query, reinforce=False, **options)]


def texts(mem, **options):
    """The texts of all memories, in id order."""
    return [memory.text for memory in mem.memories(limit=100_000, **options)]


def on_disk(folder):
    """All that stands in the files of *folder*, as one text."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return b"".join(path.read_bytes() for path in files).decode()
