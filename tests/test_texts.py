"""README.md and howtouse.txt say what is so: their code runs, their console output is real."""

import doctest
import re
import shlex
import shutil
import sys

import pytest

from blocks import HOWTOUSE, README, ROOT, blocks_in, run, run_python

TEXTS = [README, HOWTOUSE]
COMMAND = re.compile(r"^\$ (.+)\n", re.MULTILINE)
OURS = re.compile(r"python (vividmem\.py|-m vividmem)\b")  # run; other commands are only read
LENIENT = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def params(language, *paths):
    """Each block as a parameter named after the place where it stands."""
    return [
        pytest.param(block.text, id=f"{path.name}:{block.line}")
        for path in paths
        if path.exists()
        for block in blocks_in(path.read_text(encoding="utf-8"), language)
    ]


def session(text):
    """Split a console block into pairs of command and the output printed below it."""
    parts = COMMAND.split(text)
    return list(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("path", TEXTS, ids=lambda path: path.name)
def test_each_text_holds_python_that_is_run(path):
    assert params("python", path)
    assert len(params("python", path)) == path.read_text(encoding="utf-8").count("```python")


@pytest.mark.parametrize("code", params("python", *TEXTS))
def test_python_runs_by_itself(code, tmp_path):
    done = run_python(code, tmp_path)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("text", params("console", *TEXTS))
def test_console_prints_what_is_shown(text, tmp_path):
    shutil.copy(ROOT / "vividmem.py", tmp_path)
    (tmp_path / "tests").mkdir()
    shutil.copy(ROOT / "tests" / "conversation.jsonl", tmp_path / "tests")
    for command, shown in session(text):
        if not OURS.match(command):
            continue
        done = run(sys.executable, *shlex.split(command)[1:], cwd=tmp_path)
        assert "Traceback" not in done.stdout
        if not doctest.OutputChecker().check_output(shown, done.stdout, LENIENT):
            assert done.stdout == shown, command  # says where they differ


def test_readme_gives_the_test_command_that_ci_runs():
    command = 'python -m pip install -e ".[test]" && python -m pytest'
    assert command in README.read_text(encoding="utf-8")
    assert command in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
