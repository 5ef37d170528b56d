"""Runs and their files (.carom), as numpy arrays."""

import ctypes
import os
import threading
from typing import Iterator, List, Mapping, Optional, Union

import numpy as np

from . import _declarations as c
from ._given import Owned, alone, count, flag, mapping, path as _path, text
from ._native import Interrupt, call, create, dtype, lib
from .page import file_page, frame

LEDGER = dtype(c.carom_ledger)
CONTACT = dtype(c.carom_world_contact)


class Trajectory(Owned):
    """A recorded run: frames with the state of every body, the ledger, and contacts where they were recorded.

    `positions`, `rotations`, `velocities`, `spins` are arrays (frames, bodies, ...); `times` (s) and `ledger` have one
    entry per frame. A file that was cut opens up to its last whole record, and `damage` says so.
    """

    def __init__(self, path: Union[str, os.PathLike]) -> None:
        name = _path(path)
        self.path = os.fspath(path)
        self._lock = threading.RLock()
        self._c = create(c.carom_trajectory, lib.carom_trajectory_open, name)
        damage = lib.carom_trajectory_damage(self._c)
        self.damage = damage.decode() if damage else None
        self.ended = bool(lib.carom_trajectory_ended(self._c))
        self._read()

    def _read(self):
        n = lib.carom_trajectory_frame_count(self._c)
        frames, ledgers = [], []
        frame = c.carom_frame()
        self.steps = np.empty(n, np.int64)
        self.hashes = np.empty(n, np.uint64)
        for i in range(n):
            call(lib.carom_trajectory_frame, self._c, i, ctypes.byref(frame))
            numbers = np.ctypeslib.as_array(frame.bodies, (frame.body_count, c.CAROM_FRAME_STRIDE))
            frames.append(numbers.copy())
            ledgers.append(np.frombuffer(bytes(frame.ledger), LEDGER)[0])
            self.steps[i], self.hashes[i] = frame.step, frame.hash
        self.ledger = np.array(ledgers, LEDGER)
        self.times = self.ledger["time"]
        state = np.array(frames) if frames else np.empty((0, 0, c.CAROM_FRAME_STRIDE))
        self.positions = state[..., c.CAROM_FRAME_POSITION:c.CAROM_FRAME_ROTATION]
        self.rotations = state[..., c.CAROM_FRAME_ROTATION:c.CAROM_FRAME_VELOCITY]
        self.velocities = state[..., c.CAROM_FRAME_VELOCITY:c.CAROM_FRAME_SPIN]
        self.spins = state[..., c.CAROM_FRAME_SPIN:c.CAROM_FRAME_STRIDE]

    @property
    def names(self) -> List[str]:
        """The names of the bodies."""
        scene = create(c.carom_scene_world, lib.carom_trajectory_scene, self._c)
        try:
            name = ctypes.create_string_buffer(256)
            found = []
            for i in range(lib.carom_scene_world_body_count(scene)):
                lib.carom_scene_world_body_name(scene, i, name, len(name))
                found.append(name.value.decode())
            return found
        finally:
            lib.carom_scene_world_close(scene)

    @alone
    def contacts(self, frame: int) -> np.ndarray:
        """The contacts that carried impulses between the frame before and this one."""
        frame = count(frame, "frame", 0, max(0, len(self) - 1))
        n = lib.carom_trajectory_contact_count(self._c, frame)
        found = np.zeros(n, CONTACT)
        if n:
            call(lib.carom_trajectory_contacts, self._c, frame,
                 found.ctypes.data_as(ctypes.POINTER(c.carom_world_contact)))
        return found

    def __len__(self) -> int:
        return len(self.steps)

    def __iter__(self) -> Iterator[float]:
        return iter(self.times)

    def __repr__(self) -> str:
        bodies = self.positions.shape[1] if len(self) else 0
        return f"<carom.Trajectory {self.path}: {len(self)} frames, {bodies} bodies>"

    def _repr_html_(self) -> str:
        return frame(file_page(self.path))

    def __del__(self) -> None:
        self._give_back("_c", lib.carom_trajectory_close)


def run(scene: Union[str, os.PathLike], out: Union[str, os.PathLike], settings: Optional[Mapping[str, object]] = None, force: bool = False) -> Trajectory:
    """Runs a scene file to its end and records it, as `carom run SCENE --out FILE --set KEY=VALUE` does."""
    pairs = [text(f"{key}={value}", "a setting") for key, value in mapping(settings, "settings").items()]
    given = c.carom_runner_settings()
    given.out, given.overwrite = _path(out, "out"), flag(force, "force")
    given.set = (ctypes.c_char_p * len(pairs))(*pairs)
    given.set_count = len(pairs)
    runner = create(c.carom_runner, lib.carom_runner_create, _path(scene, "scene"), ctypes.byref(given))
    try:
        with Interrupt() as progress:
            call(lib.carom_runner_advance, runner, lib.carom_runner_steps(runner), progress)
    finally:
        lib.carom_runner_destroy(runner)
    return Trajectory(out)
