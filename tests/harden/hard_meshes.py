"""Scenes of surfaces that ask too much: hollow ones meet each other, thousands of triangles are inside of thousands, needles,
triangles with no area, heightfields with spikes, surfaces in compounds, on strings, on steps of several falls by their own
size; and inverted, open or doubled surfaces, which are refused or mended."""

from math import cos, pi, sin

KINDS = ["rings", "nested", "needles", "spikes", "compounds", "broken", "dense", "long steps", "jointed", "fast"]


def ring(around, across, radius, tube, squeeze=1.0):
    """A torus of 2 around across triangles about z."""
    vertices, triangles = [], []
    for i in range(around):
        for k in range(across):
            a, b = 2 * pi * i / around, 2 * pi * k / across
            reach = radius + tube * cos(b)
            vertices.append([reach * cos(a), squeeze * reach * sin(a), tube * sin(b)])
            p, q = i * across + k, (i + 1) % around * across + k
            r, s = i * across + (k + 1) % across, (i + 1) % around * across + (k + 1) % across
            triangles += [[p, q, s], [p, s, r]]
    return vertices, triangles


def star(r, around, rows, size):
    """A ball with spikes, or with hollows: radii drawn at random."""
    vertices, triangles = [[0, 0, -size]], []
    for i in range(1, rows):
        for k in range(around):
            a, b, reach = 2 * pi * k / around, pi * i / rows, size * r.uniform(0.2, 1)
            vertices.append([reach * sin(b) * cos(a), reach * sin(b) * sin(a), -reach * cos(b)])
    vertices.append([0, 0, size])
    top, place = len(vertices) - 1, lambda i, k: 1 + (i - 1) * around + k % around
    for k in range(around):
        triangles += [[0, place(1, k + 1), place(1, k)], [top, place(rows - 1, k), place(rows - 1, k + 1)]]
        for i in range(1, rows - 1):
            triangles += [[place(i, k), place(i, k + 1), place(i + 1, k + 1)], [place(i, k), place(i + 1, k + 1), place(i + 1, k)]]
    return vertices, triangles


def mesh(surface, **more):
    return {"mesh": {"vertices": surface[0], "triangles": surface[1], **more}}


def broken(r, surface):
    """A surface with a fault of every kind that files have."""
    vertices, triangles = [list(v) for v in surface[0]], [list(t) for t in surface[1]]
    for _ in range(r.randint(1, 4)):
        t = r.randrange(len(triangles))
        r.choice([lambda: triangles[t].reverse(), lambda: triangles.append(list(triangles[t])), lambda: triangles.pop(t),
                  lambda: triangles[t].__setitem__(0, triangles[t][1]), lambda: vertices.__setitem__(triangles[t][0], vertices[triangles[t][1]]),
                  lambda: vertices[triangles[t][0]].__setitem__(0, r.choice([1e-300, 1e30, -1e9, 5e-324])),
                  lambda: triangles[t].__setitem__(2, r.choice([-1, len(vertices), 1e9, 0.5]))])()
    return mesh((vertices, triangles), repair=r.random() < 0.7)


def surface(r, kind, size):
    around, across = r.randint(3, 24), r.randint(3, 10)
    if kind == "dense":
        around, across = 80, 40  # 6,400 triangles
    if kind == "needles":
        return ring(around, across, size, size * 10 ** r.uniform(-5, -1), 10 ** r.uniform(-4, 0))
    if r.random() < 0.4:
        return star(r, max(3, around // 2), max(3, across), 0.6 * size)
    return ring(around, across, 0.5 * size, size * r.uniform(0.05, 0.3))


def shape(r, kind, size):
    made = mesh(surface(r, kind, size))
    if kind == "broken":
        return broken(r, surface(r, kind, size))
    if kind == "compounds":
        return {"compound": [{"shape": made}, {"shape": mesh(surface(r, kind, 0.5 * size)), "position": [r.uniform(-1, 1) * size, 0, 0]},
                             {"shape": {"sphere": 0.3 * size}, "position": [0, 0, size]}]}
    return made if r.random() < 0.8 else r.choice([{"sphere": 0.4 * size}, {"box": [size, 0.3 * size, 0.05 * size]},
                                                   {"capsule": {"radius": 0.2 * size, "length": size}},
                                                   {"cylinder": {"radius": 0.4 * size, "length": 0.2 * size}}])


def scene(r, number):
    """The scene of this number; `r` is its own generator."""
    kind = KINDS[number % len(KINDS)]
    size, gravity = 10 ** r.uniform(-2, 0), 9.81
    fall = (2 * size / gravity) ** 0.5  # s, by its own size
    step = fall * (r.uniform(0.5, 3) if kind == "long steps" else 10 ** r.uniform(-2, -1))
    rise = lambda: size * (r.choice([0, 0, 3]) if kind == "spikes" else r.uniform(-0.3, 0.3))
    ground = {"heightfield": {"spacing": [r.choice([0.05, 1]) * size], "depth": size, "heights": [[rise() for _ in range(12)] for _ in range(12)]}}
    floor = {"plane": [0, 0, 1]} if r.random() < 0.5 and kind != "spikes" else ground
    bodies = [{"name": "floor", "shape": floor, "kind": "fixed", "material": "m"}]
    near = 0.02 if kind == "nested" and r.random() < 0.5 else 0.8 if kind == "dense" else 1.5 if kind == "jointed" else 2.2
    for k in range(3 if kind == "dense" else r.randint(2, 6)):
        turn = [r.gauss(0, 1) for _ in range(3)] + [r.uniform(0, 360)]
        speed = (gravity * size) ** 0.5 * (30 if kind == "fast" else 1)
        bodies.append({"name": f"b{k}", "shape": shape(r, kind, size), "turn": turn, "material": "m",
                       "position": [near * size * r.uniform(-1, 1), near * size * r.uniform(-1, 1), (4 + near * k) * size],
                       "velocity": [r.gauss(0, speed) for _ in range(3)], "spin": [r.gauss(0, 2 / fall) for _ in range(3)]})
    out = {"carom": 1, "kind": "world", "step": step, "duration": (12 if kind == "dense" else 40) * step, "gravity": [0, 0, -gravity],
           "materials": {"m": {"restitution": r.choice([0, 0.5, 1]), "friction": r.choice([0, 0.5])}}, "bodies": bodies}
    if kind == "jointed":
        out["joints"] = [{"kind": r.choice(["ball", "fixed", "hinge"]), "a": f"b{k}", "b": f"b{k + 1}",
                          "anchor": bodies[k + 1]["position"]} for k in range(len(bodies) - 2)]
    if kind == "nested":  # driven into each other, where they are not so from the start
        bodies[1].update(kind="driven", velocity=[0, 0, r.uniform(1, 3) * size / (40 * step)])
    if near < 2:
        out["separate"] = r.random() < 0.7
    return out
