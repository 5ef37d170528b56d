"""The sources run on CPython 3.9, of which there is none here: their grammar is parsed as that of 3.9, and what came to the
language and its library later is not used."""

import ast
import pathlib

import pytest

import carom

FIRST = (3, 9)
FOLDER = pathlib.Path(carom.__file__).parent
# What CPython 3.10 to 3.13 added, by module (docs.python.org, "What's New"); names of methods stand alone.
LATER_MODULES = {"tomllib", "asyncio.taskgroups", "wsgiref.types"}
LATER_NAMES = {
    "typing": {"TypeAlias", "ParamSpec", "Concatenate", "TypeGuard", "is_typeddict", "Self", "Never", "LiteralString", "Required",
               "NotRequired", "Unpack", "TypeVarTuple", "assert_never", "assert_type", "reveal_type", "dataclass_transform",
               "override", "TypeAliasType", "ReadOnly", "TypeIs", "NoDefault"},
    "itertools": {"pairwise", "batched"},
    "math": {"cbrt", "exp2", "sumprod", "fma"},
    "contextlib": {"aclosing", "chdir", "AsyncContextDecorator"},
    "inspect": {"get_annotations", "getmembers_static", "BufferFlags", "markcoroutinefunction"},
    "enum": {"StrEnum", "EnumType", "EnumCheck", "FlagBoundary", "ReprEnum", "verify", "member", "nonmember", "property"},
    "operator": {"call", "is_none"},
    "dataclasses": {"KW_ONLY"},
    "types": {"NoneType", "EllipsisType", "NotImplementedType", "UnionType", "get_original_bases"},
    "statistics": {"covariance", "correlation", "linear_regression", "kde"},
    "sys": {"orig_argv", "stdlib_module_names", "exception", "monitoring"},
    "pathlib": {"UnsupportedOperation"},
    "threading": {"gettrace", "getprofile", "setprofile_all_threads"},
    "hashlib": {"file_digest"},
    "os": {"EFD_CLOEXEC", "eventfd", "splice", "unshare", "process_cpu_count"},
}
LATER_METHODS = {"bit_count", "hardlink_to", "with_segments", "walk_up", "add_note", "is_junction"}
LATER_BUILTINS = {"aiter", "anext", "ExceptionGroup", "BaseExceptionGroup", "EncodingWarning", "PythonFinalizationError"}
LATER_ARGUMENTS = {"zip": {"strict"}, "dataclass": {"slots", "kw_only", "match_args", "weakref_slot"}, "bisect": {"key"},
                   "bisect_left": {"key"}, "insort": {"key"}, "glob": {"root_dir", "dir_fd"}}


def too_new(source):
    """What in this text is later than 3.9."""
    tree = ast.parse(source, feature_version=FIRST)
    postponed = any(isinstance(node, ast.ImportFrom) and node.module == "__future__" and
                    any(alias.name == "annotations" for alias in node.names) for node in tree.body)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            modules = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            yield from (module for module in modules if module in LATER_MODULES)
            if isinstance(node, ast.ImportFrom):
                yield from (alias.name for alias in node.names if alias.name in LATER_NAMES.get(node.module or "", ()))
        elif isinstance(node, ast.Attribute):
            if node.attr in LATER_METHODS or isinstance(node.value, ast.Name) and node.attr in LATER_NAMES.get(node.value.id, ()):
                yield node.attr
        elif isinstance(node, ast.Name) and node.id in LATER_BUILTINS:
            yield node.id
        elif isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            yield from (f"{name}({word.arg}=)" for word in node.keywords if word.arg in LATER_ARGUMENTS.get(name, ()))
        annotation = getattr(node, "annotation", None) or getattr(node, "returns", None)
        if annotation is not None and not postponed:
            yield from ("X | Y in an annotation" for part in ast.walk(annotation)
                        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.BitOr))


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_sources_are_of_3_9(path):
    assert list(too_new(path.read_text())) == []


@pytest.mark.parametrize("source", ["def f(x: int | None): pass", "from typing import Self", "import math\nmath.cbrt(8)",
                                    "zip([], [], strict=True)", "(7).bit_count()", "import tomllib"])
def test_what_is_later_is_found(source):
    assert list(too_new(source))


def test_grammar_of_later_versions_is_refused():
    for source in ("match 1:\n    case 1: pass", "try: pass\nexcept* ValueError: pass"):
        with pytest.raises(SyntaxError):
            ast.parse(source, feature_version=FIRST)
