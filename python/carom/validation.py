"""Laws and engines against measured impacts and tosses."""

import ctypes
import os
from dataclasses import dataclass
from typing import Any, Dict, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from . import law as _laws
from ._given import Owned, flag, made, set_fields, wrong
from ._native import Interrupt, copied, create, lib, says_fields, take_text
from .page import frame


@dataclass(frozen=True)
class Judged:
    """One law: the material that fits it best, and its errors on data it was not fitted on.

    Impacts: `mean` and `median` of |v - v measured| / |v before|; tosses: `position` in widths of the cube and `angle` in
    degrees. `errors` has one entry per case.
    """

    restitution: float
    friction: float
    mean: float
    median: float
    position: float
    angle: float
    errors: np.ndarray


class Validation(Owned):
    """`rows` by law; `bound` is the error that no law can be below (impacts). A page in notebooks."""

    def __init__(self, raw: Any) -> None:
        self._c = made(raw, c.carom_validation, "raw", "carom.validate()")
        found = raw.contents
        self.fitted: int = found.fitted
        self.judged: int = found.judged
        self.tosses: bool = bool(found.tosses)
        self.bound: float = found.bound
        self.rows: Dict[str, Judged] = {}
        for i in range(found.row_count):
            row = found.rows[i]
            self.rows[row.name.decode()] = Judged(row.material.restitution, row.material.friction, row.mean, row.median,
                                                  row.position, row.angle, copied(row.errors, (found.judged,)))

    def __repr__(self) -> str:
        head = "law          restitution  friction  " + ("widths  degrees" if self.tosses else "   mean   median")
        lines = [f"{name:<12} {row.restitution:11.3f} {row.friction:9.3f} " +
                 (f"{row.position:7.3f} {row.angle:8.1f}" if self.tosses else f"{row.mean:8.4f} {row.median:8.4f}")
                 for name, row in self.rows.items()]
        return "\n".join([head] + lines)

    def _repr_html_(self) -> str:
        return frame(take_text(lib.carom_validate_html(self._c)))

    def __del__(self) -> None:
        self._give_back("_c", lib.carom_validate_destroy)


@says_fields(c.carom_validate_options)
def validate(data: Union[str, os.PathLike], laws: Optional[Sequence[str]] = None, tosses: bool = False,
             **options: Any) -> Validation:
    """Fits restitution and friction on one half of a file of measured impacts (or tosses) and judges laws on the other."""
    tosses = flag(tosses, "tosses")
    usual = c.CAROM_VALIDATE_CONSTANT if tosses else c.CAROM_VALIDATE_SLIPPING  # as the command has it
    given = set_fields(lib.carom_validate_options_default(), {"data": data, "model": usual, **options})
    if laws is not None and not isinstance(laws, (list, tuple)):
        raise wrong(f"laws is {laws!r}, no list", "give a list of names: [\"wave\", \"qce\"]")
    chosen = [_laws.find(name) for name in (laws or ["wave"])]
    given.laws = (type(chosen[0]) * len(chosen))(*chosen)
    given.law_count = len(chosen)
    with Interrupt() as progress:
        if progress is not None:
            given.progress = ctypes.pointer(Interrupt.progress)
        function = lib.carom_validate_tosses if tosses else lib.carom_validate_impacts
        return Validation(create(c.carom_validation, function, ctypes.byref(given)))
