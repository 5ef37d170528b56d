"""Carom: rigid-body impacts that come out right.

>>> import carom
>>> bodies, contacts = carom.chain([1, 0, 0, 0, 0])     # a Newton's cradle
>>> carom.resolve(bodies, contacts, law="qce").velocities[:, 0].round(9) + 0.0
array([0., 0., 0., 0., 1.])

One instant: bodies, contacts, chain, resolve, compare, outcomes, laws. In time: World, run, Trajectory. Models beside it:
Tower, Row, bounce_map, BounceMap. Measured data: validate. Studies and pictures: sweep, plot. Everything is SI, arrays
are numpy's, errors are CaromError with what, where and fix.
"""

from ._native import CaromError, lib as _lib
from .bounce import BounceMap, BounceValue, bounce_map, bounce_shard
from .impact import BODY, CONTACT, Comparison, Outcome, bodies, chain, compare, contacts, resolve
from .law import Law, Option, laws
from .chance import Outcomes, Spread, outcomes, outcomes_shard
from .plots import Picture, plot
from .row import Passage, Row
from .shapes import Shape, box, capsule, cylinder, hull, mesh, plane, sphere
from .study import Table, sweep
from .tower import Fall, Instant, Proof, Tower
from .trajectory import Trajectory, run
from .validation import Judged, Validation, validate
from .world import Body, Joint, World

__version__: str = _lib.carom_version().decode()
__all__ = ["BODY", "Body", "BounceMap", "BounceValue", "CONTACT", "CaromError", "Comparison", "Fall", "Instant",
           "Joint", "Judged", "Law", "Option", "Outcome", "Outcomes", "Passage", "Picture", "Proof", "Row", "Shape",
           "Spread", "Table", "Tower", "Trajectory", "Validation", "World", "bodies", "bounce_map", "bounce_shard",
           "box", "capsule", "chain", "compare", "contacts", "cylinder", "hull", "laws", "mesh", "outcomes",
           "outcomes_shard", "plane", "plot", "resolve", "run", "sphere", "sweep", "validate"]
for _public in __all__:  # errors and signatures say carom.CaromError, where one finds it
    if isinstance(globals()[_public], type):
        globals()[_public].__module__ = "carom"
del _public
