"""The harmonic stack: how far bricks reach over the edge of a table, proved in rational numbers."""
import carom


def stands(share, bricks):
    stack, end = carom.Tower(), 0.0
    for level in range(bricks):
        end += share / (2 * (bricks - level))
        stack.brick(end - 0.5, 0.125 + 0.25 * level)
    stack.table(right=0)
    return stack.prove().stable, end


for bricks in (1, 2, 4, 8):
    (less, reach), (more, _) = stands(1 - 1e-9, bricks), stands(1 + 1e-9, bricks)
    print(f"{bricks} bricks reach {reach:.6f} of their length")
    assert less and not more
