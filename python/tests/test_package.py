"""The package itself: the structs of the library, hints and words of everything public, what an import brings."""

import ctypes
import inspect
import pathlib
import re
import subprocess
import sys

import carom
from carom import _declarations, _native

FOLDER = pathlib.Path(carom.__file__).parent


def test_every_struct_in_use_is_known_to_the_library():
    used = set(re.findall(r"c\.(carom_\w+)", "".join(path.read_text() for path in FOLDER.glob("[a-z]*.py"))))
    structs = {kind.__name__ for kind in _declarations.STRUCTS}
    unknown = [name for name in sorted(used & structs) if not _native.lib.carom_version_size(name.encode())]
    assert unknown == [] and len(used & structs) > 30


def test_another_version_is_refused(monkeypatch):
    size = _native.lib.carom_version_size  # as if a struct had grown
    monkeypatch.setattr(_native.lib, "carom_version_size", lambda name: size(name) + 8 * (name == b"carom_ledger"))
    try:
        _native.check_sizes()
    except ImportError as refused:
        assert "different versions" in str(refused)
    else:
        raise AssertionError("a struct of another size was taken")


def public():
    for name in carom.__all__:
        found = getattr(carom, name)
        if inspect.isfunction(found):
            yield name, found
        if inspect.isclass(found) and not issubclass(found, Exception):
            for member, value in vars(found).items():
                value = value.fget if isinstance(value, property) else getattr(value, "__func__", value)
                if inspect.isfunction(value) and (not member.startswith("_") or member == "__init__") \
                        and value.__module__.startswith("carom."):
                    yield f"{name}.{member}", value


def test_everything_public_has_hints_and_words():
    bare, silent = [], []
    for name, function in public():
        signature = inspect.signature(function)
        hints = [p.annotation for key, p in signature.parameters.items() if key not in ("self", "cls")]
        if inspect.Parameter.empty in hints + [signature.return_annotation]:
            bare.append(name)
        if not function.__doc__ and not name.endswith("__init__"):
            silent.append(name)
    assert bare == [] and silent == []


def test_words_come_from_the_headers():
    assert "acts over the next step" in carom.World.apply_force.__doc__
    assert "Coulomb" in carom.contacts.__doc__ and "rad/s" in carom.bodies.__doc__


def test_an_import_brings_numpy_and_nothing_else():
    program = ("import sys, numpy, json, concurrent.futures, fractions, dataclasses, html, tempfile; before = set(sys.modules);"
               "import carom; print(*sorted(name for name in set(sys.modules) - before if name.split('.')[0] != 'carom'))")
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert [name for name in found if name.split(".")[0] not in sys.stdlib_module_names | {"numpy"}] == []


def test_the_lock_is_free_while_c_works():
    assert all(type(library) is ctypes.CDLL for library in _native.lib._libraries)  # PyDLL would keep it


def test_hints_are_announced():
    assert (FOLDER / "py.typed").exists()
