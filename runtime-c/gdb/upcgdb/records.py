"""The program's own records of its static shared objects, which units compiled without -g have, too."""

import struct
from collections import namedtuple

import gdb

from upcgdb import job

# upcr_object of runtime-c/include/upcr/data.h
_LAYOUT = struct.Struct("<QQQQQIIQQ")

Record = namedtuple("Record", "name type symbol elem count block per_thread file line")


def all_records():
    """Records by symbol's address, one for each object; none before the program runs, when addresses are not known."""
    memory = gdb.selected_inferior()
    if memory.pid == 0 or not job.is_running():
        return []
    try:
        start, stop = (int(gdb.parse_and_eval("(unsigned long)&__%s_upcr_objects" % end)) for end in ("start", "stop"))
    except gdb.error:
        return []
    found = {}
    for fields in _LAYOUT.iter_unpack(bytes(memory.read_memory(start, stop - start))) if stop > start else ():
        record = Record(*fields)
        found[record.symbol] = record._replace(name=_text(record.name), type=_text(record.type))
    return [found[symbol] for symbol in sorted(found)]


def _text(address):
    return gdb.Value(address).cast(gdb.lookup_type("char").pointer()).string()
