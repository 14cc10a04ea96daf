"""The texts of routes and of characters that are sent somewhere; `texts` has them in its table."""

from __future__ import annotations

ROUTE_TEXT = {
    "tip_spot_add": "Add a spot to the route: where the other selected object is, else where the 3D cursor is",
    "tip_spot_remove": "Remove the chosen spot with its keys",
    "tip_spot_move": "Move the chosen spot earlier or later; its keys go along",
    "tip_send": (
        "Click the ground, and the selected characters go there from the current frame on; what was before stays. "
        "Scripts give a location"
    ),
    "tip_walk_to": "Let the character go to a place, or to where an object is, from the current frame on",
    "tip_stop_walk": "Let the character come to a stop from the current frame on",
    "tip_face": "Let the character turn on the spot, to the other selected object or to a heading",
    "tip_follow_director": "From the current frame on the director says again where the character goes",
    "send_status": "Click the ground: go there   0-3: gait   Esc: end",
    "send_button": "Send",
    "send_view": "Run it from a 3D view, or give it a location.",
    "send_none": "Select the characters that are to go.",
    "send_no_ground": "There is no ground under the pointer.",
    "sent_there": "{count} sent from frame {frame} on.",
    "goal_name": "{name} goal",
    "goal_lost": "{name} is sent to a goal that is gone: its director leads it. Send it again, or set Sent to No.",
    "goal_linked": "The goal {goal} of {name} is linked and cannot be keyed. Choose another goal, or none.",
    "not_known_here": "{name} is not known at frame {frame}. Switch its preview on, and go to that frame.",
    "spot_name": "Spot",
    "spot_lost": "{name}: the object of {spot} was deleted or never chosen; the route passes it over. Choose one.",
    "no_spots": "Add the spots to walk to.",
    "no_spot_there": "{name} has no spot number {place}.",
    "spot_stays": "It is at the end of the route already.",
    "spots_of_route": "spots of a route",
    "nothing_to_follow_ROUTE": (
        "{name} has no route to walk: add a spot, give its spots their objects, or choose another director."
    ),
}
