"""The legs of a clip on ground that is not level: every foot as high over the ground under it as the clip has it.

Feet that were animated over a level floor keep their height over whatever is under heel and ball, and lie on it. The
body comes down only as far as the lowest foot needs, on more than two legs it lies on the slope as its feet do. A foot
that is down can be held where it came down. What the pose does by itself is kept: over level ground nothing changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import hypot, radians, sqrt

from mathutils import Matrix, Quaternion, Vector

from ..control.intent import LayerInput
from ..ik.posed import bring_tip
from ..rig.edited_pose import EditedPose
from ..rig.rig import Problem, Rig
from ..space.curves import share_of
from ..space.settings import setting
from .layer import Moment
from .legs_drop import let_rise, lie, lower, shortage
from .legs_feet import FootParts, PosedFoot
from .legs_floor import learn_floor
from .legs_ground import Plane, Sight, laid_on, limited, plane_under, probe_of
from .legs_memory import Flat, FootMemory, LegsMemory, Triple
from .legs_place import Goal, keep, place_foot
from .legs_reach import FARTHEST_ROLL, LONGEST, draw_near, roll_of_any, roll_of_free, roll_to_reach
from .legs_under import EDGE

# Halflives of the body's lying on a slope, seconds for a 0.9 m leg, and the steepest that it lies.
LYING, STEEPEST = 0.08, radians(35.0)
# So much farther (as a share of its length) than in the clip a leg reaches for a foot that is held, before the body is
# lowered for it: near a straight leg a centimetre of the pelvis is ten degrees of the other knee.
SPARE = 0.008
# So far (metres, for a 0.9 m leg) the body is lowered for what only a hold asks for.
FOR_HOLD = 0.06
# On a slope of 45 degrees the body is taken to be lowered by so much (a share of the leg) for feet up and down of it.
STEEP = 0.15
# So much of its reserve (a share of its length) a leg gives up as its heel leaves the ground.
GIVEN_UP = 0.015
# A foot that is out of reach is taken nearer by at most this share of the leg's length; after that it hangs in the air.
DRAWN = 0.2
# Feet on their way go up a slope by its rise times this, at most so far (shares of the leg), from and to these speeds
# of the body (m/s, for a 0.9 m leg).
UPHILL, MOST_UPHILL, GOING = 0.25, 0.12, (0.2, 0.6)
# Before the body comes down for a foot in the air, that goes nearer: by so much of the leg, so fast (m/s, for a 0.9 m
# leg).
NEARER, NEARING = 0.1, 2.0
# With all feet so high (a share of the leg) over its floor a clip is in the air; then it lets go of the body with a
# halflife of so many seconds, for a 0.9 m leg.
HIGH, AIR_HALFLIFE = 0.25, 0.04
# A foot that would move by less than this (metres, and as a quaternion's parts) stays as it is posed, to the bit.
NOTHING = 1e-7
GAIT_WALKS = "The gait places its feet on the ground by itself; this layer is for clips."
ON_A_WALL = "A body on walls and ceilings places its feet by itself; this layer is for bodies that stand upright."


@dataclass(frozen=True, slots=True)
class LegsConfig:
    """How a clip's legs meet the ground."""

    hold: bool = setting(
        True, "Keep a foot that is down where it came down; without it a foot slides as much as the clip's own does"
    )
    hold_along: float = setting(
        0.3,
        "How far along the travel a held foot may be from where the clip has it, in leg lengths; beyond that it slides "
        "along. Too little and feet slide in turns, too much and a leg is dragged behind",
        low=0.0,
        high=0.6,
    )
    hold_across: float = setting(
        0.2, "The same across the travel, in leg lengths; too much and feet cross", low=0.0, high=0.6
    )
    hold_reach: float = setting(
        0.98,
        "How straight a leg gets for the sake of a held foot, as a share of its length, if the clip has it no "
        "straighter; at 1 a knee locks before its foot leaves",
        low=0.8,
        high=1.0,
    )
    release: float = setting(
        0.08,
        "Time in which a foot that leaves the ground gives up what the hold kept; too short and it snaps",
        unit="s",
        low=0.0,
        high=0.5,
    )
    most_drop: float = setting(
        0.15,
        "How far the pelvis may come down for a low foot, for legs of 0.9 m; with less a foot hangs over low ground, "
        "with much more the body sits",
        unit="m",
        low=0.0,
        high=0.4,
    )
    reserve: float = setting(
        0.02,
        "What a leg keeps of its length when the pelvis comes down for it; without any, knees lock",
        low=0.0,
        high=0.2,
    )
    drop_halflife: float = setting(
        0.02, "How quickly the pelvis comes down, as a halflife", unit="s", low=0.0, high=0.5
    )
    rise_halflife: float = setting(0.03, "How slowly it comes up again, as a halflife", unit="s", low=0.0, high=1.0)
    most_tilt: float = setting(
        radians(30.0),
        "How steeply a foot is laid along the ground; too little and toes sink into slopes",
        unit="deg",
        low=0.0,
        high=radians(40.0),
    )
    lean: float = setting(
        1.0,
        "How much a body on more than two legs is pitched and rolled with the slope under its feet; 0 keeps it level",
        low=0.0,
        high=1.0,
    )
    learn_floor: bool = setting(
        True, "Find out how high the clip's own floor is from feet that stand still, and set the whole pose down on it"
    )


class Legs:
    """The layer for one character."""

    def __init__(self, rig: Rig, config: LegsConfig) -> None:
        self.config = config
        self.rig = rig
        self.scale = rig.leg_length / 0.9
        self.probe = probe_of(self.scale)
        usable = rig.legs if rig.body >= 0 else ()
        self.parts = tuple(FootParts.of(rig, leg) for leg in usable)
        ys = [leg.sole.ball.y for leg in usable]
        self.length = max(rig.leg_length, max(ys) - min(ys)) if ys else rig.leg_length
        self.problems: tuple[Problem, ...] = ()
        if not self.parts:
            reason = "This rig has no legs that could be put on the ground."
            self.problems = (Problem("", reason, "Name its leg bones in the roles, or take the layer away."),)

    def driven(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The body and the legs; located are the body, and feet that hang on no leg."""
        if not self.parts:
            return (), ()
        turned, moved = {self.rig.body}, {self.rig.body}
        for part in self.parts:
            leg = part.leg
            turned.update(leg.bones, leg.toes, (leg.foot,) if leg.foot >= 0 else ())
            if leg.detached and leg.foot >= 0:
                moved.add(leg.foot)
        return tuple(sorted(turned)), tuple(sorted(moved))

    def start(self) -> LegsMemory:
        """Nothing seen yet."""
        return LegsMemory([FootMemory() for _ in self.parts])

    def apply(self, pose: EditedPose, memory: LegsMemory, moment: Moment, wish: LayerInput) -> None:
        """Put the feet of a clip on the ground."""
        if not self.parts:
            return
        reason = GAIT_WALKS if moment.placed else ON_A_WALL if moment.ground.tilt is not None else ""
        if reason:
            self._forget(memory, reason)
            return
        down = -memory.floor
        feet = [PosedFoot.read(pose, part).lifted(down) for part in self.parts]
        high = min(min(foot.heel.z, foot.ball.z) for foot in feet) - self.rig.floor > HIGH * self.rig.leg_length
        sight = self._sight(memory, moment, airborne=moment.airborne or high or not wish.on)
        if sight.dt <= 0.0:
            memory.feet = [FootMemory() for _ in self.parts]
        before = [(foot.heel, foot.ball) for foot in memory.feet]
        goals = [place_foot(sight, *each) for each in zip(self.parts, feet, memory.feet, strict=True)]
        carry = self._carry(sight, memory, feet, goals)
        self._reach(sight, memory, feet, goals, [carry @ foot.hip for foot in feet])
        self._pose(pose, feet, goals, carry @ Matrix.Translation((0.0, 0.0, down)))
        if self.config.learn_floor and sight.dt > 0.0 and not sight.airborne:
            up = {foot.role for foot in moment.feet if not foot.planted}
            rows = zip(self.parts, before, memory.feet, strict=True)
            speeds = [None if part.leg.role in up else _speeds(old, new, sight.dt) for part, old, new in rows]
            raised = [foot.lifted(-down) for foot in feet]
            learn_floor(memory, raised, speeds, self.rig.floor, self.scale, sight.dt)
        memory.seen, memory.airborne = True, sight.airborne

    def _forget(self, memory: LegsMemory, reason: str) -> None:
        fresh = self.start()
        memory.feet, memory.seen, memory.reason = fresh.feet, False, reason
        memory.drop = memory.drop_speed = memory.more = memory.more_speed = 0.0

    def _sight(self, memory: LegsMemory, moment: Moment, *, airborne: bool) -> Sight:
        memory.reason = ""
        floor, leg, config = self.rig.floor, self.rig.leg_length, self.config
        plane = Plane(floor) if airborne else plane_under(moment, floor, self.length, self.probe)
        return Sight(
            moment=moment,
            inward=moment.to_model.to_3x3(),
            plane=plane,
            floor=floor,
            scale=self.scale,
            probe=self.probe,
            dt=moment.dt if memory.seen else 0.0,
            airborne=airborne,
            landed=memory.airborne != airborne,
            most_tilt=config.most_tilt,
            release=config.release,
            bounds=(config.hold_along * leg, config.hold_across * leg),
            hold=config.hold,
            uphill=(0.0, 0.0) if airborne else self._uphill(moment, plane),
        )

    def _uphill(self, moment: Moment, plane: Plane) -> Flat:
        """How far feet on their way are put up the slope, world space, for a body on two legs that goes up or down.

        A leg that is as straight behind as in the clip is short of a lower ground; ahead, where that is lower, too.
        """
        vx, vy, _ = moment.velocity
        speed = hypot(vx, vy)
        going = share_of(speed, *(each * sqrt(self.scale) for each in GOING))
        if len(self.parts) > 2 or going <= 0.0:
            return 0.0, 0.0
        way = moment.to_model.to_3x3() @ Vector((vx, vy, 0.0))
        rise = (plane.slope[0] * way.x + plane.slope[1] * way.y) / speed
        by = going * max(-MOST_UPHILL, min(MOST_UPHILL, UPHILL * rise)) * self.rig.leg_length / speed
        return vx * by, vy * by

    def _carry(self, sight: Sight, memory: LegsMemory, feet: Sequence[PosedFoot], goals: Sequence[Goal]) -> Matrix:
        """What is done to the body, model space: laid on the slope, as high over it as over the floor, and lowered."""
        config, tempo = self.config, sqrt(self.scale)
        turn = Matrix.Identity(4)
        if len(feet) > 2:
            slope = lie(memory, goals, sight.plane, self.rig.leg_length, LYING * tempo, sight.dt)
            lying = limited((slope[0] * config.lean, slope[1] * config.lean), STEEPEST)
            middle = sum((foot.hip for foot in feet), Vector()) / len(feet)
            about = Matrix.Translation(middle)
            raised = Matrix.Translation((0.0, 0.0, slope[0] * middle.x + slope[1] * middle.y))
            turn = raised @ about @ laid_on(lying).to_matrix().to_4x4() @ about.inverted()
        hips = [turn @ foot.hip for foot in feet]
        short, anyway = [], self._anyway(memory)
        for part, foot, own, goal, hip in zip(self.parts, feet, memory.feet, goals, hips, strict=True):
            any_by = roll_of_free(foot, sight.floor, self.scale) if own.down else 0.0
            reach = self._longest(part, foot, any_by)
            # A heel that is up rolls farther, and a foot in the air goes nearer, before the body comes down for it.
            rolled = replace(goal)
            nearer = self._nearer(sight, own)
            if nearer > 0.0:
                draw_near(hip, rolled, reach, nearer)
            roll_to_reach(part, foot, hip, rolled, reach, on_heel=own.on_heel, any_by=any_by)
            if own.pinned is not None:
                reach = max(reach, min(foot.own + SPARE * part.reach, LONGEST * part.reach))
            placed = sight.inward @ Vector((*own.placed, 0.0))
            short.append(shortage(part, foot, hip, rolled, reach, anyway, placed, on_heel=own.on_heel))
        most = (config.most_drop * self.scale, FOR_HOLD * self.scale, anyway)
        halflives = (config.drop_halflife * tempo, config.rise_halflife * tempo)
        if sight.airborne:
            drop = let_rise(memory, AIR_HALFLIFE * tempo, sight.dt)
        else:
            drop = lower(memory, short, most, sight.dt, halflives, _coming(memory, goals, EDGE * self.scale))
        return Matrix.Translation((0.0, 0.0, -drop)) @ turn

    def _longest(self, part: FootParts, foot: PosedFoot, any_by: float) -> float:
        """How long a leg gets for its foot before the body comes down; one that pushes off gives up of its reserve."""
        reserve = self.config.reserve
        kept = reserve - min(GIVEN_UP, max(0.0, reserve - 1.0 + LONGEST)) * any_by / FARTHEST_ROLL
        return max(foot.own, (1.0 - kept) * part.reach)

    def _anyway(self, memory: LegsMemory) -> float:
        """How far the body is lowered whatever is held, or would be a little later: knees are bent on slopes."""
        steepest = max(hypot(*own.slope) for own in memory.feet)
        needed = min(memory.drop, max(0.0, *(own.short[0] for own in memory.feet)))
        return max(needed, STEEP * self.rig.leg_length * steepest)

    def _nearer(self, sight: Sight, own: FootMemory) -> float:
        """How much nearer than it is a foot goes at this frame before the body comes down for it: one in the air, and
        one that rolls off as far as it leaves.
        """
        if sight.airborne:
            return 0.0
        most = min(NEARER * self.rig.leg_length - hypot(*own.drawn), NEARING * sqrt(self.scale) * sight.dt)
        return max(0.0, most) * (own.leaving if own.down else 1.0)

    def _reach(
        self,
        sight: Sight,
        memory: LegsMemory,
        feet: Sequence[PosedFoot],
        goals: Sequence[Goal],
        hips: Sequence[Vector],
    ) -> None:
        """Bring goals that are too far away within reach; a foot that stands stands there from now on."""
        for part, foot, own, goal, hip in zip(self.parts, feet, memory.feet, goals, hips, strict=True):
            longest = max(foot.own, LONGEST * part.reach)
            shift = goal.stands - foot.end(on_heel=own.on_heel)
            kept = shift - sight.inward @ Vector((*own.placed, 0.0))
            unheld = (goal.tip - Vector((kept.x, kept.y, 0.0)) - hip).length
            if own.pinned is not None:
                held = max(self.config.hold_reach * part.reach, unheld, foot.own + SPARE * part.reach)
                longest = max(foot.own, min(longest, held))
            any_by = roll_of_free(foot, sight.floor, self.scale) if own.down else 0.0
            reach = self._longest(part, foot, any_by)
            roll_to_reach(part, foot, hip, goal, min(reach, longest), on_heel=own.on_heel)
            if own.down:
                farther = roll_of_any(foot, sight.floor, self.scale)
                roll_to_reach(part, foot, hip, goal, longest, on_heel=own.on_heel, any_by=farther)
            if goal.coming is not None and own.placed != (0.0, 0.0):
                # It would be drawn over the edge that it was placed beside: it hangs in the air until it is reached.
                continue
            before = goal.stands
            nearer = self._nearer(sight, own)
            moved = nearer > 0.0 and draw_near(hip, goal, reach, nearer)
            most = max(0.0, DRAWN * self.rig.leg_length - hypot(shift.x, shift.y))
            if not draw_near(hip, goal, longest, most) and not moved:
                continue
            if own.down:
                keep(sight, foot, own, goal, pinned=own.pinned is not None)
            else:
                drawn = sight.inward.transposed() @ (goal.stands - before)
                own.drawn = (own.drawn[0] + drawn.x, own.drawn[1] + drawn.y)

    def _pose(self, pose: EditedPose, feet: Sequence[PosedFoot], goals: Sequence[Goal], carry: Matrix) -> None:
        """Move the body, then bring every leg to its goal and lay its foot."""
        body = self.rig.body
        loose = [pose.model(part.leg.foot) if part.leg.detached else None for part in self.parts]
        if _changes(carry):
            pose.set_model(body, carry @ pose.model(body))
        for part, foot, goal, was in zip(self.parts, feet, goals, loose, strict=True):
            leg = part.leg
            bring_tip(pose, part.limb, goal.tip, most=LONGEST)
            turn = None if foot.turn is None else goal.rolled @ goal.tilt @ foot.turn
            if turn is None or leg.foot < 0:
                continue
            if was is not None:
                pose.set_model(leg.foot, Matrix.LocRotScale(part.limb.tip_of(pose), turn, None))
            elif _differ(turn, pose.turn(leg.foot)):
                pose.set_turn(leg.foot, turn)
            if goal.roll > 0.0:
                for toe, toe_turn in zip(leg.toes, foot.toes, strict=True):
                    pose.set_turn(toe, goal.tilt @ toe_turn)


def _speeds(before: tuple[Triple | None, Triple | None], memory: FootMemory, dt: float) -> Flat | None:
    """How fast heel and ball went along since the frame before."""
    (heel, ball), (new_heel, new_ball) = before, (memory.heel, memory.ball)
    if heel is None or ball is None or new_heel is None or new_ball is None:
        return None
    return (
        hypot(new_heel[0] - heel[0], new_heel[1] - heel[1]) / dt,
        hypot(new_ball[0] - ball[0], new_ball[1] - ball[1]) / dt,
    )


def _coming(memory: LegsMemory, goals: Sequence[Goal], edge: float) -> list[Flat]:
    """Of feet that will come down on ground that is lower by an edge: how short the leg is then, and in what time."""
    rows = [(goal.coming, own.over) for goal, own in zip(goals, memory.feet, strict=True)]
    return [(each.short, each.time) for each, over in rows if each is not None and min(over) - min(each.over) > edge]


def _changes(matrix: Matrix) -> bool:
    return any(abs(matrix[i][j] - (i == j)) > NOTHING for i in range(3) for j in range(4))


def _differ(a: Quaternion, b: Quaternion) -> bool:
    return 1.0 - abs(a.dot(b)) > 1e-12
