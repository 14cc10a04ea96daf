"""The texts of bodies that read the level; `texts` has them in its table."""

from __future__ import annotations

PARKOUR_TEXT = {
    "nothing_to_follow_AUTOPILOT": (
        "{name} has no goal to find a way to: its target was deleted or never chosen. Choose one, or another director."
    ),
    "doing": "{state}",
    "doing_refused": "{state}. Not gone up: {reason}",
    "state_grounded": "On the ground",
    "state_airborne": "In the air",
    "state_crouched": "Crouched",
    "state_vaulting": "Vaulting",
    "state_climbing": "Climbing",
    "state_hanging": "Hanging",
    "state_leaping": "Leaping",
    "state_jumping_off": "Jumping off",
    "state_wall_running": "Running along a wall",
    "state_sliding": "Sliding",
    "state_rolling": "Rolling",
    "seen_ahead": "{verdict}{reason} ({rays} rays, {capsules} capsules)",
    "verdict_nothing": "Nothing ahead",
    "verdict_step": "A step",
    "verdict_vault": "Can be vaulted",
    "verdict_climb": "Can be climbed",
    "verdict_edge": "An edge",
    "verdict_low_bar": "Can be slid under",
    "verdict_refused": "No way",
}
