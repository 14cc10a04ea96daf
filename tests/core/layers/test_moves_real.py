"""Moves on rigs as they come: hands on the edge, no bone thrown about, whatever the proportions and the bones."""

from __future__ import annotations

from functools import lru_cache

import pytest
from mathutils import Vector
from support import real_rigs, stunts
from support.layered import understood
from surefoot.core.layers.moves import MovePoser
from surefoot.core.layers.request import Contact, Move
from surefoot.core.move_presets import moves
from surefoot.core.rig.edited_pose import EditedPose
from surefoot.core.rig.pose import Ground
from surefoot.core.rig.rig import Rig

NAMES = (
    "quaternius_Male_Suit.fbx", "kaykit_Knight.glb", "khronos_CesiumMan.gltf", "mesh2motion_human_male.glb",
    "gdquest_mannequiny.glb", "ue_ThirdPersonRun.fbx", "rigify/human",
)  # fmt: skip
UP = (0.0, 0.0, 1.0)


@lru_cache
def rig_named(name: str) -> Rig:
    """A rig of the shared data, as it was dumped; the test is skipped, visibly, where it never was."""
    if not (real_rigs.CACHE / "index.json").is_file():
        pytest.skip("the shared data was never dumped: run tests/support/real_rigs.py in a Blender")
    found = real_rigs.load_rigs()
    if name not in found:
        pytest.skip(f"{name} was never dumped: run tests/support/real_rigs.py in a Blender")
    return understood(found[name].skeleton)


@pytest.mark.parametrize("name", NAMES)
def test_hands_are_within_two_centimetres_of_the_edge_while_it_hangs(name: str):
    rig = rig_named(name)
    size, poser = rig.leg_length / 0.9, MovePoser(rig, moves())
    contacts = tuple(
        Contact(f"hand.{k}", (0.2 * size * v, -0.37 * size, 2.05 * size + rig.floor), UP) for k, v in stunts.SIDES
    )
    memory = poser.start()
    ground = Ground(0.0, 0.0, 0.0, 0.0)
    for frame in range(90):
        pose = EditedPose.rest(rig.skeleton)
        move = None if frame == 0 else Move("HANG", contacts=contacts)
        poser.apply(pose, memory, move, ground, (), 1.0 / 60.0 if frame else 0.0, aloft=frame > 0)
    for contact in contacts:
        off = poser.limbs.known[contact.limb].place(pose) - Vector(contact.place)
        assert off.length < 0.02 * size


@pytest.mark.parametrize("name", NAMES)
def test_a_vault_takes_the_feet_over_and_every_joint_where_it_can_go(name: str):
    rig = rig_named(name)
    stunt = stunts.vault(rig)
    height = stunt.boxes[0][1][2]
    limbs = MovePoser(rig, moves()).limbs.known
    over = 0
    for shown in stunts.perform(rig, stunt, 30.0):
        assert all(abs(turn.magnitude - 1.0) < 1e-3 for turn in shown.pose.rotations)
        if shown.move is not None and 0.42 < shown.share < 0.56:
            over += 1
            feet = [limbs[role].place(shown.pose).z + shown.ground.z for role in ("foot.L", "foot.R")]
            assert min(feet) > height - 0.15 * rig.leg_length
            hips = sum((shown.pose.head(leg.bones[0]).z for leg in rig.legs), 0.0) / 2.0 + shown.ground.z
            assert hips > height
    assert over


def test_feet_that_hang_on_no_leg_bone_stay_at_the_end_of_their_leg():
    rig = rig_named("quaternius_Male_Suit.fbx")
    poser = MovePoser(rig, moves())
    loose = [limb for limb in poser.limbs.known.values() if limb.detached]
    assert len(loose) == 2
    for shown in stunts.perform(rig, stunts.vault(rig), 60.0):
        for limb in loose if shown.move is not None else ():
            ankle = shown.pose.head(limb.end) + shown.pose.turn(limb.end) @ limb.root
            assert (ankle - limb.limb.tip_of(shown.pose)).length < 1e-4 * rig.leg_length
