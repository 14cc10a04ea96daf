"""A BVH is judged before anything is made of it; a bad one is refused in a sentence with file, line and remedy."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from support.motion_files import bvh
from surefoot.core.motion import bvh_file
from surefoot.core.motion.bvh_file import check_bvh
from surefoot.core.motion.motion_file import MOST_JOINTS, BrokenFileError

# A sentence that says where, what, and what helps.
WHOLE = re.compile(r"^take\.bvh, line \d+: .+\. .+\.$", re.DOTALL)


def written(folder: Path, text: str | bytes) -> Path:
    """A file take.bvh with this content."""
    path = folder / "take.bvh"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(folder: Path, text: str | bytes) -> str:
    """The sentence with which this content is refused."""
    with pytest.raises(BrokenFileError) as refused:
        check_bvh(written(folder, text))
    return str(refused.value)


def line_of(text: str, start: str) -> int:
    """The number of the first line that begins so."""
    return next(i for i, line in enumerate(text.splitlines(), 1) if line.strip().startswith(start))


def test_a_sound_file_tells_its_joints_frames_and_rate(tmp_path: Path) -> None:
    facts = check_bvh(written(tmp_path, bvh(frames=4, seconds=0.02)))
    assert (facts.joints, facts.frames, facts.fps, facts.notes) == (3, 4, pytest.approx(50.0), ())


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_lines_may_end_as_on_any_system(tmp_path: Path, end: str) -> None:
    assert check_bvh(written(tmp_path, bvh(frames=4).replace("\n", end))).frames == 4


def test_empty_lines_tabs_and_small_letters_are_read(tmp_path: Path) -> None:
    text = bvh(frames=3).replace("HIERARCHY", "hierarchy").replace(" ", "\t").replace("\n", "\n\n")
    assert check_bvh(written(tmp_path, text)).frames == 3


def test_names_of_other_scripts_and_with_spaces_are_read(tmp_path: Path) -> None:
    assert check_bvh(written(tmp_path, bvh().replace("Spine", "上半身 2"))).joints == 3


def test_more_frames_than_announced_are_read_and_noted(tmp_path: Path) -> None:
    facts = check_bvh(written(tmp_path, bvh(frames=5).replace("Frames: 5", "Frames: 4")))
    assert facts.frames == 5
    assert facts.notes == ("take.bvh announces 4 frames and has 5; all were read.",)


def test_an_empty_file_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, "") == "take.bvh is empty. Export or download it again."


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenFileError, match=r"take\.bvh cannot be read \(No such file or directory\)\."):
        check_bvh(tmp_path / "take.bvh")


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BrokenFileError, match="is a folder"):
        check_bvh(tmp_path)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    assert "This is not text" in refusal(tmp_path, b"\x00\x01BVH\x00" * 50)


def test_text_in_another_encoding_is_refused_with_the_remedy(tmp_path: Path) -> None:
    said = refusal(tmp_path, bvh().replace("Spine", "Rücken").encode("latin-1"))
    assert "line 6: The text is not in UTF-8. Save it as UTF-8" in said


def test_a_byte_order_mark_is_named(tmp_path: Path) -> None:
    assert "byte order mark" in refusal(tmp_path, bvh().encode("utf-8-sig"))


def test_text_of_another_kind_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path, "solid cube\nfacet\n").startswith("take.bvh, line 1: A BVH begins with")


def test_a_file_without_joints_is_refused(tmp_path: Path) -> None:
    said = refusal(tmp_path, "HIERARCHY\nMOTION\nFrames: 1\nFrame Time: 0.04\n\n")
    assert said == "take.bvh, line 2: There are no joints. Export it with its skeleton."


def test_a_skeleton_without_channels_is_refused(tmp_path: Path) -> None:
    text = re.sub(r"CHANNELS .*", "CHANNELS 0", bvh(frames=2))
    assert "No joint has channels" in refusal(tmp_path, text)


def test_a_second_root_is_refused_at_its_line(tmp_path: Path) -> None:
    text = bvh()
    twice = text.replace("MOTION", text.partition("MOTION")[0].replace("HIERARCHY\n", "") + "MOTION")
    at = [i for i, line in enumerate(twice.splitlines(), 1) if line.startswith("ROOT")][1]
    assert refusal(tmp_path, twice).startswith(f"take.bvh, line {at}: A second root begins here")


def test_a_file_cut_off_within_a_frame_is_refused(tmp_path: Path) -> None:
    text = bvh(frames=6)
    said = refusal(tmp_path, text[: text.rstrip().rindex(" ")])
    assert f"line {len(text.splitlines())}: The file ends within frame 6 of 6; it is cut off" in said


def test_a_file_cut_off_between_two_frames_is_refused_at_what_it_announces(tmp_path: Path) -> None:
    text = bvh(frames=6)
    said = refusal(tmp_path, "\n".join(text.splitlines()[:-2]))
    assert f"line {line_of(text, 'Frames')}: 6 frames are announced, and 4 are there; the file is cut off" in said


def test_an_absurd_count_of_frames_is_refused_without_reserving_room(tmp_path: Path) -> None:
    said = refusal(tmp_path, bvh(frames=3).replace("Frames: 3", "Frames: " + "9" * 40))
    assert "frames are announced, and 3 are there" in said


@pytest.mark.parametrize("count", ["0", "-5"])
def test_no_frames_are_refused(tmp_path: Path, count: str) -> None:
    said = refusal(tmp_path, bvh(frames=3).replace("Frames: 3", f"Frames: {count}"))
    assert f"The file has {count} frames. Export it with its animation." in said


def test_one_frame_is_a_pose_and_refused_with_the_way_to_have_it(tmp_path: Path) -> None:
    assert "There is one frame, so it is a pose and no motion. Import it with File, Import instead." in refusal(
        tmp_path, bvh(frames=1)
    )


@pytest.mark.parametrize("count", ["many", "2.5", ""])
def test_a_count_of_frames_that_is_none_is_refused(tmp_path: Path, count: str) -> None:
    text = bvh(frames=3)
    said = refusal(tmp_path, text.replace("Frames: 3", f"Frames: {count}"))
    assert f"line {line_of(text, 'Frames')}: Here the line Frames: with a whole number should stand" in said


@pytest.mark.parametrize("seconds", ["0", "-0.04", "1e6"])
def test_a_frame_time_that_cannot_be_is_refused(tmp_path: Path, seconds: str) -> None:
    assert "s cannot be" in refusal(tmp_path, re.sub("Frame Time: .*", f"Frame Time: {seconds}", bvh()))


@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e400", "1e12", "abc", "0x1f", "1,5"])
def test_a_value_that_is_no_place_or_angle_is_refused_at_its_line(tmp_path: Path, value: str) -> None:
    lines = bvh(frames=4).splitlines()
    words = lines[-2].split()
    words[3] = value
    lines[-2] = " ".join(words)
    said = refusal(tmp_path, "\n".join(lines))
    assert said.startswith(f'take.bvh, line {len(lines) - 1}: "{value}" is no number')


def test_an_offset_that_is_no_number_is_refused(tmp_path: Path) -> None:
    assert '"nan" is no number' in refusal(tmp_path, bvh().replace("OFFSET 0 10 0", "OFFSET 0 nan 0", 1))


@pytest.mark.parametrize("more", [-1, 1])
def test_a_frame_with_another_count_of_values_is_refused_at_its_line(tmp_path: Path, more: int) -> None:
    lines = bvh(frames=4).splitlines()
    words = [*lines[-2].split(), "1.0"]
    lines[-2] = " ".join(words[: len(words) - 1 + more])
    said = refusal(tmp_path, "\n".join(lines))
    assert f"line {len(lines) - 1}: Frame 3 has {12 + more} values for 12 channels" in said


@pytest.mark.parametrize(
    ("channels", "reason"),
    [
        ("CHANNELS 4 Zrotation Xrotation Yrotation", "Spine says 4 channels and names 3"),
        ("CHANNELS Zrotation Xrotation Yrotation", "Spine says Zrotation channels and names 2"),
        ("CHANNELS", "Spine says no number of channels and names 0"),
        ("CHANNELS 3 Zrotation Xrotation Zrotation", "among its channels"),
        ("CHANNELS 3 Zrotation Xrotation Wrotation", '"wrotation" among its channels'),
        ("CHANNELS 2 Zrotation Xrotation", "Spine has fewer than three rotations"),
        ("", "Here the channels of Spine should stand"),
    ],
)
def test_wrong_channels_are_refused_by_their_joint(tmp_path: Path, channels: str, reason: str) -> None:
    text = bvh().replace("CHANNELS 3 Zrotation Xrotation Yrotation", channels, 1)
    assert reason in refusal(tmp_path, text)


@pytest.mark.parametrize(
    ("before", "after", "reason"),
    [
        ("ROOT Hips\n", "ROOT\n", "A joint has no name"),
        ("ROOT Hips\n{", "ROOT Hips {", "Put the brace on a line of its own"),
        ("JOINT Spine", "BONE Spine", '"BONE Spine" is neither a joint nor its end'),
        ("ROOT Hips", "JOINT Hips", "This joint hangs on no root"),
        ("}\nMOTION", "MOTION", "before all braces of the skeleton are closed"),
        ("}\nMOTION", "}\n}\nMOTION", "A brace closes what was never opened"),
        ("End Site\n{\nOFFSET 0 10 0\n}", "End Site\n{\nOFFSET 0 10 0\nEnd Site", "End Site should be closed"),
        ("End Site", "End", "Only an End Site inside a joint"),
    ],
)
def test_a_skeleton_that_does_not_nest_is_refused(tmp_path: Path, before: str, after: str, reason: str) -> None:
    text = bvh()
    assert before in text
    assert reason in refusal(tmp_path, text.replace(before, after, 1))


def test_two_thousand_joints_are_read_and_ten_thousand_refused_with_the_limit(tmp_path: Path) -> None:
    assert check_bvh(written(tmp_path, bvh(joints=MOST_JOINTS, frames=2))).joints == 2_000
    said = refusal(tmp_path, bvh(joints=10_000, frames=2))
    assert said == "take.bvh has 10000 joints; at most 2000 are read. Leave cloth, hair and props out."


def test_more_poses_than_memory_takes_are_refused_with_the_limit(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(bvh_file, "MOST_POSES", 20)
    assert "10 frames of 3 joints are more than 20 poses of a joint" in refusal(tmp_path, bvh(frames=10))


def test_a_line_without_end_is_refused(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(bvh_file, "LONGEST_LINE", 1 << 20)
    said = refusal(tmp_path, bvh(frames=2) + "1 " * (1 << 20))
    assert "A line is longer than 1 MB" in said


def test_wherever_a_file_is_cut_off_it_is_refused_in_a_whole_sentence(tmp_path: Path) -> None:
    content = bvh(frames=5, value="12.5").rstrip()
    # Within the last number the rest of it is a number too: that cannot be seen.
    for length in range(1, len(content) - len("12.5") + 1):
        assert WHOLE.match(refusal(tmp_path, content[:length]))


def test_garbage_anywhere_is_read_or_refused_in_a_whole_sentence(tmp_path: Path) -> None:
    chance, content = random.Random(7), bvh(frames=6).split(" ")
    refused = 0
    for _ in range(400):
        words = list(content)
        for _ in range(chance.randrange(1, 4)):
            words[chance.randrange(len(words))] = chance.choice(["nan", "{", "}", "ROOT", "", "7\n8", "\x00", "MOTION"])
        try:
            check_bvh(written(tmp_path, " ".join(words)))
        except BrokenFileError as error:
            refused += 1
            assert WHOLE.match(str(error))
    assert refused > 300


def test_real_captures_are_sound(shared_data: Path) -> None:
    files = sorted(shared_data.glob("mocap_*/*.bvh"))
    assert files
    assert all(check_bvh(path).frames > 1 for path in files)
