"""Impact laws: what each is called, what it promises, which options it takes."""

import ctypes
from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Tuple

from . import _declarations as c
from ._given import mapping, text
from ._native import call, fail, lib


@dataclass(frozen=True)
class Option:
    """One option of a law. `choices` is empty for numbers, whose range is `min` to `max`."""

    name: str
    summary: str
    default: str
    min: float
    max: float
    choices: Tuple[str, ...]


@dataclass(frozen=True)
class Law:
    """An impact law. `promises` are names of desiderata ("KIN"), see `carom laws`."""

    name: str
    summary: str
    reference: str
    promises: Tuple[str, ...]
    friction: bool
    options: Tuple[Option, ...]


def _option(raw) -> Option:
    text = ctypes.create_string_buffer(64)
    lib.carom_law_option_text(raw, raw.contents.initial, text, len(text))
    found = raw.contents
    choices = tuple(found.choices.decode().split()) if found.choices else ()
    return Option(found.name.decode(), found.summary.decode(), text.value.decode(), found.min, found.max, choices)


def _law(raw) -> Law:
    bits = lib.carom_law_promises(raw)
    promises = tuple(lib.carom_law_promise_name(i).decode() for i in range(c.CAROM_PROMISE_COUNT) if bits >> i & 1)
    options = tuple(_option(lib.carom_law_option(raw, i)) for i in range(lib.carom_law_option_count(raw)))
    return Law(lib.carom_law_name(raw).decode(), lib.carom_law_summary(raw).decode(),
               lib.carom_law_reference(raw).decode(), promises, bool(lib.carom_law_has_friction(raw)), options)


def laws() -> Dict[str, Law]:
    """All laws by name, in the order of the manual."""
    found = [_law(lib.carom_law_at(i)) for i in range(lib.carom_law_count())]
    return {law.name: law for law in found}


def names() -> List[str]:
    return [lib.carom_law_name(lib.carom_law_at(i)).decode() for i in range(lib.carom_law_count())]


def find(name: Optional[str]):
    """The C law of a name (None: the default); CaromError suggests the nearest name."""
    if name is None:
        return lib.carom_law_default()
    err = c.carom_error()
    law = lib.carom_law_find(text(name, "law"), ctypes.byref(err))
    if not law:
        fail(err)
    return law


def options_of(law, given: Optional[Mapping[str, object]]):
    """The C options of a law: defaults, and what is given by name."""
    options = lib.carom_law_defaults(law)
    for name, value in mapping(given, "options").items():
        call(lib.carom_law_set, law, ctypes.byref(options), text(name, "the name of an option"), text(str(value), name))
    return options
