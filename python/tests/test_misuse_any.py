"""Calls drawn at random: any public function, any method, with things that no one would give. Whatever comes back is an
answer, a CaromError or what the system says about a file; a crash would end the test."""

import inspect
import pathlib
import random

import numpy as np
import pytest

import carom
from carom import CaromError

NAN, INF = float("nan"), float("inf")
SCENES = pathlib.Path(__file__).parents[2] / "scenes"


class Refuses:
    """Neither a number nor a sequence, and says so in its own way."""

    def __float__(self):
        raise RuntimeError("no")

    def __len__(self):
        return 10**9

    def __getitem__(self, i):
        raise IndexError

    def __repr__(self):
        raise RuntimeError("no")


def endless():
    row = []
    row.append(row)
    return row


TABLE = np.arange(24.0).reshape(4, 6)
THINGS = [
    None, 0, -1, 1, 3.5, NAN, INF, -INF, 1e308, 5e-324, 10**400, 2**31, 2**32, 2**63, -2**63, True, 1 + 1j,
    "", "x", "\0", "\ud800", "diamond:2", "wave", "moving", b"x", pathlib.Path("/tmp"), "/dev/null", "/none/x",
    [], [1], [1, 2], [1, 2, 3], [NAN, 0, 0], [[1, 2, 3]], (0, 0, 1), (1, 0, 0, 0), {}, {"a": 1}, {1: 2}, set(), endless(),
    np.zeros(0), np.zeros(3), np.zeros((3, 3))[:, ::2], TABLE[::2, ::3], np.asfortranarray(TABLE), np.zeros((1,) * 20),
    np.array([1, 2, 3], np.float32), np.array([1, 2, 3], np.int8), np.array(["a"]), np.array([1j]), np.array([None, 1]),
    np.array([1.0, 2, 3], ">f8"), np.ma.masked_array([1, 2, 3], [0, 1, 0]), np.float64(NAN), np.int64(-5),
    np.lib.stride_tricks.as_strided(np.zeros(1), (10**5, 3), (0, 0)), carom.bodies(3), carom.contacts([0], [1]),
    Refuses(), object(), object, len, carom, range(10**5), memoryview(b"abc"), slice(None), ..., ValueError("x"),
]
MADE = {
    "World": lambda folder: carom.World(SCENES / "world" / "dropped-ball.json"),
    "Tower": lambda folder: carom.Tower("diamond:2"),
    "Row": lambda folder: carom.Row(SCENES / "chain" / "wall.json"),
    "Shape": lambda folder: carom.box(1, 2, 3),
    "Trajectory": lambda folder: carom.Trajectory(folder / "ball.carom"),
}


LONG = {"run", "fall"}  # a duration of 2^31 s is none that is wrong


def targets():
    for name in carom.__all__:
        thing = getattr(carom, name)
        if inspect.isclass(thing) and issubclass(thing, BaseException):
            continue
        if callable(thing):
            yield name, None
        for member in dir(thing) if name in MADE else ():
            if not member.startswith("_") and member not in LONG:
                yield name, member


def call(r, folder, name, member):
    function, owner = getattr(carom, name), None
    if member:
        owner = MADE[name](folder)
        if r.random() < 0.1:
            owner.__del__()
        if isinstance(inspect.getattr_static(type(owner), member), property):
            return getattr(owner, member)
        function = getattr(owner, member)
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    row, named = [], {}
    for one in parameters:
        if one.kind is one.VAR_POSITIONAL:
            row += [r.choice(THINGS) for _ in range(r.randrange(3))]
        elif one.kind is one.VAR_KEYWORD:
            named.update({r.choice(["threads", "steps", "mass", "position"]): r.choice(THINGS)} if r.random() < 0.3 else {})
        elif one.default is one.empty or r.random() < 0.5:
            thing = r.choice(THINGS + [carom.sphere(0.1), owner])
            thing = folder / "out" if one.name == "out" and r.random() < 0.7 else thing
            if one.kind is one.POSITIONAL_ONLY or row:
                row.append(thing)
            else:
                named[one.name] = thing
    if not isinstance(named.get("threads", 1), int) or named.get("threads", 1) > 16:
        named["threads"] = -1
    return function(*row, **named) if "threads" in [p.name for p in parameters] else function(
        *row, **{key: value for key, value in named.items() if key != "threads"})


@pytest.mark.parametrize("seed", range(4))
def test_any_call_with_anything(seed, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # files of any name
    r = random.Random(seed)
    carom.run(SCENES / "world" / "dropped-ball.json", tmp_path / "ball.carom", {"duration": 0.02})
    listed = sorted(targets(), key=str)
    assert len(listed) > 60
    wrong = {}
    for k in range(250):
        name, member = r.choice(listed)
        try:
            call(r, tmp_path, name, member)
        except CaromError as error:
            assert len(str(error)) > 8, (k, name, member)
        except (OSError, MemoryError, StopIteration):
            pass  # of a file that is there already, or is a folder
        except KeyError:
            assert member == "find", (k, name, member)
        except Exception as error:
            words = str(error)  # Python's own, of how many arguments there are, may be
            if not (type(error) is TypeError and "argument" in words and
                    ("missing" in words or "positional" in words or "unexpected keyword" in words)):
                wrong[f"{name}.{member}"] = f"call {k}: {error!r}"
    assert not wrong, "\n".join(f"{call}: {words}" for call, words in wrong.items())
