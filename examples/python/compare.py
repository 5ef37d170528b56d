"""Laws side by side on an impact with friction: a ball that spins meets two others at once."""
import carom

bodies = carom.bodies(3)
bodies["position"] = [[0, 0, 0], [0.87, 0.5, 0], [0.87, -0.5, 0]]
bodies["velocity"][0] = [1, 0, 0]
bodies["spin"][0] = [0, 0, 5]
contacts = carom.contacts([0, 0], [1, 2], point=[[0.433, 0.25, 0], [0.433, -0.25, 0]],
                          normal=[[0.8660254037844387, 0.5, 0], [0.8660254037844387, -0.5, 0]], friction=0.3)
table = carom.compare(bodies, contacts, laws=["wave", "qce", "poisson", "newton", "sqm"])
print(table)
with open("compare.svg", "w") as file:
    file.write(table.svg())
assert all(row["energy"] <= 1 + 1e-9 for row in table.rows.values())
