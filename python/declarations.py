"""Writes carom/_declarations.py from the public headers: structs, enums, functions, and what is said about each.

Run when a wheel is built, never when the library is: python3 declarations.py INCLUDE_FOLDER OUTPUT. The C compiler's
preprocessor and pycparser read the headers, so the binding cannot differ from them.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from pycparser import c_ast, c_generator, c_parser

PLAIN = {
    "void": "None",
    "char": "c_char",
    "unsigned char": "c_ubyte",
    "short": "c_short",
    "unsigned short": "c_ushort",
    "int": "c_int",
    "unsigned": "c_uint",
    "unsigned int": "c_uint",
    "long": "c_long",
    "unsigned long": "c_ulong",
    "long long": "c_longlong",
    "unsigned long long": "c_ulonglong",
    "float": "c_float",
    "double": "c_double",
    "_Bool": "c_bool",
    "bool": "c_bool",
    "size_t": "c_size_t",
    "int8_t": "c_int8",
    "uint8_t": "c_uint8",
    "int32_t": "c_int32",
    "uint32_t": "c_uint32",
    "int64_t": "c_int64",
    "uint64_t": "c_uint64",
}
# what the headers use of the standard library, so that its own headers need not be parsed
STANDARD = "typedef unsigned long size_t; typedef int int32_t; typedef unsigned uint32_t; typedef long int64_t;" \
           "typedef unsigned long uint64_t; typedef unsigned char uint8_t; typedef signed char int8_t; typedef _Bool bool; typedef struct FILE FILE;\n"


def preprocess(include):
    """The text of all public headers, and nothing of the system."""
    with tempfile.TemporaryDirectory() as empty:
        for name in ("stddef.h", "stdint.h", "stdbool.h", "stdio.h"):
            (pathlib.Path(empty) / name).write_text("")
        headers = sorted((pathlib.Path(include) / "carom").glob("*.h"))
        return STANDARD + subprocess.run(
            ["cc", "-E", "-P", "-nostdinc", "-I", empty, "-I", str(include), "-D__attribute__(x)=", "-x", "c", "-"],
            input="".join(f'#include "carom/{header.name}"\n' for header in headers),
            check=True, capture_output=True, text=True).stdout


class Writer:
    """Collects declarations in the order of the headers, each after what it needs."""

    def __init__(self):
        self.structs, self.functions, self.constants, self.opaque, self.enums = [], {}, {}, set(), set()
        self.aliases = []  # pointers to functions that have a name

    def type_of(self, node, parameter=False):
        """The ctypes expression of a type; arrays that are parameters are pointers."""
        if isinstance(node, c_ast.TypeDecl):
            return self.type_of(node.type)
        if isinstance(node, c_ast.IdentifierType):
            name = " ".join(node.names)
            if name in PLAIN:
                return PLAIN[name]
            return "c_int" if name in self.enums else name
        if isinstance(node, c_ast.Struct):
            return node.name
        if isinstance(node, c_ast.Enum):
            return "c_int"
        if isinstance(node, c_ast.ArrayDecl):
            element = self.type_of(node.type)
            return f"POINTER({element})" if parameter else f"{element} * {self.value(node.dim)}"
        if isinstance(node, c_ast.PtrDecl):
            return self.pointer_to(node.type)
        if isinstance(node, c_ast.FuncDecl):
            return self.callback(node)
        raise TypeError(f"{type(node).__name__} is not understood")

    def pointer_to(self, target):
        if isinstance(target, c_ast.FuncDecl):
            return self.callback(target)
        inner = self.type_of(target)
        if inner == "None":
            return "c_void_p"
        if inner == "c_char":
            return "c_char_p" if "const" in target.quals else "POINTER(c_char)"
        return f"POINTER({inner})"

    def callback(self, node):
        parameters = [self.type_of(p.type, True) for p in self.parameters(node)]
        return f"CFUNCTYPE({', '.join([self.type_of(node.type)] + parameters)})"

    @staticmethod
    def parameters(node):
        found = node.args.params if node.args else []
        return [p for p in found if isinstance(p, (c_ast.Decl, c_ast.Typename))
                and not (isinstance(p.type, c_ast.TypeDecl) and getattr(p.type.type, "names", None) == ["void"])]

    def value(self, node):
        return eval(c_generator.CGenerator().visit(node), {}, self.constants)  # of our own headers

    def enum(self, node):
        value = -1
        for item in node.values.enumerators if node.values else []:
            value = self.value(item.value) if item.value else value + 1
            self.constants[item.name] = value

    def struct(self, node):
        if node.decls is None:
            self.opaque.add(node.name)
            return
        fields = [(d.name, self.type_of(d.type)) for d in node.decls]
        self.structs.append((node.name, fields))

    def visit(self, item):
        if isinstance(item, c_ast.FuncDef):
            return  # inline: for callers that write C
        inner = item.type
        if isinstance(item, c_ast.Typedef):
            inner = item.type.type if isinstance(item.type, c_ast.TypeDecl) else None
            if isinstance(inner, c_ast.Enum):
                self.enums.add(item.name)
            if isinstance(item.type, c_ast.PtrDecl):
                self.aliases.append((item.name, self.pointer_to(item.type.type)))
        if isinstance(inner, c_ast.Enum):
            self.enum(inner)
        elif isinstance(inner, c_ast.Struct):
            self.struct(inner)
        elif isinstance(inner, c_ast.FuncDecl) and item.name.startswith("carom_"):
            if any(isinstance(p, c_ast.EllipsisParam) for p in (inner.args.params if inner.args else [])):
                return  # printf style: for callers that write C
            self.functions[item.name] = (self.type_of(inner.type), [self.type_of(p.type, True) for p in
                                                                     self.parameters(inner)])


def comments(include):
    """name -> what its header says: the /// lines above a declaration, and struct.field -> its ///< words."""
    said = {}
    for header in sorted((pathlib.Path(include) / "carom").glob("*.h")):
        block, struct, field = [], None, None
        for line in header.read_text().splitlines():
            if re.match(r"\s*///<", line) and field:
                said[field] += " " + line.split("///<")[1].strip()
                continue
            struct = (re.match(r"typedef struct (carom_\w+) \{", line) or [None, struct])[1]
            if struct and line.startswith("}"):
                struct = field = None
            if struct and "///<" in line:
                names = re.findall(r"(\w+)(?:\)?(?:\[[^]]*\])*)(?:,|;)", line.split("///<")[0])
                for name in names:
                    field = f"{struct}.{name}"
                    said[field] = line.split("///<")[1].strip()
            if line.startswith("///") and "@file" not in line:
                block.append(line[3:].strip())
                continue
            name = re.search(r"(carom_\w+)\s*(?:\(|\{|;)", line) if block else None
            if name and not line.startswith("#"):
                said.setdefault(name.group(1), " ".join(block))
            if name or not line.strip():
                block = []
    return said


def main():
    include, output = sys.argv[1:]
    writer = Writer()
    for item in c_parser.CParser().parse(preprocess(include)).ext:
        writer.visit(item)
    said = comments(include)
    lines = ['"""Written by declarations.py from the public headers."""', "from ctypes import *  # noqa: F403", ""]
    for name in sorted(writer.opaque | {name for name, _ in writer.structs}):
        lines += [f"class {name}(Structure):", f'    """{said.get(name, "")}"""', "", ""]
    lines += [f"{name} = {kind}" for name, kind in writer.aliases]
    for name, fields in writer.structs:  # what one holds by value stands before it
        lines += [f"{name}._fields_ = ["] + [f"    ({field!r}, {kind})," for field, kind in fields] + ["]"]
    lines.append("FUNCTIONS = {")
    lines += [f"    {name!r}: ({result}, [{', '.join(parameters)}]),"
              for name, (result, parameters) in writer.functions.items()]
    lines += ["}", "", f"STRUCTS = ({', '.join(name for name, _ in writer.structs)},)", "", f"SAID = {said!r}", ""]
    lines += [f"{name} = {value}" for name, value in writer.constants.items()]
    pathlib.Path(output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
