"""The house rules: who may import whom, what nothing is called, how long things get, what is never done."""

from __future__ import annotations

import ast
import functools
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.extension import ROOT

from tools import order

# Lowest first. A package sees the tiers below its own, and no other package of its tier.
TIERS = (
    {"space"},
    {"rig", "world"},
    {"ik", "motion", "control"},
    {"measure"},
    {"gait", "retarget"},
    {"matching", "layers", "ragdoll"},
    {"locomotion", "climbing", "actions"},
)
TIER_OF = {package: tier for tier, packages in enumerate(TIERS) for package in packages}
TOP = len(TIERS)

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 60
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "base"}
# No pickle, threads, processes or network anywhere in the extension.
NEVER_IMPORTED = {
    "pickle", "shelve", "marshal", "threading", "_thread", "concurrent", "multiprocessing", "asyncio", "subprocess",
    "socket", "http", "urllib", "ssl", "ctypes",
}  # fmt: skip
# A tick depends on its inputs alone, so the core has no clock (and only seeded dice, see below).
NEVER_IN_CORE = NEVER_IMPORTED | {"time", "datetime", "secrets", "uuid", "os"}
NEVER_CALLED = {"eval", "exec", "compile", "__import__"}
CHANCE = {"random", "np.random", "numpy.random"}
SEEDED = {"Random", "default_rng", "Generator"}
# mathutils without Blender has these parts.
MATHUTILS = {"mathutils", "mathutils.geometry", "mathutils.interpolate"}


def sources(*folders: str) -> list[Path]:
    """The Python files under these folders of the repository."""
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def extension_files() -> list[Path]:
    """The Python files that are in the zip."""
    return [ROOT / "__init__.py", *sources("core", "addon")]


@functools.cache
def tree(path: Path) -> ast.Module:
    """A file's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def at(path: Path, node: ast.AST) -> str:
    """Where something is, as file and line."""
    return f"{path.relative_to(ROOT).as_posix()}:{node.lineno}"


def absolute_imports(path: Path) -> Iterator[tuple[ast.AST, str]]:
    """Each absolutely imported module, wherever in the file it is imported."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node, item.name) for item in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield node, node.module


def relative_imports(path: Path) -> Iterator[tuple[ast.AST, tuple[str, ...]]]:
    """Each relatively imported module, as its place in the extension: ("core", "rig", "pose")."""
    package = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = package[: len(package) - node.level + 1]
            if node.module:
                yield node, (*above, *node.module.split("."))
            else:
                yield from ((node, (*above, item.name)) for item in node.names)


def core_package(parts: tuple[str, ...]) -> str | None:
    """The package of the core that a module belongs to; None for the modules at its top."""
    return parts[1] if len(parts) > 1 and parts[0] == "core" and (ROOT / "core" / parts[1]).is_dir() else None


def test_each_core_package_has_a_tier():
    packages = {path.parent.name for path in (ROOT / "core").glob("*/__init__.py")}
    assert packages - set(TIER_OF) == set()


def test_core_packages_import_only_from_lower_tiers():
    wrong = []
    for path in sources("core"):
        own = core_package(path.relative_to(ROOT).parts)
        for node, target in relative_imports(path):
            other = core_package(target)
            if own is None or other == own:
                continue
            if other is None or TIER_OF[other] >= TIER_OF[own]:
                wrong.append(f"{at(path, node)} ({own}) imports {'.'.join(target)}")
    assert wrong == []


def test_core_never_imports_the_addon():
    wrong = [at(p, node) for p in sources("core") for node, target in relative_imports(p) if target[0] != "core"]
    assert wrong == []


def test_core_runs_on_numpy_mathutils_and_the_standard_library_alone():
    allowed = (set(sys.stdlib_module_names) - NEVER_IN_CORE) | {"numpy"}
    wrong = [
        f"{at(path, node)} imports {name}"
        for path in sources("core")
        for node, name in absolute_imports(path)
        if name.split(".")[0] not in allowed and name not in MATHUTILS
    ]
    assert wrong == []


def test_imports_inside_the_extension_are_relative():
    own = {"surefoot", "core", "addon", "bl_ext"}
    wrong = [
        f"{at(path, node)} imports {name}"
        for path in extension_files()
        for node, name in absolute_imports(path)
        if name.split(".")[0] in own
    ]
    assert wrong == []


def test_nothing_in_the_extension_imports_pickle_threads_processes_or_network():
    wrong = [
        f"{at(path, node)} imports {name}"
        for path in extension_files()
        for node, name in absolute_imports(path)
        if name.split(".")[0] in NEVER_IMPORTED
    ]
    assert wrong == []


def test_nothing_in_the_extension_runs_text_as_code_or_changes_how_python_imports():
    wrong = []
    for path in extension_files():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in NEVER_CALLED:
                wrong.append(f"{at(path, node)} calls {node.func.id}")
            if isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.modules", "sys.path", "sys.meta_path"):
                wrong.append(f"{at(path, node)} touches {ast.unparse(node)}")
    assert wrong == []


def test_all_chance_in_the_core_comes_from_a_seeded_generator():
    wrong = []
    for path in sources("core"):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ImportFrom) and not node.level and node.module in CHANCE:
                wrong += [at(path, node) for item in node.names if item.name not in SEEDED]
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) in CHANCE and node.attr not in SEEDED:
                wrong.append(at(path, node))
            if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in SEEDED and not node.args:
                wrong.append(at(path, node))
    assert wrong == []


def test_core_imports_without_blender():
    if "bpy" in sys.modules:
        pytest.skip("In Blender's Python mathutils needs bpy; the run without Blender shows this.")
    program = (
        "import sys, importlib; sys.path.insert(0, 'tests'); sys.modules['bpy'] = None\n"
        "from support.extension import as_package; as_package()\n"
        "for name in sys.argv[1:]: importlib.import_module('surefoot.' + name)\n"
        "print(len(sys.argv) - 1)"
    )
    names = [name for name in order.modules(ROOT) if name.startswith("core")]
    done = subprocess.run(
        [sys.executable, "-c", program, *names], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.stdout.strip(), done.stderr) == (str(len(names)), "")


def test_the_entry_point_names_every_module_after_what_it_imports():
    listed = next(
        ast.literal_eval(node.value).split()
        for node in tree(ROOT / "__init__.py").body
        if isinstance(node, ast.Assign) and node.targets[0].id == "_ORDER"
    )
    needed = order.ordered(ROOT)
    missing, gone = set(needed) - set(listed), set(listed) - set(needed)
    assert (missing, gone) == (set(), set()), "python3 dev.py order writes the list"
    needs, early = order.needs(ROOT), []
    for place, name in enumerate(listed):
        early += [f"{name} comes before {other}" for other in needs[name] if other not in listed[:place]]
    assert early == [], "python3 dev.py order writes the list"


def test_every_folder_of_the_extension_is_a_package():
    folders = {path.parent for path in sources("core", "addon")}
    assert [folder for folder in sorted(folders) if not (folder / "__init__.py").is_file()] == []


def test_no_file_has_a_name_that_says_nothing():
    names = {path.stem for path in sources("core", "addon", "tools", "tests")}
    folders = {part for path in sources("core", "addon", "tools", "tests") for part in path.relative_to(ROOT).parts}
    assert (names | folders) & NAMES_THAT_SAY_NOTHING == set()


def test_no_file_is_longer_than_400_lines():
    long = {}
    for path in [ROOT / "__init__.py", ROOT / "dev.py", *sources("core", "addon", "tools", "tests")]:
        lines = len(path.read_text(encoding="utf-8").splitlines())
        if lines > MAX_FILE_LINES:
            long[path.relative_to(ROOT).as_posix()] = lines
    assert long == {}


def test_no_function_is_longer_than_60_lines():
    long = {}
    for path in [ROOT / "__init__.py", ROOT / "dev.py", *sources("core", "addon", "tools", "tests")]:
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = node.end_lineno - node.lineno + 1
                if lines > MAX_FUNCTION_LINES:
                    long[f"{at(path, node)} {node.name}"] = lines
    assert long == {}


# A word of the left, where the house says the right.
WORDS = {
    r"bind[ _-]?pose": "rest pose",
    r"half[ _-]life": "halflife",
    r"foot[ _-]?lock(?:ing|ed)?\b": "hold",
    r"toe[ _-]?off\b": "lift-off",
    r"touch[ _-]?down\b": "landing",
    r"\b(?:TODO|FIXME|XXX|HACK)\b": "finished work",
    r"(?:^|[\s\"'(])/(?:work|root|home|tmp)/": "a path that any machine has",
}


def test_the_extension_speaks_the_words_of_the_house():
    texts = [*extension_files(), *sorted((ROOT / "presets").rglob("*.toml")), *sorted(ROOT.glob("*/README.md"))]
    wrong = []
    for path in texts:
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            for word, better in WORDS.items():
                found = re.search(word, line, re.IGNORECASE)
                if found:
                    where = f"{path.relative_to(ROOT).as_posix()}:{number}"
                    wrong.append(f"{where} says {found.group().strip()!r}: {better}")
    assert wrong == []


def test_the_map_names_every_module_of_the_core():
    text = (ROOT / "core" / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_/]+\.py)`", text.split("## Modules")[1].split("## How to add")[0]))
    files = {path.relative_to(ROOT / "core").as_posix() for path in sources("core") if path.name != "__init__.py"}
    assert (files - named, named - files) == (set(), set())
