"""The C libraries: found, loaded, and their functions with the types that the headers give them."""

import ctypes
import os
import pathlib
import signal
import threading

import numpy as np

from . import _declarations as c

_NAMES = ("libcarom.so.0", "libcarom-models.so.0", "libcarom-io.so.0")


def _load():
    """From CAROM_LIBRARY_PATH, from the wheel itself, else where the system keeps its libraries."""
    folders = [os.environ.get("CAROM_LIBRARY_PATH"), pathlib.Path(__file__).parent / "lib"]
    for folder in filter(None, folders):
        if (pathlib.Path(folder) / _NAMES[0]).exists():
            return [ctypes.CDLL(str(pathlib.Path(folder) / name), mode=ctypes.RTLD_GLOBAL) for name in _NAMES]
    return [ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL) for name in _NAMES]


class CaromError(Exception):
    """What went wrong (`what`), where (`where`), and what to try next (`fix`).

    `status` is the name of the C status, `body` and `contact` the index of the one at fault or None.
    """

    def __init__(self, status, what, where="", fix="", body=None, contact=None):
        self.status, self.what, self.where, self.fix, self.body, self.contact = status, what, where, fix, body, contact
        place = f"{where}: " if where else ""
        super().__init__(f"{place}{what}" + (f". Fix: {fix}" if fix else ""))


def _decode(raw):
    return raw.decode("utf-8", "replace")


class _Library:
    """Functions of the three libraries as attributes: lib.carom_impact_resolve(...)."""

    def __init__(self):
        self._libraries = _load()
        self.__doc__ = "Carom " + _decode(self.carom_version())

    def __getattr__(self, name):
        if name not in c.FUNCTIONS:
            raise AttributeError(name)
        result, parameters = c.FUNCTIONS[name]
        for library in self._libraries:
            if hasattr(library, name):
                function = getattr(library, name)
                function.restype, function.argtypes = result, parameters
                setattr(self, name, function)
                return function
        raise AttributeError(f"{name} is not in this build of Carom")


lib = _Library()
_WORDS = {value: name[len("CAROM_"):] for name, value in vars(c).items()
          if name in ("CAROM_OK", "CAROM_BAD_INPUT", "CAROM_NOT_CONVERGED", "CAROM_BROKE_PROMISE", "CAROM_NO_MEMORY",
                      "CAROM_IO_FAILED", "CAROM_INTERRUPTED", "CAROM_UNSUPPORTED")}
_free = ctypes.CDLL(None).free
_free.argtypes = [ctypes.c_void_p]


def fail(err):
    """Raises what a filled carom_error says."""
    if err.status == c.CAROM_INTERRUPTED:
        raise KeyboardInterrupt
    raise CaromError(_WORDS.get(err.status, "?"), _decode(err.what), _decode(err.where), _decode(err.fix),
                     err.body if err.body >= 0 else None, err.contact if err.contact >= 0 else None)


def call(function, *arguments):
    """Calls a function that returns a status and fills an error, its last argument; raises CaromError."""
    err = c.carom_error()
    if function(*arguments, ctypes.byref(err)) != c.CAROM_OK:
        fail(err)


def create(kind, function, *arguments):
    """Calls a function that makes something: ..., kind **out, error *. Returns the pointer."""
    out = ctypes.POINTER(kind)()
    call(function, *arguments, ctypes.byref(out))
    return out


def take_text(pointer):
    """The text that a function allocated, which is freed."""
    if not pointer:
        raise MemoryError
    try:
        return _decode(ctypes.cast(pointer, ctypes.c_char_p).value)
    finally:
        _free(ctypes.cast(pointer, ctypes.c_void_p))


def encode(words):
    return os.fspath(words).encode()


class Interrupt:
    """A progress that Ctrl-C stops: the C code asks it between its pieces of work.

    Python delivers signals between its own instructions only, so while C works the signal is taken here and the work
    ends with KeyboardInterrupt. Outside of the main thread nothing is changed.
    """

    def __init__(self):
        self._asked = False
        self.progress = c.carom_progress()
        kinds = dict(c.carom_progress._fields_)
        self._report = kinds["report"](lambda *_: int(self._asked))  # kept: C calls it
        self.progress.report = self._report

    def _take(self, *_):
        self._asked = True

    def __enter__(self):
        self._old = None
        if threading.current_thread() is threading.main_thread():
            self._old = signal.signal(signal.SIGINT, self._take)
        return ctypes.byref(self.progress)

    def __exit__(self, *_):
        if self._old is not None:
            signal.signal(signal.SIGINT, self._old)


def check_size(kind):
    """Refuses a C struct that the library was built with in another form."""
    found, wanted = ctypes.sizeof(kind), lib.carom_version_size(kind.__name__.encode())
    if found != wanted:
        raise ImportError(f"{kind.__name__} has {found} bytes here and {wanted} in the library: "
                          "the Python package and the C library are of different versions")


def dtype(kind):
    """The numpy type of a C struct, field by field."""
    check_size(kind)
    return np.dtype(kind)
