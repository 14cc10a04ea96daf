"""A glTF file (.gltf, .glb, .vrm, .vrma) judged before it is imported: its frame, its sizes, whether it holds motion.

Layout and limits: Khronos, glTF 2.0 specification, sections 4.4 (GLB) and 3.6 (buffers, accessors).
"""

from __future__ import annotations

import json
import re
import struct
from pathlib import Path
from typing import Any, BinaryIO

from .motion_file import MOST_JOINTS, BrokenFileError, FileFacts, size_of, too_many_joints, unreadable

MOST_JSON = 256 << 20
MOST_NODES = 50_000
MOST_VALUES = 100_000_000
JSON_CHUNK, BINARY_CHUNK = 0x4E4F534A, 0x004E4942
WIDTHS = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
COUNTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
AGAIN = "Export or download it again."


def check_gltf(path: Path) -> FileFacts:
    """What a sound glTF file says of itself; a BrokenFileError names file, place and remedy."""
    size = size_of(path)
    try:
        with open(path, "rb") as file:
            packed = file.read(4) == b"glTF"
            file.seek(0)
            raw, binary = _chunks(path.name, file, size) if packed else (_read_json(path.name, file, size), 0)
    except OSError as error:
        raise unreadable(path, error) from error
    said = _parsed(path.name, raw)
    try:
        return _judged(path, said, binary)
    except BrokenFileError:
        raise
    except (KeyError, TypeError, IndexError, AttributeError, ValueError, OverflowError) as error:
        raise BrokenFileError(f"{path.name}: what it says of its contents does not fit together. {AGAIN}") from error


def _read_json(name: str, file: BinaryIO, size: int) -> bytes:
    if size > MOST_JSON:
        raise BrokenFileError(f"{name} describes itself in more than {MOST_JSON >> 20} MB. Export it as .glb.")
    return file.read()


def _chunks(name: str, file: BinaryIO, size: int) -> tuple[bytes, int]:
    """The description of a packed file, and how many bytes of data follow it."""
    head = file.read(20)
    if len(head) < 20:
        raise BrokenFileError(f"{name} is cut off within its header. {AGAIN}")
    _, version, length, json_length, kind = struct.unpack("<4sIIII", head)
    if version != 2:
        raise BrokenFileError(f"{name} is glTF version {version}; only version 2 can be read. Export it anew.")
    if length > size:
        raise BrokenFileError(f"{name} is cut off: it should have {length} bytes and has {size}. {AGAIN}")
    if kind != JSON_CHUNK or json_length > min(length - 20, MOST_JSON):
        raise BrokenFileError(f"{name}: the description at its start is broken. {AGAIN}")
    raw, binary = file.read(json_length), 0
    head = file.read(8)
    if len(head) == 8:
        binary, kind = struct.unpack("<II", head)
        if kind != BINARY_CHUNK or binary > length - 28 - json_length:
            raise BrokenFileError(f"{name}: the data after its description is cut off. {AGAIN}")
    return raw, binary


def _parsed(name: str, raw: bytes) -> dict[str, Any]:
    try:
        said = json.loads(raw.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BrokenFileError(f"{name} is no glTF: what describes it is no sound JSON. {AGAIN}") from error
    if not isinstance(said, dict) or "asset" not in said:
        raise BrokenFileError(f"{name} is no glTF: it does not say which version it is. {AGAIN}")
    return said


def _judged(path: Path, said: dict[str, Any], binary: int) -> FileFacts:
    name, nodes = path.name, said.get("nodes", [])
    if not str(said["asset"].get("version", "")).startswith("2."):
        version = said["asset"].get("version", "unknown")
        raise BrokenFileError(f"{name} is glTF version {version}; only version 2 can be read. Export it anew.")
    if len(nodes) > MOST_NODES:
        raise BrokenFileError(f"{name} has {len(nodes)} nodes; at most {MOST_NODES} are read. Export fewer objects.")
    _check_parents(name, nodes)
    moved = {
        channel["target"].get("node")
        for animation in said.get("animations", [])
        for channel in animation["channels"]
        if channel["target"].get("path") != "weights"
    }
    moved.discard(None)
    if any(not 0 <= node < len(nodes) for node in moved):
        raise BrokenFileError(f"{name}: its animation moves a node that is not there. {AGAIN}")
    if not moved:
        hint = "Export it with its animation."
        if path.suffix.lower() == ".vrm":
            hint = "A VRM is a character; its motion comes as .vrma, .bvh or .fbx."
        raise BrokenFileError(f"{name} has no animation that moves a joint. {hint}")
    if len(moved) > MOST_JOINTS:
        raise too_many_joints(name, len(moved))
    _check_sizes(path, said, binary)
    return FileFacts(joints=len(moved))


def _check_parents(name: str, nodes: list[dict[str, Any]]) -> None:
    """Each node hangs on one other at most, and none on itself."""
    above: dict[int, int] = {}
    for i, node in enumerate(nodes):
        for child in node.get("children", []):
            if child in above or not 0 <= child < len(nodes):
                raise BrokenFileError(f"{name}: node {child} does not hang on exactly one node. {AGAIN}")
            above[child] = i
    if len(above) == len(nodes) and nodes:
        raise BrokenFileError(f"{name}: its nodes hang on each other in a ring. {AGAIN}")
    reached = [i for i in range(len(nodes)) if i not in above]
    for i in reached:
        reached.extend(nodes[i].get("children", []))
    if len(reached) < len(nodes):
        raise BrokenFileError(f"{name}: some nodes hang on each other in a ring. {AGAIN}")


def _check_sizes(path: Path, said: dict[str, Any], binary: int) -> None:
    """Buffers are there, views lie in their buffers, and numbers in their views."""
    lengths = []
    for i, buffer in enumerate(said.get("buffers", [])):
        length, uri = int(buffer["byteLength"]), buffer.get("uri")
        held = binary if uri is None else _held(path, str(uri))
        if length > held:
            what = uri if uri is not None and not str(uri).startswith("data:") else f"buffer {i}"
            raise BrokenFileError(f"{path.name}: {what} should hold {length} bytes and holds {held}. {AGAIN}")
        lengths.append(length)
    views = said.get("bufferViews", [])
    for i, view in enumerate(views):
        if "extensions" in view:  # compressed: the view says where its data end up, not where they are
            continue
        if int(view.get("byteOffset", 0)) + int(view["byteLength"]) > lengths[view["buffer"]]:
            raise BrokenFileError(f"{path.name}: view {i} reaches beyond its buffer. {AGAIN}")
    for i, accessor in enumerate(said.get("accessors", [])):
        width = WIDTHS[accessor["componentType"]] * COUNTS[accessor["type"]]
        count = int(accessor["count"])
        room = MOST_VALUES
        if "bufferView" in accessor:
            room = int(views[accessor["bufferView"]]["byteLength"]) - int(accessor.get("byteOffset", 0))
        if count < 0 or count * width > room:
            raise BrokenFileError(
                f"{path.name}: accessor {i} counts {count} values, for which there is no room. {AGAIN}"
            )


def _held(path: Path, uri: str) -> int:
    """How many bytes a buffer has that is written out in the file, or lies beside it."""
    if uri.startswith("data:"):
        return len(uri.partition(",")[2]) * 3 // 4
    name = _decoded(uri)
    beside = path.parent / name
    if not beside.is_file():
        raise BrokenFileError(f"{path.name} needs the file {name}, which is not beside it. Put it there.")
    return beside.stat().st_size


def _decoded(uri: str) -> str:
    """The name of a file in which other than plain letters are written as % and two digits."""
    raw = re.sub(rb"%([0-9A-Fa-f]{2})", lambda found: bytes([int(found.group(1), 16)]), uri.encode())
    return raw.decode("utf-8", "replace")
