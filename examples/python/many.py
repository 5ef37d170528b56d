"""Ten thousand impacts in one call: every pair its own restitution and mass."""
import numpy as np
import carom

n = 10_000
rng = np.random.default_rng(1)
mass, e = rng.uniform(0.1, 10, 2 * n), rng.uniform(0, 1, n)
bodies = carom.bodies(2 * n, mass=mass)
bodies["position"][:, 0] = np.arange(2 * n)
bodies["velocity"][::2, 0] = 1
first, second = np.arange(0, 2 * n, 2), np.arange(1, 2 * n, 2)
contacts = carom.contacts(first, second, restitution=e)
contacts["point"][:, 0] = first + 0.5
out = carom.resolve(bodies, contacts)
wanted = (1 + e) * mass[first] / (mass[first] + mass[second])
print(f"{out.report['islands']} impacts, largest error {np.abs(out.velocities[second, 0] - wanted).max():.1e} m/s")
assert np.allclose(out.velocities[second, 0], wanted, rtol=1e-12)
