"""Arithmetic of pointers-to-shared (UPC 6.4.2): the same formulas as runtime-c/include/upcr/divide.h."""

from upcgdb.job import Pts


def add(pts, count, size, block, threads):
    """`count` elements of `size` bytes further; block 0: indefinite, all on one thread."""
    if block == 0:
        return Pts(pts.thread, pts.phase, pts.addr + count * size)
    position = pts.thread * block + pts.phase + count
    rounds, rest = divmod(position, block * threads)
    thread, phase = divmod(rest, block)
    return Pts(thread, phase, pts.addr + (rounds * block + phase - pts.phase) * size)


def difference(p, q, size, block, threads):
    """p - q in elements."""
    local = (p.addr - q.addr) // size
    if block == 0:
        return local
    rounds = (local - p.phase + q.phase) // block
    return (rounds * threads + p.thread - q.thread) * block + p.phase - q.phase
