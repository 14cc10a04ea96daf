"""Files of motion come in by Blender's importers, change nothing else, and go again without residue."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
import pytest
from support.file_contents import contents
from support.motion_files import animated_gltf, bvh, fbx, glb


@pytest.fixture
def files() -> Any:
    """The module; it imports only where the extension has run."""
    import surefoot.addon.motion_files as module

    return module


@pytest.fixture
def refused() -> type[Exception]:
    """What a refusal is."""
    from surefoot.addon.refusal import RefusedError

    return RefusedError


def written(folder: Path, name: str, content: str | bytes) -> Path:
    """A file with this content."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def a_scene_at_work() -> bpy.types.Object:
    """A scene of another rate, range and frame, with an armature in Pose Mode and a second selected object."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_start, scene.frame_end = 48, 11, 77
    scene.frame_set(33)
    armature = bpy.data.objects.new("Hero", bpy.data.armatures.new("Hero"))
    empty = bpy.data.objects.new("Prop", None)
    for obj in (armature, empty):
        scene.collection.objects.link(obj)
        obj.select_set(True)
    bpy.context.view_layer.objects.active = armature
    bpy.ops.object.mode_set(mode="POSE")
    return armature


def at_work() -> tuple[Any, ...]:
    """Where the user is: window, scene, layer, mode, what is active and selected, rate, range, frame."""
    scene, layer = bpy.context.scene, bpy.context.view_layer
    return (
        bpy.context.window.scene.name,
        layer.name,
        bpy.context.mode,
        layer.objects.active.name,
        sorted(obj.name for obj in layer.objects.selected),
        (scene.render.fps, scene.render.fps_base, scene.frame_start, scene.frame_end, scene.frame_current),
        sorted(obj.name for obj in scene.objects),
    )


def test_a_bvh_comes_with_its_own_rate_and_one_key_a_frame(files: Any, tmp_path: Path) -> None:
    got = files.import_motion(written(tmp_path, "a.bvh", bvh(frames=7, seconds=1.0 / 120.0)))
    (armature,) = files.sources_of(got)
    (action,) = files.actions_of(got, armature)
    assert (armature.type, got.fps, tuple(action.frame_range)) == ("ARMATURE", pytest.approx(120.0), (1.0, 7.0))


def test_a_hierarchy_of_empties_is_a_source(files: Any, tmp_path: Path) -> None:
    said = animated_gltf()
    said["nodes"] = [{"name": "Hips", "children": [1]}, {"name": "Spine"}]
    for name in ("a.glb", "a.vrma"):
        got = files.import_motion(written(tmp_path, name, glb(said)))
        (top,) = files.sources_of(got)
        assert (top.type, top.name, [child.name for child in top.children]) == ("EMPTY", "Hips", ["Spine"])
        files.remove_import(got)


def test_files_come_where_the_context_has_no_window_as_on_a_command_line(files: Any, tmp_path: Path) -> None:
    a_scene_at_work()
    before, two = at_work(), animated_gltf()
    two["nodes"] = [{"name": "Hips", "children": [1]}, {"name": "Spine"}]
    with bpy.context.temp_override(window=None):
        assert bpy.context.window is None
        for name, content in (("a.bvh", bvh()), ("a.glb", glb(two))):
            got = files.import_motion(written(tmp_path, name, content))
            assert len(files.sources_of(got)) == 1
            files.remove_import(got)
    assert at_work() == before


def test_scene_selection_mode_rate_and_range_stay(files: Any, tmp_path: Path) -> None:
    a_scene_at_work()
    before = at_work()
    got = files.import_motion(written(tmp_path, "a.bvh", bvh()))
    assert at_work() == before
    files.remove_import(got)
    assert at_work() == before


def test_what_was_posed_by_hand_and_not_keyed_stays(files: Any, tmp_path: Path) -> None:
    from support.motions import bare, swing

    rig = swing(bare("Hero"))
    bpy.context.scene.frame_set(5)
    bone = rig.pose.bones["thigh.L"]
    bone.rotation_quaternion, rig.location = (0.5, 0.5, 0.5, 0.5), (1.0, 2.0, 3.0)
    bpy.context.view_layer.update()
    files.remove_import(files.import_motion(written(tmp_path, "a.bvh", bvh())))
    bpy.context.view_layer.update()
    assert tuple(bone.rotation_quaternion) == (0.5, 0.5, 0.5, 0.5)
    assert tuple(rig.location) == (1.0, 2.0, 3.0)


def test_what_came_goes_without_residue(files: Any, tmp_path: Path) -> None:
    a_scene_at_work()
    before = contents()
    got = files.import_motion(written(tmp_path, "a.bvh", bvh()))
    assert contents() != before
    files.remove_import(got)
    assert contents() == before


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("cut.bvh", bvh(frames=9)[:-30]),
        ("zero.bvh", bvh(frames=3).replace("Frames: 3", "Frames: 0")),
        ("one.bvh", bvh(frames=1)),
        ("channels.bvh", bvh().replace("CHANNELS 3", "CHANNELS 4", 1)),
        ("nan.bvh", bvh(value="nan")),
        ("roots.bvh", bvh().replace("JOINT Spine", "ROOT Spine")),
        ("bones.bvh", "HIERARCHY\nMOTION\nFrames: 3\nFrame Time: 0.04\n1\n2\n3\n"),
        ("absurd.bvh", bvh(frames=3).replace("Frames: 3", "Frames: 99999999999999")),
        ("empty.bvh", ""),
        ("cut.glb", glb(animated_gltf())[:-9]),
        ("still.glb", glb({**animated_gltf(), "animations": []})),
        ("cut.fbx", fbx()[:-9]),
        ("other.txt", "hello"),
    ],
)
def test_a_bad_file_is_a_sentence_and_nothing_else(
    files: Any, refused: type[Exception], tmp_path: Path, name: str, content: str | bytes
) -> None:
    a_scene_at_work()
    before, place = contents(), at_work()
    with pytest.raises(refused, match=name.replace(".", r"\.")):
        files.import_motion(written(tmp_path, name, content))
    assert contents() == before
    assert at_work() == place


def test_nothing_that_moves_is_refused_and_removed(files: Any, refused: type[Exception], tmp_path: Path) -> None:
    before = contents()
    with pytest.raises(refused, match="neither an animated armature nor animated empties"):
        files.import_motion(written(tmp_path, "lone.glb", glb(animated_gltf())))
    assert contents() == before


@pytest.mark.prints_traceback
def test_what_an_importer_left_when_it_failed_is_removed(
    files: Any, refused: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file check is left out, so that the importer itself meets a file that ends in the middle of a frame."""
    a_scene_at_work()
    before, place = contents(), at_work()
    sound = files.check_file(written(tmp_path, "sound.bvh", bvh()))
    monkeypatch.setattr(files, "check_file", lambda _path: sound)
    with pytest.raises(refused, match=r"cut\.bvh could not be imported: .*Export it anew") as said:
        files.import_motion(written(tmp_path, "cut.bvh", bvh(frames=9)[:-30]))
    assert "Traceback" not in str(said.value)
    assert contents() == before
    assert at_work() == place


@pytest.mark.parametrize("name", ["a.bvh", "a.fbx", "a.glb"])
def test_an_importer_that_is_switched_off_is_named(
    files: Any, refused: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    content = {"a.bvh": bvh(), "a.fbx": fbx(), "a.glb": glb(animated_gltf())}[name]
    monkeypatch.setitem(files.IMPORTERS, Path(name).suffix, ("import_anim", "switched_off"))
    monkeypatch.setitem(files.ADDONS, "switched_off", "BioVision")
    with pytest.raises(refused, match=r"needs Blender's importer BioVision\. Switch it on in Edit, Preferences"):
        files.import_motion(written(tmp_path, name, content))


def test_every_importer_is_there() -> None:
    assert "bvh" in dir(bpy.ops.import_anim)
    assert {"fbx", "gltf"} <= set(dir(bpy.ops.import_scene))


def test_undo_of_the_user_does_not_meet_our_scene(files: Any, tmp_path: Path) -> None:
    got = files.import_motion(written(tmp_path, "a.bvh", bvh()))
    files.remove_import(got)
    assert [scene.name for scene in bpy.data.scenes] == [bpy.context.scene.name]


def test_real_captures_come_and_go(files: Any, shared_data: Path) -> None:
    chosen = sorted(path for path in shared_data.glob("mocap_*/*") if path.suffix in {".fbx", ".vrma"})
    chosen += [path for path in sorted(shared_data.glob("mocap_*/*.bvh")) if path.stat().st_size < 100_000]
    before = contents()
    for path in chosen:
        got = files.import_motion(path)
        assert files.sources_of(got), path.name
        files.remove_import(got)
        assert contents() == before, path.name
