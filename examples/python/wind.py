"""A force of one's own: drag of the air, as a function that every step calls. A ball comes to its last speed."""
import numpy as np
import carom

radius, mass, drag = 0.02, 0.0027, 0.5 * 1.2 * 0.47 * np.pi * 0.02**2  # a table-tennis ball
world = carom.World()
ball = world.add(carom.sphere(radius), position=(0, 0, 100), mass=mass)


def air(w, dt):
    v = w.velocities[ball.slot]
    w.apply_force(ball, -drag * np.linalg.norm(v) * v)


world.before_step(air)
world.run(5, dt=0.002)
last = np.sqrt(mass * 9.81 / drag)
print(f"{-world.velocities[ball.slot, 2]:.3f} m/s after 5 s, at last {last:.3f} m/s")
assert abs(-world.velocities[ball.slot, 2] / last - 1) < 1e-3
