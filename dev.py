"""One command each for a developer: demo, test, build, bench, order. Needs only Python 3.11 or 3.13.

    python3 dev.py demo             see it: builds and installs the extension, walks rigs, bakes, makes pictures
    python3 dev.py demo lane        see parkour: the lane by the autopilot; demo tricks: walls, pillars, corners by keys
    python3 dev.py demo fall        see falls: shoved, staggering, falling, getting up, walking on
    python3 dev.py test             style, types, the core without Blender, everything in Blender
    python3 dev.py test --matrix    the same in every supported Blender that this machine's Pythons can take
    python3 dev.py build            dist/surefoot-<version>.zip
    python3 dev.py bench [TEXT]     measure (only benchmarks whose name holds TEXT)
    python3 dev.py order            write the list of modules in __init__.py anew

Packages go to .env/ beside this file, nothing else on the machine is changed.
"""

from __future__ import annotations

import argparse
import sys

from tools import bench, checks, installed, order, package
from tools.steps import Stop


def main() -> int:
    """Read the command line and do it; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    demo = commands.add_parser("demo")
    choices = ["", "lane", "tricks", "fall"]
    demo.add_argument("course", nargs="?", default="", choices=choices, metavar="|".join(choices[1:]))
    commands.add_parser("test").add_argument("--matrix", action="store_true", help="in every supported Blender")
    commands.add_parser("build")
    commands.add_parser("bench").add_argument("only", nargs="?", default="", metavar="TEXT")
    commands.add_parser("order")
    asked = parser.parse_args()
    jobs = {
        "demo": lambda: installed.demo(asked.course),
        "test": lambda: checks.test(matrix=asked.matrix),
        "build": lambda: 0 if package.build() else 1,
        "bench": lambda: bench.bench(asked.only),
        "order": order.write,
    }
    try:
        return jobs[asked.command]()
    except Stop as stop:
        print(f"\n{stop}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
