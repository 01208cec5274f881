"""The shape of vividmem.py: sections in order, references only upward, sizes within budget."""

import ast
import re
import sys
from pathlib import Path

import pytest

PATH = Path(__file__).parents[1] / "vividmem.py"
SOURCE = PATH.read_text(encoding="utf-8")
TREE = ast.parse(SOURCE)
LINES = SOURCE.splitlines()
BANNER = re.compile(r"# === (\d+)\. (.+?) =+$")
MAX_FUNCTION, MAX_CLASS, MAX_FACADE, MAX_SECTION, MAX_FILE = 40, 300, 500, 450, 24_550
MAX_PUBLIC_METHODS = 28
MAX_SUMMARY = 88  # columns of the first line of a docstring

# Sections that may not touch clock, disk, chance or screen.
PURE = {"Text", "Index", "Decay", "Mood", "Chemistry", "Scoring", "Colour", "Beliefs", "Context"}
PURE |= {"Answers", "Claims", "Clauses", "Codec", "Conflicts", "Encoding", "Evidence", "Frames"}
PURE |= {"Gate", "Grammar", "Slots", "Transcripts", "Values", "Weights"}
IMPURE_NAMES = {"open", "print", "input", "time", "random", "os", "tempfile"}
IMPURE_METHODS = {"now", "today", "utcnow"}
FILE_SECTIONS = {"Files", "FileStore", "Command line"}  # the only ones that open files
FILE_MODULES = {"fcntl", "glob", "io", "msvcrt", "os", "shutil", "tempfile"}
FILE_METHODS = {"iterdir", "mkdir", "read_bytes", "read_text", "rmdir", "unlink"}
FILE_METHODS |= {"write_bytes", "write_text"}
HARMLESS = {"os.fspath", "os.cpu_count", "os.getpid", "io.StringIO"}

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SECTIONS = [(no, *m.groups()) for no, line in enumerate(LINES, 1) if (m := BANNER.match(line))]
TITLES = [title for _, _, title in SECTIONS]


def rank_of(lineno):
    """How many banners stand above line *lineno*."""
    return sum(start <= lineno for start, _, _ in SECTIONS)


def section_of(lineno):
    """The title of the section that holds line *lineno*."""
    return ["Head", *TITLES][rank_of(lineno)]


def defined_names():
    """Map each module-level name to the line that defines it."""
    names = {}
    for node in TREE.body:
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            names[node.name] = node.lineno
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            names.update({t.id: node.lineno for t in targets if isinstance(t, ast.Name)})
    return names


def global_reads(statement):
    """The nodes of a module-level *statement* that read a name it does not itself bind."""
    inside = list(ast.walk(statement))
    bound = {node.arg for node in inside if isinstance(node, ast.arg)}
    if isinstance(statement, (*FUNCTIONS, ast.ClassDef)):
        bound |= {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return [n for n in inside if isinstance(n, ast.Name) and n.id not in bound]


READS = [node for statement in TREE.body for node in global_reads(statement)]


def body_length(node):
    """Lines of *node* without its docstring."""
    length = node.end_lineno - node.lineno + 1
    if ast.get_docstring(node) is not None:
        length -= node.body[0].end_lineno - node.body[0].lineno + 1
    return length


def too_long(kind, budget_of):
    """Map each definition of *kind* that exceeds its budget to its length."""
    nodes = [node for node in ast.walk(TREE) if isinstance(node, kind)]
    return {n.name: body_length(n) for n in nodes if body_length(n) > budget_of(n.name)}


def calls_outside(sections):
    """All calls outside of *sections*: line, and the called name as it is written."""
    return [
        (node.lineno, ast.unparse(node.func))
        for node in ast.walk(TREE)
        if isinstance(node, ast.Call) and section_of(node.lineno) not in sections
    ]


def touches_files(called):
    """Whether the name *called* is one that opens, lists or changes files."""
    root, _, rest = called.partition(".")
    if called == "open" or called.rpartition(".")[2] in FILE_METHODS:
        return True
    return bool(rest) and root in FILE_MODULES and called not in HARMLESS


def public_definitions():
    """The classes and functions named in __all__."""
    import vividmem

    kinds = (*FUNCTIONS, ast.ClassDef)
    return [n for n in TREE.body if isinstance(n, kinds) and n.name in vividmem.__all__]


def test_sections_are_numbered_in_order():
    assert [int(number) for _, number, _ in SECTIONS] == list(range(1, len(SECTIONS) + 1))
    assert SECTIONS


def test_docstring_maps_the_banners_in_their_order():
    doc = ast.get_docstring(TREE)
    places = [re.search(rf"\b{n}\.? +{re.escape(title)}\b", doc) for _, n, title in SECTIONS]
    assert [t for t, place in zip(TITLES, places, strict=True) if place is None] == []
    starts = [place.start() for place in places]
    assert starts == sorted(starts)
    assert not re.search(rf"\b{len(SECTIONS) + 1}\.? +[A-Z]", doc), "the map has a section too many"


def test_no_section_uses_a_later_one():
    names = defined_names()
    later = [
        f"line {node.lineno}: {node.id} (section {section_of(names[node.id])})"
        for node in READS
        if node.id in names and rank_of(names[node.id]) > rank_of(node.lineno)
    ]
    assert later == []


def test_pure_sections_stay_pure():
    reads = [(node.lineno, node.id) for node in READS if node.id in IMPURE_NAMES]
    calls = [(line, name) for line, name in calls_outside(set()) if name.count(".")]
    impure = reads + [call for call in calls if call[1].rpartition(".")[2] in IMPURE_METHODS]
    assert [f"line {line}: {name}" for line, name in impure if section_of(line) in PURE] == []


def test_functions_fit_their_budget():
    assert too_long(FUNCTIONS, lambda name: MAX_FUNCTION) == {}


def test_classes_fit_their_budget():
    facade = {"VividMem": MAX_FACADE}
    assert too_long(ast.ClassDef, lambda name: facade.get(name, MAX_CLASS)) == {}


def test_facade_has_few_public_methods():
    (facade,) = (n for n in TREE.body if isinstance(n, ast.ClassDef) and n.name == "VividMem")
    methods = [n.name for n in facade.body if isinstance(n, FUNCTIONS)]
    public = [name for name in methods if not name.startswith("_")]
    assert len(public) <= MAX_PUBLIC_METHODS, public


def test_sections_and_file_fit_their_budget():
    starts = [no for no, _, _ in SECTIONS] + [len(LINES) + 1]
    sizes = {title: b - a for (a, _, title), b in zip(SECTIONS, starts[1:], strict=True)}
    assert {t: n for t, n in sizes.items() if n > MAX_SECTION} == {}
    assert len(LINES) <= MAX_FILE


def test_core_imports_only_the_standard_library():
    roots = {
        (alias.name if isinstance(node, ast.Import) else node.module).split(".")[0]
        for node in TREE.body  # module level: optional imports live inside functions
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    }
    assert roots <= sys.stdlib_module_names


def test_no_handler_catches_everything():
    caught = [
        (node.lineno, ast.unparse(node.type) if node.type else "bare except")
        for node in ast.walk(TREE)
        if isinstance(node, ast.ExceptHandler)
    ]
    assert [c for c in caught if re.search(r"\bException\b|bare except", c[1])] == []


def test_only_the_command_line_prints():
    prints = {"print", "sys.stdout.write", "sys.stderr.write"}
    assert [call for call in calls_outside({"Command line"}) if call[1] in prints] == []


def test_only_the_store_and_the_command_line_touch_files():
    assert [call for call in calls_outside(FILE_SECTIONS) if touches_files(call[1])] == []


@pytest.mark.parametrize("called", ["open", "os.replace", "Path(x).read_text", "path.unlink"])
def test_names_of_file_operations_are_recognised(called):
    assert touches_files(called)


def test_all_names_what_exists_and_is_public():
    import vividmem

    missing = [name for name in vividmem.__all__ if not hasattr(vividmem, name)]
    private = [name for name in vividmem.__all__ if name.startswith("_") and name != "__version__"]
    assert missing == private == []
    assert len(vividmem.__all__) == len(set(vividmem.__all__))


def test_all_that_is_public_has_a_docstring():
    assert [n.name for n in public_definitions() if ast.get_docstring(n) is None] == []


def test_docstrings_of_public_definitions_begin_with_a_short_line():
    lines = {n.name: (ast.get_docstring(n) or "").partition("\n")[0] for n in public_definitions()}
    assert {name: line for name, line in lines.items() if len(line) > MAX_SUMMARY} == {}
