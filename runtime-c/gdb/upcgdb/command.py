"""What our commands have in common."""

import gdb


class Command(gdb.Command):
    """A command whose errors are shown as gdb shows its own: the message alone."""

    def invoke(self, argument, _from_tty):
        try:
            self.run(argument.strip())
        except (gdb.error, gdb.MemoryError) as error:
            raise gdb.GdbError(str(error)) from None

    def run(self, argument):
        """Does the command's work."""
        raise NotImplementedError
