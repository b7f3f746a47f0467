"""What the debug information says about shared types: runtime-c/include/upcr/dwarf.h writes it, upcc's src/emit/debug.rs says when."""

from dataclasses import dataclass

import gdb

from upcgdb import job

_POINTER = "upcc_pts_"
_OBJECT = "upcc_object_"
PLAIN_POINTER = "upcr_pts_t"


@dataclass(frozen=True)
class SharedType:
    """A shared type: `dims` extents of the array, outermost first (empty: no array), None for an extent that is not known."""

    elem: gdb.Type
    dims: tuple
    block: int

    @property
    def stride(self):
        """Elements in one item of the first dimension."""
        count = 1
        for extent in self.dims[1:]:
            count *= extent or 1
        return count

    @property
    def count(self):
        """Elements of the whole; at least one."""
        return self.stride * (self.dims[0] or 1) if self.dims else 1

    def item(self):
        """The type of an item of the first dimension."""
        return SharedType(self.elem, self.dims[1:], self.block)

    def spelled(self, declarator=""):
        """The declaration of something with this type: `shared [4] int (*p)[3]` for declarator `*p`."""
        qualifier = {0: "shared [] ", 1: "shared "}.get(self.block, "shared [%d] " % self.block)
        elem = described(self.elem)
        if elem is not None:
            # An element that is a pointer-to-shared itself.
            return elem.spelled("*" + qualifier + declarator)
        extents = "".join("[%s]" % ("" if n is None else n) for n in self.dims)
        if extents and declarator.startswith("*"):
            declarator = "(" + declarator + ")"
        space = " " if declarator else ""
        return qualifier + str(self.elem) + space + declarator + extents


def _extent(field):
    """A number held as extent of the array that a pointer points at."""
    low, high = field.type.target().range()
    return high - low + 1


def _carried(carrier):
    """The shared type that a carrier (a struct with the members upcc_target, upcc_block, upcc_threads) describes."""
    fields = {field.name: field for field in carrier.fields()}
    threads_dimension = _extent(fields["upcc_threads"])
    ctype = fields["upcc_target"].type.target()
    dims = []
    while ctype.code == gdb.TYPE_CODE_ARRAY:
        low, high = ctype.range()
        extent = high - low + 1
        if len(dims) + 1 == threads_dimension:
            extent *= max(job.threads(), 1)
        # gdb gives an array without extent the range 0 to -1.
        dims.append(extent if extent > 0 else None)
        ctype = ctype.target()
    return SharedType(ctype, tuple(dims), _extent(fields["upcc_block"]))


def _lookup(kind, name):
    """The carrier of a name: the one of the selected frame's translation unit, if several have one."""
    tag = "struct upcc_%s_%s" % (kind, name)
    try:
        block = gdb.selected_frame().block()
        return gdb.lookup_type(tag, block)
    except (gdb.error, RuntimeError):
        pass
    try:
        return gdb.lookup_type(tag)
    except gdb.error:
        return None


def pointer_name(ctype):
    """The typedef name by which a C type is a pointer-to-shared; None: it is none."""
    while ctype is not None:
        name = ctype.name
        if name == PLAIN_POINTER or name is not None and name.startswith(_POINTER):
            return name
        if ctype.code != gdb.TYPE_CODE_TYPEDEF:
            return None
        ctype = ctype.unqualified().target()


def described(ctype):
    """What pointers-to-shared of this C type point at: a SharedType; None: not known, or no pointer-to-shared."""
    name = pointer_name(ctype)
    if name is None or name == PLAIN_POINTER:
        return None
    carrier = _lookup("target", name[len(_POINTER) :])
    return None if carrier is None else _carried(carrier)


def object_name(ctype):
    """The symbol of the shared object for which a C type (or array of it) stands; None: for none."""
    while ctype.code == gdb.TYPE_CODE_ARRAY:
        ctype = ctype.target()
    tag = ctype.tag if ctype.code == gdb.TYPE_CODE_STRUCT else None
    if tag is None or not tag.startswith(_OBJECT):
        return None
    return tag[len(_OBJECT) :]


def object_unit(name):
    """The number of the unit whose shared object of internal linkage this is; 0: of external linkage, or not known."""
    carrier = _lookup("shared", name)
    fields = {} if carrier is None else {field.name: field for field in carrier.fields()}
    return _extent(fields["upcc_unit"]) if "upcc_unit" in fields else 0


def object_type(name):
    """The type of the shared object with this symbol; None: not known."""
    carrier = _lookup("shared", name)
    return None if carrier is None else _carried(carrier)
