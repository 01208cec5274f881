"""What users get: one file that runs alone, and a typed, runnable, reproducible wheel."""

import re
import shutil
import sys
import tarfile
import zipfile

import pytest

from blocks import README, ROOT, blocks_in, run

USE = """\
from vividmem import VividMem

reveal_type(VividMem().resonate("x")[0].score)
VividMem().resonate(5)
"""


def succeed(*args, cwd):
    """Run a program that must not fail and return what it printed."""
    done = run(*args, cwd=cwd)
    assert done.returncode == 0, done.stdout
    return done.stdout


def build(kind, source, target):
    """Build *source* with the hatchling of this environment; return the one file that results."""
    succeed(sys.executable, "-m", "build", "--no-isolation", kind, "-o", target, source, cwd=target)
    (path,) = target.iterdir()
    return path


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    return build("--wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def sdist(tmp_path_factory):
    return build("--sdist", ROOT, tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The folder of programs of a new virtual environment that holds the wheel and nothing else."""
    home = tmp_path_factory.mktemp("installed")
    succeed(sys.executable, "-m", "venv", home, cwd=home)
    programs = home / ("Scripts" if sys.platform == "win32" else "bin")
    succeed(programs / "python", "-m", "pip", "install", "--no-index", wheel, cwd=home)
    return programs


@pytest.fixture
def alone(tmp_path):
    """Run code beside a lone copy of vividmem.py, without site-packages; return its output."""
    shutil.copy(ROOT / "vividmem.py", tmp_path)

    def run_alone(code):
        code = f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{code}"
        return succeed(sys.executable, "-I", "-S", "-W", "error", "-c", code, cwd=tmp_path)

    return run_alone


def test_the_file_alone_runs_the_first_example_of_the_readme(alone):
    codes = [block.text for block in blocks_in(README.read_text(encoding="utf-8"), "python")]
    first = next(code for code in codes if "from vividmem import VividMem" in code)
    assert "astronomy" in alone(first)


def test_importing_loads_nothing_but_the_standard_library(alone):
    listing = alone("import vividmem\nprint(*{name.split('.')[0] for name in sys.modules})")
    loaded = {name for name in listing.split() if not name.startswith("_sysconfigdata")}
    assert loaded - sys.stdlib_module_names == {"__main__", "vividmem"}


def test_wheel_holds_the_one_file_as_a_typed_package(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        code = archive.read("vividmem/__init__.py")
    assert code == (ROOT / "vividmem.py").read_bytes()
    assert {"vividmem/py.typed", "vividmem/__main__.py", "vividmem_extras/py.typed"} <= names
    roots = {name.split("/")[0] for name in names}
    assert roots - {"vividmem", "vividmem_extras"} == {wheel.name.split("-py3")[0] + ".dist-info"}


def test_wheel_holds_all_that_the_dashboard_is_made_of(wheel):
    static = ROOT / "extras" / "vividmem_extras" / "server" / "static"
    with zipfile.ZipFile(wheel) as archive:
        for path in static.iterdir():
            packed = archive.read(f"vividmem_extras/server/static/{path.name}")
            assert packed == path.read_bytes()


def test_installed_server_gives_help_and_says_which_packages_it_needs(installed, tmp_path):
    command = installed / "vividmem-server"
    assert succeed(command, "--help", cwd=tmp_path).startswith("usage: vividmem-server")
    refused = run(command, "--dir", tmp_path / "all", cwd=tmp_path)
    assert refused.returncode == 2 and "pip install 'vividmem[server]'" in refused.stdout


def test_installed_command_and_module_give_help(installed, tmp_path):
    by_script = succeed(installed / "vividmem", "--help", cwd=tmp_path)
    by_module = succeed(installed / "python", "-m", "vividmem", "--help", cwd=tmp_path)
    assert by_script.startswith("usage:") and by_module.startswith("usage:")


def test_mypy_sees_the_types_of_the_installed_wheel(installed, tmp_path):
    (tmp_path / "use.py").write_text(USE, encoding="utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\nstrict = true\n", encoding="utf-8")
    python = installed / "python"
    shown = run(sys.executable, "-m", "mypy", "--python-executable", python, "use.py", cwd=tmp_path)
    assert re.search(r'use\.py:3: note: Revealed type is "(builtins\.)?float"', shown.stdout)
    assert re.findall(r"use\.py:(\d+): error: .*\[(.*)\]", shown.stdout) == [("4", "arg-type")]


def test_editable_install_uses_the_file_of_the_repository(tmp_path):
    found = run(
        sys.executable, "-I", "-c", "import vividmem; print(vividmem.__file__)", cwd=tmp_path
    )
    if "No module named 'vividmem'" in found.stdout:
        pytest.skip("vividmem is not installed in this environment")
    assert found.stdout.strip() == str(ROOT / "vividmem.py")


def test_sdist_is_complete(sdist):
    with tarfile.open(sdist) as archive:
        names = {path.partition("/")[2] for path in archive.getnames()}
    top = ".ci/run CHANGELOG.md LICENSE README.md howtouse.txt pyproject.toml"
    code = [ROOT / "vividmem.py", *(ROOT / "tests").rglob("*.py"), *(ROOT / "extras").rglob("*.py")]
    expected = {*top.split(), *(path.relative_to(ROOT).as_posix() for path in code)}
    assert expected - names == set()
    assert [name for name in names if "__pycache__" in name or "/." in name] == []


def test_sdist_holds_the_sillytavern_extension(sdist):
    """It is JavaScript for another program's folder: the wheel does not install it."""
    folder = ROOT / "extras" / "sillytavern"
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {f"extras/sillytavern/{path.name}" for path in folder.iterdir()} <= names


def test_wheel_built_from_the_sdist_is_the_same(wheel, sdist, tmp_path):
    succeed(sys.executable, "-m", "tarfile", "-e", sdist, tmp_path, cwd=tmp_path)
    (source,) = tmp_path.iterdir()
    target = tmp_path / "wheel"
    target.mkdir()
    again = build("--wheel", source, target)
    assert again.name == wheel.name
    assert again.read_bytes() == wheel.read_bytes()
