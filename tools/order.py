"""`dev.py order`: the extension's modules, each after what it imports, written into __init__.py.

The order is found from the imports alone: depth first over the modules by tier and then by name, so that the same files
always give the same list.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator
from pathlib import Path

from tools.steps import ROOT, Stop, say

BEGIN, END = '_ORDER = """\n', '"""\n'
WIDTH, INDENT = 120, "    "


def write() -> int:
    """Write the list; the exit code."""
    path = ROOT / "__init__.py"
    text = path.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    names = ordered(ROOT)
    lines = textwrap.fill(" ".join(names), WIDTH, initial_indent=INDENT, subsequent_indent=INDENT)
    path.write_text(f"{head}{BEGIN}{lines}\n{END}{tail}", encoding="utf-8")
    say(f"__init__.py names {len(names)} modules.")
    return 0


def modules(root: Path) -> dict[str, Path]:
    """The modules of core and addon by dotted name relative to the extension, packages included."""
    found = {}
    for part in ("core", "addon"):
        for path in sorted((root / part).rglob("*.py")):
            parts = path.relative_to(root).with_suffix("").parts
            found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(name: str, path: Path, known: dict[str, Path]) -> list[str]:
    """The extension's own modules that importing `name` runs, in the order of its imports."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    found: list[str] = []
    for node in run_on_import(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.ImportFrom) or not node.level:
            continue
        base = package.split(".")
        base = base[: len(base) - node.level + 1]
        target = ".".join([*base, *(node.module.split(".") if node.module else [])])
        members = [f"{target}.{item.name}" if target else item.name for item in node.names]
        own = [member for member in members if member in known]
        found += own if len(own) == len(members) else [*own, target]
    return [module for module in dict.fromkeys(found) if module in known and module != name]


def run_on_import(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements that run when a module is imported: not function bodies, not blocks for type checkers."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        if isinstance(node, ast.stmt):
            yield node
        yield from run_on_import(node)


def needs(root: Path) -> dict[str, list[str]]:
    """For each module what must have run before it."""
    known = modules(root)
    found = {name: imports(name, path, known) for name, path in known.items()}
    # A package comes before its modules, unless it hands on what they hold.
    plain = {name for name, others in found.items() if not others}
    for name in known:
        package = name.rpartition(".")[0]
        if package in plain:
            found[name].insert(0, package)
    return found


def ordered(root: Path) -> list[str]:
    """All modules, each after the modules that it imports."""
    before = needs(root)
    done: list[str] = []

    def visit(name: str, above: tuple[str, ...]) -> None:
        if name in done:
            return
        if name in above:
            ring = " > ".join([*above[above.index(name) :], name])
            raise Stop(f"These modules import each other: {ring}. Move what they share into one of them.")
        for other in before[name]:
            visit(other, (*above, name))
        done.append(name)

    for name in sorted(before, key=lambda item: (item.startswith("addon"), item)):
        visit(name, ())
    return done
