"""Each kind of layer has its own settings beside what all layers have."""

import pytest
from surefoot.addon.layer_properties import GROUPS, KEYED, REFERENCES, SHARED, group_name


@pytest.mark.parametrize("kind", GROUPS)
def test_a_kind_s_settings_do_not_hide_what_all_layers_have(kind: str):
    assert group_name(kind) not in {"name", *SHARED, *KEYED, *REFERENCES}
