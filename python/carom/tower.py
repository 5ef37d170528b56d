"""Towers: is it stable, how does it start to fall, how does it go on. Proofs in rational numbers.

Plane figures: lengths in widths of a brick (1 x 1/4, mass 1), gravity 1, unless said otherwise.
"""

import ctypes
import math
import os
import threading
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Optional, Tuple, Union

import numpy as np

from . import _declarations as c
from ._given import Owned, alone, count, number, path as _path, positive, set_fields, text as _text, vector
from ._native import call, copied, create, dtype, lib, says, says_fields, take_text
from .page import frame, sources_page

FORCE = dtype(c.carom_tower_force)


@dataclass(frozen=True)
class Instant:
    """What happens at the first instant. `accelerations` are ax, ay, alpha of each body, `forces` those of contacts."""

    stable: bool
    accelerations: np.ndarray
    forces: np.ndarray
    sum_m_a2: float
    support_force: float
    method: str


@dataclass(frozen=True)
class Proof:
    """The answer in exact rational numbers. `certificate` is JSON that carom tower --check reads."""

    stable: bool
    sum_m_a2: Fraction
    support: Fraction
    certificate: str


@dataclass(frozen=True)
class Fall:
    """A recorded motion: `places` are x, y, angle (frames, bodies, 3)."""

    times: np.ndarray
    places: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray


class Tower(Owned):
    """Bricks on supports. Tower("diamond:5"), Tower("roof.json"), or Tower() and brick(), table(), ground().

    Names: diamond:n, triangle:n, harmonic:n,eps, parabolic:d, wall:rows,cols, single:d.
    """

    _owned = ("_lock", "_c")

    def __init__(self, what: Union[None, str, os.PathLike] = None, gravity: float = 1.0) -> None:
        self._recording: Any = None
        self._lock = threading.RLock()
        name = None if what is None else _path(what, "what")
        self._title = "tower" if what is None else os.path.basename(os.fspath(what))
        if what is None:
            self._c = lib.carom_tower_create(number(gravity, "gravity"))
            if not self._c:
                raise MemoryError
        elif os.path.exists(what):
            self._c = create(c.carom_tower, lib.carom_tower_file_load, name)
        else:
            self._c = create(c.carom_tower, lib.carom_tower_build, name)

    @says_fields(c.carom_tower_body)
    @alone
    def brick(self, x: float, y: float, width: float = 1.0, height: float = 0.25, **fields: Any) -> int:
        """Adds a brick with its middle at (x, y), and returns its number."""
        given = set_fields(c.carom_tower_body(), {"width": width, "height": height, "x": x, "y": y, **fields})
        index = ctypes.c_int()
        call(lib.carom_tower_add_body, self._c, ctypes.byref(given), ctypes.byref(index))
        return index.value

    @says("carom_tower_add_table")
    @alone
    def table(self, left: float = -math.inf, right: float = math.inf, top: float = 0.0) -> None:
        call(lib.carom_tower_add_table, self._c, number(left, "left"), number(right, "right"), number(top, "top"))

    @alone
    def ground(self, point: Tuple[float, float] = (0, 0), normal: Tuple[float, float] = (0, 1)) -> None:
        """An immovable half plane below a line."""
        call(lib.carom_tower_add_ground, self._c, vector(point, "point", 2), vector(normal, "normal", 2))

    def __len__(self) -> int:
        return lib.carom_tower_bodies(self._c)

    @says("carom_tower_initial")
    def start(self) -> Instant:
        """Whether it stands, and if not how it begins to fall."""
        raw = self._instant()
        try:
            return Instant(raw.stable, copied(raw.accelerations, (raw.bodies, 3)),
                           copied(raw.forces, (raw.force_count,), FORCE), raw.sum_m_a2, raw.support_force,
                           raw.method.decode())
        finally:
            lib.carom_tower_initial_free(ctypes.byref(raw))

    @alone
    def _instant(self):
        raw = c.carom_tower_instant()
        try:
            call(lib.carom_tower_initial, self._c, c.CAROM_TOWER_AUTO, ctypes.byref(raw))
        except BaseException:
            lib.carom_tower_initial_free(ctypes.byref(raw))
            raise
        return raw

    @says("carom_tower_prove")
    @alone
    def prove(self) -> Proof:
        """Whether it stands, in exact numbers, with a certificate."""
        raw = c.carom_tower_proof()
        call(lib.carom_tower_prove, self._c, ctypes.byref(raw))
        try:
            exact, support, certificate = (ctypes.string_at(words).decode()
                                           for words in (raw.sum_m_a2, raw.support, raw.certificate))
            return Proof(raw.stable, Fraction(exact), Fraction(support), certificate)
        finally:
            lib.carom_tower_prove_free(ctypes.byref(raw))

    @says("carom_tower_record")
    @alone
    def fall(self, duration: float, dt: float = 1 / 128, every: int = 1) -> Fall:
        """Lets it go from rest for a duration, and keeps every n-th state; a notebook then plays it."""
        options = lib.carom_tower_motion_default()
        options.dt = positive(dt, "dt")
        steps = positive(duration, "duration") / dt
        raw = c.carom_tower_recording()
        try:
            call(lib.carom_tower_record, self._c, ctypes.byref(options), round(min(steps, 2**62)),
                 count(every, "every", 1), ctypes.byref(raw))
        except BaseException:
            lib.carom_tower_recording_free(ctypes.byref(raw))
            raise
        self._forget()
        self._recording = raw
        return Fall(copied(raw.time, (raw.frames,)), copied(raw.place, (raw.frames, raw.bodies, 3)),
                    copied(raw.kinetic, (raw.frames,)), copied(raw.potential, (raw.frames,)))

    def _forget(self):
        if vars(self).get("_recording") is not None:
            lib.carom_tower_recording_free(ctypes.byref(self._recording))
            self._recording = None

    @alone
    def svg(self, title: Optional[str] = None) -> str:
        """The tower with its forces, and frames of its fall where there are."""
        instant = self._instant()
        text = ctypes.POINTER(ctypes.c_char)()
        try:
            call(lib.carom_tower_picture_svg, self._c, ctypes.byref(instant), self._recorded(),
                 _text(self._title if title is None else title, "title"), ctypes.byref(text))
        finally:
            lib.carom_tower_initial_free(ctypes.byref(instant))
        return take_text(text)

    def _recorded(self):
        return None if self._recording is None else ctypes.pointer(self._recording)

    def __repr__(self) -> str:
        return f"<carom.Tower {self._title}: {len(self)} bodies>"

    @alone
    def _repr_html_(self) -> str:
        instant = self._instant()
        shown = c.carom_view_tower(self._c, ctypes.pointer(instant), self._recorded(), self._title.encode())
        source = None
        try:
            source = create(c.carom_view_source, lib.carom_view_source_tower, ctypes.byref(shown))
            return frame(sources_page([source]))
        finally:
            lib.carom_view_source_close(source)
            lib.carom_tower_initial_free(ctypes.byref(instant))

    def __del__(self) -> None:
        self._forget()
        self._give_back("_c", lib.carom_tower_destroy)
