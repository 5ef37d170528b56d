"""Parameter studies: a function over a grid of values, as a table."""

import html
import io
import itertools
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterable, List, Mapping

import numpy as np


class Table:
    """Columns of equal length by name: table["energy"]. Shown as a table in notebooks; csv() for other programs."""

    def __init__(self, columns: Mapping[str, Iterable[Any]]) -> None:
        self.columns: Dict[str, np.ndarray] = {name: np.asarray(list(values)) for name, values in columns.items()}

    def __getitem__(self, name: str) -> np.ndarray:
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def rows(self) -> List[tuple]:
        """One tuple per row."""
        return list(zip(*self.columns.values()))

    def csv(self) -> str:
        """Numbers in full, one line per row, names above."""
        out = io.StringIO()
        for row in [tuple(self.columns)] + self.rows():
            out.write(",".join(str(value) for value in row) + "\n")
        return out.getvalue()

    def __repr__(self) -> str:
        rows = [tuple(self.columns)] + [tuple(_short(value) for value in row) for row in self.rows()]
        wide = [max(len(row[k]) for row in rows) for k in range(len(self.columns))]
        return "\n".join("  ".join(f"{value:>{n}}" for value, n in zip(row, wide)) for row in rows)

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join("<tr>" + "".join(f"<td>{html.escape(_short(value))}</td>" for value in row) + "</tr>"
                       for row in self.rows())
        return f"<table><tr>{head}</tr>{body}</table>"


def _short(value) -> str:
    return f"{value:.6g}" if isinstance(value, (float, np.floating)) else str(value)


def sweep(function: Callable[..., Any], threads: int = 1, **over: Iterable[Any]) -> Table:
    """Calls function(name=value, ...) for every combination of the values, and puts what it returns into a table.

    A function returns a number (column "result") or a mapping of names to numbers. With several threads points are
    computed side by side, since C works without the interpreter's lock; the table is the same.

    sweep(lambda restitution: carom.resolve(*carom.chain([1, 0], restitution=restitution)).velocities[1, 0],
          restitution=[0, 0.5, 1])
    """
    names = list(over)
    points = [dict(zip(names, values)) for values in itertools.product(*(list(over[name]) for name in names))]
    with ThreadPoolExecutor(max(1, threads)) as pool:
        found = list(pool.map(lambda point: function(**point), points)) if threads > 1 else \
            [function(**point) for point in points]
    results = [one if isinstance(one, Mapping) else {"result": one} for one in found]
    columns = list(results[0]) if results else []
    for point, one in zip(points, results):
        if list(one) != columns:
            raise ValueError(f"{point} gave {', '.join(one)} where others gave {', '.join(columns)}")
    return Table({**{name: [point[name] for point in points] for name in names},
                  **{name: [one[name] for one in results] for name in columns}})
