"""Bounce maps: restitution over the surface of a body, computed from its vibration modes."""

import ctypes
import os
from typing import Any, NamedTuple, Optional, Tuple, Union

import numpy as np

from . import _declarations as c
from ._given import (Owned, count, flag, instance, path as _path, points as _points, set_fields, text as _text, vector,
                     wrong)
from ._native import Interrupt, call, create, lib, says, take_text
from .page import frame, sources_page
from .pieces import Name, of_all, of_shard
from .shapes import Shape

_PLACES = ("face", "edge", "vertex")


class BounceValue(NamedTuple):
    """What a map knows about one contact."""

    epsilon: float
    tau: float
    micro: int
    place: str


class BounceMap(Owned):
    """Restitution over a surface. Make one with bounce_map(shape) or read one: BounceMap("bar.bounce").

    `world.add(shape, bounce=map)` gives it to a body. In a notebook it shows itself on the body, to be turned.
    """

    def __init__(self, path: Union[str, os.PathLike]) -> None:
        self._c = create(c.carom_bounce_map, lib.carom_bounce_map_load, _path(path))
        self._name = os.path.basename(os.fspath(path))

    @classmethod
    def _of(cls, pointer, name):
        made = cls.__new__(cls)
        made._c, made._name = pointer, name
        return made

    @says("carom_bounce_map_lookup")
    def lookup(self, point: Any, normal: Any) -> BounceValue:
        """The value at a point (m, frame of the body) for an outward normal."""
        found = lib.carom_bounce_map_lookup(self._c, _finite(point, "point"), _finite(normal, "normal"))
        return BounceValue(found.epsilon, found.tau, found.micro, _PLACES[found.place])

    def epsilons(self, points: Any, normals: Any) -> np.ndarray:
        """Restitution at many points, arrays (n, 3)."""
        points, normals = _points(points), _points(normals, "normals")
        if len(points) != len(normals):
            raise wrong(f"{len(points)} points and {len(normals)} normals", "give one normal for each point")
        return np.array([self.lookup(p, n).epsilon for p, n in zip(points, normals)])

    @property
    def mean(self) -> float:
        """The mean restitution, faces weighted by their area."""
        return lib.carom_bounce_map_statistics(self._c, c.CAROM_BOUNCE_FACE).mean_area

    @property
    def range(self) -> Tuple[float, float]:
        """The least and the largest restitution of all samples."""
        found = lib.carom_bounce_map_statistics(self._c, -1)
        return found.min, found.max

    @property
    def frequencies(self) -> Tuple[float, float]:
        """Hz, the lowest and the highest mode that was used."""
        about = lib.carom_bounce_map_about(self._c).contents
        return about.omega_min / (2 * np.pi), about.omega_max / (2 * np.pi)

    @property
    def mass(self) -> float:
        """kg"""
        return lib.carom_bounce_map_about(self._c).contents.mass

    @says("carom_bounce_map_save")
    def save(self, path: Union[str, os.PathLike], force: bool = False) -> None:
        """Writes a file; one that is there is kept unless `force` is set."""
        name = _path(path)
        if not flag(force, "force") and os.path.exists(name):
            raise FileExistsError(f"{os.fsdecode(name)} is there already: give another name, or force=True")
        call(lib.carom_bounce_map_save, self._c, name)

    def svg(self) -> str:
        """The coloured model from two sides, and the distribution of restitution."""
        text = ctypes.POINTER(ctypes.c_char)()
        call(lib.carom_bounce_picture_svg, self._c, self._name.encode(), ctypes.byref(text))
        return take_text(text)

    def __repr__(self) -> str:
        low, high = self.range
        return f"<carom.BounceMap {self._name}: restitution {low:.3f} to {high:.3f}, mean {self.mean:.3f}>"

    def _repr_html_(self) -> str:
        source = create(c.carom_view_source, lib.carom_view_source_bounce, self._c, self._name.encode())
        try:
            return frame(sources_page([source]))
        finally:
            lib.carom_view_source_close(source)

    def __del__(self) -> None:
        self._give_back("_c", lib.carom_bounce_map_destroy)


def _finite(values, name):
    given = vector(values, name)
    if given is None or not np.isfinite(given).all():
        raise wrong(f"{name} is {values}", "give three finite numbers")
    return given


def bounce_map(shape: Shape, material: Any = "steel", modes: int = 45, faces: int = 20000,
               merge: Optional[Name] = None, **options: Any) -> BounceMap:
    """Computes the bounce map of a shape: vibration modes, then one contact problem per piece of the surface.

    `material` is a name ("steel", "glass", "wood", ...) or (young in Pa, poisson, density in kg/m^3); `modes` how many
    are used; `faces` how fine the surface is; further options are those of carom_modal_options (`across`, `cell`, ...).
    Modes and maps are kept in $CAROM_CACHE, as the command does. With `merge` the contact problems are those that
    bounce_shard wrote under that name.
    """
    pieces = None if merge is None else of_all(merge)
    pointer = _bake(shape, material, {"modes": modes, **options}, faces, pieces)
    return BounceMap._of(pointer, material if isinstance(material, str) else "bounce map")


def bounce_shard(shard: Tuple[int, int], pieces: Name, shape: Shape, material: Any = "steel", modes: int = 45,
                 faces: int = 20000, **options: Any) -> str:
    """Share I of N of the same map, (I, N) from 1 on, into the file pieces.I-of-N.pieces, whose name it returns.

    What the file has already is not computed again. bounce_map(..., merge=pieces) puts all shares together: the same bits.
    """
    share, file = of_shard(shard, pieces)
    _bake(shape, material, {"modes": modes, **options}, faces, share)
    return file


def _bake(shape, material, options, faces, pieces):
    recipe = lib.carom_bounce_recipe_default()
    if isinstance(material, str):
        call(lib.carom_modal_material_named, _text(material, "material"), ctypes.byref(recipe.material))
    else:
        recipe.material = c.carom_modal_material(*vector(material, "material (young, poisson, density)"))
    set_fields(recipe.modal, options)
    recipe.faces = count(faces, "faces", 1)
    if pieces is not None:
        recipe.map.pieces = ctypes.pointer(pieces)
    instance(shape, Shape, "shape", "make one with carom.box, carom.mesh, ...")
    folder = ctypes.create_string_buffer(4096)
    kept = folder if lib.carom_bounce_cache_folder(folder, len(folder)) else None
    with Interrupt() as progress:
        return create(c.carom_bounce_map, lib.carom_bounce_cache_map, kept, shape._c, ctypes.byref(recipe), progress)
