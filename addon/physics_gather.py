"""What of the user's scene a run of physics takes place among: its ground, and its rigid bodies.

    earlier = loose_places(scene)                                  at the frame before the run begins
    colliders = gather_colliders(obj, scene, middle, earlier, dt)  at the frame at which it begins
    sample_colliders(colliders, scene)                             at every later frame, where `colliders.moving`

Rigid bodies are met as physics has them, by their shape. What characters stand on is met as they stand on it: a rigid
body whose shape is a hull over its hollows is no ground. Nothing of the user's is changed, or linked anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from bpy.types import Depsgraph, Mesh, Object, Scene
from mathutils import Matrix, Quaternion, Vector

from ..core.space.rigid import Triple, Turn
from .ground_mesh import Triangles, triangles_of
from .ground_set import GroundItem, TimeDependence, ground_items
from .grounds import worn_by_characters
from .physics_bodies import LAYERS, rotation_vector
from .physics_colliders import Colliders, Kind, Solid
from .physics_scene import HUMAN
from .physics_shapes import Box, box_of, facing_up, floor_of, hull_of, is_closed, near, pieces, triple, turn_of
from .refusal import depsgraph_of
from .scene_units import metres_per_unit

Placed = tuple[Triple, Turn]
FAR = 20.0
"""How far away in the plan ground is taken, metres for a person (and as much more as somebody is larger)."""
THICK = 0.2
FRICTION = 0.8
"""What ground has that is no rigid body."""


def loose_places(scene: Scene) -> dict[int, Placed]:
    """Where the bodies that physics moves are at the evaluated frame, by identity."""
    depsgraph, metres = depsgraph_of(scene), Matrix.Scale(metres_per_unit(scene), 4)
    bodies = [obj for obj in _rigid_bodies(scene, frozenset()) if obj.rigid_body.type == "ACTIVE"]
    return {obj.session_uid: _rigid_place(metres @ _matrix_of(obj, depsgraph)) for obj in bodies}


def gather_colliders(
    obj: Object,
    scene: Scene,
    middle: Triple,
    earlier: Mapping[int, Placed] | None = None,
    dt: float = 1.0,
    tall: float = HUMAN,
) -> Colliders:
    """All that a character (its object) can fall on or be hit by, as it is at the evaluated frame.

    `middle` is where the body is, metres, and `tall` how tall it is; ground far from there is left out. `earlier` is
    where loose bodies were `dt` seconds before: without it they start at rest.
    """
    metres, depsgraph = Matrix.Scale(metres_per_unit(scene), 4), depsgraph_of(scene)
    worn = worn_by_characters(scene)
    bodies = [item for item in _rigid_bodies(scene, worn) if item != obj.surefoot.pusher]
    by_uid = {item.session_uid: item for item in bodies}
    ground = obj.surefoot.ground
    reach = FAR * max(1.0, tall / HUMAN)
    solids: list[Solid] = []
    done: set[int] = set()
    for item in ground_items(depsgraph, None if ground is None else ground.session_uid, worn):
        body = by_uid.get(item.surface)
        if body is None or body.rigid_body.type == "PASSIVE":
            done.add(item.surface)
            solids += _ground(item, metres, body, np.array(middle), reach, tall / HUMAN)
    time = TimeDependence()
    for body in bodies:
        if body.session_uid not in done and body.type == "MESH":
            solids += [_at_speed(solid, earlier or {}, dt) for solid in _rigid(body, depsgraph, metres, time)]
    return Colliders(tuple(solids))


def sample_colliders(colliders: Colliders, scene: Scene) -> None:
    """Take where the moving ones are at the frame that is evaluated now."""
    depsgraph, metres = depsgraph_of(scene), metres_per_unit(scene)
    wanted = {solid.uid for solid in colliders.solids if solid.kind == "MOVING"}
    if not wanted:
        return
    colliders.moved = {}
    for item in scene.objects:
        if item.session_uid in wanted:
            colliders.moved[item.session_uid] = _rigid_place(Matrix.Scale(metres, 4) @ _matrix_of(item, depsgraph))
    if wanted - set(colliders.moved):
        for instance in ground_items(depsgraph):
            if instance.surface in wanted:
                colliders.moved[instance.surface] = _rigid_place(Matrix.Scale(metres, 4) @ instance.matrix)


def _rigid_bodies(scene: Scene, worn: frozenset[int]) -> list[Object]:
    """The rigid bodies that are simulated, by name, without what characters wear."""
    world = scene.rigidbody_world
    if world is None or not world.enabled or world.collection is None:
        return []
    found = (obj for obj in world.collection.all_objects if obj.rigid_body is not None and obj.rigid_body.enabled)
    return sorted((obj for obj in found if obj.session_uid not in worn), key=lambda obj: obj.name_full)


def _ground(
    item: GroundItem, metres: Matrix, body: Object | None, middle: np.ndarray, reach: float, size: float
) -> Iterator[Solid]:
    """A ground mesh: boxes and flat floors by themselves, the rest as a mesh."""
    matrix = metres @ item.matrix
    kind: Kind = "MOVING" if item.moves else "STILL"
    settings = _settings(body) if body is not None else {"friction": FRICTION}
    whole = triangles_of(item.mesh).moved(matrix)
    if matrix.determinant() < 0.0:
        whole = Triangles(whole.places, whole.corners[:, ::-1])
    if kind == "MOVING":
        yield _moving(item.surface, whole, matrix, settings)
        return
    hollow: list[Triangles] = []
    here = near(whole, middle, reach)
    for piece in pieces(here) if len(here.corners) else ():
        box = box_of(piece)
        if box is None and middle[2] > piece.places[:, 2].max():
            box = floor_of(piece, THICK * size)
        if box is None:
            hollow.append(piece if is_closed(piece) else facing_up(piece))
        else:
            yield _boxed(item.surface, box, settings)
    for piece in hollow:
        origin = piece.places.mean(axis=0)
        solid = Solid(item.surface, kind, "MESH", triple(origin), (1.0, 0.0, 0.0, 0.0), is_ground=True)
        yield replace(solid, places=piece.places - origin, corners=piece.corners, **settings)


def _boxed(uid: int, box: Box, settings: dict[str, Any]) -> Solid:
    solid = Solid(uid, "STILL", "BOX", triple(box.place), turn_of(box.axes), triple(box.size), is_ground=True)
    return replace(solid, **settings)


def _moving(uid: int, whole: Triangles, matrix: Matrix, settings: dict[str, Any]) -> Solid:
    """Ground that goes its own way, about its object's origin."""
    place, turn = _rigid_place(matrix)
    back = np.array(Matrix.LocRotScale(place, Quaternion(turn), None).inverted())
    own = whole.places @ back[:3, :3].T + back[:3, 3]
    solid = Solid(uid, "MOVING", "MESH", place, turn, places=own, corners=whole.corners, is_ground=True)
    return replace(solid, **settings)


def _rigid(obj: Object, depsgraph: Depsgraph, metres: Matrix, time: TimeDependence) -> list[Solid]:
    """A rigid body by its shape; its speed is what physics has given it since the frame before."""
    body = obj.rigid_body
    matrix = metres @ _matrix_of(obj, depsgraph)
    loose = body.type == "ACTIVE" and not body.kinematic
    kind: Kind = "ACTIVE" if loose else ("MOVING" if time.moves(obj) or body.kinematic else "STILL")
    evaluated = obj.evaluated_get(depsgraph)
    mesh = evaluated.data if isinstance(evaluated.data, Mesh) else obj.data
    if not len(mesh.vertices):
        return []
    place, turn = _rigid_place(matrix)
    shape = body.collision_shape
    own = _own(mesh, matrix, place, turn)
    solid = replace(Solid(obj.session_uid, kind, shape, place, turn), **_settings(obj))
    if shape in {"MESH", "COMPOUND"} and (loose or shape == "COMPOUND"):
        shape = "CONVEX_HULL"
    if shape == "MESH":
        return [replace(solid, places=own.places, corners=own.corners)]
    if shape == "CONVEX_HULL":
        hull = hull_of(own.places)
        if hull is not None:
            return [replace(solid, shape=shape, places=hull.places, corners=hull.corners)]
        shape = "BOX"
    solid = replace(solid, shape=shape)
    return [replace(solid, size=triple(np.ptp(own.places, axis=0)))]


def _at_speed(solid: Solid, earlier: Mapping[int, Placed], dt: float) -> Solid:
    """A loose body with the speed that it has come with."""
    if solid.kind != "ACTIVE" or solid.uid not in earlier:
        return solid
    place, turn = earlier[solid.uid]
    speed = (Vector(solid.place) - Vector(place)) / dt
    spin = rotation_vector(Quaternion(solid.turn) @ Quaternion(turn).conjugated()) / dt
    return replace(solid, speed=speed[:], spin=spin[:])


def _own(mesh: Mesh, matrix: Matrix, place: Triple, turn: Turn) -> Triangles:
    """A mesh about its object's origin and along its axes, with its scale in it."""
    back = Matrix.LocRotScale(place, Quaternion(turn), None).inverted()
    return triangles_of(mesh).moved(back @ matrix)


def _settings(obj: Object) -> dict[str, Any]:
    body = obj.rigid_body
    return {
        "friction": body.friction,
        "bounce": body.restitution,
        "mass": body.mass,
        "damping": (body.linear_damping, body.angular_damping),
        "groups": tuple(body.collision_collections[:LAYERS]),
    }


def _matrix_of(obj: Object, depsgraph: Depsgraph) -> Matrix:
    return obj.evaluated_get(depsgraph).matrix_world


def _rigid_place(matrix: Matrix) -> Placed:
    """Where a matrix brings an object's origin, and how it turns it."""
    place, turn, _ = matrix.decompose()
    return (place.x, place.y, place.z), (turn.w, turn.x, turn.y, turn.z)
