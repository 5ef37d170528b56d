"""The set of outcomes of one instant: what comes out when what nobody knows is drawn by chance."""

import ctypes
from dataclasses import dataclass
from typing import Iterable, List, Optional, Tuple, Union

import numpy as np

from . import _declarations as c
from . import law as _laws
from ._given import Owned, count, made, number, text, wrong
from ._native import Interrupt, copied, create, lib, says, take_text
from .impact import _Problem
from .page import frame
from .pieces import Name, of_all, of_shard

_SPREAD = ("mean", "deviation", "min", "max")


@dataclass(frozen=True)
class Spread:
    """Of one vector over the samples, component by component."""

    mean: np.ndarray
    deviation: np.ndarray
    min: np.ndarray
    max: np.ndarray


def _spread(raw) -> Spread:
    return Spread(*(np.array([getattr(part, name) for part in raw]) for name in _SPREAD))


class Outcomes(Owned):
    """Samples of one instant: `velocities` and `spins` of each body as Spread, `energy` after / before.

    `hulls` are the convex hulls of velocities in the plane where they vary most, `patterns` what happens how often.
    """

    _owned = ("_raw", "_scene")

    def __init__(self, problem: _Problem, raw: "ctypes._Pointer", scene: "ctypes._Pointer") -> None:
        self._raw = made(raw, c.carom_outcomes, "raw", "carom.outcomes()")
        self._scene = made(scene, c.carom_scene_impact, "scene", "carom.outcomes()")
        found = raw.contents
        bodies = [found.bodies[i] for i in range(found.body_count)]
        self.samples: int = found.samples
        self.unfinished: int = found.unfinished
        self.velocities: List[Spread] = [_spread(body.velocity) for body in bodies]
        self.spins: List[Spread] = [_spread(body.spin) for body in bodies]
        self.hulls: List[np.ndarray] = [copied(body.hull, (body.hull_count, 2)) for body in bodies]
        self.axes: List[Tuple[int, int]] = [tuple(body.axis) for body in bodies]  # type: ignore
        self.energy: Tuple[float, float] = (found.energy.min, found.energy.max)
        self.patterns: List[Tuple[str, float]] = [(found.patterns[i].words.decode(), found.patterns[i].probability)
                                                  for i in range(found.pattern_count)]

    def svg(self) -> str:
        """The velocities after of each body that moves, and their hull."""
        return take_text(lib.carom_outcomes_svg(self._raw, self._scene))

    def __repr__(self) -> str:
        lines = [f"{self.samples} samples, energy after / before {self.energy[0]:.4f} to {self.energy[1]:.4f}"]
        return "\n".join(lines + [f"{share:7.2%}  {words}" for words, share in self.patterns[:8]])

    def _repr_html_(self) -> str:
        return frame(f"<!doctype html><meta charset=utf-8>{self.svg()}<pre>{self!r}</pre>")

    def __del__(self) -> None:
        self._give_back("_raw", lib.carom_outcomes_destroy)
        self._give_back("_scene", lib.carom_scene_impact_close)


@says("carom_outcomes_sample")
def outcomes(bodies: np.ndarray, contacts: np.ndarray, vary: Union[str, Iterable[str]] = "order", samples: int = 65536,
             spread: float = 0.2, seed: int = 1, law: Optional[str] = None, threads: int = 1,
             merge: Optional[Name] = None) -> Outcomes:
    """Draws what nobody knows: vary is one or several of order, gap, share, stiffness, friction, restitution.

    With `merge` nothing is computed: what outcomes_shard wrote under that name is put together.
    """
    problem = _Problem(bodies, contacts)
    options = _options(vary, samples, spread, seed, law, threads)
    return Outcomes(problem, *_sample(problem, options, None if merge is None else of_all(merge)))


def outcomes_shard(shard: Tuple[int, int], pieces: Name, bodies: np.ndarray, contacts: np.ndarray,
                   vary: Union[str, Iterable[str]] = "order", samples: int = 65536, spread: float = 0.2, seed: int = 1,
                   law: Optional[str] = None, threads: int = 1) -> str:
    """Share I of N of the same samples, (I, N) from 1 on, into the file pieces.I-of-N.pieces, whose name it returns.

    What the file has already is not drawn again. outcomes(..., merge=pieces) puts all shares together: the same bits.
    """
    problem = _Problem(bodies, contacts)
    share, file = of_shard(shard, pieces)
    _, scene = _sample(problem, _options(vary, samples, spread, seed, law, threads), share)
    lib.carom_scene_impact_close(scene)
    return file


def _options(vary, samples, spread, seed, law, threads):
    options = lib.carom_outcomes_options_default()
    options.vary = 0
    for word in vary if isinstance(vary, (list, tuple, set)) else [vary]:
        bit = lib.carom_outcomes_find(text(word, "vary"))
        if bit < 0:
            raise wrong(f"{word!r} cannot be drawn", "use order, gap, share, stiffness, friction or restitution")
        options.vary |= 1 << bit
    options.samples, options.spread = count(samples, "samples"), number(spread, "spread")
    options.seed, options.threads = count(seed, "seed", 0, 2**64 - 1), count(threads, "threads")
    if law is not None:
        options.law = _laws.find(law)
    return options


def _sample(problem, options, pieces):
    """What C found (null of a shard), and its scene."""
    scene = create(c.carom_scene_impact, lib.carom_scene_impact_create, ctypes.byref(problem.c), None, None)
    if pieces is not None:
        options.pieces = ctypes.pointer(pieces)
    try:
        with Interrupt() as progress:
            if progress is not None:
                options.progress = ctypes.pointer(Interrupt.progress)
            return create(c.carom_outcomes, lib.carom_outcomes_sample, scene, ctypes.byref(options)), scene
    except BaseException:
        lib.carom_scene_impact_close(scene)
        raise
