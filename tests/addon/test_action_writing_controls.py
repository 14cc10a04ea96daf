"""A clip written on the controls of a generated Rigify rig: the bones that deform follow it."""

from __future__ import annotations

import time

import bpy
import numpy as np
import pytest
from support.retargeting import wild_clip
from support.rigify_rigs import generated_rig
from support.written_clips import played, reading_of, written


def test_dbg():
    rig = generated_rig("human")
    reading = reading_of(rig)
    from surefoot.core.character import Character
    print([ (b.name,b.parent) for b in reading.rig.skeleton.bones], reading.rig.root, reading.rig.body)
    clip = wild_clip(reading.rig, 100, amount=0.2)
    bpy.context.scene.render.fps = 60
    for travel in ("PELVIS", "ROOT_BONE", "OBJECT"):
      for limbs in ("AUTO", "FK", "IK"):
        t=time.time()
        done = written(rig, reading, clip, travel=travel, limbs=limbs)
        print(travel, limbs, time.time()-t, done)
        shown = played(rig, reading, range(1, 101, 9))
        e = np.linalg.norm(shown.moved - clip.moved[::9], axis=(2,3))
        for i,b in enumerate(reading.rig.skeleton.bones):
            a = shown.place(i, b.head) - replace_clip(clip, 9).place(i, b.head)
            c = shown.place(i, b.tail) - replace_clip(clip, 9).place(i, b.tail)
            print(b.name, np.linalg.norm(a,axis=-1).max().round(5), np.linalg.norm(c,axis=-1).max().round(5))
    assert 0

def replace_clip(clip, n):
    from dataclasses import replace
    return replace(clip, moved=clip.moved[::n])
