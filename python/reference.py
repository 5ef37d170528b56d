"""The reference of the package as Markdown, from its signatures and docstrings: reference.py FOLDER_OF_THE_PACKAGE."""

import inspect
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).parent))
import carom  # noqa: E402


def signature(function):
    """Without the modules that annotations spell out."""
    try:
        text = str(inspect.signature(function))
    except (TypeError, ValueError):
        return "()"
    return re.sub(r"\b(typing|numpy|np|collections\.abc|carom(\.\w+)?)\.", "", text)


def words(thing):
    """A docstring; lines of examples become a block."""
    text = re.sub(r"(?m)^    (\w+): (.*)$", r"- `\1`: \2", inspect.getdoc(thing) or "")  # fields of a record
    return re.sub(r"(?m)((?:^(?:>>> |\.\.\. ).*\n(?:(?!>>>|\.\.\. |\n).+\n?)*)+)", r"```pycon\n\1```\n", text + "\n").strip()


def members(kind):
    for name, member in sorted(vars(kind).items()):
        if name.startswith("_"):
            continue
        if isinstance(member, property):
            yield f"`{name}`", member
        elif isinstance(member, (staticmethod, classmethod)):
            yield f"`{name}{signature(member.__func__)}`", member.__func__
        elif inspect.isfunction(member):
            yield f"`{name}{signature(member)}`", member


def main():
    functions = [name for name in carom.__all__ if inspect.isfunction(getattr(carom, name))]
    kinds = [name for name in carom.__all__ if inspect.isclass(getattr(carom, name))]
    print(f"Version {carom.__version__}. Besides these, `carom.BODY` and `carom.CONTACT` are the dtypes of bodies and contacts.\n")
    print("## Functions\n")
    for name in functions:
        function = getattr(carom, name)
        print(f"### {name}\n\n```python\ncarom.{name}{signature(function)}\n```\n\n{words(function)}\n")
    print("## Classes\n")
    for name in kinds:
        kind = getattr(carom, name)
        print(f"### {name}\n\n{words(kind)}\n")
        for title, member in members(kind):
            print(f"#### {title}\n\n{words(member)}\n")


main()
