"""What a folder must hold after a crash: planned steps, and the account they add up to.

Every text carries a token of its own, so a memory, a line of the account and the bytes of a file
can be matched without trusting the library. A `Step` is one call. The account maps each token to
what is known of its memory. `Tally` counts what was found to be wrong.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from vividmem import (
    FileStore,
    Memory,
    Receipt,
    StoreConfig,
    VividMem,
    VividMemError,
    WrongKeyError,
)

COMPACT_BYTES = 4096  # the journal size to compact at: small, so that it happens often
MOST_EXAMPLES = 12  # problems described in words; the others are counted
PAGE = 1000  # memories listed at once
PASSWORD, NEW_PASSWORD = "open, sesame", "shut, sesame"
SCRYPT_COST = 12  # the least there is: a folder is opened thousands of times
CODINGS = "encrypt decrypt rekey passwd".split()  # calls that change how a folder is encrypted
TOKEN = re.compile(r"q\d+w\d+n\d+z")
LETTERS = str.maketrans("0123456789", "ghijklmnop")


@dataclass(frozen=True, slots=True)
class Step:
    """One call, and what it does to the tokens it touches."""

    kind: str  # reflect, impress, fact, batch, correct, forget, forget_entity, save, resonate,
    # encrypt, decrypt, rekey, passwd
    home: str = ""  # the entity of what is added
    adds: tuple[str, ...] = ()
    outdates: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()
    target: str = ""  # the memory that is corrected or forgotten


@dataclass(frozen=True, slots=True)
class Known:
    """What the account knows of one memory."""

    kind: str
    home: str
    root: str  # the first wording of the same statement
    current: bool = True
    id: int = 0  # 0: not seen in a folder yet


Account = dict[str, Known]


@dataclass(slots=True)
class Tally:
    """How often something was tried, and what came out wrong."""

    tried: int = 0
    acknowledged: int = 0
    lost: int = 0  # acknowledged, and not there as it should be
    invented: int = 0  # there, though never attempted
    torn: int = 0  # half of a step
    words: int = 0  # words of the forgotten in a file
    damage: int = 0  # folders that opened damaged, not at all, or not writable
    errors: int = 0  # calls that raised
    missed: int = 0  # kill points that were not reached
    examples: list[str] = field(default_factory=list)

    def note(self, fault: str, count: int, example: str) -> None:
        """Count *count* faults of one kind and remember an example."""
        if count:
            setattr(self, fault, getattr(self, fault) + count)
            if len(self.examples) < MOST_EXAMPLES:
                self.examples.append(f"{fault}: {example}")

    @property
    def failed(self) -> bool:
        """Whether anything was wrong; a kill point that was not reached proves nothing."""
        return any(getattr(self, fault) for fault in FAULTS)


FAULTS = "lost invented torn words damage errors".split()


def sentence(token: str, kind: str = "") -> str:
    """Return a text that holds *token* and shares no other word with any other text.

    >>> sentence("q1w2n3z")
    'q1w2n3z ejiem lgjim amgcd obgdd'
    """
    letters = hashlib.sha256(token.encode()).hexdigest().translate(LETTERS)
    count = 60 if kind == "reflect" and letters[0] in "abc" else 4
    more = (letters * 6)[: 5 * count]
    return " ".join([token, *(more[at : at + 5] for at in range(0, len(more), 5))])


def perform(memory: VividMem, step: Step, ids: dict[str, int]) -> None:
    """Make the call of *step*; *ids* maps tokens to memory ids and learns the new ones."""
    if step.kind == "batch":
        with memory.batch():
            made = [memory.add_social_impression(step.home, sentence(t)) for t in step.adds]
    elif step.kind == "correct":
        made = [memory.correct(ids[step.target], sentence(step.adds[0]))]
    else:
        made = [m for m in [_call(memory, step, ids)] if isinstance(m, Memory)]
    ids.update(zip(step.adds, (m.id for m in made), strict=True))


def _call(memory: VividMem, step: Step, ids: Mapping[str, int]) -> Memory | Receipt | None:
    token = step.adds[0] if step.adds else step.target
    if step.kind == "reflect":
        return memory.add_self_reflection(sentence(token, step.kind))
    if step.kind == "impress":
        return memory.add_social_impression(step.home, sentence(token))
    if step.kind == "fact":
        return memory.add_fact(step.home, "whereabouts", sentence(token))
    if step.kind == "forget":
        return memory.forget(ids[step.target])
    if step.kind == "forget_entity":
        return memory.forget_entity(step.home)
    if step.kind == "save":
        memory.save()
    elif step.kind in CODINGS:
        _recode(memory, step.kind)
    else:
        memory.resonate(token)
    return None


def _recode(memory: VividMem, kind: str) -> None:
    """Change the encryption of the folder."""
    if kind == "encrypt":
        memory.encryption.encrypt(NEW_PASSWORD)
    elif kind == "decrypt":
        memory.encryption.decrypt()
    elif kind == "rekey":
        memory.encryption.rekey()
    else:
        memory.encryption.change_password(NEW_PASSWORD)


def after(account: Account, step: Step) -> Account:
    """Return the account as it is when *step* has been done."""
    left = {token: known for token, known in account.items() if token not in step.removes}
    for token in step.outdates:
        left[token] = _outdated(left[token])
    root = account[step.target].root if step.kind == "correct" else ""
    kind = account[step.target].kind if step.kind == "correct" else step.kind
    return left | {token: Known(kind, step.home, root or token) for token in step.adds}


def _outdated(known: Known) -> Known:
    return Known(known.kind, known.home, known.root, False, known.id)


def observed(memory: VividMem) -> tuple[dict[str, tuple[int, bool]], list[str]]:
    """Return id and currency of each token in *memory*, and the texts nobody can have written."""
    found: dict[str, tuple[int, bool]] = {}
    strange = []
    for each in listed(memory):
        token = TOKEN.search(each.text)
        whole = token and any(sentence(token[0], kind) in each.text for kind in ("", "reflect"))
        if not token or not whole or token[0] in found:
            strange.append(each.text[:60])
        else:
            found[token[0]] = each.id, each.current
    return found, strange


def listed(memory: VividMem) -> list[Memory]:
    """Return every memory, page by page."""
    found: list[Memory] = []
    while page := memory.memories(after=found[-1].id if found else None, limit=PAGE):
        found += page
    return found


def states(account: Account) -> dict[str, bool]:
    """Return which tokens are there, and whether they are current."""
    return {token: known.current for token, known in account.items()}


def matched(account: Account, found: Mapping[str, tuple[int, bool]]) -> Account:
    """Return *account* with the ids that were found."""
    return {
        token: Known(known.kind, known.home, known.root, known.current, found[token][0])
        for token, known in account.items()
        if token in found
    }


def words_in(folder: Path) -> dict[str, str]:
    """Map every token that stands in a file of *folder* to the name of the file."""
    pattern = re.compile(TOKEN.pattern.encode())
    places = {}
    for path in sorted(folder.iterdir()):
        for token in pattern.findall(path.read_bytes()):
            places[token.decode()] = path.name
    return places


def check_words(tally: Tally, gone: Iterable[str], folder: Path, place: str) -> None:
    """Count the tokens of *gone* that are still in a file."""
    left = words_in(folder)
    found = [f"{token} in {left[token]}" for token in gone if token in left]
    tally.note("words", len(found), f"{place}: {', '.join(found[:3])}")


def check_states(
    tally: Tally, expected: Mapping[str, bool], found: Mapping[str, tuple[int, bool]], place: str
) -> None:
    """Compare what is there with what must be, and nothing else."""
    seen = {token: current for token, (_, current) in found.items()}
    lost = [token for token, current in expected.items() if seen.get(token) is not current]
    extra = [token for token in seen if token not in expected]
    tally.note("lost", len(lost), f"{place}: {lost[:4]}")
    tally.note("invented", len(extra), f"{place}: {extra[:4]}")


@dataclass(frozen=True, slots=True)
class Opening:
    """How a folder is opened: as users do, or with one promise broken on purpose."""

    sabotage: str = ""
    compact_bytes: int = COMPACT_BYTES
    passwords: tuple[str | None, ...] = (None,)  # the first that fits is taken

    def __call__(self, folder: Path) -> VividMem:
        """Open *folder*, which need not exist; raise `WrongKeyError` if no password fits."""
        *others, last = self.passwords
        for password in others:
            with suppress(WrongKeyError):
                return self._opened(folder, password)
        return self._opened(folder, last)

    def _opened(self, folder: Path, password: str | None) -> VividMem:
        store: dict[str, Any] = {"compact_bytes": self.compact_bytes, "scrypt_cost": SCRYPT_COST}
        if not self.sabotage:
            return VividMem(folder, config={"store": store}, password=password)
        kind_of_store, kind = SABOTAGES[self.sabotage]
        stored = kind_of_store(folder, StoreConfig(**store), password=password)
        return kind(config={"store": store}, store=stored)


def reopened(tally: Tally, opening: Opening, folder: Path, place: str) -> VividMem | None:
    """Open *folder* after a crash; None, and counted as damage, if that does not go well."""
    try:
        memory = opening(folder)
        damage = memory.stats()["damage"]
    except VividMemError as err:
        tally.note("damage", 1, f"{place}: {err}")
        return None
    tally.note("damage", bool(damage), f"{place}: {damage[:2]}")
    return memory


class _Late(FileStore):
    """Acknowledges each change before it writes it: at the next one."""

    _waiting: tuple[bytes, ...] = ()

    def append(self, payload: bytes, *, durable: bool) -> None:
        for earlier in self._waiting:
            super().append(earlier, durable=durable)
        self._waiting = (payload,)


class _Unsynced(FileStore):
    """Never waits for the disk."""

    def append(self, payload: bytes, *, durable: bool) -> None:
        super().append(payload, durable=False)


class _Leaky(FileStore):
    """Keeps a copy of the journal that a compaction removes."""

    def rewrite(self, fresh: Any, stale: Any) -> None:
        for journal in self.path.glob("journal-*.jsonl"):
            (self.path / "journal.bak").write_bytes(journal.read_bytes())
        super().rewrite(fresh, stale)


class _Torn(FileStore):
    """Writes a line in place of what is there, without a plan for being interrupted."""

    def rewrite(self, fresh: Any, stale: Any) -> None:
        super().rewrite(fresh, stale)
        snapshot = self.path / "memory.json"
        text = snapshot.read_bytes()
        fd = os.open(snapshot, os.O_WRONLY | os.O_TRUNC)
        os.write(fd, text)
        os.close(fd)


class _Unbatched(VividMem):
    """Takes a batch for many single writes."""

    @contextmanager
    def batch(self) -> Iterator[VividMem]:
        yield self


class _Ghost(VividMem):
    """Remembers things nobody said."""

    def correct(self, memory_id: int, text: str) -> Memory:
        super().add_self_reflection(sentence("q0w0n0z")[::-1])
        return super().correct(memory_id, text)


SABOTAGES: dict[str, tuple[type[FileStore], type[VividMem]]] = {
    "late": (_Late, VividMem),
    "unsynced": (_Unsynced, VividMem),
    "leaky": (_Leaky, VividMem),
    "in-place": (_Torn, VividMem),
    "unbatched": (FileStore, _Unbatched),
    "ghost": (FileStore, _Ghost),
}
