"""Scenes that ask too much, other ones than tests/scenes/stress.c: needles and compounds, fast spins, plates that press from
above, periodic boxes, joints whose anchors lie outside of the bodies, wedges that come to rest, densities of 1 to 1e8, grains
poured on top of each other, bodies of a micrometre, gravity up to 1e5 m/s^2, steps of several falls by the own size."""

KINDS = ["micro", "heavy", "long steps", "spin", "pressed", "periodic", "joined", "wedges", "densities", "poured"]


def wedge(a, b, c):
    return {"hull": [[-a, -b, 0], [a, -b, 0], [-a, b, 0], [a, b, 0], [0, -b, c], [0, b, c]]}


def shape(r, size):
    within = lambda low, high: size * r.uniform(low, high)
    return r.choice([
        lambda: {"sphere": within(0.2, 0.5)},
        lambda: {"box": [within(0.1, 0.5), within(0.1, 0.5), within(0.1, 0.5)]},
        lambda: {"capsule": {"radius": within(0.1, 0.25), "length": within(0.2, 0.5)}},
        lambda: {"cylinder": {"radius": within(0.1, 0.4), "length": within(0.1, 0.8)}},
        lambda: {"hull": [[within(-0.5, 0.5) for _ in range(3)] for _ in range(r.randint(6, 30))]},
        lambda: wedge(within(0.2, 0.5), within(0.2, 0.5), within(0.1, 0.5)),
        lambda: {"box": [within(0.005, 0.02), within(0.005, 0.02), within(0.4, 0.5)]},
        lambda: {"compound": [{"shape": {"sphere": 0.2 * size}, "position": [-0.3 * size, 0, 0]},
                              {"shape": {"box": [0.3 * size, 0.05 * size, 0.05 * size]}},
                              {"shape": {"sphere": 0.2 * size}, "position": [0.3 * size, 0, 0]}]},
    ])()


def scene(r, number):
    """The scene of this number; `r` is its own generator."""
    kind = KINDS[number % len(KINDS)]
    size = 1e-6 if kind == "micro" else 10 ** r.uniform(-2, 0)
    gravity = 10 ** r.uniform(2, 5) if kind == "heavy" else 9.81
    fall = (2 * size / gravity) ** 0.5  # s, by its own size
    step = fall * (r.uniform(0.5, 4) if kind == "long steps" else 10 ** r.uniform(-2, -1))
    cell = 1.9 * size
    material = {"restitution": r.choice([0, 0.3, 0.8, 1]), "friction": r.choice([0, 0.2, 0.8])}
    bodies = [{"name": "floor", "shape": {"plane": [0, 0, 1]}, "kind": "fixed", "material": "m"}]
    cells = [(x, y, z) for x in range(3) for y in range(3) for z in range(3)]
    r.shuffle(cells)
    places = [[(x + 0.5) * cell, (y + 0.5) * cell, (z + 0.6) * cell] for x, y, z in cells[:r.randint(3, 14)]]
    for k, place in enumerate(places):
        body = {"name": f"b{k}", "shape": shape(r, size), "position": place, "material": "m",
                "velocity": [r.gauss(0, (gravity * size) ** 0.5) for _ in range(3)]}
        if kind == "spin":
            body["spin"] = [r.gauss(0, 4 / fall) for _ in range(3)]
        if kind == "densities":
            body["density"] = 10 ** r.uniform(0, 8)
        if kind == "wedges":
            body.update(shape=wedge(0.25 * size, 0.4 * size, 0.3 * size), spin=[r.gauss(0, 3) for _ in range(3)])
        bodies.append(body)
    out = {"carom": 1, "kind": "world", "step": step, "duration": 60 * step, "gravity": [0, 0, -gravity],
           "materials": {"m": material}, "bodies": bodies}
    if kind == "periodic":
        out["periodic"] = {"x": [0, 6 * cell], "y": [0, 6 * cell]}
    if kind == "pressed":
        bodies.append({"name": "plate", "kind": "driven", "shape": {"box": [1.6 * cell, 1.6 * cell, 0.1 * size]},
                       "position": [1.5 * cell, 1.5 * cell, 3.6 * cell], "velocity": [0, 0, -size / fall * r.uniform(0.1, 0.5)],
                       "material": "m"})
    if kind == "joined":
        out["joints"] = [{"kind": "ball", "a": f"b{k}", "b": f"b{k + 1}", "anchor": places[k]} for k in range(0, len(places) - 1, 2)]
    if kind == "poured":
        out["generators"] = [{"pour": {"bodies": [{"name": "p", "shape": shape(r, 0.6 * size)}], "count": 40, "rate": 1 / step,
                                       "from": [0, 0, 4 * cell], "to": [3 * cell, 3 * cell, 6 * cell]}}]
    return out


def below(table, cell):
    """The name of a body whose middle was behind the floor, in a table of a run as CSV; empty: none."""
    for row in table:
        if float(row["z_m"]) < -1e-9 * cell:
            return row["name"]
    return ""
