"""The texts of characters that an agent directs; `texts` has them in its table."""

from __future__ import annotations

AGENT_TEXT = {
    "agent_unknown": "An agent has no setting {setting} that can be keyed; there are {names}.",
    "agent_keyed": "Written by another add-on or a script, or keyed here.",
}
