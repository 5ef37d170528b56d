"""A user's program that `mypy --strict` accepts against the installed package, and that runs (tests/slow/python.sh)."""
import pathlib
import tempfile
from typing import Any, List, Tuple

import numpy as np
import numpy.typing as npt

import carom


def cradle() -> npt.NDArray[Any]:
    bodies, contacts = carom.chain([1, 0, 0, 0, 0])
    out: carom.Outcome = carom.resolve(bodies, contacts, law="qce", options={}, threads=2)
    table: carom.Comparison = carom.compare(bodies, contacts, laws=["qce", "wave"])
    print(table, out.end, out.report["energy_after"])
    return out.velocities


def drop() -> Tuple[float, int]:
    world = carom.World(gravity=(0, 0, -9.81), law="wave")
    rubber: int = world.material(restitution=0.8, friction=0.5)
    world.add(carom.plane(), "fixed", material=rubber)
    ball: carom.Body = world.add(carom.sphere(0.1), position=(0, 0, 1.1), material=rubber, mass=1)
    hung = world.add(carom.box(0.1, 0.1, 0.1), position=(2, 0, 2), mass=1)
    joint: carom.Joint = world.joint("ball", hung, anchor=(2, 0, 3))
    heights: List[float] = []

    def wind(world: carom.World, dt: float) -> None:
        world.apply_force(ball, (0.1, 0, 0))

    def keep(world: carom.World) -> bool:
        heights.append(float(world.positions[ball.slot, 2]))
        return len(heights) > 100

    world.before_step(wind)
    world.run(1.0, dt=0.001, every=0.02, after_step=keep)
    print(joint.slot, world.time, world.hash, world.ledger["kinetic"], len(world.contacts), len(world.events))
    world.home(world.positions)
    return heights[-1], len(heights)


def models(folder: pathlib.Path) -> None:
    proof: carom.Proof = carom.Tower("diamond:5").prove()
    spring = {"stiffness": 1e6, "exponent": 1.5}
    passage: carom.Passage = carom.Row([{"mass": 1, "velocity": 1}, {"mass": 3}], [spring]).run()
    found: carom.Outcomes = carom.outcomes(*carom.chain([1, 0, -1]), samples=1000)
    file: str = carom.outcomes_shard((1, 1), folder / "row", *carom.chain([1, 0, -1]), samples=1000)
    bar: carom.BounceMap = carom.bounce_map(carom.box(0.2, 0.02, 0.02), modes=5, faces=200, across=1)
    table: carom.Table = carom.sweep(
        lambda e: carom.resolve(*carom.chain([1, 0], restitution=e)).velocities[1, 0], e=[0, 1])
    picture: carom.Picture = carom.plot((table["e"], table["result"], "speed"))
    print(proof.stable, passage.velocity, found.energy, file, bar.mean, table, len(picture.svg))
    law: carom.Law = carom.laws()["qce"]
    print(law.name, law.promises)



def main() -> None:
    try:
        carom.resolve(*carom.chain([1, 0]), law="wafe")
    except carom.CaromError as error:
        print(error.what, "|", error.where, "|", error.fix)
    assert np.allclose(cradle()[:, 0], (0, 0, 0, 0, 1)) and drop()[1] == 101
    with tempfile.TemporaryDirectory() as folder:
        models(pathlib.Path(folder))


main()
