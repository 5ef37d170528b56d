#!/usr/bin/env python3
"""Writes wrong calls of every public function as C, for tests/unit/misuse.c.

Of each prototype in include/carom: all pointers null and all numbers -1; then, with sound arguments elsewhere, each pointer
null in turn, each index -1 and INT_MAX in turn, and each handle such that it names nothing. A function that is added to a header is covered without an edit here.
misuse_calls.py OUT HEADER...
"""
import re
import sys

# objects that only the library can make: tests/unit/misuse.c keeps one of each in `sound`
MADE = ("bounce_direct bounce_file bounce_map chain_file chain_stepper compare desiderata grains json law measure modes recorder "
        "pass recording runner scene_impact scene_text scene_world shape sweep tower tower_motion tower_space trajectory view_source workspace world").split()
# these need a program or a port of their own: called with null only
OUTSIDE = {"engine", "view"}
# numbers that say how many items an array has: a caller who lies about these cannot be found out
SIZES = {"count", "size", "samples", "stations", "mesh_count", "node_count", "tet_count", "sample_count", "bytes", "rows", "columns"}
# these work for long when all is sound
LONG = {"carom_gallery_make", "carom_tower_overhang_search"}


def prototypes(path):
    text = re.sub(r"//[^\n]*|/\*.*?\*/", "", open(path, encoding="utf-8").read(), flags=re.S)
    text = re.sub(r"CAROM_PRINTF\([^)]*\)", "", text)
    for match in re.finditer(r"CAROM_API\s+([^;]*?)\b(carom_\w+)\s*\(([^;]*)\)\s*;", text):
        words = " ".join(match[3].split())
        yield match[2], [] if words == "void" else [p.strip() for p in re.split(r",(?![^()]*\))", words)]


def is_pointer(parameter):
    return "*" in parameter or "[" in parameter or parameter.split()[0].endswith("_function")


HANDLES = {"carom_body_id": "sound.body", "carom_joint_id": "sound.joint"}
STRUCTS = set()  # names of struct types, filled by main


def by_value(parameter):
    """A struct handed over by value, as a value full of zeros; else null."""
    words = parameter.split()
    return None if is_pointer(parameter) or words[0] not in STRUCTS else f"({words[0]}){{ 0 }}"


def sound(parameter):
    """An argument that can be used, or at least is memory full of zeros."""
    if "(*" in parameter:
        return "each_triangle" if parameter.startswith("void") else "blank"
    made = re.fullmatch(r"(?:const )?carom_(\w+) \*\w+", parameter)
    if made and made[1] in MADE:
        return "sound." + made[1]
    if parameter == "carom_error *err":
        return "&err"
    if parameter.startswith("const carom_compare_row *"):
        return "carom_compare_at(sound.compare, 0)"
    if parameter.startswith("FILE *"):
        return "sound.file"
    if re.fullmatch(r"const char \*\w+", parameter):
        return '"x"'
    if parameter.split()[0].endswith("_function"):
        return "0"
    if is_pointer(parameter):
        return "blank"
    if by_value(parameter):
        return HANDLES.get(parameter.split()[0], by_value(parameter))
    return "0.01" if parameter.startswith("double") else "(bool)0" if parameter.startswith("bool") else "0"


def name_of(parameter):
    return re.search(r"(\w+)(?:\[\w*\])?$", parameter)[1]


def wrong(parameter):
    return "0" if is_pointer(parameter) else by_value(parameter) or ("(size_t)-1" if parameter.startswith("size_t") else "-1")


def calls(name, parameters):
    yield [("0" if is_pointer(p) or name_of(p) in SIZES else wrong(p)) for p in parameters]
    if name in LONG:
        return
    usual = [sound(p) for p in parameters]
    for i, p in enumerate(parameters):
        if is_pointer(p):
            yield usual[:i] + ["0"] + usual[i + 1:]
        elif p.split()[0] in HANDLES:
            for value in ("{ 0 }", "{ 0, 9 }", "{ -1, 1 }", "{ INT_MAX, 1 }"):
                yield usual[:i] + [f"({p.split()[0]}){value}"] + usual[i + 1:]
        elif not p.startswith(("double", "bool")) and not by_value(p):
            least = "0" if p.startswith(("size_t", "uint64_t", "unsigned")) else "-1"
            for value in (least,) if name_of(p) in SIZES else (least, "INT_MAX"):
                yield usual[:i] + [value] + usual[i + 1:]


def main():
    out, headers = sys.argv[1], sys.argv[2:]
    lines = ["// Written by tests/unit/misuse_calls.py from the public headers."]
    for header in headers:
        STRUCTS.update(re.findall(r"typedef struct (\w+) \{", open(header, encoding="utf-8").read()))
    for header in headers:
        for name in re.findall(r"^typedef struct carom_(\w+) carom_\1;", open(header, encoding="utf-8").read(), re.M):
            if name not in MADE and name not in OUTSIDE:
                sys.exit(f"{header}: carom_{name} is new: make a sound one in tests/unit/misuse.c, and name it in MADE")
        for name, parameters in prototypes(header):
            if "..." in parameters:  # as printf: the format is the caller's own
                continue
            for arguments in dict.fromkeys(tuple(a) for a in calls(name, parameters)):
                call = f"{name}({', '.join(arguments)})"
                lines.append('WRONG(%d, "%s", (void)%s)' % (len(lines) - 1, call.replace('"', '\\"'), call))
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


main()
