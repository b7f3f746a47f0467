"""Pretty-printers: pointers-to-shared, and the stand-ins for shared objects; type names in UPC's terms."""

import gdb
import gdb.printing
import gdb.types

from upcgdb import symbols, types, values


class _Text:
    """Prints what has a method text()."""

    def __init__(self, thing):
        self._thing = thing

    def to_string(self):
        try:
            return self._thing.text()
        except (gdb.error, gdb.MemoryError) as error:
            return "<%s>" % error


def element(value):
    """The Place for which a stand-in (type upcc_object_X, or an array of it) stands, by its address."""
    name = types.object_name(value.type)
    whole = symbols.shared_object(name) if name else None
    if whole is None or value.address is None:
        return None
    # The base as gdb found it for the expression.
    index = int(value.address) - symbols.address_of(name)
    place = whole
    depth = 0
    ctype = value.type
    while ctype.code == gdb.TYPE_CODE_ARRAY:
        depth += 1
        ctype = ctype.target()
    # The stand-in's elements are a byte each: the address is the index, row after row.
    while len(place.type.dims) > depth:
        number, index = divmod(index, place.type.stride)
        place = place.index(number)
    return place


class _Printers(gdb.printing.PrettyPrinter):
    """Chooses the printer of a value."""

    def __init__(self):
        super().__init__("upc", [])

    def __call__(self, value):
        ctype = value.type.unqualified()
        if types.pointer_name(ctype) is not None:
            return _Text(values.of_value(value))
        if ctype.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_ARRAY):
            place = element(value) if types.object_name(ctype) else None
            return None if place is None else _Text(place)
        if ctype.code == gdb.TYPE_CODE_PTR and types.object_name(ctype.target()):
            place = element(value.dereference())
            return None if place is None else _Text(place.address())
        return None


class _TypeNames:
    """Types as the user wrote them, for `whatis` and `ptype`."""

    name = "upc"
    enabled = True

    def instantiate(self):
        return self

    def recognize(self, ctype):
        if ctype.code == gdb.TYPE_CODE_TYPEDEF:
            if ctype.name and ctype.name.startswith("upcc_pts_"):
                shared = types.described(ctype)
                return None if shared is None else shared.spelled("*")
        elif ctype.code == gdb.TYPE_CODE_STRUCT:
            name = types.object_name(ctype)
            shared = types.object_type(name) if name else None
            if shared is not None:
                return types.SharedType(shared.elem, (), shared.block).spelled()
        return None


def register():
    gdb.printing.register_pretty_printer(None, _Printers(), replace=True)
    gdb.types.register_type_printer(None, _TypeNames())


