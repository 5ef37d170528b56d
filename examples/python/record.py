"""Runs a scene to a file and reads it back as arrays: the energy of every frame, in full."""
import json
import pathlib
import tempfile
import numpy as np
import carom

scene = {"carom": 1, "kind": "world", "step": 0.002, "duration": 1, "output": {"every": 0.02},
         "materials": {"ball": {"restitution": 0.9, "friction": 0}},
         "bodies": [{"name": "floor", "kind": "fixed", "shape": {"plane": [0, 0, 1]}, "material": "ball"}] +
                   [{"name": f"ball{k}", "shape": {"sphere": 0.05}, "position": [0.3 * k, 0, 0.5 + 0.1 * k],
                     "material": "ball"} for k in range(3)]}
with tempfile.TemporaryDirectory() as folder:
    path = pathlib.Path(folder)
    (path / "balls.json").write_text(json.dumps(scene))
    run = carom.run(path / "balls.json", path / "balls.carom")
    print(run.names, run.positions.shape)
    total = run.ledger["kinetic"] + run.ledger["potential"] + run.ledger["law"]
    print(f"energy {total[0]:.6f} J at first, {total[-1]:.6f} J at last, with what the law took")
assert np.allclose(total, total[0], rtol=1e-6)
