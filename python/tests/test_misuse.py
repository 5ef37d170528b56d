"""Wrong calls: each an exception that says what and how to mend it, none a crash, and none taken for something else."""

import copy
import os
import pathlib
import threading
import types

import numpy as np
import pytest

import carom
from carom import CaromError

NAN, INF = float("nan"), float("inf")
SCENES = pathlib.Path(__file__).parents[2] / "scenes"
BALL = SCENES / "world" / "dropped-ball.json"


def some():
    """A world with a ball above a floor, and an instant of two balls."""
    world = carom.World()
    world.add(carom.plane(), "fixed")
    ball = world.add(carom.sphere(0.1), position=(0, 0, 1))
    bodies, contacts = carom.chain([1, 0])
    return types.SimpleNamespace(world=world, ball=ball, bodies=bodies, contacts=contacts, tower=carom.Tower("diamond:2"))


def without(world, ball):
    world.remove(ball)
    return world


def changed(records, name, value):
    records[name] = value
    return records


def destroyed(what):
    what.__del__()
    return what


ROW = [{"mass": 1}, {"mass": 1}]
# What is called, and a word of what is said. `s` is what some() gives.
CALLS = {
    # vectors of another length, no numbers, no finite numbers
    "force of two": (lambda s: s.world.apply_force(s.ball, [1, 2]), "3 numbers"),
    "force of a text": (lambda s: s.world.apply_force(s.ball, "abc"), "3 numbers"),
    "force of a matrix": (lambda s: s.world.apply_force(s.ball, np.zeros((3, 3))), "3 numbers"),
    "force of one number": (lambda s: s.world.apply_force(s.ball, 3), "3 numbers"),
    "no force": (lambda s: s.world.apply_force(s.ball, None), "null"),
    "force that is none": (lambda s: s.world.apply_force(s.ball, [NAN, 0, 0]), "finite"),
    "impulse at a point of two": (lambda s: s.world.apply_impulse(s.ball, [0, 0, 1], (0, 0)), "3 numbers"),
    "velocity without a value": (lambda s: s.world.set_velocity(s.ball, (0, INF, 0)), "finite"),
    "force beyond a float": (lambda s: s.world.apply_force(s.ball, [10**400, 0, 0]), "3 numbers"),
    "step beyond a float": (lambda s: s.world.step(10**400), "no number"),
    "name of half a character": (lambda s: s.world.add(carom.sphere(1), name="\ud800"), "no text"),
    "file of half a character": (lambda s: carom.Trajectory("\ud800.carom"), "no name of a file"),
    "rotation of three": (lambda s: s.world.set_pose(s.ball, rotation=(1, 0, 0)), "4 numbers"),
    "rotation of none": (lambda s: s.world.set_pose(s.ball, rotation=(0, 0, 0, 0)), "quaternion"),
    "gravity of two": (lambda s: carom.World(gravity=(0, 0)), "3 numbers"),
    "gravity of one": (lambda s: carom.World(gravity=-9.81), "3 numbers"),
    "gravity without a value": (lambda s: carom.World(gravity=(0, 0, NAN)), "finite"),
    "position of two": (lambda s: s.world.add(carom.sphere(1), position=(9, 9)), "3 numbers"),
    "position of four": (lambda s: s.world.add(carom.sphere(1), position=(9, 9, 9, 9)), "3 numbers"),
    "anchor of two": (lambda s: s.world.joint("ball", s.ball, anchor=(0, 0)), "3 numbers"),
    "plane of two": (lambda s: carom.plane((0, 1)), "3 numbers"),
    "plane of none": (lambda s: carom.plane((0, 0, 0)), "length 0"),
    "hull of pairs": (lambda s: carom.hull(np.zeros((1000, 2))), "(n, 3)"),
    "hull of one row": (lambda s: carom.hull([1, 2, 3]), "(n, 3)"),
    "hull of words": (lambda s: carom.hull("abc"), "(n, 3)"),
    "hull of nothing": (lambda s: carom.hull(None), "(n, 3)"),
    "hull in a plane": (lambda s: carom.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]), "plane"),
    "ground of one": (lambda s: s.tower.ground((0,), (0, 1)), "2 numbers"),
    "ground of three": (lambda s: s.tower.ground((0, 0, 0), (0, 1)), "2 numbers"),
    "material of two": (lambda s: carom.bounce_map(carom.box(1, 1, 1), material=(1, 2)), "3 numbers"),
    # handles
    "no body": (lambda s: s.world.apply_force(None, [1, 0, 0]), "handle"),
    "a body by its number": (lambda s: s.world.remove(1), "handle"),
    "a body by its name": (lambda s: s.world.remove("ball"), "handle"),
    "a body of three numbers": (lambda s: s.world.remove((1, 2, 3)), "handle"),
    "a body beyond all integers": (lambda s: s.world.remove((2**32 + s.ball.slot, s.ball.generation)), "2147483647"),
    "a body below all": (lambda s: s.world.remove((-1, 1)), "slot -1"),
    "a body that was removed": (lambda s: without(s.world, s.ball).apply_force(s.ball, [1, 0, 0]), "removed"),
    "removed twice": (lambda s: without(s.world, s.ball).remove(s.ball), "removed"),
    "a joint to what was removed": (lambda s: without(s.world, s.ball).joint("ball", s.ball, anchor=(0, 0, 1)), "removed"),
    "a body of another world": (lambda s: carom.World().set_velocity(s.ball, (0, 0, 0)), "of this world"),
    "a joint with itself": (lambda s: s.world.joint("ball", s.ball, s.ball, anchor=(0, 0, 1)), "itself"),
    "a world that is gone": (lambda s: destroyed(s.world).step(0.01), "destroyed"),
    "views of a world that is gone": (lambda s: destroyed(s.world).positions, "destroyed"),
    "a world that is made by half": (lambda s: carom.World.__new__(carom.World).step(0.01), "never made"),
    "a tower that is gone": (lambda s: destroyed(s.tower).start(), "destroyed"),
    "a row that is gone": (lambda s: destroyed(carom.Row(SCENES / "chain" / "wall.json")).run(), "destroyed"),
    "a shape that is gone": (lambda s: s.world.add(destroyed(carom.sphere(1)), position=(9, 9, 9)), "destroyed"),
    "a copy of a shape": (lambda s: copy.copy(carom.sphere(1)), "copied"),
    "a copy of a world": (lambda s: copy.copy(s.world), "copied"),
    "a shape from an address": (lambda s: carom.Shape(3), "sphere"),
    # time
    "a step without a value": (lambda s: s.world.step(NAN), "above 0"),
    "a step backwards": (lambda s: s.world.step(-1), "above 0"),
    "a step of no time": (lambda s: s.world.step(0), "above 0"),
    "a step of words": (lambda s: s.world.step("x"), "number"),
    "a run without a value": (lambda s: s.world.run(NAN, 0.1), "duration"),
    "a run without an end": (lambda s: s.world.run(INF, 0.1), "duration"),
    "a run of steps of no time": (lambda s: s.world.run(1, 0), "dt"),
    "frames backwards": (lambda s: s.world.run(1, 0.1, every=-1), "every"),
    "a fall without a value": (lambda s: s.tower.fall(NAN), "duration"),
    "a fall by steps of no time": (lambda s: s.tower.fall(1, dt=0), "dt"),
    "a fall of no frames": (lambda s: s.tower.fall(0.1, every=0), "every"),
    "a fall of too many frames": (lambda s: s.tower.fall(1e12), "large"),
    "a step within a step": (lambda s: (s.world.before_step(lambda w, dt: w.step(dt)), s.world.step(0.01)), "within a step"),
    "a force that is no function": (lambda s: s.world.before_step(3), "function"),
    # fields
    "no shape": (lambda s: s.world.add(3), "Shape"),
    "another kind": (lambda s: s.world.add(carom.sphere(1), "movin"), "moving"),
    "mass in words": (lambda s: s.world.add(carom.sphere(1), mass="1"), "number"),
    "mass in a list": (lambda s: s.world.add(carom.sphere(1), mass=[1]), "number"),
    "mass below 0": (lambda s: s.world.add(carom.sphere(1), mass=-1), "above 0"),
    "a material that is none": (lambda s: s.world.add(carom.sphere(1), material=7), "material"),
    "a material beyond all integers": (lambda s: s.world.add(carom.sphere(1), material=2**32), "material"),
    "layers below 0": (lambda s: s.world.add(carom.sphere(1), layers=-1), "layers"),
    "a name that is a number": (lambda s: s.world.add(carom.sphere(1), position=(9, 9, 9), name=3), "text"),
    "a name with a NUL": (lambda s: s.world.add(carom.sphere(1), position=(9, 9, 9), name="a\0b"), "NUL"),
    "a map that is none": (lambda s: s.world.add(carom.sphere(1), bounce=3), "BounceMap"),
    "another joint": (lambda s: s.world.joint("bal", s.ball), "ball"),
    "friction below 0": (lambda s: s.world.material(friction=-1), "friction"),
    "friction in words": (lambda s: s.world.material(friction="x"), "number"),
    "a name to find that is none": (lambda s: s.world.find(3), "text"),
    "a radius in words": (lambda s: carom.sphere("x"), "number"),
    "a radius of nothing": (lambda s: carom.sphere(None), "number"),
    "a radius without a value": (lambda s: carom.sphere(NAN), "radius"),
    "an edge in words": (lambda s: carom.box("1", 1, 1), "number"),
    "faces below 0": (lambda s: carom.bounce_map(carom.box(1, 1, 1), faces=-1), "faces"),
    "modes beyond all integers": (lambda s: carom.bounce_map(carom.box(1, 1, 1), modes=2**33), "modes"),
    "a map of no shape": (lambda s: carom.bounce_map(3), "Shape"),
    "a brick in words": (lambda s: s.tower.brick("x", 0), "number"),
    "a brick without a place": (lambda s: s.tower.brick(NAN, 0), "coordinate"),
    "a tower of no name": (lambda s: carom.Tower("x"), "diamond"),
    "a tower of a number": (lambda s: carom.Tower(3), "file"),
    "a title that is none": (lambda s: s.tower.svg(3), "text"),
    "a row of nothing": (lambda s: carom.Row(None), "lists"),
    "a row of numbers": (lambda s: carom.Row([1, 2], [3]), "dict"),
    "a row with too many contacts": (lambda s: carom.Row([{"mass": 1}], [{}]), "contact"),
    "a row without a mass": (lambda s: carom.Row([{"mass": NAN}, {"mass": 1}], [{"stiffness": 1}]).run(), "mass"),
    "a row of another kind": (lambda s: carom.Row([{"kind": "x"}, {"mass": 1}], [{}]), "sphere"),
    # instants
    "bodies of numbers": (lambda s: carom.resolve([1, 2], [3]), "carom.bodies"),
    "bodies of nothing": (lambda s: carom.resolve(None, None), "carom.bodies"),
    "bodies for contacts": (lambda s: carom.resolve(s.contacts, s.bodies), "carom.bodies"),
    "bodies in a table": (lambda s: carom.resolve(s.bodies.reshape(2, 1), s.contacts), "carom.bodies"),
    "a contact to nobody": (lambda s: carom.resolve(s.bodies, changed(s.contacts, "b", 99)), "99"),
    "a contact to less": (lambda s: carom.resolve(s.bodies, changed(s.contacts, "b", -9)), "-9"),
    "a velocity that is none": (lambda s: carom.resolve(changed(s.bodies, "velocity", NAN), s.contacts), "finite"),
    "a normal of no length": (lambda s: carom.resolve(s.bodies, changed(s.contacts, "normal", 0)), "length 0"),
    "another law": (lambda s: carom.resolve(s.bodies, s.contacts, law="wafe"), "wave"),
    "a law that is a number": (lambda s: carom.resolve(s.bodies, s.contacts, law=3), "text"),
    "a law with a NUL": (lambda s: carom.resolve(s.bodies, s.contacts, law="wave\0x"), "NUL"),
    "an option in words": (lambda s: carom.resolve(s.bodies, s.contacts, options={"steps": "x"}), "steps"),
    "an option of no name": (lambda s: carom.resolve(s.bodies, s.contacts, options={3: 4}), "text"),
    "options in a list": (lambda s: carom.resolve(s.bodies, s.contacts, options=[1]), "dict"),
    "fewer threads than none": (lambda s: carom.resolve(s.bodies, s.contacts, threads=-3), "threads"),
    "threads beyond all integers": (lambda s: carom.resolve(s.bodies, s.contacts, threads=2**33), "threads"),
    "threads in words": (lambda s: carom.resolve(s.bodies, s.contacts, threads="2"), "threads"),
    "fewer bodies than none": (lambda s: carom.bodies(-1), "n is -1"),
    "half a body": (lambda s: carom.bodies(2.5), "whole"),
    "bodies beyond all memory": (lambda s: carom.bodies(10**15), "n is"),
    "velocities of two": (lambda s: carom.bodies(3, velocity=[1, 2]), "(3, 3)"),
    "half a contact": (lambda s: carom.contacts([0.5], [1.5]), "bodies"),
    "contacts beyond all integers": (lambda s: carom.contacts([2**40], [1]), "bodies"),
    "laws in one text": (lambda s: carom.compare(s.bodies, s.contacts, laws="wave"), "list"),
    "samples below 0": (lambda s: carom.outcomes(s.bodies, s.contacts, samples=-4), "samples"),
    "samples beyond all integers": (lambda s: carom.outcomes(s.bodies, s.contacts, samples=2**32 + 4), "samples"),
    "a spread that is none": (lambda s: carom.outcomes(s.bodies, s.contacts, samples=4, spread=NAN), "spread"),
    "drawn by a number": (lambda s: carom.outcomes(s.bodies, s.contacts, vary=3, samples=4), "text"),
    # files
    "a scene that is a number": (lambda s: carom.World(3), "file"),
    "a scene of nothing": (lambda s: carom.World({}), "carom"),
    "a scene with a NUL": (lambda s: carom.World("a\0b"), "file"),
    "a scene that is a folder": (lambda s: carom.World("/tmp"), "folder"),
    "a scene that is not there": (lambda s: carom.World("/none.json"), "open"),
    "a trajectory that is a folder": (lambda s: carom.Trajectory("/tmp"), "folder"),
    "a trajectory that is a number": (lambda s: carom.Trajectory(3), "file"),
    "a map that is not there": (lambda s: carom.BounceMap("/none"), "read"),
    "a mesh that is a number": (lambda s: carom.mesh(3), "file"),
    "settings in a list": (lambda s: carom.run(BALL, os.devnull, [1]), "dict"),
    "laws that are a number": (lambda s: carom.validate(BALL, laws=3), "list"),
    "fewer threads for a sweep": (lambda s: carom.sweep(lambda x: x, threads=-3, x=[1]), "threads"),
}
UNKNOWN = {
    "a body": lambda s: s.world.add(carom.sphere(1), masss=3),
    "a pointer of a body": lambda s: s.world.add(carom.sphere(1), drive=3),
    "a world": lambda s: carom.World(gravty=(0, 0, 0)),
    "a material": lambda s: s.world.material(frictin=1),
    "a brick": lambda s: s.tower.brick(0, 0, massx=3),
    "a row": lambda s: carom.Row(ROW, [{"stiffness": 1}], lenght=1),
    "how many a row has": lambda s: carom.Row(ROW, [{"stiffness": 1}], body_count=300),
    "how many laws": lambda s: carom.validate(BALL, law_count=3),
    "bodies": lambda s: carom.bodies(3, velocty=[1, 2, 3]),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_says_what_and_fix(name):
    call, word = CALLS[name]
    given = some()
    with pytest.raises(CaromError) as raised:
        call(given)
    assert word in str(raised.value), str(raised.value)
    assert raised.value.fix, str(raised.value)


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_field_that_is_none_of_those_there(name):
    with pytest.raises(TypeError, match="is none of") as raised:  # as Python has it for names of arguments
        UNKNOWN[name](some())
    assert isinstance(raised.value, CaromError)


def test_a_wrong_call_leaves_the_world_as_it_was():
    given = some()
    before = given.world.hash
    for name in ("force of two", "rotation of three", "a step without a value", "a body below all", "mass in words"):
        with pytest.raises(CaromError):
            CALLS[name][0](given)
    assert given.world.hash == before
    given.world.step(0.01)
    assert given.world.time == 0.01


def test_frames_that_there_are_not(tmp_path):
    trajectory = carom.run(BALL, tmp_path / "ball.carom", {"duration": 0.05})
    for frame in (-1, len(trajectory), 2**32, "x"):
        with pytest.raises(CaromError, match="frame"):
            trajectory.contacts(frame)


def test_a_call_waits_for_the_step_of_another_thread():
    given = some()
    within, go_on, removed = threading.Event(), threading.Event(), threading.Event()
    given.world.before_step(lambda world, dt: (within.set(), go_on.wait(60)))
    step = threading.Thread(target=lambda: given.world.step(0.01))
    step.start()
    assert within.wait(60)
    remove = threading.Thread(target=lambda: (given.world.remove(given.ball), removed.set()))
    remove.start()
    assert not removed.wait(0.3)  # it may wait for ever: the step is not over
    go_on.set()
    step.join()
    remove.join()
    assert removed.is_set() and given.world.ledger["steps"] == 1


def test_many_threads_on_one_world():
    """Calls come one after the other: every step is done, every body is there, whoever asked."""
    world, wrong = carom.World(), []
    world.add(carom.plane(), "fixed")

    def work(k):
        try:
            for i in range(20):
                world.add(carom.sphere(0.1), position=(k, i, 1))
                world.step(1e-4)
                world.events, world.contacts, world.hash, repr(world)
        except CaromError as raised:
            wrong.append(str(raised))
        except BufferError:
            wrong.append("a view that nobody holds")

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [] and len(world.positions) == 81 and world.ledger["steps"] == 80


def test_one_thread_steps_while_another_takes_away():
    world = carom.World()
    world.add(carom.plane(), "fixed")
    balls = [world.add(carom.sphere(0.1), position=(i, 0, 0.1)) for i in range(40)]
    stepping = threading.Thread(target=lambda: world.run(0.1, 1e-3))
    stepping.start()
    for ball in balls:
        world.remove(ball)
    stepping.join()
    assert world.ledger["steps"] == 100
    with pytest.raises(CaromError, match="removed"):
        world.remove(balls[0])
