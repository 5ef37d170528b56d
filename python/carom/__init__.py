"""Carom: rigid-body impacts that come out right.

>>> import carom
>>> bodies, contacts = carom.chain([1, 0, 0, 0, 0])     # a Newton's cradle
>>> carom.resolve(bodies, contacts, law="qce").velocities[:, 0].round(9)
array([0., 0., 0., 0., 1.])

Impacts: bodies, contacts, chain, resolve, compare, laws. In time: World, run, Trajectory. Everything is SI, arrays are
numpy's, errors are CaromError with what, where and fix.
"""

from ._native import CaromError, lib as _lib
from .impact import BODY, CONTACT, Comparison, Outcome, bodies, chain, compare, contacts, resolve
from .laws import Law, Option, laws
from .shapes import Shape, box, capsule, cylinder, hull, mesh, plane, sphere
from .trajectory import Trajectory, run
from .world import Body, World

__version__ = _lib.carom_version().decode()
__all__ = ["BODY", "Body", "CONTACT", "CaromError", "Comparison", "Law", "Option", "Outcome", "Shape", "Trajectory",
           "World", "bodies", "box", "capsule", "chain", "compare", "contacts", "cylinder", "hull", "laws", "mesh", "plane",
           "resolve", "run", "sphere"]
