"""Pieces of a long work in files: processes or machines do a share each; put together they are the same bits."""

import ctypes
import glob
import os
from typing import Any, Tuple, Union

from . import _declarations as c
from ._given import count, path, wrong

Name = Union[str, "os.PathLike[str]"]


def of_shard(shard: Tuple[int, int], name: Name) -> Tuple[Any, str]:
    """Share I of N (from 1 on) of a work, and the file that it writes: name.I-of-N.pieces."""
    if not isinstance(shard, tuple) or len(shard) != 2:
        raise wrong(f"shard is {shard!r}", "give (I, N): the first of four is (1, 4)")
    most = count(shard[1], "the number of shards", 1)
    one = count(shard[0], "shard", 1, most)
    file = os.fsdecode(path(name, "pieces")) + f".{one}-of-{most}.pieces"
    return c.carom_pieces(shard=one, shards=most, path=path(file)), file


def of_all(name: Name) -> Any:
    """Every share that there is under a name."""
    words = os.fsdecode(path(name, "merge"))
    files = sorted(glob.glob(glob.escape(words) + ".*-of-*.pieces"))
    if not files:
        raise wrong(f"there is no {words}.*-of-*.pieces to merge", "run the shards first, with the same name")
    listed = (ctypes.c_char_p * len(files))(*map(path, files))
    return c.carom_pieces(merged=ctypes.cast(listed, dict(c.carom_pieces._fields_)["merged"]), merged_count=len(files))
