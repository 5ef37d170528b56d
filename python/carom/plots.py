"""Plots as SVG, drawn by the library itself: for notebooks without a plotting package."""

import ctypes
import re
from typing import Any, Optional, Tuple

import numpy as np

from . import _declarations as c
from ._given import count, numbers, path as _path, text as _text, wrong
from ._native import lib

_KINDS = {"line": c.CAROM_PLOT_LINE, "dots": c.CAROM_PLOT_DOTS, "bars": c.CAROM_PLOT_BARS}


class Picture:
    """An SVG picture; `svg` is its text."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def _repr_html_(self) -> str:
        return self.svg

    def save(self, path: Any) -> None:
        """Writes it to a new file."""
        with open(_path(path), "x") as file:
            file.write(self.svg)


def plot(*series: Tuple[Any, ...], x: str = "", y: str = "", title: Optional[str] = None, log: str = "",
         width: int = 560, height: int = 340) -> Picture:
    """Draws series, each (x, y), (x, y, name) or (x, y, name, "line" | "dots" | "bars"). log is "", "x", "y" or "xy".

    plot((t, height, "ball"), x="time (s)", y="height (m)")
    """
    kept: list = []
    made = (c.carom_plot_series * max(1, len(series)))()
    for one, given in zip(made, series):
        if not isinstance(given, (tuple, list)) or not 2 <= len(given) <= 4:
            raise wrong("a series is no (x, y), (x, y, name) or (x, y, name, kind)", "give such a tuple")
        across, up = (numbers(np.ravel(values), "a series") for values in given[:2])
        if len(across) != len(up):
            raise wrong(f"a series has {len(across)} values of x and {len(up)} of y", "give as many of both")
        name, kind = (list(given[2:]) + [None, "line"][len(given) - 2:])[:2]
        if not isinstance(kind, str) or kind not in _KINDS:
            raise wrong(f"{kind!r} is none of {', '.join(_KINDS)}", "use one of these")
        kept += [across, up]
        pointer = ctypes.POINTER(ctypes.c_double)
        one.x, one.y, one.count = across.ctypes.data_as(pointer), up.ctypes.data_as(pointer), len(across)
        one.name, one.kind = None if name is None else _text(name, "the name of a series"), _KINDS[kind]
    width, height = count(width, "width", 1, 100000), count(height, "height", 1, 100000)
    head = "" if title is None else title
    words = [_text(word, name) for word, name in ((x, "x"), (y, "y"), (log, "log"), (head, "title"))]
    drawn = c.carom_plot(title=words[3] if title else None, series=made, count=len(series))
    for axis, label_and_unit, letter in ((drawn.x, x, "x"), (drawn.y, y, "y")):
        label, unit = re.fullmatch(r"(?s)(.*?)(?:\s*\(([^()]*)\))?", label_and_unit).groups()  # type: ignore
        kept += [label.encode(), (unit or "").encode()]
        axis.label, axis.unit, axis.log = kept[-2], kept[-1], letter in log
    drawn.size[0], drawn.size[1] = width, height
    text = c.carom_text()
    try:
        svg = lib.carom_svg_begin(ctypes.byref(text), width, height, (head or y or "plot").encode())
        lib.carom_plot_draw(ctypes.byref(svg), ctypes.byref(drawn))
        lib.carom_svg_end(ctypes.byref(svg))
        if text.failed:
            raise MemoryError
        return Picture(ctypes.string_at(text.bytes, text.length).decode())
    finally:
        lib.carom_text_free(ctypes.byref(text))
