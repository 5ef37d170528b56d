"""Worlds in time: from a scene file, a dict, or built body by body."""

import ctypes
import json
import os
import threading
from typing import Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np

from . import _declarations as c
from . import law as _laws
from ._given import Owned, alone, choice, flag, handle, instance, number, path, points, positive, set_fields, text, vector, wrong
from ._native import CaromError, Interrupt, call, create, dtype, lib, look, says, says_fields
from .bounce import BounceMap
from .page import frame, sources_page
from .shapes import Shape

LEDGER = dtype(c.carom_ledger)
CONTACT = dtype(c.carom_world_contact)
EVENT = dtype(c.carom_contact_event)

_KINDS = {"moving": c.CAROM_BODY_MOVING, "fixed": c.CAROM_BODY_FIXED, "driven": c.CAROM_BODY_DRIVEN}
_JOINTS = {name[len("CAROM_JOINT_"):].lower(): value for name, value in vars(c).items() if name.startswith("CAROM_JOINT_")}

Vector = Sequence[float]


class Body(NamedTuple):
    """A body of a world; `slot` is its row in positions, rotations, velocities and spins."""

    slot: int
    generation: int


class Joint(NamedTuple):
    """A joint of a world."""

    slot: int
    generation: int


def _body(given):
    return handle(c.carom_body_id, given, "the body")


class World(Owned):
    """Bodies in time. World("scene.json"), World({...}) or World(gravity=(0, 0, -9.81), law="wave") and add().

    `positions`, `rotations`, `velocities`, `spins` and `ledger` are views of the state as it stands in memory: read-only,
    without a copy, one row per slot; they change with every step (copy what is to be kept). A world whose views are held
    takes no further bodies. Several threads may call one world: one call after the other.
    """

    _owned = ("_lock", "_world", "_scene", "_recording")

    def __init__(self, scene: Union[None, str, os.PathLike, Mapping[str, Any]] = None, **options: Any) -> None:
        self._lock = threading.RLock()
        self._stepping = False
        self._scene: Any = None
        self._world: Any = None
        self._recording: Any = None
        self._views: Dict[str, Any] = {}  # weak references to the memory of views
        self._contacts_view: Any = None
        self._kept: List[BounceMap] = []
        self._raised: Optional[BaseException] = None
        #: s, the step of the scene; None where there is none
        self.dt: Optional[float] = None
        if scene is None:
            self._make(options)
        else:
            if options:
                raise wrong("options belong into the scene where there is one", "set them with settings in it")
            self._open(scene)

    def _make(self, options):
        made = lib.carom_world_options_default()
        law, settings = options.pop("law", None), options.pop("law_options", None)
        if law or settings:
            chosen = _laws.find(law)
            made.law, made.law_options = chosen, _laws.options_of(chosen, settings)
        set_fields(made, options)
        self._world = create(c.carom_world, lib.carom_world_create, ctypes.byref(made))

    def _open(self, scene):
        if isinstance(scene, Mapping):
            words = json.dumps(scene).encode()
            self._scene = create(c.carom_scene_world, lib.carom_scene_world_parse, b"scene", words, len(words))
        else:
            self._scene = create(c.carom_scene_world, lib.carom_scene_world_open, path(scene, "the scene"))
        self.dt = lib.carom_scene_world_step(self._scene)
        with Interrupt() as progress:
            call(lib.carom_scene_world_bake, self._scene, None, progress)
        self._world = create(c.carom_world, lib.carom_scene_world_build, self._scene, None)
        call(lib.carom_scene_world_examine, self._scene, self._world)

    # -- building ------------------------------------------------------------------------------

    @says_fields(c.carom_material)
    @alone
    def material(self, **fields: float) -> int:
        """A material: restitution=0.8, friction=0.3, ...; returns what `add` takes as material."""
        given = set_fields(lib.carom_world_material_default(), fields)
        index = ctypes.c_int()
        call(lib.carom_world_add_material, self._world, ctypes.byref(given), ctypes.byref(index))
        return index.value

    @says_fields(c.carom_body)
    @alone
    def add(self, shape: Shape, kind: str = "moving", bounce: Optional[BounceMap] = None, **fields: Any) -> Body:
        """Adds a body ("moving", "fixed" or "driven"): position, rotation (w x y z), velocity, mass or density, ...

        `bounce` is a map of its restitution over its surface.
        """
        instance(shape, Shape, "shape", "make one with carom.sphere, carom.box, carom.hull, ...")
        if any(view() is not None for view in self._views.values()):
            raise BufferError("a view of positions, rotations, velocities or spins is held, and memory may move. "
                              "Fix: copy what is to be kept (world.positions.copy()) and drop the view before add()")
        given = lib.carom_world_body_default()
        given.kind, given.shape = choice(_KINDS, kind), shape._c
        if shape.rotation is not None:
            fields.setdefault("rotation", shape.rotation)
        if bounce is not None:
            instance(bounce, BounceMap, "bounce", "make one with carom.bounce_map(shape), or read one: carom.BounceMap(file)")
            given.restitution = lib.carom_bounce_map_restitution(bounce._c)
            self._kept.append(bounce)
        set_fields(given, fields)
        made = c.carom_body_id()
        call(lib.carom_world_add_body, self._world, ctypes.byref(given), ctypes.byref(made))
        return Body(made.slot, made.generation)

    @says_fields(c.carom_joint)
    @alone
    def joint(self, kind: str, a: Optional[Body], b: Optional[Body] = None, **fields: Any) -> Joint:
        """Joins a to b (None: to the world): "ball", "hinge", "fixed", "string", "slider", "rod" or "spring".

        `anchor` (m) gives both anchors at once.
        """
        given = c.carom_joint(kind=choice(_JOINTS, kind))
        given.a, given.b = (c.carom_body_id() if body is None else _body(body) for body in (a, b))
        anchor = fields.pop("anchor", None)
        if anchor is not None:
            fields = {"anchor_a": anchor, "anchor_b": anchor, **fields}
        set_fields(given, fields)
        made = c.carom_joint_id()
        call(lib.carom_world_add_joint, self._world, ctypes.byref(given), ctypes.byref(made))
        return Joint(made.slot, made.generation)

    @alone
    def find(self, name: str) -> Body:
        """The body of a name; KeyError where there is none."""
        if self._scene:
            slot = lib.carom_scene_world_find(self._scene, text(name, "name"))
            found = lib.carom_world_body_at(self._world, slot) if slot >= 0 else c.carom_body_id()
        else:
            found = lib.carom_world_find_body(self._world, text(name, "name"))
        if not found.generation:
            raise KeyError(name)
        return Body(found.slot, found.generation)

    @says("carom_world_remove")
    @alone
    def remove(self, body: Body) -> None:
        call(lib.carom_world_remove, self._world, _body(body))

    # -- from outside ----------------------------------------------------------------------------

    @says("carom_world_set_velocity")
    @alone
    def set_velocity(self, body: Body, velocity: Optional[Vector] = None, spin: Optional[Vector] = None) -> None:
        call(lib.carom_world_set_velocity, self._world, _body(body), vector(velocity, "velocity"), vector(spin, "spin"))

    @says("carom_world_set_pose")
    @alone
    def set_pose(self, body: Body, position: Optional[Vector] = None, rotation: Optional[Vector] = None) -> None:
        call(lib.carom_world_set_pose, self._world, _body(body), vector(position, "position"),
             vector(rotation, "rotation (w x y z)", 4))

    @says("carom_world_apply_force")
    @alone
    def apply_force(self, body: Body, force: Vector, point: Optional[Vector] = None) -> None:
        call(lib.carom_world_apply_force, self._world, _body(body), vector(force, "force"), vector(point, "point"))

    @says("carom_world_apply_impulse")
    @alone
    def apply_impulse(self, body: Body, impulse: Vector, point: Optional[Vector] = None) -> None:
        call(lib.carom_world_apply_impulse, self._world, _body(body), vector(impulse, "impulse"), vector(point, "point"))

    @alone
    def before_step(self, function: Optional[Callable[["World", float], None]]) -> None:
        """A function that is called as function(world, dt) at the beginning of every step, the place for forces.

        None ends it. An exception in it ends the step before it begins and comes out of `step`.
        """
        if function is not None and not callable(function):
            raise wrong(f"{function!r} cannot be called", "give a function of (world, dt), or None")
        self._function, self._raised = function, None
        functions: Any = c.FUNCTIONS
        self._callback = functions["carom_world_set_force_function"][1][1](self._called if function else 0)
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
        with Interrupt() as progress:
            self._step(self._dt(dt), progress)

    def _dt(self, dt: Optional[float]) -> float:
        dt = self.dt if dt is None else dt
        if dt is None:
            raise wrong("a world without a scene has no step of its own", "give dt in seconds")
        return number(dt, "dt")

    @alone
    def _step(self, dt, progress):
        if self._stepping:
            raise wrong("a step is asked for within a step", "a function of before_step applies forces; step outside of it")
        self._release_contacts()
        if self._scene:
            lib.carom_scene_world_change(self._scene, self._world, int(self._ledger().steps))
        self._stepping = True
        try:
            lib.carom_world_set_progress(self._world, progress)
            call(lib.carom_world_step, self._world, dt)
        except CaromError:
            if self._raised:
                raised, self._raised = self._raised, None
                raise raised from None
            raise
        finally:
            self._stepping = False
            lib.carom_world_set_progress(self._world, None)

    def run(self, duration: float, dt: Optional[float] = None, every: Optional[float] = None,
            after_step: Optional[Callable[["World"], Any]] = None) -> None:
        """Steps for a duration (s). With `every` (s) frames are kept, for the page that a notebook shows.

        `after_step` is called as after_step(world) after every step; True ends the run.
        """
        step = positive(self._dt(dt), "dt")
        stride = None if every is None else max(1, round(positive(every, "every") / step))
        length = number(duration, "duration")
        steps = 0 if length == 0 else round(positive(length, "duration") / step)
        if stride and not self._recording:
            self._recording = self._new_recording()
        with Interrupt() as progress:
            for i in range(steps):
                self._step(step, progress)
                if stride and (i + 1) % stride == 0:
                    call(lib.carom_recording_append, self._recording, self._world)
                if after_step and after_step(self) is True:
                    return

    # -- state -----------------------------------------------------------------------------------

    @alone
    def _states(self, name, width):
        states = lib.carom_world_states(self._world)
        if states.count == 0:
            return np.empty((0, width))
        view, self._views[name] = look(self, getattr(states, name), (states.count, width))
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

    @property
    @alone
    def periodic(self) -> np.ndarray:
        """m: lower and upper end of the box that repeats itself along x, y and z; equal ends: none along this axis."""
        return np.array(lib.carom_world_options_now(self._world).periodic)

    @says("carom_world_periodic_home")
    @alone
    def home(self, positions: Any) -> np.ndarray:
        """Positions, arrays (n, 3), as images in the periodic box: world.home(world.positions)."""
        given = points(positions, "positions")
        out = np.empty_like(given)
        options = lib.carom_world_options_now(self._world)
        for at, to in zip(given, out):
            lib.carom_world_periodic_home(ctypes.byref(options), _numbers(at), _numbers(to))
        return out

    @alone
    def _ledger(self):
        return lib.carom_world_states(self._world).ledger.contents

    @property
    @says_fields(c.carom_ledger)
    @alone
    def ledger(self) -> np.ndarray:
        """Where the energy is and where it went (J), momentum, overlap, counts: world.ledger["kinetic"]."""
        return look(self, lib.carom_world_states(self._world).ledger, (), LEDGER)[0]

    @property
    def time(self) -> float:
        """s"""
        return self._ledger().time

    @property
    @alone
    def hash(self) -> int:
        """Of every position, rotation, velocity and spin, bit by bit."""
        return lib.carom_world_hash(self._world)

    @says("carom_world_record_contacts")
    @alone
    def record_contacts(self, on: bool = True) -> None:
        wanted = flag(on, "on")
        self._release_contacts()
        lib.carom_world_record_contacts(self._world, wanted)

    @alone
    def clear_contacts(self) -> None:
        """Empties the list of contacts."""
        self._release_contacts()
        lib.carom_world_contacts_clear(self._world)

    def _release_contacts(self):
        """Before the list may move: who still looks at it keeps its memory."""
        memory = self._contacts_view and self._contacts_view()
        if memory is not None:
            pointer = lib.carom_world_contacts_detach(self._world)
            if not pointer:
                raise MemoryError("there is no memory for contacts that are still looked at")
            memory.owner = _Freed(pointer)
        self._contacts_view = None

    @property
    @says_fields(c.carom_world_contact)
    @alone
    def contacts(self) -> np.ndarray:
        """The contacts that carried impulses since record_contacts, where they stand in memory, read-only."""
        count = ctypes.c_int()
        first = lib.carom_world_contacts(self._world, ctypes.byref(count))
        if count.value == 0:
            return np.empty(0, CONTACT)
        memory = self._contacts_view and self._contacts_view()
        if memory is not None:  # a second look at the same list
            return np.asarray(memory).view(CONTACT)
        view, self._contacts_view = look(self, first, (count.value,), CONTACT)
        return view

    @alone
    def record_events(self, on: bool = True) -> None:
        """Begin, hit and end of contacts are listed from now on: `events`, of the last step."""
        lib.carom_world_record_events(self._world, flag(on, "on"))

    @property
    @says_fields(c.carom_contact_event)
    @alone
    def events(self) -> np.ndarray:
        """What happened at contacts in the last step."""
        count = ctypes.c_int()
        first = lib.carom_world_events(self._world, ctypes.byref(count))
        return np.empty(0, EVENT) if count.value == 0 else look(self, first, (count.value,), EVENT)[0].copy()

    # -- shown -----------------------------------------------------------------------------------

    @alone
    def _new_recording(self):
        return create(c.carom_recording, lib.carom_recording_create, self._world)

    @alone
    def __repr__(self) -> str:
        return f"<carom.World: {lib.carom_world_body_count(self._world)} bodies, {self.time:.6g} s>"

    @alone
    def _repr_html_(self) -> str:
        recording = self._recording or self._new_recording()
        source = create(c.carom_view_source, lib.carom_view_source_recording, recording)
        try:
            return frame(sources_page([source]))
        finally:
            lib.carom_view_source_close(source)
            if recording is not self._recording:
                lib.carom_recording_destroy(recording)

    def __del__(self) -> None:
        if vars(self).get("_stepping"):
            return  # by name, from within its own step
        self._give_back("_recording", lib.carom_recording_destroy)
        self._give_back("_world", lib.carom_world_destroy)
        self._give_back("_scene", lib.carom_scene_world_close)


def _numbers(row):
    return row.ctypes.data_as(ctypes.POINTER(ctypes.c_double))


class _Freed:
    """Memory that C handed over."""

    def __init__(self, pointer):
        self._pointer = pointer

    def __del__(self):
        if self._pointer:
            lib.carom_memory_free(self._pointer)
