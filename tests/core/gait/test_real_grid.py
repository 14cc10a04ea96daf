"""The same grid on rigs that nobody here made, and on Rigify's; dumped once through Blender, skipped without them."""


import pytest
from support.grid import GROUNDS, PACES, RATES, Cell, rig_of
from support.ledger import worse
from support.real_rigs import SHARED_DATA, is_complete

WHO = {
    "quaternius_Male_Suit.fbx": "person",
    "khronos_CesiumMan.gltf": "person",
    "mh_default_163bones.glb": "person",
    "quaternius_Velociraptor.fbx": "person",
    "mesh2motion_spider.glb": "spider",
    "rigify/human": "person",
    "rigify/wolf": "dog",
}
CELLS = [
    Cell(who, gait, froude, ground, fps)
    for fps in RATES
    for who, kind in WHO.items()
    for gait, froude in PACES[kind]
    for ground in GROUNDS
]


@pytest.mark.grid
@pytest.mark.parametrize("cell", CELLS, ids=str)
def test_a_real_rig_holds_all_limits(cell: Cell):
    if not SHARED_DATA.is_dir() or not is_complete(SHARED_DATA):
        pytest.skip("No dumped rigs: run tests/support/real_rigs.py in a Blender Python beside the shared data.")
    assert len(rig_of(cell.who).legs) in (2, 4, 8)
    assert worse(str(cell), cell.findings()) == []
