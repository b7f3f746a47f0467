"""What the threads of a job wait for: the records that they leave in its control block before they really wait."""

import gdb

from upcgdb import job

# enum host_wait of runtime-c/src/transport/host/host.h
_IN_BARRIER, _FOR_LOCK, _FOR_OTHER = 1, 2, 3
_MOST_NAMED = 8

# upcr_smp_layout of runtime-c/src/transport/smp/lock.c, in its order.
_FIELDS = ("epoch", "threads", "stride", "kind", "arrived", "named", "value", "lock", "holder")


class Waiting:
    """The records of a running job, as they are now."""

    def __init__(self):
        self._memory = gdb.selected_inferior()
        layout = int(gdb.parse_and_eval("(unsigned long)&upcr_smp_layout"))
        self._at = {name: self._number(layout + 4 * i) for i, name in enumerate(_FIELDS)}
        self._job = self._number(int(gdb.parse_and_eval("(unsigned long)&smp_job")), 8)
        self._watched = self._number(int(gdb.parse_and_eval("(unsigned long)&host_job")), 8)

    def _number(self, address, size=4, signed=False):
        return int.from_bytes(bytes(self._memory.read_memory(address, size)), "little", signed=signed)

    def _field(self, thread, name, size=4, signed=False):
        record = self._watched + self._at["threads"] + thread * self._at["stride"]
        return self._number(record + self._at[name], size, signed)

    def text(self, thread):
        """`waits in barrier 3 (thread 1 has not arrived)`; empty for a thread that does not wait."""
        kind = self._field(thread, "kind")
        if kind == _IN_BARRIER:
            named = self._field(thread, "named", 1)
            barrier = "barrier %d" % self._field(thread, "value", signed=True) if named else "a barrier"
            return "waits in " + barrier + self._missing()
        if kind == _FOR_LOCK:
            # The lower half of the word: thread + 1; 0 for none.
            holder = self._number(self._field(thread, "lock", 8) + self._at["holder"])
            return "waits for a lock" + (" held by thread %d" % (holder - 1) if holder else "")
        return "waits in a library function" if kind == _FOR_OTHER else ""

    def _missing(self):
        epoch = self._number(self._job + self._at["epoch"])
        late = [t for t in range(job.threads()) if self._field(t, "arrived") == epoch]
        if not late:
            return ""
        names = ", ".join(str(t) for t in late[:_MOST_NAMED])
        more = " and %d more" % (len(late) - _MOST_NAMED) if len(late) > _MOST_NAMED else ""
        one = len(late) == 1
        return " (%s %s%s %s not arrived)" % ("thread" if one else "threads", names, more, "has" if one else "have")


def of_job():
    """The records of the running job; None: the program has none that can be read."""
    try:
        return Waiting()
    except gdb.error:
        return None
