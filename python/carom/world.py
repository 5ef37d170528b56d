"""Worlds in time: from a scene file, a dict, or built body by body."""

import ctypes
import json
import os
from typing import Callable, Mapping, NamedTuple, Optional, Union

import numpy as np

from . import _declarations as c
from . import laws as _laws
from ._native import CaromError, Interrupt, call, check_size, create, dtype, encode, lib
from .page import frame, sources_page
from .shapes import Shape

LEDGER = dtype(c.carom_ledger)
CONTACT = dtype(c.carom_world_contact)
EVENT = dtype(c.carom_contact_event)
for _kind in (c.carom_body, c.carom_joint, c.carom_material, c.carom_world_options):
    check_size(_kind)

_KINDS = {"moving": c.CAROM_BODY_MOVING, "fixed": c.CAROM_BODY_FIXED, "driven": c.CAROM_BODY_DRIVEN}


class Body(NamedTuple):
    """A body of a world; `slot` is its row in positions, rotations, velocities and spins."""

    slot: int
    generation: int


def _set(record, fields):
    """Sets fields of a C record by name; sequences become arrays, texts bytes."""
    kinds = dict(record._fields_)
    for name, value in fields.items():
        if name not in kinds:
            raise TypeError(f"{name} is none of {', '.join(kinds)}")
        if isinstance(value, str):
            value = value.encode()
        elif np.ndim(value) > 0:
            value = kinds[name](*map(float, value))
        setattr(record, name, value)
    return record


def _vector(value):
    return None if value is None else (ctypes.c_double * len(value))(*map(float, value))


class World:
    """Bodies in time. World("scene.json"), World({...}) or World(gravity=(0, 0, -9.81), law="wave") and add().

    `positions`, `rotations`, `velocities`, `spins` are views of the state as it stands in memory: read-only, without a
    copy, one row per slot, valid until the next step (copy what is to be kept).
    """

    def __init__(self, scene: Union[None, str, os.PathLike, Mapping] = None, **options):
        self._scene, self._world, self._recording, self._callback = None, None, None, None
        self.dt = None
        if scene is None:
            self._make(options)
        else:
            if options:
                raise TypeError("options belong into the scene where there is one: set them with settings in it")
            self._open(scene)

    def _make(self, options):
        made = lib.carom_world_options_default()
        law, settings = options.pop("law", None), options.pop("law_options", None)
        if law or settings:
            chosen = _laws.find(law)
            made.law, made.law_options = chosen, _laws.options_of(chosen, settings)
        _set(made, options)
        self._world = create(c.carom_world, lib.carom_world_create, ctypes.byref(made))

    def _open(self, scene):
        if isinstance(scene, Mapping):
            text = json.dumps(scene).encode()
            self._scene = create(c.carom_scene_world, lib.carom_scene_world_parse, b"scene", text, len(text))
        else:
            self._scene = create(c.carom_scene_world, lib.carom_scene_world_open, encode(scene))
        self.dt = lib.carom_scene_world_step(self._scene)
        self._world = create(c.carom_world, lib.carom_scene_world_build, self._scene, None)
        call(lib.carom_scene_world_examine, self._scene, self._world)

    # -- building ------------------------------------------------------------------------------

    def material(self, **fields) -> int:
        """A material: restitution, friction, rolling, ...; returns what `add` takes as material."""
        given = _set(lib.carom_world_material_default(), fields)
        index = ctypes.c_int()
        call(lib.carom_world_add_material, self._world, ctypes.byref(given), ctypes.byref(index))
        return index.value

    def add(self, shape: Shape, kind: str = "moving", **fields) -> Body:
        """Adds a body: position, rotation (w x y z), velocity, spin, mass or density, material, name, ..."""
        given = lib.carom_world_body_default()
        if kind not in _KINDS:
            raise TypeError(f"kind is {kind!r}, none of {', '.join(_KINDS)}")
        given.kind, given.shape = _KINDS[kind], shape._c
        if shape.rotation is not None:
            fields.setdefault("rotation", shape.rotation)
        _set(given, fields)
        made = c.carom_body_id()
        call(lib.carom_world_add_body, self._world, ctypes.byref(given), ctypes.byref(made))
        return Body(made.slot, made.generation)

    def find(self, name: str) -> Body:
        """The body of a name."""
        if self._scene:
            slot = lib.carom_scene_world_find(self._scene, name.encode())
            found = lib.carom_world_body_at(self._world, slot) if slot >= 0 else c.carom_body_id()
        else:
            found = lib.carom_world_find_body(self._world, name.encode())
        if not found.generation:
            raise KeyError(name)
        return Body(found.slot, found.generation)

    def remove(self, body: Body) -> None:
        call(lib.carom_world_remove, self._world, c.carom_body_id(*body))

    # -- from outside ----------------------------------------------------------------------------

    def set_velocity(self, body: Body, velocity=None, spin=None) -> None:
        """m/s and rad/s; None: as it is."""
        call(lib.carom_world_set_velocity, self._world, c.carom_body_id(*body), _vector(velocity), _vector(spin))

    def set_pose(self, body: Body, position=None, rotation=None) -> None:
        """m, and a unit quaternion w x y z; None: as it is."""
        call(lib.carom_world_set_pose, self._world, c.carom_body_id(*body), _vector(position), _vector(rotation))

    def apply_force(self, body: Body, force, point=None) -> None:
        """N over the next step, at a point (m) or the centre of mass."""
        call(lib.carom_world_apply_force, self._world, c.carom_body_id(*body), _vector(force), _vector(point))

    def apply_impulse(self, body: Body, impulse, point=None) -> None:
        """N s now, at a point (m) or the centre of mass."""
        call(lib.carom_world_apply_impulse, self._world, c.carom_body_id(*body), _vector(impulse), _vector(point))

    def before_step(self, function: Optional[Callable[["World", float], None]]) -> None:
        """A function that is called as function(world, dt) at the beginning of every step, the place for forces.

        An exception in it ends the step before it begins and comes out of `step`.
        """
        self._function, self._raised = function, None
        self._callback = c.FUNCTIONS["carom_world_set_force_function"][1][1](self._called if function else 0)
        lib.carom_world_set_force_function(self._world, self._callback, None)

    def _called(self, _context, _world, dt, err):
        try:
            self._function(self, dt)
            return c.CAROM_OK
        except BaseException as raised:  # C code cannot carry it
            self._raised = raised
            err.contents.status = c.CAROM_BAD_INPUT
            err.contents.what = b"a function of Python failed"
            return c.CAROM_BAD_INPUT

    # -- time ------------------------------------------------------------------------------------

    def step(self, dt: Optional[float] = None) -> None:
        """One step of dt seconds; of a scene, by default its own. A step that fails leaves the world as it was."""
        dt = self.dt if dt is None else dt
        if dt is None:
            raise TypeError("a world without a scene has no step of its own: give dt in seconds")
        if self._scene:
            lib.carom_scene_world_change(self._scene, self._world, int(self._ledger().steps))
        try:
            with Interrupt() as progress:
                lib.carom_world_set_progress(self._world, progress)
                call(lib.carom_world_step, self._world, dt)
        except CaromError:
            if getattr(self, "_raised", None):
                raised, self._raised = self._raised, None
                raise raised from None
            raise
        finally:
            lib.carom_world_set_progress(self._world, None)

    def run(self, duration: float, dt: Optional[float] = None, every: Optional[float] = None) -> None:
        """Steps for a duration (s). With `every` (s) frames are kept, for the page that a notebook shows."""
        dt = self.dt if dt is None else dt
        if dt is None:
            raise TypeError("a world without a scene has no step of its own: give dt in seconds")
        steps, stride = round(duration / dt), max(1, round(every / dt)) if every else None
        if stride and not self._recording:
            self._recording = self._new_recording()
        for i in range(steps):
            self.step(dt)
            if stride and (i + 1) % stride == 0:
                call(lib.carom_recording_append, self._recording, self._world)

    # -- state -----------------------------------------------------------------------------------

    def _states(self, name, width):
        states = lib.carom_world_states(self._world)
        if states.count == 0:
            return np.empty((0, width))
        numbers = ctypes.cast(getattr(states, name), ctypes.POINTER(ctypes.c_double))
        view = np.ctypeslib.as_array(numbers, (states.count, width))
        view.flags.writeable = False
        return view

    @property
    def positions(self) -> np.ndarray:
        """m, centres of mass"""
        return self._states("position", 3)

    @property
    def rotations(self) -> np.ndarray:
        """Unit quaternions w x y z"""
        return self._states("rotation", 4)

    @property
    def velocities(self) -> np.ndarray:
        """m/s"""
        return self._states("velocity", 3)

    @property
    def spins(self) -> np.ndarray:
        """rad/s"""
        return self._states("spin", 3)

    def _ledger(self):
        return lib.carom_world_ledger(self._world)

    @property
    def ledger(self) -> np.void:
        """Where the energy is and where it went (J), momentum, overlap, counts: ledger["kinetic"]."""
        return np.frombuffer(bytes(self._ledger()), LEDGER)[0]

    @property
    def time(self) -> float:
        """s"""
        return self._ledger().time

    @property
    def hash(self) -> int:
        """Of every position, rotation, velocity and spin, bit by bit."""
        return lib.carom_world_hash(self._world)

    def record_contacts(self, on: bool = True) -> None:
        """Contacts that carry impulses are listed from now on: `contacts`."""
        lib.carom_world_record_contacts(self._world, int(on))

    @property
    def contacts(self) -> np.ndarray:
        """The contacts that carried impulses since record_contacts."""
        return self._list(lib.carom_world_contacts, CONTACT)

    def record_events(self, on: bool = True) -> None:
        """Begin, hit and end of contacts are listed from now on: `events`, of the last step."""
        lib.carom_world_record_events(self._world, int(on))

    @property
    def events(self) -> np.ndarray:
        """What happened at contacts in the last step."""
        return self._list(lib.carom_world_events, EVENT)

    def _list(self, function, kind):
        count = ctypes.c_int()
        first = function(self._world, ctypes.byref(count))
        if count.value == 0:
            return np.empty(0, kind)
        return np.frombuffer(ctypes.string_at(first, count.value * kind.itemsize), kind)

    # -- shown -----------------------------------------------------------------------------------

    def _new_recording(self):
        return create(c.carom_recording, lib.carom_recording_create, self._world)

    def __repr__(self):
        return f"<carom.World: {lib.carom_world_body_count(self._world)} bodies, {self.time:.6g} s>"

    def _repr_html_(self):
        recording = self._recording or self._new_recording()
        source = create(c.carom_view_source, lib.carom_view_source_recording, recording)
        try:
            return frame(sources_page([source]))
        finally:
            lib.carom_view_source_close(source)
            if recording is not self._recording:
                lib.carom_recording_destroy(recording)

    def __del__(self):
        lib.carom_recording_destroy(getattr(self, "_recording", None))
        lib.carom_world_destroy(getattr(self, "_world", None))
        lib.carom_scene_world_close(getattr(self, "_scene", None))
