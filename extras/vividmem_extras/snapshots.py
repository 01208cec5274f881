"""Snapshots of a whole agent at any URL that fsspec knows: S3, OSS, GCS, Azure, a folder.

    from vividmem_extras.snapshots import SnapshotStore

    store = SnapshotStore("s3://bucket/agents", agent="Ines")
    store.snapshot("./my_agent_memory")
    store.restore("./somewhere_else")

A snapshot is the files of the memory folder as they were at one moment, copied under the folder's
lock while others go on writing afterwards; an encrypted folder stays encrypted. It lies in
``URL/<id>/``: the files first, and last ``manifest.json`` with their sizes and SHA-256 sums. What
has no sound manifest does not exist, so a snapshot cut short is never restored.

What is forgotten later is still in older snapshots, until `keep` newer ones have replaced them.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

from vividmem import (
    ConfigError,
    FileStore,
    MissingExtraError,
    StoreError,
    replace_file,
    sync_folder,
    write_file,
)
from vividmem_extras.names import folder_name

FORMAT = 1
MANIFEST = "manifest.json"
SNAPSHOT_FILE, LOCK_FILE = "memory.json", ".lock"
_PASSING = "*.tmp", "index.cache*"  # files of a write that is not done, and what is made anew
SHELF = "snapshots"  # a folder in a memory folder for snapshots of its own; it is in none of them
_ID = re.compile(r"\d{8}T\d{6}\.\d{6}Z-[0-9a-f]{8}(-[a-z]+)?")
_LABEL = re.compile("[a-z]{0,20}")
_ABANDONED = timedelta(days=1)  # age from which a snapshot without manifest is a dead upload


class SnapshotError(StoreError):
    """A snapshot cannot be taken, read or restored; nothing was put in place of anything."""


class UnknownSnapshotError(SnapshotError):
    """There is no such snapshot."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """One file of a snapshot."""

    path: str  # within the folder, with "/"
    size: int  # bytes
    sha256: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One complete snapshot."""

    id: str  # begins with the time it was taken, so ids sort by age; a label stands at its end
    files: tuple[StoredFile, ...]

    @property
    def taken(self) -> datetime:
        """Return when it was taken, in UTC."""
        return _taken(self.id)

    @property
    def size(self) -> int:
        """Return its size in bytes."""
        return sum(file.size for file in self.files)


class SnapshotStore:
    """Snapshots of one agent under *url*.

    *agent* keeps several agents apart under one URL. *keep* is how many snapshots are kept, the
    newest; older ones go when a new one is complete. *options* are passed to the file system of the
    URL; what it needs to sign in comes, as usual, from its own environment variables.
    """

    def __init__(
        self, url: str, *, agent: str = "", keep: int = 7, options: Mapping[str, Any] | None = None
    ) -> None:
        if isinstance(keep, bool) or not isinstance(keep, int) or keep < 1:
            raise ConfigError(f"keep is {keep!r}; it must be a whole number from 1")
        self.keep = keep
        self.url = _shown(url)
        self._fs, root = _file_system(url, options or {})
        self._root = "/".join([root.rstrip("/"), *([folder_name(agent)] if agent else [])])

    def snapshot(self, folder: str | os.PathLike[str], *, label: str = "") -> Snapshot:
        """Copy the memory in *folder* and return the `Snapshot`, once it was read back.

        Its id ends with *label*, small letters. Raises `SnapshotError`, also for a damaged folder:
        its older snapshots are worth more.
        """
        if not _LABEL.fullmatch(label):
            raise ConfigError(f"label is {label!r}; it must be up to 20 letters from a to z")
        contents = _contents(_checked_folder(folder))
        now = datetime.now(timezone.utc)
        newest = self.snapshots()[:1]  # a clock that was set back must not make this one older
        moment = max([now, *(one.taken + timedelta(microseconds=1) for one in newest)])
        stamp = f"{moment:%Y%m%dT%H%M%S.%fZ}"
        files = [StoredFile(p, len(c), hashlib.sha256(c).hexdigest()) for p, c in contents.items()]
        name = "-".join([stamp, secrets.token_hex(4), *([label] if label else [])])
        made = Snapshot(name, tuple(files))
        for path, content in contents.items():
            self._write(self._path(made.id, "files", path), content)
        self._verify(made)
        self._write(self._path(made.id, MANIFEST), manifest_of(made))
        self.prune()
        return made

    def snapshots(self) -> list[Snapshot]:
        """Return all complete snapshots, the newest first."""
        found = (self._read_manifest(snapshot_id) for snapshot_id in self._ids())
        return [snapshot for snapshot in found if snapshot]

    def verify(self, snapshot_id: str = "") -> Snapshot:
        """Read a snapshot, the newest if none is named, and compare all sums; return it."""
        found = self._find(snapshot_id)
        self._verify(found)
        return found

    def restore(
        self, folder: str | os.PathLike[str], *, snapshot_id: str = "", replace: bool = False
    ) -> Snapshot:
        """Put a snapshot, the newest if none is named, into *folder* and return it.

        The sums of all files are compared before anything is written. A folder that holds anything
        is refused, unless *replace*: then its files are first copied to a folder beside it,
        ``<folder>.replaced-<time>``. No other program may have that folder open.
        """
        target = Path(os.path.abspath(os.path.expanduser(folder)))
        found = self._find(snapshot_id)
        if _holds(target) and not replace:
            raise SnapshotError(
                f"{target} is not empty; restore into a new folder, or replace what is there"
            )
        if _holds(target) and not _is_store(target):
            raise SnapshotError(f"{target} holds files but no memory; restore into a new folder")
        contents = self._verify(found)
        with _refusals(f"{target}: not restored"):
            if _holds(target):
                _replace_files(target, contents)
            else:
                _place(target, contents)
        return found

    def prune(self) -> list[str]:
        """Remove all but the newest snapshots, and dead uploads; return the ids that went."""
        ids, known = self._ids(), [snapshot.id for snapshot in self.snapshots()]
        old = datetime.now(timezone.utc) - _ABANDONED
        gone = known[self.keep :] + [i for i in ids if i not in known and _taken(i) < old]
        for snapshot_id in gone:
            self._remove(snapshot_id)
        return gone

    def delete(self, snapshot_id: str) -> None:
        """Remove a snapshot; raises `UnknownSnapshotError`."""
        self._remove(self._find(snapshot_id).id)

    def clear(self) -> list[str]:
        """Remove all snapshots, also what is left of incomplete ones; return the ids that went.

        Raises `SnapshotError` if one is still there.
        """
        gone = self._ids()
        for snapshot_id in gone:
            self._remove(snapshot_id)
        left = self._ids()
        if left:
            raise SnapshotError(f"{self.url}: {', '.join(left)} could not be removed")
        return gone

    def _remove(self, snapshot_id: str) -> None:
        with self._reaching():
            with suppress(FileNotFoundError):  # without it the rest is no snapshot any more
                self._fs.rm_file(self._path(snapshot_id, MANIFEST))
            with suppress(FileNotFoundError):  # another may prune as well
                self._fs.rm(self._path(snapshot_id), recursive=True)

    def _find(self, snapshot_id: str) -> Snapshot:
        if snapshot_id and not _ID.fullmatch(snapshot_id):
            raise UnknownSnapshotError(f"{snapshot_id!r} is no id of a snapshot")
        for known in [snapshot_id] if snapshot_id else self._ids():
            found = self._read_manifest(known)
            if found:
                return found
        raise UnknownSnapshotError(f"{self.url} holds no complete snapshot {snapshot_id}".rstrip())

    def _ids(self) -> list[str]:
        """Return the ids under the URL, complete or not, the newest first."""
        with self._reaching():
            try:
                self._fs.invalidate_cache()
                names = [str(name).rstrip("/") for name in self._fs.ls(self._root, detail=False)]
            except FileNotFoundError:
                return []
        return sorted(filter(_ID.fullmatch, (name.rsplit("/", 1)[-1] for name in names)))[::-1]

    def _read_manifest(self, snapshot_id: str) -> Snapshot | None:
        """Return a snapshot; None unless its manifest is there, whole and its own."""
        with self._reaching():
            try:
                text = self._fs.cat_file(self._path(snapshot_id, MANIFEST))
            except FileNotFoundError:
                return None
        found = _snapshot_of(text)
        return found if found and found.id == snapshot_id else None

    def _verify(self, snapshot: Snapshot) -> dict[str, bytes]:
        """Return the contents of all files; raises `SnapshotError` if one is not as it was."""
        contents = {}
        for file in snapshot.files:
            path = self._path(snapshot.id, "files", file.path)
            with self._reaching():
                content = bytes(self._fs.cat_file(path))
            if (len(content), hashlib.sha256(content).hexdigest()) != (file.size, file.sha256):
                raise SnapshotError(
                    f"{self.url}: {file.path} of snapshot {snapshot.id} is not as it was written;"
                    " use an older snapshot"
                )
            contents[file.path] = content
        return contents

    def _write(self, path: str, content: bytes) -> None:
        with self._reaching():
            if "file" in _protocols(self._fs):
                Path(path).parent.mkdir(parents=True, exist_ok=True)
                write_file(path, content)  # and it is on the disk
                return sync_folder(Path(path).parent)
            try:
                self._fs.pipe_file(path, content)
            except FileNotFoundError:  # where folders are real
                self._fs.makedirs(path.rsplit("/", 1)[0], exist_ok=True)
                self._fs.pipe_file(path, content)
        return None

    def _path(self, *parts: str) -> str:
        return "/".join([self._root, *parts])

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        """Turn whatever a file system raises into `SnapshotError`: each has its own kinds."""
        try:
            yield
        except Exception as err:
            raise SnapshotError(f"{self.url}: {type(err).__name__}: {err}") from err


def _file_system(url: str, options: Mapping[str, Any]) -> tuple[Any, str]:
    """Return the file system of *url* and the path in it."""
    try:
        import fsspec
    except ImportError as err:
        raise MissingExtraError("snapshots", "pip install 'vividmem[cloud]'") from err
    fresh = {"use_listings_cache": False, "skip_instance_cache": True}
    try:
        fs, path = fsspec.core.url_to_fs(url, **fresh, **options)
    except ImportError as err:  # the message of fsspec names the package
        raise MissingExtraError(f"{_shown(url)}", f"{err}") from err
    except (OSError, TypeError, ValueError) as err:
        raise ConfigError(f"{_shown(url)} cannot be used for snapshots: {err}") from err
    return fs, str(path)


def _protocols(fs: Any) -> tuple[str, ...]:
    return (fs.protocol,) if isinstance(fs.protocol, str) else tuple(fs.protocol)


def _shown(url: str) -> str:
    """Return *url* without a password in it."""
    secret = urlsplit(url).password
    return url.replace(f":{secret}@", ":...@") if secret else url


def _checked_folder(folder: str | os.PathLike[str]) -> Path:
    path = Path(os.path.abspath(os.path.expanduser(folder)))
    if not _is_store(path):
        raise SnapshotError(f"{path} holds no memory; name the folder that VividMem was opened on")
    return path


def _is_store(path: Path) -> bool:
    return (path / SNAPSHOT_FILE).exists() or any(path.glob("journal-*.jsonl"))


def _contents(folder: Path) -> dict[str, bytes]:
    """Return all files of the store in *folder* as they are at one moment."""
    store = FileStore(folder)
    with store.lock():
        try:
            store.read()
            damage = store.damage()
        except PermissionError:  # encrypted: only who has the password can tell
            damage = []
        finally:
            store.close()
        if damage:
            raise SnapshotError(
                f"{folder} is damaged ({damage[0]}); run `vividmem doctor --repair` first"
            )
        with _refusals(f"{folder}: a file cannot be read"):
            files = {path.relative_to(folder).as_posix(): path for path in _files(folder)}
            return {name: files[name].read_bytes() for name in sorted(files)}


def _files(folder: Path) -> Iterator[Path]:
    """Yield all files that belong to the store; a store within it is another agent's."""
    for path in folder.iterdir():
        if path.is_symlink() or path.name == LOCK_FILE or any(map(path.match, _PASSING)):
            continue
        if path.is_dir() and path.name != SHELF and not _is_store(path):
            yield from _files(path)
        elif path.is_file():
            yield path


def _holds(folder: Path) -> bool:
    """Return whether *folder* holds anything but a lock."""
    try:
        return any(path.name != LOCK_FILE for path in folder.iterdir())
    except FileNotFoundError:
        return False
    except NotADirectoryError as err:
        raise SnapshotError(f"{folder} is no folder") from err


def _place(target: Path, contents: Mapping[str, bytes]) -> None:
    """Make *target* with *contents*: it appears whole or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        _write_all(made, contents)
        if target.exists():
            (target / LOCK_FILE).unlink(missing_ok=True)
            target.rmdir()  # fails if somebody has begun a memory there
        os.rename(made, target)
        sync_folder(target.parent)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise


def _replace_files(target: Path, contents: Mapping[str, bytes]) -> None:
    """Put *contents* in place of the files of *target*, which are copied aside.

    The snapshot file goes last of what arrives, and what does not belong to it goes after that: a
    crash in between leaves a folder that opens as it was or says that it is damaged.
    """
    stamp = f"{datetime.now(timezone.utc):%Y%m%dT%H%M%S.%fZ}"
    with FileStore(target).lock():
        present = {path.relative_to(target).as_posix(): path for path in _files(target)}
        aside = target.with_name(f"{target.name}.replaced-{stamp}")
        aside.mkdir(mode=0o700)
        _write_all(aside, {name: path.read_bytes() for name, path in present.items()})
        _write_all(target, contents)
        for name in present.keys() - contents.keys():
            present[name].unlink()
        sync_folder(target)


def _write_all(folder: Path, contents: Mapping[str, bytes]) -> None:
    for name in sorted(contents, key=lambda name: (name == SNAPSHOT_FILE, name)):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(f"{path}.tmp", contents[name])
        replace_file(f"{path}.tmp", str(path))
        sync_folder(path.parent)


def manifest_of(snapshot: Snapshot) -> bytes:
    """Return what the manifest of *snapshot* says, its own sum included."""
    files = [asdict(file) for file in snapshot.files]
    told = {"product": "vividmem", "format": FORMAT, "id": snapshot.id, "files": files}
    return json.dumps(told | {"sha256": _sum(told)}, indent=1).encode()


def _sum(told: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _snapshot_of(text: bytes) -> Snapshot | None:
    """Return the snapshot of a manifest's *text*; None if that is not as it was written."""
    try:
        told = json.loads(text)
        known = told.pop("sha256") == _sum(told) and told["product"] == "vividmem"
        if known and told["format"] > FORMAT:
            raise SnapshotError("the snapshot is of a newer version: pip install -U vividmem")
        files = tuple(StoredFile(**file) for file in told["files"])
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    if not known or not all(_is_inside(file.path) for file in files):
        return None
    return Snapshot(str(told["id"]), files)


def _is_inside(path: str) -> bool:
    """Return whether *path* can only lead to a place within a folder, on any system."""
    parts = PurePosixPath(path).parts
    plain = bool(parts) and not any(sign in path for sign in ("\\", ":", "\0"))
    return plain and not path.startswith("/") and ".." not in parts and LOCK_FILE not in parts


def _taken(snapshot_id: str) -> datetime:
    return datetime.strptime(snapshot_id[:23], "%Y%m%dT%H%M%S.%fZ").replace(tzinfo=timezone.utc)


@contextmanager
def _refusals(problem: str) -> Iterator[None]:
    """Turn the system's refusals into `SnapshotError`."""
    try:
        yield
    except OSError as err:
        if isinstance(err, StoreError):
            raise
        raise SnapshotError(f"{problem} ({err})") from err
