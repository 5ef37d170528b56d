"""Towers, rows, bounce maps, sets of outcomes, validation and studies from Python: published and closed-form numbers."""

import pathlib
from fractions import Fraction

import numpy as np
import pytest

import carom

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_tower():
    tower = carom.Tower("diamond:5")  # [Collapse]: it falls, sum m a^2 = 216/989
    start, proof = tower.start(), tower.prove()
    assert not start.stable and not proof.stable and proof.sum_m_a2 == Fraction(216, 989)
    assert start.sum_m_a2 == pytest.approx(216 / 989, rel=1e-9) and start.accelerations.shape == (25, 3)
    fall = tower.fall(0.25)
    assert fall.places.shape == (33, 25, 3) and fall.kinetic[-1] > 0
    assert tower._repr_html_().startswith("<iframe") and tower.svg().startswith("<svg")


def test_tower_brick_by_brick():
    for x, stable in ((-0.1, True), (0.1, False)):
        tower = carom.Tower()
        tower.brick(x, 0.125)
        tower.table(right=0)
        assert tower.start().stable is stable and tower.prove().stable is stable
    with pytest.raises(carom.CaromError) as unknown:
        carom.Tower("pyramid:3")
    assert unknown.value.fix


def test_row():
    # two masses with any spring between them exchange their velocities by momentum and energy alone
    m = [1.0, 3.0]
    passage = carom.Row([{"mass": m[0], "velocity": 1}, {"mass": m[1]}], [{"stiffness": 1e6, "exponent": 1.5}]).run()
    assert np.allclose(passage.velocity, [(m[0] - m[1]) / 4, 2 * m[0] / 4], atol=1e-8)
    assert passage.touch["impulse"][0] == pytest.approx(m[1] * passage.velocity[1], rel=1e-8)
    assert passage.end == "separated" and passage.forces.shape == (len(passage.times), 1)
    assert passage._repr_html_().startswith("<iframe") and passage.svg().startswith("<svg")
    with pytest.raises(ValueError):
        carom.Row([{"mass": 1}, {"mass": 1}], [])
    with pytest.raises(carom.CaromError):
        carom.Row([{"mass": -1, "velocity": 1}, {"mass": 1}], [{"stiffness": 1e6, "exponent": 1.5}]).run()
    assert len(carom.Row(ROOT / "scenes/chain/wall.json")) >= 2


def test_bounce_map(tmp_path, monkeypatch):
    monkeypatch.setenv("CAROM_CACHE", "")
    bar = carom.box(0.2, 0.02, 0.02)
    made = carom.bounce_map(bar, "steel", modes=10, faces=200, across=1)
    assert made.mass == pytest.approx(7850 * 0.2 * 0.02 * 0.02, rel=1e-9)
    # slender bar, free ends: f1 = 4.730^2 / (2 pi L^2) sqrt(E I / (rho A)), less some per cent of shear (Timoshenko)
    slender = 4.730**2 / (2 * np.pi * 0.2**2) * np.sqrt(2.0e11 / 7850 * 0.02**2 / 12)
    assert 0.92 * slender < made.frequencies[0] < slender
    end, middle = (made.lookup(p, n) for p, n in (((0.1, 0, 0), (1, 0, 0)), ((0, 0, 0.01), (0, 0, 1))))
    assert 0 <= middle.epsilon <= 1 and end.epsilon != middle.epsilon and end.place == "face"
    file = tmp_path / "bar.bounce"
    made.save(file)
    with pytest.raises(FileExistsError):
        made.save(file)
    assert carom.BounceMap(file).range == made.range and made._repr_html_().startswith("<iframe")
    world = carom.World(gravity=(0, 0, 0))
    world.add(carom.plane(), "fixed")
    body = world.add(bar, bounce=made, position=(0, 0, 0.02), velocity=(0, 0, -1), density=7850)
    del made
    world.run(0.02, 0.0005)
    assert 0 < world.velocities[body.slot, 2] < 1


def test_outcomes():
    # a ball meets two at rest from both sides at once: which one comes first decides
    found = carom.outcomes(*carom.chain([1, 0, -0.5], mass=[1, 2, 1]), samples=2000)
    assert found.energy[0] == pytest.approx(1, abs=1e-9) and sum(share for _, share in found.patterns) == pytest.approx(1)
    momentum = sum(m * spread.mean[0] for m, spread in zip([1, 2, 1], found.velocities))
    assert momentum == pytest.approx(0.5, abs=1e-9) and found._repr_html_().startswith("<iframe")
    with pytest.raises(ValueError):
        carom.outcomes(*carom.chain([1, 0]), vary="luck")


def test_validate():
    found = carom.validate(ROOT / "data/ellipse-impacts.csv", ["newton", "wave"])
    assert set(found.rows) == {"newton", "wave"} and abs(found.fitted - found.judged) <= 1
    assert all(row.mean >= found.bound > 0 and len(row.errors) == found.judged for row in found.rows.values())
    assert "newton" in repr(found) and found._repr_html_().startswith("<iframe")


def test_sweep_and_plot():
    def struck(restitution, mass):
        return carom.resolve(*carom.chain([1, 0], mass=[mass, 1], restitution=restitution)).velocities[1, 0]

    one, two = (carom.sweep(struck, threads=k, restitution=[0, 0.5, 1], mass=[1, 2]) for k in (1, 2))
    assert len(one) == 6 and np.array_equal(one["result"], two["result"])
    assert np.allclose(one["result"], (1 + one["restitution"]) * one["mass"] / (1 + one["mass"]), rtol=1e-12)
    assert one.csv().splitlines()[0] == "restitution,mass,result" and "<table>" in one._repr_html_()
    picture = carom.plot((one["restitution"], one["result"], "second ball", "dots"), x="restitution", y="speed (m/s)")
    assert picture.svg.startswith("<svg") and "second ball" in picture.svg and "m/s" in picture.svg
    with pytest.raises(ValueError):
        carom.plot(([1, 2], [1]))


def test_sweep_file(tmp_path):
    import json
    study = json.loads((ROOT / "scenes/sweep/rod.json").read_text())
    study["scene"] = str(ROOT / "scenes/impact/rod-friction.json")
    for axis in study["axes"]:
        axis["count"] = 3
    path = tmp_path / "rod.json"
    path.write_text(json.dumps(study))
    table = carom.sweep(path, threads=2)
    assert len(table) == 9 and sorted(set(table["friction"])) == [0, 0.5, 1] and "friction" in table.csv()
    kept = tmp_path / "kept"
    one, two = carom.sweep(path, out=kept), carom.sweep(path, out=kept)  # the second call reads the journal
    assert one.csv() == two.csv() == table.csv() and (tmp_path / "kept.journal").exists()
    with pytest.raises(TypeError):
        carom.sweep(path, friction=[1])
    with pytest.raises(carom.CaromError) as missing:
        carom.sweep(tmp_path / "none.json")
    assert missing.value.status == "IO_FAILED"


def test_shards_of_outcomes(tmp_path):
    given = dict(zip(("bodies", "contacts"), carom.chain([1, 0, -0.5], mass=[1, 2, 1])), samples=5000, vary="order")
    whole = carom.outcomes(**given)
    files = [carom.outcomes_shard((i, 3), tmp_path / "row", **given, threads=i) for i in (1, 2, 3)]
    assert files == [str(tmp_path / f"row.{i}-of-3.pieces") for i in (1, 2, 3)]
    merged = carom.outcomes(**given, merge=tmp_path / "row")
    assert merged.svg() == whole.svg() and merged.patterns == whole.patterns and merged.samples == 5000
    assert all(np.array_equal(a.deviation, b.deviation) for a, b in zip(merged.velocities, whole.velocities))
    with pytest.raises(carom.CaromError, match="another work"):
        carom.outcomes(**{**given, "samples": 6000}, merge=tmp_path / "row")
    (tmp_path / "row.2-of-3.pieces").unlink()
    with pytest.raises(carom.CaromError) as missing:
        carom.outcomes(**given, merge=tmp_path / "row")
    assert missing.value.fix
    for call in (lambda: carom.outcomes(**given, merge=tmp_path / "none"),
                 lambda: carom.outcomes_shard((4, 3), tmp_path / "row", **given),
                 lambda: carom.outcomes_shard(1, tmp_path / "row", **given)):
        with pytest.raises(carom.CaromError) as wrong:
            call()
        assert wrong.value.fix


def test_shards_of_a_bounce_map(tmp_path, monkeypatch):
    given = {"shape": carom.box(0.2, 0.02, 0.02), "modes": 10, "faces": 5000, "across": 1}
    for folder in ("", tmp_path / "cache"):  # nothing kept; then modes, and the map that is there already
        monkeypatch.setenv("CAROM_CACHE", str(folder))
        whole = carom.bounce_map(**given)
        for i in (1, 2):
            assert pathlib.Path(carom.bounce_shard((i, 2), tmp_path / "bar", **given)).stat().st_size > 0
        merged = carom.bounce_map(**given, merge=tmp_path / "bar")
        for name, one in (("whole", whole), ("merged", merged)):
            one.save(tmp_path / name, force=True)
        assert (tmp_path / "whole").read_bytes() == (tmp_path / "merged").read_bytes()
        for i in (1, 2):
            (tmp_path / f"bar.{i}-of-2.pieces").unlink()
