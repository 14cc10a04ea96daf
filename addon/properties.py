"""The settings of a character, kept on its armature object as `object.surefoot`."""

from dataclasses import fields
from typing import Any

import bpy
from bpy import props
from bpy.types import Object, PropertyGroup

from ..core.character import CharacterConfig
from ..core.layers.adjustment import VERSION as ADJUSTMENT_VERSION
from ..core.presets import gait_names, own_gait_names
from .agent_properties import AGENT_OWN
from .body_properties import BODY_OWN
from .changes import hints
from .config_properties import OVERRIDE, properties_of
from .declared import declared, enum, pointer, settings_changed
from .fall_properties import FALL_OWN
from .layer_properties import SUREFOOT_PG_layer
from .mapping_lines import SUREFOOT_PG_pair
from .move_properties import MOVES_OWN
from .parkour_properties import PARKOUR_OWN
from .ragdoll_properties import RAGDOLL_OWN
from .rise_properties import RISE_OWN
from .route_properties import ROUTE_OWN

VERSION = 1
LIST_OVERRIDE = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}

DIRECTORS = (
    ("AHEAD", "Ahead", "Straight on along the facing, at the given speed", "FORWARD", 0),
    ("PATH", "Path", "Along a curve at the given speed; starts and stops within the limits", "CURVE_DATA", 1),
    ("TARGET", "Target", "To an object, and stop there", "EMPTY_AXIS", 2),
    ("MOVER", "Mover", "With an object's own animation; without one, the armature's own", "CON_FOLLOWPATH", 3),
    ("ROUTE", "Route", "From spot to spot, with a facing, a pace and a wait at each", "TRACKING", 4),
    ("INPUT", "Input", "By a direction and what is pressed, which can be keyed: as a person would drive it", "PLAY", 5),
    (
        "AGENT", "Agent", "As another add-on or a script says: a velocity or a place, an activity, what to look at",
        "COMMUNITY", 6,
    ),
    (
        "AUTOPILOT", "Autopilot", "To an object, by a way that it finds itself: it presses what a person would press",
        "AUTO", 7,
    ),
)
BASES = (
    ("GAIT", "Gait", "Steps are planned on the ground as it is", 0),
    ("CLIP", "Clip", "An Action of this armature is played, over the ground that is there", 1),
    ("RIG", "Rig", "Another rig is followed frame by frame, retargeted, over the ground that is there", 2),
)
GAITS = (
    ("AUTO", "Automatic", "The gait that fits the speed and the number of legs", 0),
    ("WALK", "Walk", "One foot after the other, never all in the air", 1),
    ("RUN", "Run", "Two legs with a flight between the steps", 2),
    ("TROT", "Trot", "Four legs in diagonal pairs", 4),
    ("PACE", "Pace", "Four legs, both of one side together", 5),
    ("CANTER", "Canter", "Four legs in three beats", 6),
    ("GALLOP", "Gallop", "Four legs, hind pair then front pair", 7),
    ("BOUND", "Bound", "Four legs, both hind together, both front together", 8),
    ("PRONK", "Pronk", "All legs at once", 9),
    ("TRIPOD", "Tripod", "Six or eight legs in two groups", 10),
    ("WAVE", "Wave", "Many legs, one after the other from behind", 11),
    ("PRESET", "Preset", "A gait from a file, by its name", 12),
    ("SPRINT", "Sprint", "Two legs as fast as they go", 13),
    ("SNEAK", "Sneak", "Two legs, low and quiet", 14),
    ("MARCH", "March", "Two legs on parade", 15),
    ("LIMP", "Limp", "Two legs, the left one hurt", 16),
)
SURFACES = (
    ("FLOOR", "Floor", "Floors, slopes and stairs", 0),
    ("WALLS", "Walls and Ceilings", "All that it meets: up walls, along ceilings, over edges; four legs and more", 1),
)
BODIES = (
    ("POINT", "Point", "The body is a point that goes as told and follows the ground", 0),
    ("CAPSULE", "Capsule", "The body has a shape: walls stop it, it steps onto stairs, rides what moves, and falls", 1),
)
TRAVELS = (
    ("AUTO", "Automatic", "The root bone where there is one, else the object; in place for its own animation", 0),
    ("ROOT_BONE", "Root Bone", "The root bone carries the travel", 1),
    ("OBJECT", "Object", "The armature object carries the travel", 2),
    ("IN_PLACE", "In Place", "Neither travels: the object's own animation moves the body", 3),
)


def is_curve(_settings: Any, obj: Object) -> bool:
    """What can be a path."""
    return obj.type == "CURVE"


def is_other(settings: Any, obj: Object) -> bool:
    """What can be a target or a mover: any object but the character itself."""
    return obj != settings.id_data


def known_gaits(_settings: Any, _context: Any, typed: str) -> list[str]:
    """The gaits that a preset can be, the user's own first."""
    return [name for name in (*own_gait_names(), *gait_names()) if typed.upper() in name]


class Preview:
    """Who is told when a preview is switched; the timeline puts itself here, so that settings need not know it."""

    switched: Any = None


def preview_changed(settings: Any, _context: Any) -> None:
    """The preview was switched on or off, by a person or by a script."""
    hints.cast = True
    if Preview.switched is not None:
        Preview.switched(settings.id_data)


class SUREFOOT_PG_correction(PropertyGroup):
    """One bone that a person named for a role, where set-up was wrong or unsure."""

    __annotations__ = {
        "role": props.StringProperty(
            name="Role",
            description="What the bone is for: thigh.L, front_foot.R, upper_arm.L, index.R, pelvis, neck, head, root",
            options=set(),
            override=OVERRIDE,
        ),
        "bone": props.StringProperty(
            name="Bone", description="The bone that has this role", options=set(), override=OVERRIDE
        ),
    }


class SUREFOOT_PG_teleport(PropertyGroup):
    """A jump to another place at a frame."""

    __annotations__ = {
        "frame": props.IntProperty(
            name="Frame", description="The frame at which the character is elsewhere", options=set(), override=OVERRIDE
        ),
        "location": props.FloatVectorProperty(
            name="Location",
            description="Where it is then, in the world",
            subtype="TRANSLATION",
            unit="LENGTH",
            options=set(),
            override=OVERRIDE,
        ),
        "heading": props.FloatProperty(
            name="Heading",
            description="Where it faces: 0 is -Y, 90 degrees is +X",
            subtype="ANGLE",
            options=set(),
            override=OVERRIDE,
        ),
    }


class SUREFOOT_PG_adjusted(PropertyGroup):
    """One bone of the pose adjustment."""

    __annotations__ = {
        "bone": declared(props.StringProperty, "Bone", "The bone that is turned"),
        "turn": declared(
            props.FloatVectorProperty,
            "Turn",
            "How it is turned, in the frame of its parent, before its own rotation",
            size=4,
            default=(1.0, 0.0, 0.0, 0.0),
            subtype="QUATERNION",
        ),
    }


class SUREFOOT_PG_problem(PropertyGroup):
    """One thing that set-up did not understand, or that keeps the character from going as asked."""

    __annotations__ = {
        "text": props.StringProperty(
            name="Problem", description="What was not understood, and what to do", options=set(), override=OVERRIDE
        ),
        "blocking": props.BoolProperty(
            name="Blocking", description="Nothing walks before this is solved", options=set(), override=OVERRIDE
        ),
        "passing": props.BoolProperty(
            name="Passing", description="It is so now, and the line goes by itself", options=set(), override=OVERRIDE
        ),
    }


CHARACTER_TEXTS = {item.name: item.metadata.get("text", "") for item in fields(CharacterConfig)}
OWN = {
    "version": props.IntProperty(
        name="Version", description="Version of these settings; 0: not set up", options={"HIDDEN"}, override=OVERRIDE
    ),
    # By name: a reference would take the whole scene along wherever the character is appended or linked.
    "scene": props.StringProperty(
        name="Scene",
        description="The scene whose time moves this character, where more than one holds it",
        options=set(),
        override=OVERRIDE,
        update=settings_changed,
    ),
    "director": enum(DIRECTORS, "Director", "What says where to go"),
    "speed": props.FloatProperty(
        name="Speed (m/s)",
        description="Metres a second along the ground, in any unit scale; can be keyed. "
        "Beyond what the legs reach, the stride is limited",
        default=1.4,
        min=0.0,
        soft_max=8.0,
        max=60.0,
        precision=2,
        override=OVERRIDE,
        update=settings_changed,
    ),
    "base": enum(BASES, "Base", "What makes the basic motion"),
    "clip": pointer(bpy.types.Action, "Clip", "The Action that is played while the base is Clip; it stays as it is"),
    "clip_slot": props.StringProperty(
        name="Slot",
        description="The slot of the Action; empty: the one that moves most of the rig's bones",
        options=set(),
        override=OVERRIDE,
        update=settings_changed,
    ),
    "clip_progress": props.FloatProperty(
        name="Progress",
        description="Where in its clip the base motion is, from 0 to 1, while it goes by progress. Can be keyed",
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        override=OVERRIDE,
        update=settings_changed,
    ),
    "gait": enum(GAITS, "Gait", "How the legs take turns; can be keyed", keyed=True),
    "gait_preset": props.StringProperty(
        name="Gait Preset",
        description="The name of a gait in the presets; used while Gait is Preset",
        search=known_gaits,
        options=set(),
        override=OVERRIDE,
        update=settings_changed,
    ),
    "surfaces": enum(SURFACES, "Surfaces", CHARACTER_TEXTS["surfaces"]),
    "body": enum(BODIES, "Body", "What moves through the level"),
    "ground": pointer(
        bpy.types.Collection,
        "Ground",
        "The collection whose meshes are walked on; empty: all visible meshes that no character wears",
    ),
    "travel": enum(TRAVELS, "Travel", "What carries the motion through space"),
    "path": pointer(bpy.types.Object, "Path", "The curve to follow", is_curve),
    "target": pointer(bpy.types.Object, "Target", "The object to go to", is_other),
    "mover": pointer(
        bpy.types.Object, "Mover", "The object whose own animation is followed; empty: the armature's own", is_other
    ),
    "source": pointer(
        bpy.types.Object, "Source", "The armature, or the topmost empty, whose motion is taken over", is_other
    ),
    "frame_start": props.IntProperty(
        name="Start Frame",
        description="The character stands where it is until this frame, and walks from there",
        default=1,
        options=set(),
        override=OVERRIDE,
        update=settings_changed,
    ),
    "preview": props.BoolProperty(
        name="Preview",
        description="Show the walk while the timeline plays; off puts the pose back that was there",
        options=set(),
        override=OVERRIDE,
        update=preview_changed,
    ),
    "chart": props.BoolProperty(
        name="Chart in View",
        description="Draw which foot is down when into the 3D view, while the preview is on",
        options=set(),
        override=OVERRIDE,
    ),
    "problems": props.CollectionProperty(
        type=SUREFOOT_PG_problem,
        name="Problems",
        description="What was not understood, and what keeps the character from going as asked",
        override=LIST_OVERRIDE,
    ),
    "seen": props.StringProperty(
        name="Seen", description="For which state of the rig its problems are listed", options={"HIDDEN"},
        override=OVERRIDE,
    ),
    "corrections": props.CollectionProperty(
        type=SUREFOOT_PG_correction, name="Mapping", description="Bones named by hand", override=LIST_OVERRIDE
    ),
    "pairs": props.CollectionProperty(
        type=SUREFOOT_PG_pair,
        name="Pairs",
        description="Which bone of the source a bone follows, where that was set by hand",
        override=LIST_OVERRIDE,
    ),
    "active_role": props.IntProperty(
        name="Active Role", description="The chosen role of the mapping", options={"SKIP_SAVE"}, override=OVERRIDE
    ),
    "active_pair": props.IntProperty(
        name="Active Pair", description="The chosen bone of the pair", options={"SKIP_SAVE"}, override=OVERRIDE
    ),
    "teleports": props.CollectionProperty(
        type=SUREFOOT_PG_teleport, name="Teleports", description="Jumps to other places", override=LIST_OVERRIDE
    ),
    "layers": props.CollectionProperty(
        type=SUREFOOT_PG_layer,
        name="Layers",
        description="Changes to the pose after the base motion, from first to last",
        override=LIST_OVERRIDE,
    ),
    "active_layer": props.IntProperty(
        name="Active Layer", description="The chosen layer", options={"SKIP_SAVE"}, override=OVERRIDE
    ),
    "adjustment": props.CollectionProperty(
        type=SUREFOOT_PG_adjusted,
        name="Pose Adjustment",
        description="A correction of the pose that lies under all that the character does",
        override=LIST_OVERRIDE,
    ),
    "adjustment_move": props.FloatVectorProperty(
        name="Pelvis Move",
        description="How far the adjustment moves the pelvis, metres, seen from the character: left, back, up",
        size=3,
        precision=4,
        options=set(),
        override=OVERRIDE,
        update=settings_changed,
    ),
    "adjustment_version": props.IntProperty(
        name="Adjustment Version", description="Version of the pose adjustment", default=ADJUSTMENT_VERSION,
        options={"HIDDEN"}, override=OVERRIDE,
    ),
    "active_correction": props.IntProperty(
        name="Active", description="The chosen line of the mapping", options={"SKIP_SAVE"}, override=OVERRIDE
    ),
    "start_matrix": props.FloatVectorProperty(
        name="Start Transform",
        description="Where the armature object stood when the preview began (its local matrix, by columns)",
        size=16,
        options={"HIDDEN"},
        override=OVERRIDE,
    ),
    "pose_before": props.StringProperty(
        name="Pose Before",
        description="The values that the preview wrote over, put back when it ends",
        options={"HIDDEN"},
        override=OVERRIDE,
    ),
    "action_before": pointer(bpy.types.Action, "Action Before", "The Action that the preview set aside"),
    "slot_before": props.StringProperty(
        name="Slot Before", description="The slot of the Action set aside", options={"HIDDEN"}, override=OVERRIDE
    ),
}
OWN |= ROUTE_OWN | BODY_OWN | PARKOUR_OWN | AGENT_OWN | MOVES_OWN | FALL_OWN | RISE_OWN | RAGDOLL_OWN
BY_HAND = frozenset(OWN)


FROM_CONFIG = properties_of(CharacterConfig, BY_HAND, settings_changed)
CONFIG_NAMES = tuple(FROM_CONFIG)


class SUREFOOT_PG_settings(PropertyGroup):
    """All settings of one character. Those of the core's Config are made from it, tooltips included."""

    __annotations__ = {**OWN, **FROM_CONFIG}


CLASSES = (
    SUREFOOT_PG_correction,
    SUREFOOT_PG_pair,
    SUREFOOT_PG_adjusted,
    SUREFOOT_PG_teleport,
    SUREFOOT_PG_problem,
    SUREFOOT_PG_settings,
)


def migrate(settings: Any) -> str:
    """Bring settings of an older file to this version; the sentence to show if they are from a newer one."""
    if settings.version > VERSION:
        return (
            f"The settings of {settings.id_data.name} were made by a newer Surefoot (version {settings.version}, "
            f"this one knows {VERSION}). Update the extension, or press Set Up to begin anew."
        )
    return ""


def register() -> None:
    """Declare the groups, and the pointer to them on every object."""
    for item in CLASSES:
        bpy.utils.register_class(item)
    Object.surefoot = props.PointerProperty(
        type=SUREFOOT_PG_settings, name="Surefoot", description="Settings of the character", override=OVERRIDE
    )


def unregister() -> None:
    """Take them away again; values stay in the file."""
    del Object.surefoot
    for item in reversed(CLASSES):
        bpy.utils.unregister_class(item)
