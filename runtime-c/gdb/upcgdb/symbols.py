"""Names of the program: shared objects, and statics of functions that upcc moved out of them."""

import os
import re

import gdb

from upcgdb import types, values

_CARRIER = "upcc_debug_shared_"


def address_of(symbol):
    """The address of a linker symbol; None: there is none."""
    try:
        return int(gdb.parse_and_eval("(unsigned long)&" + symbol))
    except gdb.error:
        return None


def shared_address(symbol):
    """The address of a shared object's symbol; None: there is none."""
    # The second symbol is there if the object's definition was compiled with -g.
    address = address_of("upcc_at_%d_%s" % (types.object_unit(symbol), symbol))
    return address_of(symbol) if address is None else address


def shared_object(symbol):
    """The shared object of a symbol, as values.Place; None: there is none."""
    if types.object_type(symbol) is None:
        return None
    address = shared_address(symbol)
    return None if address is None else values.of_object(symbol, address)


# The program whose names are known, and the names.
_known = (None, ())


def _translator_names():
    """All names of variables that the translator has made, sorted; asked of gdb once for each program."""
    global _known
    program = gdb.current_progspace().filename
    key = (program, os.path.getmtime(program)) if program and os.path.exists(program) else None
    if key is None or _known[0] != key:
        listing = gdb.execute("info variables -q -n upcc_", to_string=True)
        _known = (key, sorted(set(re.findall(r"\bupcc_\w+", listing))))
    return _known[1]


def shared_names():
    """Symbols of all shared objects that are described."""
    return [name[len(_CARRIER) :] for name in _translator_names() if name.startswith(_CARRIER)]


def functions_of_frame():
    """The function of the selected frame and those it was inlined into."""
    try:
        frame = gdb.selected_frame()
    except gdb.error:
        return []
    names = []
    block = None
    try:
        block = frame.block()
    except RuntimeError:
        return [frame.name()] if frame.name() else []
    while block is not None and not block.is_static:
        if block.function is not None:
            names.append(block.function.name)
        block = block.superblock
    return names


def hoisted(function):
    """Statics that upcc moved out of a function: pairs of the user's name and the symbol, sorted."""
    prefix = "upcc_%s_" % function
    found = []
    for symbol in _translator_names():
        symbol = symbol[len(_CARRIER) :] if symbol.startswith(_CARRIER) else symbol
        match = re.match(re.escape(prefix) + r"(\w+)_\d+$", symbol)
        if match and (match.group(1), symbol) not in found:
            found.append((match.group(1), symbol))
    return sorted(found)


def static_of_function(name):
    """The symbol of the static `name` of the selected frame's function, if upcc moved it; the last of several."""
    for function in functions_of_frame():
        symbols = [symbol for user, symbol in hoisted(function) if user == name]
        if symbols:
            return symbols[-1]
    return None


def variable(name):
    """What a name stands for: values.Place, values.Pointer or gdb.Value.

    Raises gdb.error if there is no such variable.
    """
    symbol = _local(name)
    if symbol is not None:
        return values.of_value(symbol)
    moved = static_of_function(name)
    for candidate in [moved, name] if moved else [name]:
        found = shared_object(candidate)
        if found is not None:
            return found
        try:
            value = gdb.parse_and_eval(candidate)
        except gdb.error:
            if candidate == name:
                raise
            continue
        return values.of_value(value)


def _local(name):
    """The value of a variable of the selected frame's blocks; None: it has none of this name."""
    try:
        frame = gdb.selected_frame()
        block = frame.block()
    except (gdb.error, RuntimeError):
        return None
    while block is not None and not block.is_static and not block.is_global:
        for symbol in block:
            if symbol.name == name and (symbol.is_variable or symbol.is_argument):
                if types.object_name(symbol.type) is None:
                    return frame.read_var(symbol, block)
        block = block.superblock
    return None
