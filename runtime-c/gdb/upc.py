"""Support for UPC programs in gdb; programs that upcc compiled with -g name this file in their section .debug_gdb_scripts.

The package beside it: command (what commands have in common), job (the running program), layout (arithmetic of
pointers-to-shared), types (what the debug information says about shared types), values (shared objects and
pointers-to-shared as values), symbols (names of the program), expression (UPC expressions), printers
(pretty-printers), commands (the command `upc`), threads (the processes of a job).
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
# The user's mask may let others write into the folder that Python makes for compiled modules, and gdb would run them.
writes_bytecode = not sys.dont_write_bytecode
sys.dont_write_bytecode = True
try:
    import upcgdb

    upcgdb.register()
finally:
    sys.path.pop(0)
    sys.dont_write_bytecode = not writes_bytecode
