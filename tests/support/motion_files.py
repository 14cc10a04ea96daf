"""Files of motion made in code: a small skeleton, or a long one, that moves."""

from __future__ import annotations

import json
import struct
from typing import Any

ROTATIONS = "CHANNELS 3 Zrotation Xrotation Yrotation"


def bvh(joints: int = 3, frames: int = 3, seconds: float = 1.0 / 30.0, value: str = "1.5") -> str:
    """A chain of joints that all have the same channel values in all frames; each twentieth joint begins a branch."""
    names = ["Hips", "Spine", "Head", *(f"Joint{i}" for i in range(3, joints))][:joints]
    lines = ["HIERARCHY", f"ROOT {names[0]}", "{", "OFFSET 0 10 0"]
    lines.append("CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation")
    for start in range(1, joints, 20):
        branch = names[start : start + 20]
        for name in branch:
            lines += [f"JOINT {name}", "{", "OFFSET 0 10 0", ROTATIONS]
        lines += ["End Site", "{", "OFFSET 0 10 0", "}", *["}"] * len(branch)]
    lines += ["}", "MOTION", f"Frames: {frames}", f"Frame Time: {seconds:.9g}"]
    lines += [" ".join([value] * (3 + 3 * joints))] * frames
    return "\n".join(lines) + "\n"


def animated_gltf(uri: str = "") -> dict[str, Any]:
    """The description of one node that moves for two keys: 2 times and 2 places, 32 bytes."""
    buffer: dict[str, Any] = {"byteLength": 32}
    if uri:
        buffer["uri"] = uri
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"name": "Hips"}],
        "animations": [
            {
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
                "samplers": [{"input": 0, "output": 1}],
            }
        ],
        "buffers": [buffer],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 8},
            {"buffer": 0, "byteOffset": 8, "byteLength": 24},
        ],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0.0], "max": [1.0]},
            {"bufferView": 1, "componentType": 5126, "count": 2, "type": "VEC3"},
        ],
    }


def glb(said: dict[str, Any]) -> bytes:
    """A packed file of a description, with its 32 bytes: times 0 and 1, places (0, 0, 0) and (1, 2, 3)."""
    raw = json.dumps(said).encode()
    raw += b" " * (-len(raw) % 4)
    data = struct.pack("<8f", 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 2.0, 3.0)
    length = 12 + 8 + len(raw) + 8 + len(data)
    head = struct.pack("<4sIIII", b"glTF", 2, length, len(raw), 0x4E4F534A)
    return head + raw + struct.pack("<II", len(data), 0x004E4942) + data


def fbx(version: int = 7400, kind: bytes = b"AnimationCurve", items: int = 2) -> bytes:
    """The least binary FBX: objects, one of them of a kind, with an array that says it has so many numbers."""
    wide = version >= 7500
    record = struct.Struct("<QQQB" if wide else "<IIIB")
    nothing = b"\0" * record.size

    def node(name: bytes, values: list[bytes], inside: list[Any], start: int) -> bytes:
        held = b"".join(values)
        place = start + record.size + len(name) + len(held)
        body = b""
        for child in inside:
            body += node(*child, place + len(body))
        if inside:
            body += nothing
        return record.pack(place + len(body), len(values), len(held), len(name)) + name + held + body

    array = b"f" + struct.pack("<III", items, 0, 8) + struct.pack("<2f", 0.0, 1.0)
    text = b"S" + struct.pack("<I", 4) + b"take"
    head = b"Kaydara FBX Binary  \x00\x1a\x00" + struct.pack("<I", version)
    curve = (kind, [b"L" + struct.pack("<q", 7), text], [(b"KeyValueFloat", [array], [])])
    return head + node(b"Objects", [], [curve], len(head)) + nothing
