"""A study: how far a box slides, over friction and speed, as a table and a picture."""
import numpy as np
import carom


def slide(friction, speed):
    world = carom.World()
    stuff = world.material(restitution=0, friction=friction)
    world.add(carom.plane(), "fixed", material=stuff)
    box = world.add(carom.box(0.2, 0.2, 0.02), position=(0, 0, 0.01), velocity=(speed, 0, 0), material=stuff)
    world.run(1.1 * speed / (friction * 9.81), dt=0.002)
    return world.positions[box.slot, 0]


table = carom.sweep(slide, threads=2, friction=[0.2, 0.3, 0.4, 0.6], speed=[0.5, 1.0])
print(table)
wanted = table["speed"] ** 2 / (2 * table["friction"] * 9.81)
series = [(table["friction"][table["speed"] == v], table["result"][table["speed"] == v], f"{v} m/s", "dots") for v in (0.5, 1)]
picture = carom.plot(*series, x="friction", y="way (m)")
assert np.allclose(table["result"], wanted, rtol=0.03) and picture.svg.startswith("<svg")
