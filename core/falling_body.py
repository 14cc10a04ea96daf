"""What hits and physics do to one character: which rows it follows, how they pose it, how it takes a hit."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot, isfinite, sqrt

from mathutils import Quaternion, Vector

from .actions.rise_takes import RiseTake
from .actions.rising import Rising
from .control.fall_row import NUMBERS, Blow, FallRow
from .control.intent import LayerInput, Spot, Travel
from .fall_presets import falls
from .falling_loose import Loose
from .falling_memory import FallConfig, FallMemory
from .layers.layer import LayerSettings, Moment
from .layers.look_at import LookAtConfig
from .layers.moves_touching import Goal
from .layers.request import Request
from .layers.stack import Stack
from .ragdoll.balance import place_in, turn_in
from .ragdoll.bodies_pose import posed_by
from .ragdoll.brace import Bracing, alarm_after
from .ragdoll.catch import rate_of
from .ragdoll.flinch import MOST, Flinching, aged
from .ragdoll.plan import RagdollPlan
from .rig.edited_pose import EditedPose
from .rig.placed import world_matrix
from .rig.pose import Footing, Ground, PoseFrame
from .rig.rig import Rig
from .rise_presets import rising
from .space.angles import turn_between, wrapped
from .space.curves import smootherstep, smoothstep
from .space.rigid import Triple, Turn, after, undone

HIT_LOOK = LayerSettings("LOOK_AT", LookAtConfig(idle="POSE"))
"""The layer that looks at where a hit came from, on top of the user's own."""
CLINGS = "A body that clings to walls takes no hits and does not fall; set Surfaces to Floor."
CRAWLS = "A body without legs takes no hits and does not fall: it lies already."
NO_SOLIDS = "Physics has recorded this body, but it has no solids any more: Simulate again."
OTHER_BODY = "What physics recorded is of {told} solids, and this body has {own}: Simulate again."
NO_NUMBERS = "What physics recorded of this body holds numbers that are none: Simulate again."
LETS_GO = ("CLIP", "LEGS", "LOOK_AT", "AIM", "CHAIN", "REACH")
LEAST_RISE = 1e-3
STAGGERS, LEAST_AHEAD = 0.5, 0.1
"""Who staggers puts its arms out so much less than who falls; slower than the second (m/s) it goes nowhere."""
LOOKS_FROM, LOOKS_BACK = 3.0, 1.0
"""A hit is looked for so many legs away; when it looks no more, its head has so many seconds to come back."""
OUT = (("upper_arm", "arm", "thigh", "leg", "tail"), ("forearm", "shin"), ("hand", "foot"))
"""The roles of limbs by how many joints they are out from the trunk, from one on."""


class Falling:
    """What hits and physics do to one character. Immutable."""

    def __init__(
        self,
        rig: Rig,
        config: FallConfig,
        plan: RagdollPlan | None,
        takes: Sequence[RiseTake] = (),
        *,
        clings: bool = False,
    ) -> None:
        self.rig, self.config, self.plan = rig, config, plan
        # Without solids no physics has it, and nothing lies that could get up.
        self.rising = None if plan is None else rising(rig, takes=takes, skin=plan.skin)
        self.loose = Loose(rig, plan)
        self.refuses = CLINGS if clings else ("" if rig.legs else CRAWLS)
        self.numbers = falls(config.fall_numbers)
        self.tempo = sqrt(rig.leg_length / 0.9)
        self.rate = rate_of(rig.leg_length)
        self.bracing = Bracing(rig)
        self.flinching = Flinching(rig, self.numbers.flinch, self.tempo)
        bones = rig.skeleton.bones
        minds = self.plan is not None and rig.head >= 0 and not self.refuses
        self.minding = Stack(rig, (HIT_LOOK,)) if minds else None
        self.look_bones = () if self.minding is None else tuple(sorted(self.minding.driven()[0]))
        self.eyes = bones[rig.head].head.z - rig.floor if rig.head >= 0 else rig.leg_length

    def usable(self, row: FallRow | None) -> tuple[FallRow | None, str]:
        """A row that can be followed, and why one cannot."""
        if row is None or (not row.bodies and not row.weights):
            return row, ""
        if self.plan is None:
            return None, NO_SOLIDS
        count = len(self.plan.bodies)
        if len(row.bodies) != NUMBERS * count or len(row.weights) not in (0, count):
            return None, OTHER_BODY.format(told=len(row.bodies) // NUMBERS, own=count)
        if not isfinite(sum(row.bodies) + sum(row.weights) + sum(row.push)) or not _turned(row.bodies):
            return None, NO_NUMBERS
        return row, ""

    def under(self, bodies: tuple[float, ...], offset: Vector, heading: float) -> tuple[float, float]:
        """Where the travel is in the plan whose pelvis is `offset` from it (model space), as physics has that."""
        x, y, _ = place_in(bodies, 0)
        shift = Quaternion((0.0, 0.0, 1.0), heading) @ offset
        return x - shift.x, y - shift.y

    def turn_of(self, bodies: tuple[float, ...]) -> Turn:
        """How the pelvis is turned from its rest pose, world."""
        if self.plan is None:
            return (1.0, 0.0, 0.0, 0.0)
        return after(turn_in(bodies, 0), undone(self.plan.bodies[0].rest.turn))

    def posed(self, frame: PoseFrame, fall: FallMemory) -> PoseFrame:
        """A pose of its own motion with what physics and hits make of it."""
        if fall.rise is not None and self.rising is not None:
            return self._brought(self.rising, self.rising.pose(fall.rise, frame), fall)
        if not fall.bodies and not fall.flinches:
            return frame
        pose = EditedPose.of_frame(self.rig.skeleton, frame)
        self.flinching.lay(pose, fall.flinches)
        feet = frame.feet
        if fall.back > 0.0:
            self.hand_back(pose, fall, feet)
        else:
            self.lay(pose, fall, frame.ground)
            self.loose.lift(pose, world_matrix(frame.ground), fall.floors)
        if fall.state == "FALLEN":
            feet = tuple(foot._replace(planted=False, heel_down=False, ball_down=False) for foot in feet)
        return pose.frame(frame.ground, feet, frame.events)

    def _brought(self, rising: Rising, frame: PoseFrame, fall: FallMemory) -> PoseFrame:
        """A pose of a body that gets up, with its ground on the way from where it lay to where it will stand: what
        hangs on that, or follows it, is not jolted.
        """
        rise, to = fall.rise, frame.ground
        share = smootherstep((rise.clock - rise.entered) / max(rise.seconds - rise.entered, LEAST_RISE))
        if share >= 1.0 or not fall.at:
            return frame
        x, y, z, heading = fall.at
        turned = turn_between(heading, to.heading) * share
        ground = Ground(
            x + (to.x - x) * share, y + (to.y - y) * share, z + (to.z - z) * share, wrapped(heading + turned), to.tilt
        )
        pose, body = EditedPose.of_frame(self.rig.skeleton, frame), self.rig.body
        pose.set_model(body, world_matrix(ground).inverted() @ world_matrix(to) @ pose.model(body))
        rising.limbs.attach(pose)
        return pose.frame(ground, frame.feet, frame.events)

    def braced(self, frame: PoseFrame, fall: FallMemory) -> PoseFrame:
        """A pose of its own motion with arms that go ahead of a stagger or a fall."""
        if fall.alarm <= 0.0 or not self.bracing.arms:
            return frame
        share = self.numbers.catching.arms * fall.alarm * (1.0 if fall.state == "FALLEN" else STAGGERS)
        pose = EditedPose.of_frame(self.rig.skeleton, frame)
        self.bracing.lay(pose, fall.ahead, frame.ground.heading, share)
        return pose.frame(frame.ground, frame.feet, frame.events)

    def lay(self, pose: EditedPose, fall: FallMemory, ground: Ground) -> None:
        """Change a pose so that what physics has of it is as it was told."""
        if self.plan is not None and fall.bodies:
            posed_by(self.plan, pose, world_matrix(ground), fall.bodies, fall.weights)

    def hand_back(self, pose: EditedPose, fall: FallMemory, feet: tuple[Footing, ...]) -> None:
        """Change a pose by what is left of physics: that goes along with the body. Feet that stand where physics left
        them stay there, others come to where they are planned as the rest does.
        """
        if self.plan is None or self.rising is None:
            return
        limbs, goals = self.rising.limbs, []
        share = smoothstep(fall.back / self.numbers.catching.hand_back)
        for i, foot in enumerate(feet):
            role = foot.role.replace("leg", "foot")
            limb = limbs.known.get(role)
            if limb is not None:
                own = 1.0 if i in fall.held and foot.planted else 1.0 - share
                goals.append(Goal(role, limb.place(pose), pose.turn(limb.end), own))
        weights = tuple(share * weight for weight in fall.weights or (1.0,) * len(self.plan.bodies))
        x, y, z, heading = fall.at
        posed_by(self.plan, pose, world_matrix(Ground(x, y, z, heading)), fall.bodies, weights)
        limbs.bring(pose, goals)

    def asked(self, fall: FallMemory, request: Request) -> Request:
        """What is asked of the layers of a body that lies or gets up: none of its own makes it look, reach or stand."""
        if fall.state not in ("FALLEN", "GETTING_UP"):
            return request
        return request._replace(let_go=(*request.let_go, *LETS_GO))

    def lay_over(self, pose: EditedPose, fall: FallMemory, moment: Moment) -> None:
        """After all layers: it looks where a hit came from, and what physics has of it is as physics has it."""
        if self.minding is not None and fall.look:
            self._look(self.minding, pose, fall, moment)
        if self.plan is not None and fall.bodies and fall.back <= 0.0:
            # What physics has but a part of was laid already, below the layers.
            whole = tuple(1.0 if weight >= 1.0 else 0.0 for weight in fall.weights)
            posed_by(self.plan, pose, world_matrix(moment.ground), fall.bodies, whole)

    def _look(self, minding: Stack, pose: EditedPose, fall: FallMemory, moment: Moment) -> None:
        """Look where a hit came from. What physics has is not turned by it, but driven there from the next frame on."""
        if fall.head is None:
            fall.head = minding.start()[0]
        x, y, z, left = fall.look
        heads = [fall.head]
        minding.apply(pose, heads, moment, (LayerInput(spot=Spot(x, y, z) if left > LOOKS_BACK else None),))
        fall.head = heads[0]
        if fall.state == "ACTIVE":
            fall.gaze = tuple(n for bone in self.look_bones for n in pose.rotations[bone])

    def gazing(self, frame: PoseFrame, fall: FallMemory) -> PoseFrame:
        """The pose that physics is to drive to: one of its own motion, that looks where the hit came from."""
        if fall.state != "ACTIVE" or not fall.gaze:
            return frame
        pose = EditedPose.of_frame(self.rig.skeleton, frame)
        for k, bone in enumerate(self.look_bones):
            pose.set_basis(bone, Quaternion(fall.gaze[4 * k : 4 * k + 4]), pose.locations.get(bone))
        return pose.frame(frame.ground, frame.feet, frame.events)

    def driven(self) -> tuple[set[int], set[int]]:
        """The bones that it may turn, and those that it may move."""
        if self.plan is None:
            return set(), set()
        turned = {bone for body in self.plan.bodies for bone in body.bones}
        turned |= {bone for chain in self.flinching.chains.values() for bone in chain}
        moved = {self.plan.bodies[0].bones[0] if self.plan.carrier < 0 else self.plan.carrier}
        moved |= {self.plan.bodies[i].bones[0] for i in self.plan.placed}
        turned |= {each.points[0].bone for each in self.loose.hanging}
        if self.minding is not None:
            turned |= self.minding.driven()[0]
        return turned | moved, moved

    def strike(self, fall: FallMemory, hit: Blow, travel: Travel, *, steps: bool) -> None:
        """A hit that physics has nothing of: it flinches, looks there, and is pushed along if it `steps`."""
        (x, y, _), numbers = hit.velocity, self.numbers
        local = Quaternion((0.0, 0.0, 1.0), -travel.place.heading) @ Vector(hit.velocity)
        flinch = self.flinching.hit((local.x, local.y, local.z), hit.role)
        if flinch is not None:
            fall.flinches = (*fall.flinches, flinch)[-MOST:]
        self.look_back(fall, hit.velocity, travel)
        level = hypot(x, y)
        share = numbers.active.limb_share ** self._out(hit.role)
        if steps and level * share >= numbers.catching.steps_from * self.tempo:
            px, py = fall.push[0] + x * share, fall.push[1] + y * share
            most = numbers.catching.most_push * self.tempo
            kept = min(1.0, most / hypot(px, py)) if hypot(px, py) > 0.0 else 1.0
            fall.push = (px * kept, py * kept)

    def look_back(self, fall: FallMemory, velocity: Triple, travel: Travel) -> None:
        """Look at where a hit came from that gives this velocity, world."""
        (x, y, _), place, seconds = velocity, travel.place, self.numbers.flinch.look_seconds
        level = hypot(x, y)
        if level > 0.0 and seconds > 0.0:
            far = LOOKS_FROM * self.rig.leg_length / level
            fall.look = (place.x - x * far, place.y - y * far, place.z + self.eyes, seconds + LOOKS_BACK)

    def age(self, fall: FallMemory, excess: tuple[float, float], dt: float) -> None:
        """What a tick leaves of flinches, looks and arms; `excess` is the speed that is still to be caught."""
        speed = hypot(*excess)
        fall.alarm = alarm_after(fall.alarm, speed, self.tempo, dt, falls=fall.state == "FALLEN")
        if speed > LEAST_AHEAD * self.tempo:
            fall.ahead = excess
        if fall.state == "GETTING_UP":
            fall.alarm = 0.0
        fall.flinches = aged(fall.flinches, self.flinching.seconds, dt)
        if fall.look and fall.state == "ANIMATED":
            fall.look = (*fall.look[:3], fall.look[3] - dt) if fall.look[3] > dt else ()
        if not fall.look:
            fall.head = None
        if fall.state != "ACTIVE":
            fall.gaze = ()

    def _out(self, role: str) -> int:
        """How many joints the body of a role is out from the trunk, by its name."""
        name = role.split(".", 1)[0].removeprefix("front_").removeprefix("hind_")
        return next((k for k, names in enumerate(OUT, 1) if name.rstrip("0123456789") in names), 0)


def _turned(bodies: tuple[float, ...]) -> bool:
    """True where every body has a turn."""
    return all(any(bodies[i + 3 : i + 7]) for i in range(0, len(bodies), NUMBERS))
