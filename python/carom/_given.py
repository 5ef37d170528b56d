"""What a caller gives, looked at before C sees it: ctypes cuts large integers, fills short arrays with zeros, and takes a
number for an address. Whatever cannot be used is a CaromError with what and fix."""

import ctypes
import functools
import operator
import os
from typing import Any, Callable, Mapping, TypeVar

import numpy as np

from ._native import CaromError

_INTEGERS = (ctypes.c_int, ctypes.c_uint, ctypes.c_long, ctypes.c_ulong, ctypes.c_int64, ctypes.c_uint64,
             ctypes.c_size_t)
_INT_MAX = 2**31 - 1
_Method = TypeVar("_Method", bound=Callable[..., Any])


class WrongCall(CaromError, TypeError, ValueError):
    """A CaromError that is caught as Python's own errors are, too."""


def wrong(what: str, fix: str) -> WrongCall:
    """The error for something that cannot be used."""
    return WrongCall("BAD_INPUT", what, fix=fix)


def _short(value) -> str:
    try:
        words = " ".join(repr(value).split())
    except Exception:  # whatever it is, it is not what was asked for
        words = f"a {type(value).__name__}"
    return words if len(words) <= 60 else words[:57] + "..."


def text(value: Any, name: str) -> bytes:
    """A text for C, which ends at a NUL."""
    try:
        if isinstance(value, str) and "\0" not in value:
            return value.encode()
    except UnicodeEncodeError:  # half of a character
        pass
    raise wrong(f"{name} is {_short(value)}, no text", "give a str without NUL and half characters")


def path(value: Any, name: str = "the path") -> bytes:
    """The name of a file."""
    try:
        given = os.fsencode(value)
    except Exception:
        given = b"\0"
    if b"\0" in given:
        raise wrong(f"{name} is {_short(value)}, no name of a file", "give a str or a pathlib.Path")
    return given


def number(value: Any, name: str) -> float:
    """A number; its range is for C to judge."""
    try:
        if np.ndim(value) == 0 and not isinstance(value, (str, bytes)):
            return float(value)
    except Exception:  # float() and numpy raise many, an object's own methods any
        pass
    raise wrong(f"{name} is {_short(value)}, no number", "give one number")


def flag(value: Any, name: str) -> bool:
    """True or False, as Python takes it; an array of several is neither."""
    try:
        return bool(value)
    except Exception:
        raise wrong(f"{name} is {_short(value)}, neither true nor false", "give True or False") from None


def numbers(values: Any, name: str) -> np.ndarray:
    """Numbers in a row, as many as there are."""
    given = _floats(list(values) if hasattr(values, "__iter__") and not hasattr(values, "__len__") else values)
    if given.ndim != 1 or given.size != (len(values) if hasattr(values, "__len__") else given.size):
        raise wrong(f"{name} is {_short(values)}, no row of numbers", "give a list or an array of numbers")
    return given


def made(pointer: Any, kind: Any, name: str, maker: str) -> Any:
    """What C made and hands over; nobody else has one."""
    if not isinstance(pointer, ctypes.POINTER(kind)) or not pointer:
        raise wrong(f"{name} is {_short(pointer)}, nothing that {maker} made", f"call {maker}")
    return pointer


def positive(value: Any, name: str) -> float:
    """A number above 0, and not infinite."""
    given = number(value, name)
    if not 0 < given < float("inf"):
        raise wrong(f"{name} is {given:g}", "use a finite number above 0")
    return given


def count(value: Any, name: str, least: int = 0, most: int = _INT_MAX) -> int:
    """A whole number within a range."""
    try:
        given = operator.index(value)
    except Exception:
        raise wrong(f"{name} is {_short(value)}, no whole number", f"use {least} to {most}") from None
    if not least <= given <= most:
        raise wrong(f"{name} is {given}", f"use {least} to {most}")
    return given


def vector(values: Any, name: str = "a vector", length: int = 3) -> Any:
    """Numbers as a C array; None stays None, a null pointer."""
    return None if values is None else _array(ctypes.c_double * length, values, name)


def _array(kind, values, name):
    if isinstance(kind._type_, type(ctypes.Array)):  # rows, as a periodic box has them
        if not hasattr(values, "__len__") or len(values) != kind._length_:
            raise wrong(f"{name} is {_short(values)}, not {kind._length_} rows", f"give {kind._length_} rows of numbers")
        return kind(*(_array(kind._type_, row, name) for row in values))
    if kind._type_ is not ctypes.c_double:
        if _floats(values).shape != (kind._length_,):
            raise wrong(f"{name} is {_short(values)}, not {kind._length_} whole numbers", f"give {kind._length_} of them")
        return kind(*(count(one, name, -_INT_MAX) for one in values))
    given = _floats(values)
    if given.shape != (kind._length_,):
        raise wrong(f"{name} is {_short(values)}, not {kind._length_} numbers", f"give {kind._length_} numbers")
    return kind(*given)


def _floats(values):
    """As numpy has them, one after the other in memory; empty where they are none."""
    try:
        return np.empty(0) if np.iscomplexobj(values) else np.ascontiguousarray(values, float)
    except Exception:
        return np.empty(0)


def points(values: Any, name: str = "points", width: int = 3) -> np.ndarray:
    """Rows of numbers as C reads them."""
    given = _floats(values)
    if given.ndim != 2 or given.shape[1] != width:
        raise wrong(f"{name} is {_short(values)}, no rows of {width} numbers", f"give an array of the form (n, {width})")
    return given


def handle(kind: Any, given: Any, name: str) -> Any:
    """A body or joint by value. Whether there is one, the world knows."""
    if not isinstance(given, tuple) or len(given) != 2:
        raise wrong(f"{name} is {_short(given)}, no handle", "use what add() or joint() returned")
    return kind(*(count(part, name, -_INT_MAX) for part in given))


def instance(value: Any, kind: type, name: str, fix: str) -> Any:
    """The value, if it is of this kind."""
    if not isinstance(value, kind):
        raise wrong(f"{name} is {_short(value)}, no {kind.__name__}", fix)
    return value


def choice(kinds: Mapping[str, int], word: Any, name: str = "kind") -> int:
    """The number that C has for a word."""
    if not isinstance(word, str) or word not in kinds:
        raise wrong(f"{name} is {_short(word)}", f"use one of {', '.join(kinds)}")
    return kinds[word]


def mapping(value: Any, name: str) -> Mapping[Any, Any]:
    """Names with values; nothing is an empty one."""
    return {} if value is None else instance(value, Mapping, name, "give a dict")


def set_fields(record: Any, fields: Mapping[str, Any]) -> Any:
    """Sets fields of a C record by name: numbers, texts, arrays of numbers. Pointers and counts are not for callers."""
    kinds = {name: kind for name, kind in record._fields_ if _is_settable(kind) and not name.endswith("_count")}
    for name, value in fields.items():
        if name not in kinds:
            raise wrong(f"{name} is none of {', '.join(kinds)}", "use one of these")
        setattr(record, name, _field(kinds[name], value, name))
    return record


def _is_settable(kind):
    if isinstance(kind, type(ctypes.Array)):
        return isinstance(kind._type_, type(ctypes.Array)) or kind._type_ in (ctypes.c_double, ctypes.c_int)
    return kind in (ctypes.c_char_p, ctypes.c_bool, ctypes.c_double, *_INTEGERS)


def _field(kind, value, name):
    if kind is ctypes.c_char_p:
        return path(value, name) if isinstance(value, os.PathLike) else text(value, name)
    if kind is ctypes.c_bool:
        return bool(value)
    if kind is ctypes.c_double:
        return number(value, name)
    if kind in _INTEGERS:
        size = 8 * ctypes.sizeof(kind)
        signed = kind(-1).value < 0
        return count(value, name, -2**(size - 1) if signed else 0, 2**(size - signed) - 1)
    return _array(kind, value, name)


class Owned:
    """Has pointers to what C made, in attributes of these names; they are given back once, and are not copied."""

    _owned = ("_c",)

    def _give_back(self, name: str, destroy: Callable[[Any], Any]) -> None:
        pointer = vars(self).pop(name, None)
        if pointer:
            destroy(pointer)

    def __getattr__(self, name: str) -> Any:  # of what is not there
        if name in self._owned:
            raise wrong(f"this {type(self).__name__} was destroyed, or never made", "make another")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise wrong(f"a {type(self).__name__} can be neither copied nor pickled", "make another from what this was made from")


def alone(method: _Method) -> _Method:
    """A method that one thread at a time is in: what C keeps behind a pointer is not made for two. Others wait."""
    @functools.wraps(method)
    def guarded(self, *arguments, **named):
        with self._lock:
            return method(self, *arguments, **named)
    return guarded  # type: ignore
