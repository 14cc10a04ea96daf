"""A font of 3 by 5 dots, for numbers and names in an image where nothing else can write."""

from __future__ import annotations

import numpy as np

WIDTH, HEIGHT = 3, 5
# Each letter's rows from the top, as octal digits: the bits of a digit are the dots of a row.
LETTERS = {
    "0": "75557", "1": "26227", "2": "71747", "3": "71317", "4": "55711", "5": "74717", "6": "74757", "7": "71222",
    "8": "75757", "9": "75717", "A": "25755", "B": "65656", "C": "34443", "D": "65556", "E": "74647", "F": "74644",
    "G": "34553", "H": "55755", "I": "72227", "J": "11152", "K": "55655", "L": "44447", "M": "57755", "N": "65555",
    "O": "25552", "P": "65644", "Q": "25563", "R": "65655", "S": "34216", "T": "72222", "U": "55557", "V": "55552",
    "W": "55775", "X": "55255", "Y": "55222", "Z": "71247", ".": "00002", "-": "00700", "/": "11244", "%": "51245",
    ":": "02020", "_": "00007", " ": "00000",
}  # fmt: skip
UNKNOWN = "75557"


def width_of(text: str) -> int:
    """Dots that a line of text is wide."""
    return max(0, (WIDTH + 1) * len(text) - 1)


def dots(text: str) -> np.ndarray:
    """A line of text as flags, (HEIGHT, width), from the lowest row up; what is not in the font is a box."""
    found = np.zeros((HEIGHT, width_of(text)), dtype=bool)
    for place, letter in enumerate(text.upper()):
        for row, digit in enumerate(LETTERS.get(letter, UNKNOWN)):
            for column in range(WIDTH):
                found[HEIGHT - 1 - row, place * (WIDTH + 1) + column] = bool(int(digit, 8) & (4 >> column))
    return found


def blotted(pixels: np.ndarray, text: str, x: int, y: int, size: int, colour: tuple[float, ...]) -> None:
    """Write a line into pixels (height, width, 4), its lower left corner at x, y; what sticks out is cut off."""
    flags = np.kron(dots(text), np.ones((size, size), dtype=bool)).astype(bool)
    area = pixels[max(y, 0) : y + flags.shape[0], max(x, 0) : x + flags.shape[1], :3]
    area[flags[max(-y, 0) :, max(-x, 0) :][: area.shape[0], : area.shape[1]]] = colour
