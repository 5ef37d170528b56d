"""Who hits whom, how hard: the events of every step of a row of dominoes."""
import carom

world = carom.World()
wood = world.material(restitution=0.1, friction=0.5)
world.add(carom.plane(), "fixed", material=wood)
tiles = [world.add(carom.box(0.008, 0.024, 0.048), position=(0.025 * k, 0, 0.024), material=wood, density=700)
         for k in range(8)]
world.set_velocity(tiles[0], spin=(0, 12, 0))
world.record_events()
hits = []


def note(w):
    hits.extend((w.time, e["a"]["slot"], e["b"]["slot"], e["speed"]) for e in w.events
                if e["kind"] == 1 and min(e["a"]["slot"], e["b"]["slot"]) >= tiles[0].slot)


world.run(1.5, dt=0.001, after_step=note)
first = {}
for time, a, b, speed in hits:
    first.setdefault((min(a, b), max(a, b)), (time, speed))
for pair, (time, speed) in sorted(first.items(), key=lambda one: one[1]):
    print(f"{time:.3f} s: {pair[0]} hits {pair[1]} at {speed:.2f} m/s")
assert (tiles[6].slot, tiles[7].slot) in first
