"""Support for UPC programs in gdb."""

from upcgdb import commands, printers, threads

_registered = False


def register():
    """Makes printers, commands and signal settings known to gdb; once, however many programs ask."""
    global _registered
    if _registered:
        return
    _registered = True
    printers.register()
    commands.register()
    threads.register()
