"""A ball bounces on a floor; where the energy went is in the ledger."""
import carom

world = carom.World()
rubber = world.material(restitution=0.8, friction=0.5)
world.add(carom.plane(), "fixed", material=rubber)
ball = world.add(carom.sphere(0.1), position=(0, 0, 1.1), material=rubber, mass=1)
for _ in range(20):
    world.run(0.1, dt=0.001)
    print(f"{world.time:.1f} s: {world.positions[ball.slot, 2]:.3f} m, lost {world.ledger['law']:.3f} J")
assert abs(world.ledger["law"] / (9.81 * (1 - 0.8 ** (2 * world.ledger["impacts"]))) - 1) < 1e-3
