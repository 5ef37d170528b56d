"""Runs from Python: recorded, read back as arrays, the same bits as the command gives."""

import json

import numpy as np
import pytest

import carom

SCENE = {
    "carom": 1, "kind": "world", "step": 0.001, "duration": 0.5, "output": {"every": 0.05, "contacts": True},
    "materials": {"ball": {"restitution": 0.8, "friction": 0}},
    "bodies": [{"name": "floor", "kind": "fixed", "shape": {"plane": [0, 0, 1]}, "material": "ball"},
               {"name": "ball", "shape": {"sphere": 0.1}, "position": [0, 0, 0.6], "material": "ball"}],
}


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "drop.json"
    path.write_text(json.dumps(SCENE))
    return path


def test_run_and_read(scene, tmp_path):
    run = carom.run(scene, tmp_path / "drop.carom")
    assert len(run) == 11 and run.ended and run.damage is None and run.names == ["floor", "ball"]
    # half a metre of fall: it lands at t = sqrt(2 h / g), leaves with 0.8 of its speed
    g, h, t = 9.81, 0.5, 0.5
    landing = np.sqrt(2 * h / g)
    up = 0.8 * g * landing
    wanted = 0.1 + up * (t - landing) - g * (t - landing) ** 2 / 2
    assert run.positions[-1, 1, 2] == pytest.approx(wanted, abs=1e-9)
    assert run.ledger["law"][-1] == pytest.approx((1 - 0.64) * run.ledger["start"][-1] * h / 0.6, rel=1e-6)
    assert len(run.contacts(7)) == 1  # it landed between 0.30 and 0.35 s


def test_existing_file_is_kept(scene, tmp_path):
    out = tmp_path / "drop.carom"
    carom.run(scene, out)
    with pytest.raises(carom.CaromError):
        carom.run(scene, out)
    assert len(carom.run(scene, out, {"duration": 0.2}, force=True)) == 5


def test_shows_itself(scene, tmp_path):
    assert carom.run(scene, tmp_path / "a.carom")._repr_html_().startswith("<iframe")
