"""Runs the cells of notebooks in one plain process, without Jupyter: python3 notebooks.py FILE...

A cell's last expression is shown as a notebook would show it, by its page or its words, so that pages are made, too.
Ends with an error that names notebook and cell. `make test-slow` runs them by nbconvert as well.
"""

import ast
import json
import os
import pathlib
import sys
import time


def run_cell(text, name, space):
    """Runs one cell; returns what it ends with."""
    tree = ast.parse(text, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), space)
    return eval(compile(ast.Expression(last.value), name, "eval"), space) if last else None


def main():
    for path in [pathlib.Path(name).resolve() for name in sys.argv[1:]]:
        began, space, pages = time.process_time(), {"__name__": "__main__"}, 0
        os.chdir(path.parent)
        for number, cell in enumerate(json.loads(path.read_text())["cells"]):
            if cell["cell_type"] != "code":
                continue
            shown = run_cell("".join(cell["source"]), f"{path.name}, cell {number}", space)
            if hasattr(shown, "_repr_html_"):
                page = shown._repr_html_()  # None: too large, its words are shown
                pages += page is not None
                assert page is None or "<" in page, f"{path.name}, cell {number}: an empty page"
        assert pages > 0, f"{path.name} shows nothing"
        print(f"{path.stem}: {pages} pages, {time.process_time() - began:.1f} s of processor time", file=sys.stderr)


if __name__ == "__main__":
    main()
