"""A Newton's cradle by several laws: one line each."""
import numpy as np
import carom

bodies, contacts = carom.chain([1, 0, 0, 0, 0])
for law in ("qce", "wave", "newton", "impulses"):
    out = carom.resolve(bodies, contacts, law=law)
    print(f"{law:<9}", out.velocities[:, 0].round(3) + 0.0, f"energy {out.report['energy_after'] * 2:.3f}")
assert np.allclose(carom.resolve(bodies, contacts, law="qce").velocities[:, 0], [0, 0, 0, 0, 1])
