"""The C libraries: found, loaded, and their functions with the types and the words that the headers give them."""

import ctypes
import inspect
import os
import pathlib
import signal
import threading
import weakref
from typing import Any, Callable, TypeVar

import numpy as np

from . import _declarations as c

_NAMES = ("libcarom.so.0", "libcarom-models.so.0", "libcarom-io.so.0")


def _load():
    """From CAROM_LIBRARY_PATH, from the wheel itself, else where the system keeps its libraries."""
    folders = [os.environ.get("CAROM_LIBRARY_PATH"), pathlib.Path(__file__).parent / "lib"]
    for folder in filter(None, folders):
        if (pathlib.Path(folder) / _NAMES[0]).exists():
            return [ctypes.CDLL(str(pathlib.Path(folder).resolve() / name), mode=ctypes.RTLD_GLOBAL) for name in _NAMES]
    try:
        return [ctypes.CDLL(name, mode=ctypes.RTLD_GLOBAL) for name in _NAMES]
    except OSError as missing:
        raise ImportError(f"the C libraries of Carom are not there ({missing}). Fix: install the wheel of `make wheel` "
                          "or the package libcarom0, or set CAROM_LIBRARY_PATH to their folder") from None


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

    def __getattr__(self, name):
        if name not in c.FUNCTIONS:
            raise AttributeError(name)
        result, parameters = c.FUNCTIONS[name]
        for library in self._libraries:
            if hasattr(library, name):
                function = getattr(library, name)
                function.restype, function.argtypes = result, parameters
                function.__doc__ = c.SAID.get(name)
                setattr(self, name, function)
                return function
        raise AttributeError(f"{name} is not in this build of Carom")


lib = _Library()
_WORDS = {value: name[len("CAROM_"):] for name, value in vars(c).items()
          if name in ("CAROM_OK", "CAROM_BAD_INPUT", "CAROM_NOT_CONVERGED", "CAROM_BROKE_PROMISE", "CAROM_NO_MEMORY",
                      "CAROM_IO_FAILED", "CAROM_INTERRUPTED", "CAROM_UNSUPPORTED")}
_free = ctypes.CDLL(None).free
_free.argtypes = [ctypes.c_void_p]

_Documented = TypeVar("_Documented", bound=Callable[..., Any])


def _own_words(function):
    """A docstring without the indentation of its place in the file."""
    return inspect.cleandoc(function.__doc__ or "")


def says(*names: str) -> Callable[[_Documented], _Documented]:
    """Adds to a function what the C headers say about what it calls; a name that they do not have is an error."""
    def add(function: _Documented) -> _Documented:
        words = " ".join(c.SAID[name] for name in names)
        function.__doc__ = f"{_own_words(function)}\n\n{words}".strip()
        return function
    return add


def says_fields(kind: type) -> Callable[[_Documented], _Documented]:
    """Adds a list of the fields of a C struct with the words of its header."""
    def add(function: _Documented) -> _Documented:
        lines = (f"    {name}: {c.SAID.get(kind.__name__ + '.' + name, '')}" for name, *_ in kind._fields_)  # type: ignore
        function.__doc__ = f"{_own_words(function)}\n\nFields:\n\n" + "\n".join(lines)
        return function
    return add


def fail(err):
    """Raises what a filled carom_error says."""
    if err.status == c.CAROM_INTERRUPTED:
        raise KeyboardInterrupt
    if err.status == c.CAROM_NO_MEMORY:
        raise MemoryError(_decode(err.what))
    raise CaromError(_WORDS.get(err.status, "?"), _decode(err.what), _decode(err.where), _decode(err.fix),
                     err.body if err.body >= 0 else None, err.contact if err.contact >= 0 else None)


def call(function, *arguments):
    """Calls a function that returns a status and fills an error, its last argument; raises CaromError."""
    err = c.carom_error()
    err.body = err.contact = -1
    try:
        status = function(*arguments, ctypes.byref(err))
    except ctypes.ArgumentError as wrong:
        raise CaromError("BAD_INPUT", f"{function.__name__} cannot take what it was given: {wrong}",
                         fix="give numbers where numbers are asked for") from None
    if status != c.CAROM_OK:
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
        free(pointer)


def free(pointer):
    """Frees what a function allocated for its caller."""
    _free(ctypes.cast(pointer, ctypes.c_void_p))


def copied(pointer, shape, kind=float):
    """Numbers or records that C keeps, as an array of their own."""
    kind = np.dtype(kind)
    count = int(np.prod(shape))
    if count == 0 or not pointer:
        return np.zeros(shape, kind)
    return np.frombuffer(ctypes.string_at(pointer, count * kind.itemsize), kind).reshape(shape).copy()


class Interrupt:
    """A progress that Ctrl-C stops: the C code asks it between its pieces of work.

    Python delivers signals between its own instructions only, so while C works the signal is taken here and the work
    ends with KeyboardInterrupt. Outside of the main thread nothing is changed.
    """

    _asked = False
    _kind: Any = dict(c.carom_progress._fields_)["report"]  # type: ignore
    _report = _kind(lambda *_: int(Interrupt._asked))  # kept: C calls it
    progress = c.carom_progress()
    progress.report = _report

    @staticmethod
    def _take(*_):
        Interrupt._asked = True

    def __enter__(self):
        self._old = None
        if threading.current_thread() is not threading.main_thread():
            return None
        old = signal.getsignal(signal.SIGINT)
        if old is not None and old != Interrupt._take:  # else one around this takes it
            Interrupt._asked = False
            self._old = old
            signal.signal(signal.SIGINT, Interrupt._take)
        return ctypes.byref(Interrupt.progress)

    def __exit__(self, kind, *_):
        if self._old is None:
            return
        signal.signal(signal.SIGINT, self._old)
        asked, Interrupt._asked = Interrupt._asked, False
        if asked and kind is None:  # it came too late to stop anything
            raise KeyboardInterrupt


class _Memory:
    """Memory of C that numpy looks at; keeps its owner alive as long as any view is."""

    __slots__ = ("owner", "__array_interface__", "__weakref__")

    def __init__(self, owner, address, size):
        self.owner = owner
        self.__array_interface__ = {"data": (address, True), "shape": (size,), "typestr": "|u1", "version": 3}


def look(owner, pointer, shape, kind=float):
    """A read-only view of numbers or records where they stand, and a weak reference that lives as long as it does."""
    kind = np.dtype(kind)
    memory = _Memory(owner, ctypes.cast(pointer, ctypes.c_void_p).value, int(np.prod(shape)) * kind.itemsize)
    return np.asarray(memory).view(kind).reshape(shape), weakref.ref(memory)


def check_sizes():
    """Refuses a library whose structs have another form than the headers that this package was written from."""
    for kind in c.STRUCTS:
        found, wanted = ctypes.sizeof(kind), lib.carom_version_size(kind.__name__.encode())
        if wanted and found != wanted:
            raise ImportError(f"{kind.__name__} has {found} bytes here and {wanted} in the library: "
                              "the Python package and the C library are of different versions")


check_sizes()


def dtype(kind):
    """The numpy type of a C struct, field by field: numpy takes the offsets that ctypes computed."""
    made = np.dtype(kind)
    if made.itemsize != ctypes.sizeof(kind):
        raise ImportError(f"{kind.__name__} has {made.itemsize} bytes in numpy and {ctypes.sizeof(kind)} in C")
    return made
