"""The command `upc` and what is below it, the short form `up`, the function $upc."""

import re

import gdb

from upcgdb import expression, job, printers, records, symbols, types, values
from upcgdb.command import Command
from upcgdb.values import Place, Pointer


def _format(argument):
    """`/x a[5]` in format and expression."""
    match = re.match(r"\s*/([a-z])\s+(.*)", argument, re.DOTALL)
    how = {"format": match.group(1)} if match else {}
    return how, (match.group(2) if match else argument)


def show(argument):
    """Evaluates a UPC expression and prints it; a value that gdb knows of becomes the next `$N`."""
    how, text = _format(argument)
    value = expression.evaluate(text)
    if isinstance(value, Place) and not value.type.dims:
        value = values.of_value(value.load())
    if isinstance(value, (Place, Pointer)):
        print(value.text(**how))
        return
    written = value.format_string(**how)
    if hasattr(gdb, "add_history"):
        print("$%d = %s" % (gdb.add_history(value), written))
    else:
        print(written)


class Upc(gdb.Command):
    """Commands for UPC programs.

    upc print EXPR     the value of a UPC expression (short: up EXPR)
    upc whatis EXPR    its type, and where a shared object is
    upc locals         statics of this function that `info locals` does not show
    upc info shared    shared objects: type, size, layout
    upc threads        the threads of the job
    upc thread N       debug thread N, too
    upc run N [ARGS]   start the program with N threads and debug thread 0"""

    def __init__(self):
        super().__init__("upc", gdb.COMMAND_DATA, prefix=True)


class Print(Command):
    """Prints the value of a UPC expression: upc print [/FORMAT] EXPR.

    Shared arrays and pointers-to-shared are indexed, followed and added to as in UPC:
    upc print a[5], upc print p->next->value, upc print *(p + 3), upc print &a[i][j]"""

    def __init__(self, name):
        super().__init__(name, gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument):
        show(argument)


class Up(Print):
    """Prints the value of a UPC expression, as `upc print` does: up [/FORMAT] EXPR.

    Without an expression, or with a number alone, it is gdb's own `up`: it selects the calling frame."""

    def __init__(self):
        super().__init__("up")

    def run(self, argument):
        if re.fullmatch(r"[+-]?\d*", argument):
            gdb.execute("up-silently " + argument)
            gdb.execute("frame")
        else:
            show(argument)


class Whatis(Command):
    """Prints the type of a UPC expression and, of a shared object, where it is: upc whatis EXPR."""

    def __init__(self):
        super().__init__("upc whatis", gdb.COMMAND_DATA, gdb.COMPLETE_EXPRESSION)

    def run(self, argument):
        value = expression.evaluate(argument)
        if isinstance(value, Place):
            pts = value.pts
            place = "thread %d, phase %d, address 0x%x" % (pts.thread, pts.phase, pts.addr)
            print("type = %s\nat %s" % (value.type.spelled(), place))
        elif isinstance(value, Pointer):
            kind = value.type.spelled("*") if value.type else "pointer-to-shared"
            print("type = %s" % kind)
        else:
            print("type = %s" % value.type)


class Locals(Command):
    """Prints the statics of this function that upcc keeps outside of it: shared ones, and those whose initialisers run at start."""

    def __init__(self):
        super().__init__("upc locals", gdb.COMMAND_DATA)

    def run(self, _argument):
        found = [pair for function in symbols.functions_of_frame() for pair in symbols.hoisted(function)]
        if not found:
            print("No such statics.")
        for name, symbol in found:
            place = symbols.shared_object(symbol)
            value = place if place is not None else values.of_value(gdb.parse_and_eval(symbol))
            text = value.text() if isinstance(value, (Place, Pointer)) else value.format_string()
            print("%s = %s" % (name, text))


class Info(gdb.Command):
    """Facts about a UPC program: upc info shared."""

    def __init__(self):
        super().__init__("upc info", gdb.COMMAND_STATUS, prefix=True)


class InfoShared(Command):
    """Lists shared objects with static storage: upc info shared [REGEXP]."""

    def __init__(self):
        super().__init__("upc info shared", gdb.COMMAND_STATUS)

    def run(self, argument):
        pattern = re.compile(argument.strip())
        all_names = symbols.shared_names()
        names = [name for name in all_names if pattern.search(name)]
        known = {symbols.shared_address(name) for name in all_names}
        others = [r for r in records.all_records() if r.symbol not in known and pattern.search(r.name)]
        if not names and not others:
            print("No shared objects.")
        if job.threads() == 0:
            print("The job has not started: THREADS counts as 1.")
        for name in names:
            shared = types.object_type(name)
            block = shared.block if shared.dims else 0
            declared = shared.spelled(_users_name(name))
            print(_line(symbols.shared_address(name), declared, shared.count, shared.elem.sizeof, block))
        for record in others:
            count = record.count * (max(job.threads(), 1) if record.per_thread else 1)
            block = record.block if count > 1 else 0
            declared = "%s: %s" % (record.name, record.type)
            print(_line(record.symbol, declared, count, record.elem, block))


def _line(symbol, declared, count, elem, block):
    """Where an object is, what it is and how it is laid out; block 0: on one thread."""
    layout = "all on thread 0"
    if block:
        layout = "block size %d, %d blocks over %d threads" % (block, -(-count // block), max(job.threads(), 1))
    return "0x%06x  %s;  %d bytes, %s" % (job.static_pts(symbol).addr, declared, count * elem, layout)


def _users_name(symbol):
    """`inside (in watched)` for the symbol of a static that was moved out of a function; else the symbol."""
    match = re.match(r"upcc_(.+)_\d+$", symbol)
    if not match:
        return symbol
    words = match.group(1)
    for at in [i for i, c in enumerate(words) if c == "_"]:
        function = gdb.lookup_global_symbol(words[:at]) or gdb.lookup_static_symbol(words[:at])
        if function is not None and function.is_function:
            return "%s::%s" % (words[:at], words[at + 1 :])
    return symbol


class Value(gdb.Function):
    """$upc(OBJECT), $upc("EXPR"): the value of a shared object or UPC expression, for use in gdb's own expressions."""

    def __init__(self):
        super().__init__("upc")

    def invoke(self, what):
        if what.type.strip_typedefs().code == gdb.TYPE_CODE_ARRAY and types.object_name(what.type) is None:
            what = expression.evaluate(what.string())
        else:
            what = printers.element(what) or values.of_value(what)
        if isinstance(what, Pointer):
            what = what.target()
        return what.load() if isinstance(what, Place) else what


def register():
    Upc()
    Print("upc print")
    Up()
    Whatis()
    Locals()
    Info()
    InfoShared()
    Value()
