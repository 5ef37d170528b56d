"""The viewer's page as one HTML text, for notebooks: self-contained, works offline and after nbconvert."""

import ctypes
import html
import os
import tempfile
from typing import Optional

from . import _declarations as c
from ._given import path as _path
from ._native import call, create, lib, take_text


def frame(page: str, height: int = 460) -> str:
    """A page inside a notebook's page."""
    return (f'<iframe srcdoc="{html.escape(page)}" style="width:100%;height:{height}px;border:0" '
            'sandbox="allow-scripts allow-downloads"></iframe>')


def sources_page(sources, start: Optional[str] = None) -> str:
    """One page with these C sources side by side."""
    given = (ctypes.POINTER(c.carom_view_source) * len(sources))(*sources)
    text, size = ctypes.POINTER(ctypes.c_char)(), ctypes.c_size_t()
    call(lib.carom_view_page, given, len(sources), start.encode() if start else None, ctypes.byref(text),
         ctypes.byref(size))
    return take_text(text)


def file_page(path, laws=(None,), start: Optional[str] = None) -> str:
    """The page of a file: a scene of any kind, a trajectory or a bounce map; with several laws, side by side."""
    sources = []
    try:
        for law in laws:
            sources.append(create(c.carom_view_source, lib.carom_view_source_open, _path(path),
                                  law.encode() if law else None))
        return sources_page(sources, start)
    finally:
        for source in sources:
            lib.carom_view_source_close(source)


def impact_page(problem, law: str) -> str:
    """The page of one instant, sweep by sweep."""
    scene = create(c.carom_scene_impact, lib.carom_scene_impact_create, ctypes.byref(problem.c), None, None)
    json = lib.carom_json_create()
    try:
        lib.carom_scene_impact_write(scene, json)
        text = lib.carom_json_text(json)
        with tempfile.NamedTemporaryFile("wb", suffix=".json", delete=False) as file:
            file.write(text)
        try:
            return file_page(file.name, (law,))
        finally:
            os.unlink(file.name)
    finally:
        lib.carom_json_destroy(json)
        lib.carom_scene_impact_close(scene)
