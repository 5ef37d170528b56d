"""What may come out when nobody knows which contact is met first: two balls strike one between them."""
import carom

bodies, contacts = carom.chain([1, 0, -0.7], mass=[1, 3, 1], restitution=0.9)
found = carom.outcomes(bodies, contacts, vary="order", samples=5000)
print(found)
middle = found.velocities[1]
print(f"the ball between leaves at {middle.min[0]:.3f} to {middle.max[0]:.3f} m/s, {middle.mean[0]:.3f} in the mean")
assert middle.min[0] <= middle.mean[0] <= middle.max[0] and found.energy[1] < 1
