"""The running program: its constants, the representation of its pointers-to-shared, where segments are mapped.

The runtime carries no debug information; its variables are read by symbol and size.
"""

from dataclasses import dataclass

import gdb

# runtime-c/include/upcr/pts_struct.h
_STRUCT_LAYOUT = 0xFFFF
_NOT_STARTED = "the UPC job has not started yet: shared memory is not mapped"


@dataclass(frozen=True)
class Pts:
    """A pointer-to-shared without its type: the numbers in it."""

    thread: int
    phase: int
    addr: int

    @property
    def is_null(self):
        return self.thread == 0 and self.phase == 0 and self.addr == 0


def _variable(name, ctype):
    """The variable of the runtime with this name."""
    pointer = gdb.lookup_type(ctype).pointer()
    return gdb.parse_and_eval("(char *)&" + name).cast(pointer).dereference()


def mythread():
    return int(_variable("upcr_mythread", "int"))


def threads():
    """THREADS; 0 before the job has started."""
    return int(_variable("upcr_threads", "int"))


def segment_base():
    """Where thread 0's segment is mapped; 0 before the job has started."""
    return int(_variable("upcr_segment_base", "unsigned long"))


def running_threads():
    """THREADS of the running job."""
    count = threads()
    if count == 0:
        raise gdb.error(_NOT_STARTED)
    return count


def is_running():
    return segment_base() != 0


def _layout():
    """How units of the program represent pointers-to-shared: (bits of the phase, bits of the thread), None for a struct."""
    # struct upcr_unit of runtime-c/include/upcr/data.h: abi, threads, pts_layout, reserved
    units = gdb.parse_and_eval("(char *)&__start_upcr_units")
    unit = units.cast(gdb.lookup_type("unsigned int").pointer())
    layout = int(unit[2])
    if layout == _STRUCT_LAYOUT:
        return None
    return layout >> 8, layout & 0xFF


def segment_stride():
    """The distance between the segments of neighbouring threads in bytes, which the runtime chooses at its start."""
    return int(_variable("upcr_segment_stride", "unsigned long long"))


def decode(value):
    """The numbers in a gdb.Value of type upcr_pts_t."""
    layout = _layout()
    if layout is None:
        whole = value.cast(value.type.strip_typedefs().unqualified())
        return Pts(int(whole["thread"]), int(whole["phase"]), int(whole["addr"]))
    phase_bits, thread_bits = layout
    addr_bits = 64 - phase_bits - thread_bits
    bits = int(value) & (1 << 64) - 1
    thread = bits >> addr_bits & (1 << thread_bits) - 1
    # A place is thread * stride + address (runtime-c/include/upcr/pts_packed.h).
    skew = max(segment_stride() - (1 << addr_bits), 0)
    address = (bits & (1 << addr_bits) - 1) - thread * skew
    return Pts(thread, bits >> addr_bits + thread_bits, address & (1 << addr_bits) - 1)


def mapped(pts):
    """The address in this process of what a pointer-to-shared points at."""
    base = segment_base()
    if base == 0:
        raise gdb.error(_NOT_STARTED)
    if not 0 <= pts.thread < threads():
        raise gdb.error("no thread %d: the job has %d" % (pts.thread, threads()))
    return base + pts.thread * segment_stride() + pts.addr


def static_pts(address):
    """The pointer-to-shared to the static shared object whose symbol is at `address`: thread 0, phase 0."""
    start = int(gdb.parse_and_eval("(unsigned long)&__start_upcr_shared"))
    # UPCR_STATIC_START of runtime-c/include/upcr/data.h
    return Pts(0, 0, address - start + 65536)
