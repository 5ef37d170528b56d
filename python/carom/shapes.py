"""Shapes of bodies. Lengths in m; each is shared by as many bodies as one likes."""

import ctypes
import os
from typing import Any, Optional, Sequence, Tuple, Union

import numpy as np

from . import _declarations as c
from ._native import call, create, encode, lib, vector


class Shape:
    """A shape. Make one with sphere, box, capsule, cylinder, plane, hull or mesh."""

    def __init__(self, pointer: Any, rotation: Optional[Tuple[float, ...]] = None) -> None:
        self._c, self.rotation = pointer, rotation

    @property
    def volume(self) -> float:
        """m^3"""
        return lib.carom_shape_mass(self._c).volume

    def __del__(self) -> None:
        if getattr(self, "_c", None):
            lib.carom_shape_release(self._c)


def sphere(radius: float) -> Shape:
    """A ball of this radius (m)."""
    return Shape(create(c.carom_shape, lib.carom_sphere_create, radius))


def box(x: float, y: float, z: float) -> Shape:
    """A box with these edges (m)."""
    return Shape(create(c.carom_shape, lib.carom_box_create, vector((x / 2, y / 2, z / 2))))


def capsule(radius: float, length: float) -> Shape:
    """All points within `radius` of a segment of this length on the z axis."""
    return Shape(create(c.carom_shape, lib.carom_capsule_create, radius, length / 2))


def cylinder(radius: float, length: float) -> Shape:
    """A solid cylinder of this length about the z axis."""
    return Shape(create(c.carom_shape, lib.carom_cylinder_create, radius, length / 2))


def plane(normal: Sequence[float] = (0, 0, 1)) -> Shape:
    """The half-space below a plane with this outward normal, for fixed and driven bodies."""
    rotation = (ctypes.c_double * 4)()
    pointer = ctypes.POINTER(c.carom_shape)()
    call(lib.carom_plane_towards, vector(normal), rotation, ctypes.byref(pointer))
    return Shape(pointer, tuple(rotation))


def hull(points: Any) -> Shape:
    """The convex hull of points, an array (n, 3)."""
    given = np.ascontiguousarray(points, float)
    return Shape(create(c.carom_shape, lib.carom_hull_create, given.ctypes.data_as(ctypes.POINTER(ctypes.c_double)),
                        len(given)))


def mesh(path: Union[str, os.PathLike], scale: float = 1.0, repair: bool = False) -> Shape:
    """A closed triangle mesh from a file (OBJ, PLY, STL, OFF); `scale` is m per unit of the file."""
    policy = c.CAROM_MESH_REPAIR if repair else c.CAROM_MESH_STRICT
    return Shape(create(c.carom_shape, lib.carom_import_mesh, encode(path), scale, policy, None))
