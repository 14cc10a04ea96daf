"""The texts of falling; `texts` has them in its table."""

from __future__ import annotations

FALL_TEXT = {
    "tip_shove": (
        "Push the character at the current frame: 1 m/s makes a person step, 4 fells one. Simulate computes how it "
        "answers"
    ),
    "tip_limp": "Let the character go limp from the current frame on, with the speed that its motion has",
    "tip_get_up": "Let a character that lies get up at the current frame",
    "tip_clear_falls": "Forget all hits, keys of limpness, and what physics made of the character",
    "tip_hit_remove": "Remove the chosen hit with its keys",
    "tip_fall_colliders": (
        "Bodies in the scene's rigid body world that push its bodies as the character falls; pressed again, they go"
    ),
    "fall_colliders_name": "{name} pushing bodies",
    "fall_colliders_on": "{name} pushes the scene's rigid bodies. Play them from their start again.",
    "fall_colliders_off": "{name} pushes no rigid bodies any more.",
    "fall_colliders_button": "Push Rigid Bodies",
    "marker_hit": "Hit",
    "marker_fell": "Fell",
    "marker_recovered": "Recovered",
    "marker_stood_up": "Stood up",
    "panel_fall": "Falling",
    "panel_get_ups": "Get-Ups",
    "tip_get_up_mark": (
        "Let the character get up by the Action that is chosen here; its lying and standing moments are found and can "
        "be changed"
    ),
    "tip_get_up_remove": "Take the chosen Action out of the list; the Action itself stays",
    "get_up_no_action": "No Action is chosen for {name} to get up by. Name one, or assign it first.",
    "get_up_marked": "{name} gets up by {action}: it lies until frame {lying:.0f} and stands from {standing:.0f} on.",
    "no_get_up_there": "{name} has no get-up number {place}.",
    "get_up_of_library": "This get-up of {name} comes from a library and stays; switch it off instead.",
    "get_ups_none": "No Action here is of getting up: it gets up by itself.",
    "shove_name": "Shove",
    "shove_button": "Shove",
    "limp_button": "Go Limp",
    "get_up_button": "Get Up",
    "clear_falls_button": "Forget Falls",
    "shoved": "{name} is hit at frame {frame}. Press Simulate.",
    "went_limp": "{name} is limp from frame {frame} on. Press Simulate.",
    "handed_back": "{name} is its animation's again from frame {frame} on. Press Simulate.",
    "gets_up": "{name} gets up at frame {frame}. Press Simulate.",
    "falls_cleared": "{name} has no falls any more.",
    "no_hit_there": "{name} has no hit number {place}.",
    "hit_no_direction": "The hit of {name} has no direction. Give it one that is not zero.",
    "hit_no_number": "The hit of {name} has a strength or a direction that is no number. Give it finite ones.",
    "hit_before_start": "{name} begins at frame {first}: nothing can hit it at frame {frame}.",
    "no_such_part": "{name} has no body part {part}. It has {parts}.",
    "hits_of_list": "hits",
    "fall_too_long": (
        "{name}: {frames} frames of physics are too many to be kept. Let it get up, or end the scene's range earlier."
    ),
    "fall_state_ACTIVE": "It staggers, and keeps its balance.",
    "fall_state_FALLEN": "It lies, or falls.",
    "fall_state_GETTING_UP": "It gets up.",
    "fall_state_ANIMATED": "Physics has a part of it.",
    "fall_none": "Nothing hits it. Shove it, or let it go limp.",
    "fall_recorded": "Recorded: frames {frames}.",
    "fall_open": "Its fall goes on after frame {frame}: press Simulate.",
    "fall_unmade": "What begins at frame {frame} is not computed: press Simulate.",
    "fall_stale_INPUTS": "Its fall from frame {frame} on is not shown: what it goes by has changed. Press Simulate.",
    "fall_stale_START": "Its fall from frame {frame} on is not shown: it comes there otherwise now. Press Simulate.",
    "fall_stale_SETTINGS": (
        "Its fall from frame {frame} on is not shown: its numbers, or what is around it, have changed. Press Simulate."
    ),
    "fall_baked": (
        "The scene's rigid bodies are baked, so that physics cannot have it: it flinches and steps without. Delete "
        "their bake in the scene's rigid body cache for a real fall."
    ),
    "fall_no_bodies": "{name} has no bones that are long enough to be bodies, so that physics cannot have it.",
    "fall_undone": "A step was undone meanwhile. Press Simulate again.",
}
