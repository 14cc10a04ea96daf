"""glTF and FBX files are judged by their frame and sizes before an importer sees them."""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path

import pytest
from support.motion_files import animated_gltf, bvh, fbx, glb
from surefoot.core.motion.file_check import check_file
from surefoot.core.motion.motion_file import BrokenFileError


def written(folder: Path, name: str, content: bytes) -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(content)
    return path


def refusal(folder: Path, name: str, content: bytes) -> str:
    """The sentence with which it is refused; it names the file."""
    with pytest.raises(BrokenFileError) as refused:
        check_file(written(folder, name, content))
    said = str(refused.value)
    assert name in said
    assert said.endswith(".")
    return said


def test_the_kind_decides_which_check_and_capitals_do_not(tmp_path: Path) -> None:
    assert check_file(written(tmp_path, "TAKE.BVH", bvh(frames=4).encode())).frames == 4
    assert check_file(written(tmp_path, "take.GLB", glb(animated_gltf()))).joints == 1


def test_another_kind_is_refused_with_those_that_are_read(tmp_path: Path) -> None:
    assert "(.bvh, .fbx, .glb, .gltf, .vrm, .vrma)" in refusal(tmp_path, "take.c3d", b"x")


@pytest.mark.parametrize("name", ["a.glb", "a.gltf", "a.vrm", "a.vrma", "a.fbx"])
def test_empty_and_foreign_files_are_refused(tmp_path: Path, name: str) -> None:
    assert "is empty" in refusal(tmp_path, name, b"")
    refusal(tmp_path, name, b"hello, this is a letter and no motion at all")


def test_a_packed_file_that_is_cut_off_is_refused_wherever(tmp_path: Path) -> None:
    content = glb(animated_gltf())
    for length in range(1, len(content)):
        refusal(tmp_path, "a.glb", content[:length])


def test_another_version_is_named(tmp_path: Path) -> None:
    content = bytearray(glb(animated_gltf()))
    content[4:8] = struct.pack("<I", 1)
    assert "is glTF version 1" in refusal(tmp_path, "a.glb", bytes(content))


def test_a_file_without_animation_is_refused(tmp_path: Path) -> None:
    said = animated_gltf()
    del said["animations"]
    assert "has no animation that moves a joint" in refusal(tmp_path, "a.glb", glb(said))


def test_of_a_vrm_without_animation_it_is_said_what_has_the_motion(tmp_path: Path) -> None:
    said = animated_gltf()
    del said["animations"]
    assert "its motion comes as .vrma, .bvh or .fbx" in refusal(tmp_path, "a.vrm", glb(said))


def test_an_animation_of_shapes_alone_moves_no_joint(tmp_path: Path) -> None:
    said = animated_gltf()
    said["animations"][0]["channels"][0]["target"]["path"] = "weights"
    assert "has no animation that moves a joint" in refusal(tmp_path, "a.glb", glb(said))


def test_a_buffer_that_lies_beside_has_to_be_there_and_whole(tmp_path: Path) -> None:
    said = animated_gltf(uri="moves%201.bin")
    content = json.dumps(said).encode()
    assert "needs the file moves 1.bin, which is not beside it" in refusal(tmp_path, "a.gltf", content)
    written(tmp_path, "moves 1.bin", b"\0" * 12)
    assert "should hold 32 bytes and holds 12" in refusal(tmp_path, "a.gltf", content)
    written(tmp_path, "moves 1.bin", b"\0" * 32)
    assert check_file(written(tmp_path, "a.gltf", content)).joints == 1


@pytest.mark.parametrize("count", [10**15, -1])
def test_an_absurd_count_of_values_is_refused_without_reserving_room(tmp_path: Path, count: int) -> None:
    said = animated_gltf()
    said["accessors"][1]["count"] = count
    assert f"accessor 1 counts {count} values" in refusal(tmp_path, "a.glb", glb(said))
    del said["accessors"][1]["bufferView"]
    assert f"accessor 1 counts {count} values" in refusal(tmp_path, "a.glb", glb(said))


@pytest.mark.parametrize("children", [[[1], [0]], [[0]], [[], [2], [1]], [[1], [], [1]], [[7]]])
def test_nodes_that_do_not_make_a_tree_are_refused(tmp_path: Path, children: list[list[int]]) -> None:
    said = animated_gltf()
    said["nodes"] = [{"children": item} for item in children]
    assert "node" in refusal(tmp_path, "a.glb", glb(said))


@pytest.mark.parametrize("broken", [b"[]", b"{}", b"{", b"\xff\xfe", b'{"asset": 3}', b'{"asset": {"version": "1.0"}}'])
def test_a_description_that_is_none_is_refused(tmp_path: Path, broken: bytes) -> None:
    refusal(tmp_path, "a.gltf", broken)


def test_missing_parts_of_a_description_are_refused(tmp_path: Path) -> None:
    for part in ("componentType", "type", "count"):
        said = animated_gltf()
        del said["accessors"][0][part]
        assert "does not fit together" in refusal(tmp_path, "a.glb", glb(said))


@pytest.mark.parametrize("value", ["many", float("inf"), float("nan"), None, [], {}])
def test_parts_of_another_kind_are_refused(tmp_path: Path, value: object) -> None:
    for part, key in (("buffers", "byteLength"), ("bufferViews", "byteLength"), ("accessors", "count")):
        said = animated_gltf()
        said[part][0][key] = value
        refusal(tmp_path, "a.glb", glb(said))


def test_a_whole_fbx_with_a_curve_passes(tmp_path: Path) -> None:
    for version in (7400, 7500):
        check_file(written(tmp_path, "a.fbx", fbx(version=version)))


def test_an_fbx_that_is_cut_off_is_refused_wherever(tmp_path: Path) -> None:
    content = fbx()
    for length in range(1, len(content)):
        refusal(tmp_path, "a.fbx", content[:length])


def test_an_fbx_without_curves_is_refused(tmp_path: Path) -> None:
    assert "has no animation" in refusal(tmp_path, "a.fbx", fbx(kind=b"Geometry"))


def test_an_old_fbx_and_one_saved_as_text_are_refused_with_the_remedy(tmp_path: Path) -> None:
    assert "is FBX version 6100; Blender reads 7100 and newer" in refusal(tmp_path, "a.fbx", fbx(version=6100))
    assert "Export it as binary FBX" in refusal(tmp_path, "a.fbx", b"; FBX 7.4.0 project file\n")


def test_an_fbx_array_of_absurd_length_is_refused(tmp_path: Path) -> None:
    assert "broken" in refusal(tmp_path, "a.fbx", fbx(items=2**31))


def test_garbage_in_a_file_gives_a_sentence_and_no_other_error(tmp_path: Path) -> None:
    chance = random.Random(3)
    for name, content in (("a.glb", glb(animated_gltf())), ("a.fbx", fbx())):
        for _ in range(300):
            broken = bytearray(content)
            for _ in range(chance.randrange(1, 8)):
                broken[chance.randrange(len(broken))] = chance.randrange(256)
            try:
                check_file(written(tmp_path, name, bytes(broken)))
            except BrokenFileError as error:
                assert name in str(error)


def test_real_files_of_motion_are_sound(shared_data: Path) -> None:
    files = [path for path in sorted(shared_data.glob("mocap_*/*")) if path.suffix in {".fbx", ".vrma"}]
    assert files
    for path in files:
        check_file(path)
