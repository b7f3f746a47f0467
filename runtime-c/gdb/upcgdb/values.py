"""Shared objects and pointers-to-shared as values."""

from dataclasses import dataclass, replace

import gdb

from upcgdb import job, layout
from upcgdb.job import Pts
from upcgdb.types import SharedType, described, object_type, pointer_name


class _Nesting:
    """Whether a value is being written that a pointer points at: pointers in it are not followed."""

    depth = 0

    def __enter__(self):
        _Nesting.depth += 1

    def __exit__(self, *_):
        _Nesting.depth -= 1


def _elements_shown():
    """gdb's limit on elements of an array."""
    limit = gdb.parameter("print elements")
    return limit if limit else 1 << 62


@dataclass(frozen=True)
class Place:
    """A shared object, or a part of one."""

    type: SharedType
    pts: Pts

    def index(self, number):
        """The item `number` of an array."""
        if not self.type.dims:
            raise gdb.error("`%s` is not an array" % self.type.spelled())
        return self.pointer().add(number).target()

    def pointer(self):
        """A pointer to the first item of an array, or to the object."""
        return Pointer(self.type.item() if self.type.dims else self.type, self.pts)

    def address(self):
        return Pointer(self.type, self.pts)

    def member(self, name):
        """A member of a struct; the value of a bit-field."""
        value = self.load()
        if value.type.strip_typedefs().code not in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION):
            raise gdb.error("`%s` has no members" % self.type.spelled())
        member = value[name]
        if any(field.name == name and field.bitsize for field in value.type.strip_typedefs().fields()):
            return member
        offset = int(member.address) - int(value.address)
        dims, ctype = [], member.type
        while ctype.strip_typedefs().code == gdb.TYPE_CODE_ARRAY:
            ctype = ctype.strip_typedefs()
            low, high = ctype.range()
            dims.append(high - low + 1)
            ctype = ctype.target()
        place = Pts(self.pts.thread, 0, self.pts.addr + offset)
        return Place(SharedType(ctype, tuple(dims), 0), place)

    def load(self):
        """The object's value, if it is no array."""
        if self.type.dims:
            raise gdb.error("`%s` is an array: give an index" % self.type.spelled())
        address = gdb.Value(job.mapped(self.pts))
        return address.cast(self.type.elem.pointer()).dereference()

    def _in_one_piece(self):
        """An array all of which is on one thread, as gdb knows arrays."""
        ctype = self.type.elem
        for extent in reversed(self.type.dims):
            ctype = ctype.array((extent or 0) - 1)
        return gdb.Value(job.mapped(self.pts)).cast(ctype.pointer()).dereference()

    def text(self, **how):
        """The value as gdb writes values; `how`: keywords of gdb.Value.format_string."""
        if not self.type.dims:
            return self.load().format_string(**how)
        count = self.type.dims[0]
        if count is None:
            return "{...}"
        if self.type.block == 0:
            return self._in_one_piece().format_string(**how)
        shown = min(count, _elements_shown())
        items = [self.index(i).text(**how) for i in range(shown)]
        return "{" + ", ".join(items) + ("..." if shown < count else "") + "}"


@dataclass(frozen=True)
class Pointer:
    """A pointer-to-shared; type None: what it points at is not known."""

    type: SharedType
    pts: Pts

    def add(self, count):
        to = self._complete()
        steps = count * to.count
        pts = layout.add(self.pts, steps, to.elem.sizeof, to.block, job.running_threads())
        return replace(self, pts=pts)

    def minus(self, other):
        """The distance between two pointers, in items."""
        to = self._complete()
        distance = layout.difference(self.pts, other.pts, to.elem.sizeof, to.block, job.running_threads())
        return distance // to.count

    def target(self):
        to = self._complete()
        if self.pts.is_null:
            raise gdb.error("a null pointer-to-shared does not point to an object")
        return Place(to, self.pts)

    def _complete(self):
        if self.type is None:
            raise gdb.error("the debug information does not describe the target of this pointer-to-shared")
        if self.type.elem.strip_typedefs().code == gdb.TYPE_CODE_VOID:
            raise gdb.error("the target of a `shared void *` has no known type")
        return self.type

    def text(self, **how):
        """(shared [4] int *) thread 2, phase 1, address 0x10040 -> 42"""
        kind = "(%s) " % self.type.spelled("*") if self.type is not None else ""
        if self.pts.is_null:
            return kind + "null"
        pts = self.pts
        text = "%sthread %d, phase %d, address 0x%x" % (kind, pts.thread, pts.phase, pts.addr)
        return text + self._behind(how)

    def _behind(self, how):
        """` -> ` and the value that the pointer points at."""
        void = self.type is None or self.type.elem.strip_typedefs().code == gdb.TYPE_CODE_VOID
        if void or _Nesting.depth > 0 or not job.is_running():
            return ""
        with _Nesting():
            try:
                return " -> " + self.target().text(**how)
            except (gdb.error, gdb.MemoryError) as error:
                return " -> <%s>" % error


def of_object(name, address):
    """The static shared object with symbol `name` at `address`; None: it has no description."""
    shared = object_type(name)
    return None if shared is None else Place(shared, job.static_pts(address))


def of_value(value):
    """A gdb.Value as Pointer, if it is a pointer-to-shared; else itself."""
    if pointer_name(value.type) is None:
        return value
    return Pointer(described(value.type), job.decode(value))
