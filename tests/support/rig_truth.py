"""What the real rigs are, looked up by eye: their legs, front to back, by one bone that each leg must bend.

`{}` stands for the side in the rig's own spelling. The left one is given by (left, right) spelling, truly left of the
way it faces.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Truth:
    """A rig's legs: `shins` front to back with a place for the side; `yaw` turns the imported rig to face -Y.

    `head` is the foremost bone of a body without legs.
    """

    shins: tuple[str, ...]
    sides: tuple[str, str] = ("L", "R")
    yaw: float = 0.0
    exceptions: tuple[tuple[str, str], ...] = ()
    head: str = ""

    def expected(self) -> dict[str, tuple[str, int]]:
        """The bone that each leg bends, with the leg's side and order."""
        renamed = dict(self.exceptions)
        return {
            renamed.get(shin.format(spelt), shin.format(spelt)): (side, order)
            for order, shin in enumerate(self.shins)
            for side, spelt in zip("LR", self.sides, strict=True)
        }


_UP = ("Left", "Right")
_LOW = ("left", "right")
_L = ("l", "r")
_MOTIONBUILDER = Truth(("{}Leg",), _UP)
_O3DE = Truth(("{}LowerLeg",), _UP)
_DEEPMIMIC = Truth(("{}_knee",), _LOW)
_CMU_MAX = Truth(("{}Knee",), _UP)
_MH_BVH = Truth(("LoLeg_{}",))
_METARIG = Truth(("shin.{}",))
_GENERATED = Truth(("ORG-shin.{}",))
_WOLF = ("front_shin.{}", "shin.{}")
_HORSE = ("forearm.{}", "lower_leg.{}")
_CAT = ("forearm.{}", "shin.{}")

TRUTH: dict[str, Truth | None] = {
    "AV_8Walk_Meredith_HVHA_Rep1.bvh": _MOTIONBUILDER,
    "Acceleration1.bvh": _O3DE,
    "Circles1.bvh": _O3DE,
    "Jog1.bvh": _O3DE,
    "Jumps1.bvh": _O3DE,
    "Jumps1_floordrift.bvh": _O3DE,
    "MixedLocomotion1.bvh": _O3DE,
    "Pushes1.bvh": _O3DE,
    "Run1.bvh": _O3DE,
    "RunPivotTurn1.bvh": _O3DE,
    "TurnOnSpot1.bvh": _O3DE,
    "Walk1.bvh": _O3DE,
    "WalkStopTurn1.bvh": _O3DE,
    "WalkTurns1.bvh": _O3DE,
    "bvhtoolbox_walk01.bvh": _MOTIONBUILDER,
    "cmu_08_02_walk.fbx": _MOTIONBUILDER,
    "cmu_09_11_run.fbx": _MOTIONBUILDER,
    "cmu_3dsmax_131_01.bvh": _CMU_MAX,
    "cmu_3dsmax_131_02.bvh": _CMU_MAX,
    "cmu_3dsmax_131_03.bvh": _CMU_MAX,
    "cryptovoxels.vrm": Truth(("{} knee",), _UP, yaw=180.0),
    "fair1_jumping.bvh": _MOTIONBUILDER,
    "fair1_zombie_walk.bvh": _MOTIONBUILDER,
    "gdquest_mannequiny.glb": Truth(("calf.{}",), _L),
    "kaykit_Knight.glb": Truth(("lowerleg.{}",), _L),
    "khronos_CesiumMan.gltf": Truth(("Node_{}",), ("8", "4"), yaw=-90.0),
    "khronos_Fox.glb": Truth(
        ("b_{}ForeArm", "b_{}Leg02"),
        _UP,
        exceptions=(
            ("b_LeftForeArm", "b_LeftForeArm_010"),
            ("b_RightForeArm", "b_RightForeArm_07"),
            ("b_LeftLeg02", "b_LeftLeg02_016"),
            ("b_RightLeg02", "b_RightLeg02_020"),
        ),
    ),
    "mesh2motion_bird.glb": Truth(("LowerLeg_{}",)),
    "mesh2motion_fox.glb": Truth(("Front_Leg_Lower_{}", "Back_Leg_Lower_{}")),
    "mesh2motion_horse.glb": Truth(("front_leg_lower_{}", "back_leg_lower_{}"), _L),
    "mesh2motion_human_DEF_names.glb": Truth(("DEF-shin.{}",)),
    "mesh2motion_human_male.glb": Truth(("calf_{}",), _L),
    "mesh2motion_kaiju.glb": Truth(("Back_Leg_Lower_{}",)),
    "mesh2motion_snake.glb": Truth((), head="head"),
    "mesh2motion_spider.glb": Truth(("leg_a_2_{}", "leg_b_2_{}", "leg_c_2_{}", "leg_d_2_{}"), _L),
    "mh_cmu_mb_names.glb": _MOTIONBUILDER,
    "mh_default_163bones.glb": Truth(("lowerleg01.{}",)),
    "mh_game_engine_ue_names.fbx": Truth(("calf_{}",), _L),
    "mh_game_engine_ue_names.glb": Truth(("calf_{}",), _L),
    "mh_mixamo_names_apose.glb": Truth(("mixamorig:{}Leg",), _UP),
    "mh_mixamo_names_tpose.fbx": Truth(("mixamorig:{}Leg",), _UP),
    "mh_vrm1_humanoid_names.vrm": Truth(("{}LowerLeg",), _LOW),
    "mh_walk1.bvh": _MH_BVH,
    "mh_zombieWalk1.bvh": _MH_BVH,
    "proanimationbank_crossarms.fbx": Truth(("{}Leg",), _UP, yaw=-90.0),
    "proanimationbank_locomotions.fbx": Truth(("{}Leg",), _UP, yaw=-90.0),
    "proanimationbank_walk.fbx": Truth(("{}Leg",), _UP, yaw=-90.0),
    "quaternius_Animated_Human.fbx": Truth(("{}Leg",), _UP, yaw=-90.0),
    "quaternius_Chick.fbx": Truth(("Bone.{}",), ("007", "004"), yaw=-90.0),
    "quaternius_Frog.fbx": Truth(("FrontLowLeg.{}", "BackUpLeg.{}")),
    "quaternius_Male_Suit.fbx": Truth(("LowerLeg.{}",)),
    "quaternius_Spider.fbx": Truth(("FrontLeg2.{}", "MidFrontLeg2.{}", "MidBackLeg2.{}", "BackLeg2.{}")),
    "quaternius_Velociraptor.fbx": Truth(("BackLowLeg.{}",)),
    "quaternius_Wolf.fbx": Truth(
        ("Bone.front{}", "Bone.back{}"),
        yaw=-90.0,
        exceptions=(
            ("Bone.frontL", "Bone.018"),
            ("Bone.frontR", "Bone.015"),
            ("Bone.backL", "Bone.009"),
            ("Bone.backR", "Bone.012"),
        ),
    ),
    "quaternius_bird.fbx": None,  # it only flies: there are no bones in its feet
    "reactidle_002_genuine.bvh": _METARIG,
    "reactidle_003_genuine.bvh": _METARIG,
    "ue_ThirdPersonRun.fbx": Truth(("calf_{}",), _L),
    "metarig/human": _METARIG,
    "metarig/basic_human": _METARIG,
    "metarig/bird": _METARIG,
    "metarig/wolf": Truth(_WOLF),
    "metarig/basic_quadruped": Truth(_WOLF),
    "metarig/horse": Truth(_HORSE),
    "metarig/cat": Truth(_CAT),
    "rigify/human": _GENERATED,
    "rigify/basic_human": _GENERATED,
    "rigify/bird": _GENERATED,
    "rigify/wolf": Truth(tuple("ORG-" + shin for shin in _WOLF)),
    "rigify/basic_quadruped": Truth(tuple("ORG-" + shin for shin in _WOLF)),
    "rigify/horse": Truth(tuple("ORG-" + shin for shin in _HORSE)),
    "rigify/cat": Truth(tuple("ORG-" + shin for shin in _CAT)),
}

NO_ARMATURE = frozenset({"threevrm_test.vrma"})
# Takes of one skeleton in numbers: MotionBuilder's names.
FAMILIES: dict[str, Truth] = {
    "cmu_0": _MOTIONBUILDER,
    "cmu_12": _MOTIONBUILDER,
    "cmu_mb": _MOTIONBUILDER,
    "humanoid3d_": _DEEPMIMIC,
}


def truth_of(name: str) -> Truth | None:
    """What a rig is; None if it has no legs. KeyError for a rig that nobody looked at."""
    if name in TRUTH:
        return TRUTH[name]
    return next(truth for family, truth in FAMILIES.items() if name.startswith(family))
