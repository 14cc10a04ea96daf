"""Real rigs for the core tests: dumped once through Blender into a cache that is not committed.

Run in a Blender Python (`python tests/support/real_rigs.py`): it imports every file of the shared data folder that
may hold an armature, generates Rigify's animals (and keeps their metarigs), and writes the upright rest skeletons
with the vertices near the floor. `load_rigs` reads them back without Blender.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "real_rigs"
SHARED_DATA = Path(os.environ.get("SUREFOOT_SHARED", ROOT.parent / "shared")) / "data"
# What decides the dump's content: a change of any of these makes it stale.
MAKERS = ("tests/support/real_rigs.py", "addon/rig_reading.py", "addon/rest_skin.py")
SUFFIXES = frozenset({".glb", ".gltf", ".vrm", ".vrma", ".fbx", ".bvh"})
# Rigs whose files are Z up: their importer has to be told.
Z_UP = ("fair1_", "mh_walk1", "mh_zombieWalk1")
METARIGS = ("human", "basic_human", "wolf", "horse", "cat", "bird", "basic_quadruped")


@dataclass(frozen=True)
class RealRig:
    """One dumped rig: `skeleton` in metres, Z up, as imported; `vertices` near the floor or None."""

    name: str
    skeleton: object
    vertices: object


def data_files(shared_data: Path) -> list[Path]:
    """Every file of the folder that may hold an armature, by name."""
    return sorted((p for p in shared_data.rglob("*") if p.suffix.lower() in SUFFIXES), key=lambda p: p.name)


def is_complete(shared_data: Path) -> bool:
    """True if the cache holds this folder's files."""
    index = CACHE / "index.json"
    if not index.is_file():
        return False
    known = json.loads(index.read_text(encoding="utf-8"))
    return known.get("made_by") == _made_by() and known["files"] == [p.name for p in data_files(shared_data)]


def _made_by() -> str:
    return hashlib.sha256(b"".join((ROOT / maker).read_bytes() for maker in MAKERS)).hexdigest()


def dump_in_subprocess(shared_data: Path) -> None:
    """Fill the cache with this Python's Blender, in a process of its own."""
    environment = {**os.environ, "SUREFOOT_SHARED": str(shared_data.parent)}
    subprocess.run([sys.executable, str(Path(__file__).resolve())], check=True, env=environment, capture_output=True)


def load_rigs() -> dict[str, RealRig]:
    """All dumped rigs by name (a file's name, or `rigify/wolf`, `metarig/wolf`)."""
    from mathutils import Matrix
    from surefoot.core.rig.rest_vertices import RestVertices
    from surefoot.core.rig.skeleton import Bone, Skeleton

    found = {}
    for name in json.loads((CACHE / "index.json").read_text(encoding="utf-8"))["rigs"]:
        with np.load(CACHE / _file_name(name)) as data:
            rows = zip(data["names"], data["parents"], data["rests"], data["lengths"], data["flags"], strict=True)
            bones = tuple(
                Bone(str(bone), int(parent), Matrix(rest.tolist()), float(length), *map(bool, flags))
                for bone, parent, rest, length, flags in rows
            )
            skin = RestVertices(data["points"], data["bones"], data["weights"]) if len(data["points"]) else None
        found[name] = RealRig(name, Skeleton(bones), skin)
    return found


def _file_name(name: str) -> str:
    return name.replace("/", "__") + ".npz"


def _write(name: str, armature_object: object) -> None:
    from surefoot.addon.rig_reading import read_rest

    rest = read_rest(armature_object)
    bones = rest.skeleton.bones
    skin = rest.vertices
    np.savez_compressed(
        CACHE / _file_name(name),
        names=np.array([bone.name for bone in bones]),
        parents=np.array([bone.parent for bone in bones]),
        rests=np.array([[tuple(row) for row in bone.rest] for bone in bones], dtype=np.float64),
        lengths=np.array([bone.length for bone in bones]),
        flags=np.array([(bone.connected, bone.deform, bone.inherit_rotation) for bone in bones]),
        points=skin.points if skin else np.empty((0, 3)),
        bones=skin.bones if skin else np.empty(0, dtype=np.int64),
        weights=skin.weights if skin else np.empty(0),
    )


def import_file(path: Path) -> None:
    """What Blender's own importer makes of a file, added to the open one."""
    import bpy

    suffix = path.suffix.lower()
    if suffix == ".bvh":
        axes = {"axis_forward": "Y", "axis_up": "Z"} if path.name.startswith(Z_UP) else {}
        bpy.ops.import_anim.bvh(filepath=str(path), **axes)
    elif suffix == ".fbx":
        bpy.ops.wm.fbx_import(filepath=str(path))
    else:
        bpy.ops.import_scene.gltf(filepath=str(path))
    bpy.context.view_layer.update()


def _import(path: Path) -> None:
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
    import_file(path)


def _armatures() -> list:
    import bpy

    return [obj for obj in bpy.data.objects if obj.type == "ARMATURE"]


def _dump_files(shared_data: Path) -> list[str]:
    rigs = []
    for path in data_files(shared_data):
        _import(path)
        for k, obj in enumerate(_armatures()):
            name = path.name if k == 0 else f"{path.name}#{k + 1}"
            _write(name, obj)
            rigs.append(name)
    return rigs


def _dump_rigify() -> list[str]:
    import bpy

    bpy.ops.wm.read_homefile(use_empty=True)
    bpy.ops.preferences.addon_enable(module="rigify")
    rigs = []
    for kind in METARIGS:
        bpy.ops.wm.read_homefile(use_empty=True)
        bpy.ops.preferences.addon_enable(module="rigify")
        add = kind if kind.startswith("basic_") or kind == "human" else kind
        getattr(bpy.ops.object, f"armature_{add}_metarig_add")()
        bpy.context.view_layer.update()
        metarig = bpy.context.view_layer.objects.active
        _write(f"metarig/{kind}", metarig)
        bpy.ops.pose.rigify_generate()
        bpy.context.view_layer.update()
        generated = next(obj for obj in _armatures() if obj != metarig)
        _write(f"rigify/{kind}", generated)
        rigs += [f"metarig/{kind}", f"rigify/{kind}"]
    return rigs


def _main() -> None:
    import bpy  # noqa: F401 - before mathutils

    sys.path[:0] = [str(ROOT / "tests")]
    from support.extension import as_package

    as_package()
    shared_data = Path(os.environ.get("SUREFOOT_SHARED", ROOT.parent / "shared")) / "data"
    CACHE.mkdir(parents=True, exist_ok=True)
    rigs = [*_dump_files(shared_data), *_dump_rigify()]
    index = {"made_by": _made_by(), "files": [p.name for p in data_files(shared_data)], "rigs": rigs}
    (CACHE / "index.json").write_text(json.dumps(index, indent=1), encoding="utf-8")


if __name__ == "__main__":
    _main()
    sys.stdout.flush()
    os._exit(0)  # the 4.5 wheel would wait for ever
