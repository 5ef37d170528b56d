"""Impacts from Python: the same numbers as the C interface gives, closed forms, and errors that say what to do."""

import threading

import numpy as np
import pytest

import carom


def test_cradle():
    bodies, contacts = carom.chain([1, 0, 0, 0, 0])
    out = carom.resolve(bodies, contacts, law="qce")
    assert np.allclose(out.velocities[:, 0], [0, 0, 0, 0, 1], atol=1e-12)
    assert out.end == "settled" and out.report["energy_after"] == pytest.approx(0.5, rel=1e-12)


def test_restitution_and_masses():
    # two balls: u+ = -e u-, momentum kept
    rng = np.random.default_rng(1)
    for _ in range(20):
        m, v, e = rng.uniform(0.1, 10, 2), rng.uniform(0, 1, 2) + [1, 0], rng.uniform(0, 1)
        bodies, contacts = carom.chain(v, mass=m, restitution=e)
        after = carom.resolve(bodies, contacts).velocities[:, 0]
        approach = v[1] - v[0]
        wanted = (m @ v + np.array([-m[1], m[0]]) * (-e * approach if approach < 0 else approach)) / m.sum()
        assert np.allclose(after, wanted, atol=1e-12)


def test_many_independent_impacts_are_one_call():
    n = 1000
    speed = np.linspace(0.1, 2, n)
    bodies = carom.bodies(2 * n)
    bodies["position"][:, 0] = np.arange(2 * n)
    bodies["velocity"][::2, 0] = speed
    contacts = carom.contacts(np.arange(0, 2 * n, 2), np.arange(1, 2 * n, 2), restitution=0.5)
    contacts["point"][:, 0] = np.arange(0, 2 * n, 2) + 0.5
    one, two = (carom.resolve(bodies, contacts, threads=k) for k in (1, 2))
    assert np.allclose(one.velocities[1::2, 0], 0.75 * speed, rtol=1e-12)
    assert one.report["islands"] == n and one.report["hash"] == two.report["hash"]


def test_compare_is_a_table():
    table = carom.compare(*carom.chain([1, 0, 0]), laws=["qce", "newton"])
    assert table.rows["qce"]["velocities"][2, 0] == pytest.approx(1, abs=1e-12)
    assert table.rows["newton"]["energy"] == pytest.approx(1, abs=1e-9)
    assert "newton" in repr(table) and table.svg().startswith("<svg")
    assert table._repr_html_().startswith("<iframe")


def test_outcome_shows_itself():
    page = carom.resolve(*carom.chain([1, 0]))._repr_html_()
    assert page.startswith("<iframe") and len(page) > 100_000


def test_errors_say_what_where_and_fix():
    bodies, contacts = carom.chain([1, 0])
    with pytest.raises(carom.CaromError) as wrong_law:
        carom.resolve(bodies, contacts, law="qcf")
    assert "qce" in wrong_law.value.fix
    contacts["restitution"] = 1.2
    with pytest.raises(carom.CaromError) as wrong_number:
        carom.resolve(bodies, contacts)
    assert wrong_number.value.contact == 0 and "1.2" in wrong_number.value.what and wrong_number.value.fix
    with pytest.raises(carom.CaromError):
        carom.resolve(bodies, contacts, law="qce", options={"sweepz": 3})
    with pytest.raises(TypeError):
        carom.bodies(2, speed=1)


def test_laws_tell_about_themselves():
    found = carom.laws()
    assert "wave" in found and "KIN" in found["wave"].promises and found["wave"].friction
    assert any(option.name == "steps" for option in found["wave"].options)


def test_two_threads_of_python():
    bodies, contacts = carom.chain([1] + [0] * 30)
    wanted, found = carom.resolve(bodies, contacts).report["hash"], []
    work = [threading.Thread(target=lambda: found.append(carom.resolve(bodies, contacts).report["hash"]))
            for _ in range(4)]
    for thread in work:
        thread.start()
    for thread in work:
        thread.join()
    assert found == [wanted] * 4


def test_no_leak():
    resource = pytest.importorskip("resource")
    bodies, contacts = carom.chain([1, 0])

    def peak(calls):
        for _ in range(calls):
            carom.resolve(bodies, contacts)
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    peak(500)
    before = peak(500)
    assert peak(3000) - before < 1024  # kB; one forgotten workspace per call would be far more


def test_contact_with_an_image():
    # two balls that move apart and meet around the end of a ring of 3 m: b lies 3 m before where it is
    bodies = carom.bodies(2, position=[[0, 0, 0], [2, 0, 0]], velocity=[[-1, 0, 0], [1, 0, 0]])
    contact = carom.contacts([0], [1], point=[[-0.5, 0, 0]], normal=[[-1, 0, 0]], shift=[[-3, 0, 0]])
    for law in ("wave", "qce", "newton"):
        assert np.allclose(carom.resolve(bodies, contact, law).velocities[:, 0], (1, -1), atol=1e-12)
