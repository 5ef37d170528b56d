"""Parameter studies: a function over a grid of values, or a sweep file, as a table."""

import csv
import ctypes
import html
import io
import itertools
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterable, List, Mapping, Union

import numpy as np

from . import _declarations as c
from ._given import count, mapping, path as _path, wrong
from ._native import Interrupt, call, create, lib


class Table:
    """Columns of equal length by name: table["energy"]. Shown as a table in notebooks; csv() for other programs."""

    def __init__(self, columns: Mapping[str, Iterable[Any]]) -> None:
        self.columns: Dict[str, np.ndarray] = {name: np.asarray(list(values)) for name, values in mapping(columns, "columns").items()}

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
        csv.writer(out, lineterminator="\n").writerows([tuple(self.columns)] + self.rows())
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


def sweep(what: Union[str, os.PathLike, Callable[..., Any]], threads: int = 1, out: Union[None, str, os.PathLike] = None,
          **over: Iterable[Any]) -> Table:
    """A function over every combination of values, or a sweep file as `carom sweep` runs it, as a table.

    A function is called as what(name=value, ...) and returns a number (column "result") or a mapping of names to numbers.
    With several threads points are computed side by side, since C works without the interpreter's lock; the table is
    the same.

    sweep(lambda restitution: carom.resolve(*carom.chain([1, 0], restitution=restitution)).velocities[1, 0],
          restitution=[0, 0.5, 1])

    A file ("study.json") runs in as many processes as `threads` says. With `out` it keeps a journal of that name, and goes
    on where it was stopped.
    """
    threads = count(threads, "threads")
    if not callable(what):
        if over:
            raise wrong(f"a sweep file names its own axes; {', '.join(over)} is for functions",
                        "write them into the file")
        return _sweep_file(what, threads, out)
    return _sweep_function(what, threads, over)


def _sweep_function(function, threads, over) -> Table:
    names = list(over)
    points = [dict(zip(names, values)) for values in itertools.product(*(list(over[name]) for name in names))]
    with ThreadPoolExecutor(max(1, threads)) as pool:
        found = list(pool.map(lambda point: function(**point), points)) if threads > 1 else \
            [function(**point) for point in points]
    results = [one if isinstance(one, Mapping) else {"result": one} for one in found]
    columns = list(results[0]) if results else []
    for point, one in zip(points, results):
        if list(one) != columns:
            raise wrong(f"{point} gave {', '.join(one)} where others gave {', '.join(columns)}", "return the same names always")
    return Table({**{name: [point[name] for point in points] for name in names},
                  **{name: [one[name] for one in results] for name in columns}})


def _sweep_file(path, processes, out) -> Table:
    opened = create(c.carom_sweep, lib.carom_sweep_open, _path(path))
    try:
        with tempfile.TemporaryDirectory() as folder, Interrupt() as progress:
            settings, report = c.carom_sweep_settings(), c.carom_sweep_report()
            settings.out = _path(out if out is not None else os.path.join(folder, "sweep"), "out")
            settings.processes = processes
            if progress is not None:
                settings.progress = ctypes.pointer(Interrupt.progress)
            call(lib.carom_sweep_run, opened, ctypes.byref(settings), ctypes.byref(report))
            table = os.path.join(folder, "table.npz")
            _write(table, lib.carom_sweep_npz, opened)
            with np.load(table) as columns:
                names = [name.decode() for name in columns["columns"]]
                return Table({name: _words(columns[name]) for name in names})
    finally:
        lib.carom_sweep_close(opened)


def _words(column):
    return np.char.decode(column) if column.dtype.kind == "S" else column


def _write(path, function, subject):
    """Lets C write a file that it wants open."""
    libc = ctypes.CDLL(None)
    libc.fopen.restype, libc.fopen.argtypes = ctypes.POINTER(c.FILE), [ctypes.c_char_p, ctypes.c_char_p]
    libc.fclose.argtypes = [ctypes.POINTER(c.FILE)]
    file = libc.fopen(_path(path), b"wb")
    if not file:
        raise OSError(f"{path} cannot be written")
    try:
        call(function, subject, file)
    finally:
        libc.fclose(file)
