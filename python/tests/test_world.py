"""Worlds from Python: closed forms, views without a copy, forces, events, and the same bits as a scene file gives."""

import json

import numpy as np
import pytest

import carom


def falling_ball(**options):
    world = carom.World(**options)
    floor = world.material(restitution=0.5, friction=0)
    world.add(carom.plane(), "fixed", material=floor, name="floor")
    return world, world.add(carom.sphere(0.1), position=(0, 0, 0.6), material=floor, mass=2, name="ball")


def test_a_ball_falls_and_bounces():
    world, ball = falling_ball()
    for _ in range(500):
        world.step(0.001)
    g, h = 9.81, 0.5
    landing = np.sqrt(2 * h / g)
    t = 0.5 - landing
    wanted = 0.1 + 0.5 * g * landing * t - g * t * t / 2
    assert world.positions[ball.slot, 2] == pytest.approx(wanted, abs=1e-9)
    assert world.time == pytest.approx(0.5) and world.ledger["impacts"] == 1
    assert world.ledger["law"] == pytest.approx(0.75 * 2 * g * h, rel=1e-9)


def test_views_are_read_only_and_not_copied():
    world, ball = falling_ball()
    view = world.positions
    with pytest.raises(ValueError):
        view[ball.slot, 2] = 3
    assert not view.flags.owndata


def test_views_stay_with_their_world():
    world, ball = falling_ball()
    view, ledger = world.positions[ball.slot], world.ledger
    with pytest.raises(BufferError):  # memory could move
        world.add(carom.sphere(0.1), position=(3, 0, 1))
    world.step(0.01)
    assert view[2] == world.positions[ball.slot, 2] < 0.6 and ledger["time"] == world.time == 0.01
    del world  # the view keeps it
    assert view[2] < 0.6
    world, ball = falling_ball()
    world.positions
    world.add(carom.sphere(0.1), position=(3, 0, 1))  # nobody holds the view


def test_contacts_are_a_view_that_outlives_the_step():
    world, ball = falling_ball()
    world.record_contacts()
    world.run(0.35, 0.001)
    contacts = world.contacts
    assert not contacts.flags.owndata and not contacts.flags.writeable and len(contacts) == 1
    impulse = contacts["impulse"][0, 2]
    assert impulse == pytest.approx(1.5 * 2 * np.sqrt(2 * 9.81 * 0.5), rel=1e-9)
    world.run(0.5, 0.001)
    assert contacts["impulse"][0, 2] == impulse and len(world.contacts) > 1
    world.clear_contacts()
    assert len(world.contacts) == 0 and contacts["impulse"][0, 2] == impulse


def test_joints_and_runs_that_end():
    world = carom.World()
    bob = world.add(carom.sphere(0.05), position=(1, 0, 0), mass=1)
    world.joint("rod", bob, anchor_a=(1, 0, 0), anchor_b=(0, 0, 0))
    world.run(10, 0.001, after_step=lambda w: bool(w.positions[bob.slot, 0] < 0))
    x, v = world.positions[bob.slot], world.velocities[bob.slot]
    # at the bottom of a quarter swing v^2 = 2 g L, but for the spin of the bob, which the rod does not turn
    assert np.linalg.norm(v) == pytest.approx(np.sqrt(2 * 9.81), rel=1e-3) and np.linalg.norm(x) == pytest.approx(1, abs=1e-4)
    with pytest.raises(TypeError):
        world.joint("glue", bob)


def test_ctrl_c_ends_a_run_and_leaves_the_world():
    import os
    import signal
    import threading
    world, _ = falling_ball()
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        world.run(1e6, 1e-5)
    before = world.time
    world.step(0.001)
    assert world.time == pytest.approx(before + 0.001)
    with pytest.raises(KeyboardInterrupt):  # Python's own handler is back
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(10**6):
            pass


def test_periodic_box():
    world, ball = falling_ball(gravity=(0, 0, 0), periodic=((0, 10), (0, 0), (0, 0)))
    world.set_pose(ball, position=(9.5, 0, 0.6))  # 1.5 m before the image of the other
    other = world.add(carom.sphere(0.1), position=(1, 0, 0.6), velocity=(-1, 0, 0), mass=2)
    world.run(2, 0.01)
    assert world.ledger["impacts"] == 1 and world.velocities[ball.slot, 0] < 0
    assert world.positions[other.slot, 0] < 0  # positions are not wrapped
    wrapped = world.home(world.positions)
    assert ((0 <= wrapped[:, 0]) & (wrapped[:, 0] < 10)).all() and np.array_equal(wrapped[:, 1:], world.positions[:, 1:])
    assert wrapped[other.slot, 0] == pytest.approx(world.positions[other.slot, 0] + 10, abs=1e-14)
    assert np.array_equal(world.periodic, ((0, 10), (0, 0), (0, 0)))
    scene = {"carom": 1, "kind": "world", "step": 0.01, "duration": 1, "periodic": {"x": [0, 10]},
             "bodies": [{"name": "ball", "shape": {"sphere": 0.1}, "position": [5, 0, 0]}]}
    assert np.array_equal(carom.World(scene).periodic, world.periodic)
    with pytest.raises(carom.CaromError, match="two images"):
        world.add(carom.sphere(3), position=(5, 0, 5), mass=1)
    with pytest.raises(carom.CaromError, match="rows"):
        carom.World(periodic=(0, 10))


def test_forces_and_functions():
    world, ball = falling_ball(gravity=(0, 0, 0))
    calls = []

    def push(w, dt):
        calls.append(dt)
        w.apply_force(ball, (4, 0, 0))

    world.before_step(push)
    world.run(1, 0.01)
    assert world.velocities[ball.slot, 0] == pytest.approx(2, rel=1e-12) and len(calls) == 100
    assert world.ledger["driven"] == pytest.approx(0.5 * 2 * 2**2, rel=1e-9)

    def broken(w, dt):
        raise ZeroDivisionError("mine")

    world.before_step(broken)
    before = world.hash
    with pytest.raises(ZeroDivisionError):
        world.step(0.01)
    assert world.hash == before
    world.before_step(None)
    world.step(0.01)


def test_events():
    world, ball = falling_ball()
    world.record_events()
    hits = 0
    for _ in range(400):
        world.step(0.001)
        hits += int((world.events["kind"] == 1).sum())
    assert hits == 1


def test_stale_handles_are_refused():
    world, ball = falling_ball()
    world.remove(ball)
    with pytest.raises(carom.CaromError) as stale:
        world.set_velocity(ball, (1, 0, 0))
    assert "removed" in stale.value.fix
    with pytest.raises(KeyError):
        world.find("nobody")


def test_a_dict_is_a_scene(tmp_path):
    scene = {"carom": 1, "kind": "world", "step": 0.002, "duration": 0.2,
             "bodies": [{"name": "a", "shape": {"sphere": 0.1}, "velocity": [1, 0, 0]},
                        {"name": "b", "shape": {"sphere": 0.1}, "position": [0.25, 0, 0]}], "gravity": [0, 0, 0]}
    path = tmp_path / "two.json"
    path.write_text(json.dumps(scene))
    one, two = carom.World(scene), carom.World(path)
    for _ in range(100):
        one.step()
        two.step()
    run = carom.run(path, tmp_path / "two.carom")
    assert one.hash == two.hash == int(run.hashes[-1])
    assert one.find("b").slot == 1
    with pytest.raises(carom.CaromError) as wrong:
        carom.World({**scene, "stepp": 1})
    assert "step" in wrong.value.what + wrong.value.fix


def test_shows_itself():
    world, _ = falling_ball()
    world.run(0.1, 0.01, every=0.02)
    assert world._repr_html_().startswith("<iframe")
