"""What tests share: a clock moved by hand, a memory in RAM, folders, data, the long form."""

import functools
import os
from datetime import datetime, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

ROOT = Path(__file__).parents[1]
PATIENCE = 240  # seconds: a loaded machine is slow, and only a failure waits so long

settings.register_profile(
    "short",
    max_examples=50,
    deadline=None,
    derandomize=True,  # the same examples on every machine
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "long", settings.get_profile("short"), max_examples=1000, derandomize=False
)


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="run the long form of the heavy suites")


def pytest_configure(config):
    settings.load_profile("long" if config.getoption("--long") else "short")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--long"):
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="slow: runs only with --long"))


class Clock:
    """Seconds since 1970 that pass only when told to."""

    def __init__(self, now: float):
        self.now = now

    def __call__(self) -> float:
        return self.now

    def seconds(self, count: float) -> float:
        """Move on by *count* seconds and return the new time; so do the three below."""
        self.now += count
        return self.now

    def minutes(self, count: float) -> float:
        return self.seconds(count * 60)

    def hours(self, count: float) -> float:
        return self.seconds(count * 3600)

    def days(self, count: float) -> float:
        return self.seconds(count * 86400)


@pytest.fixture
def clock():
    """A clock that stands at 2026-01-05T09:00Z, a Monday, until moved: `clock.days(30)`."""
    return Clock(datetime(2026, 1, 5, 9, tzinfo=timezone.utc).timestamp())


@pytest.fixture
def mem(clock):
    """An empty memory in RAM that lives by *clock*, in UTC."""
    from vividmem import VividMem

    with VividMem(clock=clock, config={"timezone": "UTC"}) as memory:
        yield memory


@pytest.fixture
def folder(tmp_path):
    """The path of a memory folder that does not exist yet."""
    return tmp_path / "agent"


@pytest.fixture
def long(request) -> bool:
    """Whether --long was given: for suites that choose their size by it."""
    return request.config.getoption("--long")


@pytest.fixture(scope="session")
def shared_data():
    """The folder of data sets that are not shipped: $VIVIDMEM_SHARED, else ../shared/data."""
    path = Path(os.environ.get("VIVIDMEM_SHARED") or ROOT.parent / "shared" / "data")
    if not path.is_dir():
        pytest.skip(f"no data sets in {path}; VIVIDMEM_SHARED names another folder")
    return path


@pytest.fixture
def password(request):
    """The password that `opened` uses: None, unless a test asks for one by `indirect`."""
    wanted = getattr(request, "param", None)
    if wanted is not None:
        pytest.importorskip("cryptography")
    return wanted


@pytest.fixture
def keys_once(monkeypatch):
    """Derive each key once: the many folders of a test have the same salt."""
    import vividmem  # whose module it is that is patched: it keeps what it took from the real one

    once = functools.cache(vividmem.hashlib.scrypt)
    monkeypatch.setattr(vividmem.hashlib, "scrypt", once)
    return once


@pytest.fixture
def opened(folder, clock, password):
    """Open the folder once more; everything is closed afterwards."""
    from vividmem import VividMem

    usual = {"clock": clock, "config": {"timezone": "UTC", "store": {"durability": "os"}}}
    handles = []

    def handle(path=folder, **options):
        options = {**usual, "password": password, **options}
        store = {"scrypt_cost": 12, "cache_bytes": 0, **options["config"].get("store", {})}
        options["config"] = {**options["config"], "store": store}
        handles.append(VividMem(path, **options))
        return handles[-1]

    yield handle
    for mem in handles:
        mem.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """A running `vividmem-server` for all tests that need no server of their own."""
    pytest.importorskip("fastapi", reason="the extra 'server' is not installed")
    pytest.importorskip("fsspec", reason="the extra 'server' is not installed")
    pytest.importorskip("uvicorn", reason="the extra 'server' is not installed")
    from vividmem_extras.server.process import ServerProcess

    with ServerProcess(tmp_path_factory.mktemp("served")) as process:
        yield process


@pytest.fixture
def client(server):
    """A connection to that server, with its token."""
    made = server.client()
    yield made
    made.close()


@pytest.fixture
def who(request) -> str:
    """A character that no other test uses."""
    return request.node.name[:150]


@pytest.fixture
def served(tmp_path):
    """Start a server on a folder of this test's own, as often as called."""
    pytest.importorskip("fastapi", reason="the extra 'server' is not installed")
    pytest.importorskip("fsspec", reason="the extra 'server' is not installed")
    pytest.importorskip("uvicorn", reason="the extra 'server' is not installed")
    from vividmem_extras.server.process import ServerProcess

    running = []

    def start(*options, settings="", folder=tmp_path / "all"):
        running.append(ServerProcess(folder, *options, settings=settings))
        return running[-1]

    yield start
    for process in running:
        process.stop()


@pytest.fixture
def connect():
    """Connections that are closed at the end."""
    clients = []

    def to(process):
        clients.append(process.client())
        return clients[-1]

    yield to
    for one in clients:
        one.close()
