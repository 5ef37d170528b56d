"""Shapes of bodies. Lengths in m; each is shared by as many bodies as one likes."""

import ctypes
import os
from typing import Any, Optional, Sequence, Tuple, Union

from . import _declarations as c
from ._given import Owned, flag, instance, number, path as _path, points as _points, vector
from ._native import call, create, lib


class Shape(Owned):
    """A shape. Make one with sphere, box, capsule, cylinder, plane, hull or mesh."""

    def __init__(self, pointer: Any, rotation: Optional[Tuple[float, ...]] = None) -> None:
        self._c = instance(pointer, ctypes.POINTER(c.carom_shape), "the pointer", "make shapes with sphere, box, hull, ...")
        self.rotation = rotation

    @property
    def volume(self) -> float:
        """m^3"""
        return lib.carom_shape_mass(self._c).volume

    def __del__(self) -> None:
        self._give_back("_c", lib.carom_shape_release)


def sphere(radius: float) -> Shape:
    """A ball of this radius (m)."""
    return Shape(create(c.carom_shape, lib.carom_sphere_create, number(radius, "radius")))


def box(x: float, y: float, z: float) -> Shape:
    """A box with these edges (m)."""
    return Shape(create(c.carom_shape, lib.carom_box_create, vector([number(edge, "an edge") / 2 for edge in (x, y, z)])))


def capsule(radius: float, length: float) -> Shape:
    """All points within `radius` of a segment of this length on the z axis."""
    return Shape(create(c.carom_shape, lib.carom_capsule_create, number(radius, "radius"),
                        number(length, "length") / 2))


def cylinder(radius: float, length: float) -> Shape:
    """A solid cylinder of this length about the z axis."""
    return Shape(create(c.carom_shape, lib.carom_cylinder_create, number(radius, "radius"),
                        number(length, "length") / 2))


def plane(normal: Sequence[float] = (0, 0, 1)) -> Shape:
    """The half-space below a plane with this outward normal, for fixed and driven bodies."""
    rotation = (ctypes.c_double * 4)()
    pointer = ctypes.POINTER(c.carom_shape)()
    call(lib.carom_plane_towards, vector(normal, "normal"), rotation, ctypes.byref(pointer))
    return Shape(pointer, tuple(rotation))


def hull(points: Any) -> Shape:
    """The convex hull of points, an array (n, 3)."""
    given = _points(points)
    return Shape(create(c.carom_shape, lib.carom_hull_create, given.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
                        len(given)))


def mesh(path: Union[str, os.PathLike], scale: float = 1.0, repair: bool = False) -> Shape:
    """A closed triangle mesh from a file (OBJ, PLY, STL, OFF); `scale` is m per unit of the file."""
    policy = c.CAROM_MESH_REPAIR if flag(repair, "repair") else c.CAROM_MESH_STRICT
    return Shape(create(c.carom_shape, lib.carom_import_mesh, _path(path), number(scale, "scale"), policy, None))
