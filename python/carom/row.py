"""Rows of bodies that compress: contact springs, spheres and cylinders cut into slices, waves, time at each contact."""

import ctypes
import math
import os
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from ._given import Owned, choice, made, mapping, path as _path, set_fields, wrong
from ._native import call, copied, create, dtype, lib, says, says_fields, take_text
from .page import frame

TOUCH = dtype(c.carom_chain_touch)
_KINDS = {"mass": c.CAROM_CHAIN_MASS, "sphere": c.CAROM_CHAIN_SPHERE, "cylinder": c.CAROM_CHAIN_CYLINDER,
          "wall": c.CAROM_CHAIN_WALL}


def _given(kind, fields):
    fields = dict(mapping(fields, "a body or contact of a row"))
    if "kind" in fields:
        fields["kind"] = choice(_KINDS, fields["kind"])
    return set_fields(kind(), fields)


class Row(Owned):
    """A row of bodies on a line: Row("wall.json"), or lists of bodies and of the contacts between neighbours.

    Row([{"mass": 1, "velocity": 1}, {"mass": 1}], [{"stiffness": 1e6, "exponent": 1.5}]).run()
    """

    _owned = ("_c", "_file")

    def __init__(self, bodies: Union[str, os.PathLike, Sequence[Mapping[str, Any]]],
                 contacts: Optional[Sequence[Mapping[str, Any]]] = None, **options: Any) -> None:
        self._file = None
        if isinstance(bodies, (str, os.PathLike)):
            self._file = create(c.carom_chain_file, lib.carom_chain_file_open, _path(bodies))
            self._c = lib.carom_chain_file_chain(self._file).contents
            return
        if not isinstance(bodies, (list, tuple)) or not isinstance(contacts or [], (list, tuple)):
            raise wrong("a row is made of two lists", "give bodies and contacts as lists of dicts, or the name of a file")
        self._bodies = (c.carom_chain_body * len(bodies))(*(_given(c.carom_chain_body, body) for body in bodies))
        contacts = contacts or []
        self._contacts = (c.carom_chain_contact * max(1, len(contacts)))(
            *(_given(c.carom_chain_contact, contact) for contact in contacts))
        if len(contacts) != len(bodies) - 1:
            raise wrong(f"{len(bodies)} bodies and {len(contacts)} contacts", "give one contact less than bodies")
        self._c = set_fields(c.carom_chain(self._bodies, len(bodies), self._contacts), options)

    @says("carom_chain_run")
    def run(self) -> "Passage":
        """Integrates the row through its impacts."""
        return Passage(self, create(c.carom_chain_result, lib.carom_chain_run, ctypes.byref(self._c)))

    @says("carom_chain_waves")
    def waves(self) -> "Passage":
        """The same by exact waves."""
        return Passage(self, create(c.carom_chain_result, lib.carom_chain_waves, ctypes.byref(self._c)))

    def __len__(self) -> int:
        return self._c.body_count

    def __del__(self) -> None:
        self._give_back("_file", lib.carom_chain_file_close)
        vars(self).pop("_c", None)  # it looked into the file


@says_fields(c.carom_chain_touch)
class Passage(Owned):
    """What a row went through: `velocity` (m/s) and `vibration` (J) of the bodies after, `touch` of each contact.

    `times`, `positions`, `velocities` (samples, bodies), `forces` (samples, contacts) are the run in time. In a notebook
    it shows itself as the page of `carom chain`.
    """

    def __init__(self, row: Row, result: Any) -> None:
        self._c, self._row = made(result, c.carom_chain_result, "result", "the run() of a Row"), row
        raw = result.contents
        history = raw.history
        n, m, s = raw.bodies, raw.contacts, history.samples
        self.velocity: np.ndarray = copied(raw.velocity, (n,))
        self.vibration: np.ndarray = copied(raw.vibration, (n,))
        self.touch: np.ndarray = copied(raw.touch, (m,), TOUCH)
        self.times: np.ndarray = copied(history.time, (s,))
        self.positions: np.ndarray = copied(history.position, (s, n))
        self.velocities: np.ndarray = copied(history.velocity, (s, n))
        self.forces: np.ndarray = copied(history.force, (s, m))
        self.energy_before: float = raw.energy_before
        self.energy_after: float = raw.energy_after
        self.energy_error: float = raw.energy_error
        self.accurate: bool = raw.accurate
        self.end: str = lib.carom_chain_exit_word(raw.exit).decode()

    def _report(self):
        return c.carom_chain_report(title=b"row", chain=ctypes.pointer(self._row._c), result=self._c)

    def svg(self) -> str:
        """Positions, compressions, velocities, force over compression."""
        text = ctypes.POINTER(ctypes.c_char)()
        call(lib.carom_chain_picture_svg, ctypes.byref(self._report()), ctypes.byref(text))
        return take_text(text)

    def __repr__(self) -> str:
        loss = 1 - self.energy_after / self.energy_before if self.energy_before > 0 else math.nan
        return f"<carom.Passage: {len(self.velocity)} bodies, {self.end}, {loss:.3g} of the energy lost>"

    def _repr_html_(self) -> str:
        text = ctypes.POINTER(ctypes.c_char)()
        call(lib.carom_chain_picture_html, ctypes.byref(self._report()), ctypes.byref(text))
        return frame(take_text(text))

    def __del__(self) -> None:
        self._give_back("_c", lib.carom_chain_result_destroy)
