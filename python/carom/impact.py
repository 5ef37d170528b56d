"""One instant of impact: bodies with velocities touch at contacts; a law says which impulses act.

Bodies and contacts are numpy arrays whose records *are* the C structs, so that nothing is copied on the way and 10^5
independent impacts are one call. Units are SI.
"""

import ctypes
from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple, Union

import numpy as np

from . import _declarations as c
from . import law as _laws
from ._given import Owned, count, instance, mapping, numbers, wrong
from ._native import Interrupt, call, copied, create, dtype, lib, says, says_fields, take_text
from .page import frame, impact_page

#: A body as the instant sees it: inverse_mass (1/kg), inverse_inertia (xx yy zz xy xz yz), position, velocity, spin.
BODY = dtype(c.carom_impact_body)
#: A touching pair: a, b, point, normal (from a to b), restitution, friction, stiffness, exponent, gap, ...
CONTACT = dtype(c.carom_impact_contact)
_REPORT = dtype(c.carom_impact_report)
#: Bodies of an outcome that a page in a notebook shows; more would be a page of many megabytes.
_SHOWN = 2000
_ENDS = tuple(lib.carom_impact_end_word(end).decode() for end in range(c.CAROM_IMPACT_STALLED + 1))


@says_fields(c.carom_impact_body)
def bodies(n: int, **fields: Any) -> np.ndarray:
    """n bodies of 1 kg and 0.1 kg m^2 at rest at the origin; fields by name: bodies(5, velocity=[[1, 0, 0], ...]).

    `mass` (kg) is taken as well and stored as its inverse; numpy.inf makes a body immovable.
    """
    one = lib.carom_impact_body_default()
    made = np.frombuffer(bytes(one), BODY).repeat(count(n, "n"))
    mass = fields.pop("mass", None)
    if mass is not None:
        made["inverse_mass"] = 1 / np.asarray(mass, float)
    return _filled(made, fields)


@says_fields(c.carom_impact_contact)
def contacts(a: Any, b: Any, **fields: Any) -> np.ndarray:
    """Contacts between bodies a[i] and b[i]: elastic, without friction, along x at the origin unless said otherwise.

    contacts([0, 1], [1, 2], point=[[0.5, 0, 0], [1.5, 0, 0]], restitution=0.9, friction=0.3)
    """
    a, b = np.broadcast_arrays(_indices(a, "a"), _indices(b, "b"))
    one = lib.carom_impact_contact_default()
    made = np.frombuffer(bytes(one), CONTACT).repeat(len(a))
    made["a"], made["b"] = a, b
    return _filled(made, fields)


def _indices(values, name):
    given = np.atleast_1d(values)
    if given.size == 0:
        given = given.astype(np.int32)
    if given.ndim != 1 or given.dtype.kind not in "iu" or (abs(given) > np.iinfo(np.int32).max).any():
        raise wrong(f"{name} is no list of bodies", "give numbers of bodies, counted from 0")
    return given


def _filled(made, fields):
    for name, values in fields.items():
        if name not in made.dtype.names:
            raise wrong(f"{name} is none of {', '.join(made.dtype.names)}", "use one of these")
        try:
            made[name] = values
        except (TypeError, ValueError) as reason:
            raise wrong(f"{name} does not fit: {reason}", f"give numbers of the form {made[name].shape}") from None
    return made


def _records(given, kind, name):
    """An array of these records as C reads it; numbers alone would be cast to records of nonsense."""
    if getattr(getattr(given, "dtype", None), "names", None) != kind.names or given.ndim != 1:
        raise wrong(f"{name} is no array of {name}", f"make it with carom.{name}() or carom.chain()")
    return np.ascontiguousarray(given, kind)


def chain(velocities: Iterable[float], **fields: Any) -> Tuple[np.ndarray, np.ndarray]:
    """A row of touching balls along x with these speeds, as (bodies, contacts): chain([1, 0, 0]) is a cradle.

    `mass` may be one number or one per ball; other fields are those of the contacts.
    """
    speeds = numbers(velocities, "velocities")
    n = len(speeds)
    row = bodies(n, mass=fields.pop("mass", 1.0))
    row["position"][:, 0] = np.arange(n)
    row["velocity"][:, 0] = speeds
    touch = contacts(np.arange(n - 1), np.arange(1, n), **fields)
    touch["point"][:, 0] = np.arange(n - 1) + 0.5
    return row, touch


class Outcome:
    """What a law made of an instant: `velocities` (m/s), `spins` (rad/s), `impulses` (N s: normal, two tangents).

    `report` tells how it went (energy_before, energy_after, sweeps, hash, ...), `end` in one word. In a notebook an
    outcome of up to 2,000 bodies shows itself as the viewer's page, sweep by sweep.
    """

    def __init__(self, problem: "_Problem", law: str, velocities: np.ndarray, spins: np.ndarray, impulses: np.ndarray,
                 report: Any) -> None:
        self._problem, self.law = instance(problem, _Problem, "problem", "call carom.resolve()"), law
        self.velocities, self.spins, self.impulses = velocities, spins, impulses
        self.report: Dict[str, Any] = {name: report[name].item() for name in _REPORT.names}
        self.end: str = _ENDS[self.report["end"]]

    def __repr__(self) -> str:
        before, after = self.report["energy_before"], self.report["energy_after"]
        return f"<carom.Outcome by {self.law}: {self.end}, {before:.6g} J before, {after:.6g} J after>"

    def _repr_html_(self) -> Optional[str]:
        if len(self.velocities) > _SHOWN:
            return None  # notebooks then show the words
        return frame(impact_page(self._problem, self.law))


class _Problem:
    """The arrays as C sees them, kept as long as C may look."""

    def __init__(self, bodies, contacts):
        self.bodies = _records(bodies, BODY, "bodies")
        self.contacts = _records(contacts, CONTACT, "contacts")
        self.c = c.carom_impact(len(self.bodies), len(self.contacts),
                                self.bodies.ctypes.data_as(ctypes.POINTER(c.carom_impact_body)),
                                self.contacts.ctypes.data_as(ctypes.POINTER(c.carom_impact_contact)))


@says("carom_impact_resolve")
def resolve(bodies: np.ndarray, contacts: np.ndarray, law: Optional[str] = None,
            options: Optional[Mapping[str, object]] = None, threads: int = 1) -> Outcome:
    """Resolves the impact by a law (default: wave). Any number of separate groups of bodies is one call.

    The result is the same bits for any number of threads. The lock of the interpreter is free meanwhile; Ctrl-C works.
    """
    problem = _Problem(bodies, contacts)
    chosen = _laws.find(law)
    settings = _laws.options_of(chosen, options)
    threads = count(threads, "threads")
    n, m = len(problem.bodies), len(problem.contacts)
    velocities, spins, impulses = np.empty((n, 3)), np.empty((n, 3)), np.empty((m, 3))
    out = c.carom_impact_outcome()
    for name, array in (("velocities", velocities), ("spins", spins), ("impulses", impulses)):
        setattr(out, name, ctypes.cast(array.ctypes.data, type(getattr(out, name))))
    workspace = lib.carom_workspace_create()
    if not workspace:
        raise MemoryError
    try:
        lib.carom_workspace_set_threads(workspace, threads)
        with Interrupt() as progress:
            lib.carom_workspace_set_progress(workspace, progress)
            call(lib.carom_impact_resolve, workspace, ctypes.byref(problem.c), chosen, ctypes.byref(settings),
                 ctypes.byref(out))
    finally:
        lib.carom_workspace_destroy(workspace)
    report = np.frombuffer(bytes(out.report), _REPORT)[0]
    return Outcome(problem, lib.carom_law_name(chosen).decode(), velocities, spins, impulses, report)


class Comparison(Owned):
    """Laws side by side on one instant: `rows` by name, a table as text and in notebooks, the picture as `svg()`."""

    _owned = ("_compare", "_scene")

    def __init__(self, problem: "_Problem", names: List[str], options: Optional[Mapping[str, Any]]) -> None:
        instance(problem, _Problem, "problem", "call carom.compare()")
        self._scene = create(c.carom_scene_impact, lib.carom_scene_impact_create, ctypes.byref(problem.c), None, None)
        self._compare = create(c.carom_compare, lib.carom_compare_create, self._scene, 0)
        with Interrupt() as progress:
            lib.carom_compare_set_progress(self._compare, progress)
            for name in names:
                law = _laws.find(name)
                settings = _laws.options_of(law, mapping(options, "options").get(name))
                call(lib.carom_compare_add, self._compare, law, ctypes.byref(settings))
            lib.carom_compare_set_progress(self._compare, None)
        self.rows: Dict[str, dict] = {}
        for i in range(lib.carom_compare_count(self._compare)):
            row = lib.carom_compare_at(self._compare, i)
            self.rows[lib.carom_law_name(row.contents.law).decode()] = self._row(row, len(problem.bodies))

    def _row(self, row, n):
        found = row.contents
        if found.status != c.CAROM_OK:
            return {"end": lib.carom_compare_end(row).decode(), "error": found.error.what.decode()}
        velocities = copied(found.outcome.velocities, (n, 3))
        report, broken = found.outcome.report, lib.carom_compare_broken(self._compare, row)
        return {"end": lib.carom_compare_end(row).decode(), "velocities": velocities,
                "energy": report.energy_after / report.energy_before if report.energy_before > 0 else 1.0,
                "sweeps": report.sweeps, "seconds": found.seconds,
                "broken": [lib.carom_law_promise_name(i).decode() for i in range(c.CAROM_PROMISE_COUNT)
                           if broken >> i & 1]}

    def __del__(self) -> None:
        self._give_back("_compare", lib.carom_compare_destroy)
        self._give_back("_scene", lib.carom_scene_impact_close)

    def __repr__(self) -> str:
        lines = [f"{'law':<12} {'end':<8} {'E+/E-':>10} {'sweeps':>6}  broken"]
        for name, row in self.rows.items():
            if "error" in row:
                lines.append(f"{name:<12} {row['end']}: {row['error']}")
            else:
                lines.append(f"{name:<12} {row['end']:<8} {row['energy']:>10.6f} {row['sweeps']:>6}  "
                             f"{' '.join(row['broken']) or '-'}")
        return "\n".join(lines)

    def svg(self) -> str:
        """The picture: the instant before, and one panel per law."""
        return take_text(lib.carom_compare_svg(self._compare))

    def _repr_html_(self) -> str:
        one = (ctypes.POINTER(c.carom_compare) * 1)(self._compare)
        return frame(take_text(lib.carom_compare_html(one, 1, b"comparison")))


def compare(bodies: np.ndarray, contacts: np.ndarray, laws: Union[None, List[str]] = None,
            options: Optional[Mapping[str, Mapping[str, object]]] = None) -> Comparison:
    """Resolves one instant by several laws (default: all) and judges each result."""
    if isinstance(laws, str):
        raise wrong(f"laws is {laws!r}, one text", "give a list of names: [\"wave\", \"qce\"]")
    return Comparison(_Problem(bodies, contacts), laws or _laws.names(), options)
