"""The processes of a job: which UPC thread is which, and how gdb reaches them. A UPC thread is a process."""

import os
import re

import gdb

from upcgdb import job, waiting
from upcgdb.command import Command

# Signals with which the runtime ends jobs and asks threads where they are; no reason to stop.
_RUNTIME_SIGNALS = ["SIGUSR1", "SIGCHLD"] + ["SIG%d" % number for number in range(34, 40)]


def _parent(pid):
    """The parent of a process; None: it has gone."""
    try:
        with open("/proc/%d/stat" % pid) as stat:
            # The name stands in parentheses and may hold anything.
            return int(stat.read().rpartition(")")[2].split()[1])
    except OSError:
        return None


def _mythread_of(pid, address):
    """MYTHREAD of another process of the job, which has the same variables at the same addresses."""
    try:
        with open("/proc/%d/mem" % pid, "rb") as memory:
            memory.seek(address)
            return int.from_bytes(memory.read(4), "little", signed=True)
    except (OSError, ValueError):
        return None


def processes():
    """The pid of each thread of the selected inferior's job, by thread number."""
    pid = gdb.selected_inferior().pid
    if pid == 0 or not job.is_running():
        raise gdb.error("no UPC job is running")
    address = int(gdb.parse_and_eval("(unsigned long)&upcr_mythread"))
    try:
        program = os.readlink("/proc/%d/exe" % pid)
    except OSError:
        thread = int(gdb.parse_and_eval("*(int *)&upcr_mythread"))
        raise gdb.error("no process %d: a core file holds one thread, here number %d" % (pid, thread)) from None
    family = _children(pid, program) or _children(_parent(pid), program)
    found = {}
    for child in family:
        number = _mythread_of(child, address)
        if number is not None:
            found[number] = child
    return found


def _children(parent, program):
    """Processes with this parent that run this program."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and _parent(int(name)) == parent:
            try:
                if os.readlink("/proc/%s/exe" % name) == program:
                    found.append(int(name))
            except OSError:
                continue
    return found


def _state(pid):
    """What a process is doing, in a word or two."""
    try:
        with open("/proc/%d/stat" % pid) as stat:
            letter = stat.read().rpartition(")")[2].split()[0]
    except OSError:
        return "gone"
    words = {"R": "running", "S": "sleeping", "D": "in the kernel", "T": "stopped", "t": "stopped by a debugger", "Z": "ended"}
    return words.get(letter, letter)


def _inferior_of(pid):
    for inferior in gdb.inferiors():
        if inferior.pid == pid:
            return inferior
    return None


class Threads(Command):
    """Lists the threads of the UPC job: number, process, what it does, the frame where gdb has it, and what it waits for."""

    def __init__(self):
        super().__init__("upc threads", gdb.COMMAND_STATUS)

    def run(self, _argument):
        here = gdb.selected_inferior().pid
        records = waiting.of_job()
        for number, pid in sorted(processes().items()):
            mark = "*" if pid == here else " "
            reason = records.text(number) if records is not None else ""
            print("%s thread %-4d process %-8d %s%s" % (mark, number, pid, self._doing(pid), reason and ", " + reason))

    @staticmethod
    def _doing(pid):
        inferior = _inferior_of(pid)
        if inferior is None:
            return _state(pid)
        return "inferior %d%s" % (inferior.num, _place_of(inferior))


def _place_of(inferior):
    """`, at file.upc:12 in main` of a stopped inferior."""
    selected = gdb.selected_thread()
    try:
        threads = inferior.threads()
        if not threads:
            return ""
        threads[0].switch()
        frame = _users_frame()
        line = frame.find_sal()
        where = "%s:%d" % (os.path.basename(line.symtab.filename), line.line) if line.symtab else "?"
        return ", at %s in %s" % (where, frame.name())
    except gdb.error:
        return ""
    finally:
        if selected is not None and selected.is_valid():
            selected.switch()


def _users_frame():
    """The innermost frame with a source line; the innermost of all if none has one."""
    newest = gdb.newest_frame()
    frame = newest
    while frame is not None:
        symtab = frame.find_sal().symtab
        if symtab is not None and os.path.exists(symtab.fullname()):
            return frame
        frame = frame.older()
    return newest


def _one_word(path):
    """A path as one argument of a gdb command: blanks and quotes would end it, and each line is a command of its own."""
    if any(ord(letter) < 32 for letter in path):
        raise gdb.error("the program's path has a control character in it")
    return re.sub(r"([^\w/.+-])", r"\\\1", path)


class Thread(Command):
    """Selects a thread of the UPC job: upc thread N. gdb attaches to its process if it does not have it yet."""

    def __init__(self):
        super().__init__("upc thread", gdb.COMMAND_RUNNING)

    def run(self, argument):
        if not argument.strip().isdigit():
            raise gdb.error("give the number of a thread: upc thread 2")
        number = int(argument)
        pid = processes().get(number)
        if pid is None:
            raise gdb.error("the job has no thread %d" % number)
        inferior = _inferior_of(pid)
        if inferior is not None:
            gdb.execute("inferior %d" % inferior.num)
            return
        program = gdb.current_progspace().filename
        before = {known.num for known in gdb.inferiors()}
        gdb.execute("add-inferior -exec %s" % _one_word(program), to_string=True)
        added = max(known.num for known in gdb.inferiors() if known.num not in before)
        gdb.execute("inferior %d" % added, to_string=True)
        gdb.execute("attach %d" % pid, to_string=True)
        _users_frame().select()
        gdb.execute("frame")


class Run(Command):
    """Starts the program with N threads and debugs thread 0: upc run N [ARGS].

    The other threads run on by themselves; `upc thread K` takes them under control, too."""

    def __init__(self):
        super().__init__("upc run", gdb.COMMAND_RUNNING, gdb.COMPLETE_FILENAME)

    def run(self, argument):
        words = argument.split(None, 1)
        if not words or not words[0].isdigit():
            raise gdb.error("give a number of threads: upc run 4")
        gdb.execute("set follow-fork-mode child")
        gdb.execute("set detach-on-fork on")
        arguments = "-n " + " ".join(words)
        gdb.execute("run " + arguments)


def _forget_launcher(_event):
    """After gdb has followed the fork to a thread, the process that started the job stays as an inferior without process: every
    breakpoint would have a second location in it."""
    here = gdb.selected_inferior()
    if here.pid == 0 or gdb.parameter("follow-fork-mode") != "child":
        return
    for inferior in gdb.inferiors():
        same = inferior.progspace.filename == here.progspace.filename
        if inferior.pid == 0 and inferior.num != here.num and same:
            gdb.execute("remove-inferiors %d" % inferior.num, to_string=True)


def register():
    for signal in _RUNTIME_SIGNALS:
        gdb.execute("handle %s nostop noprint pass" % signal, to_string=True)
    # Stepping stays in the user's program: the inline functions of our headers are passed over.
    gdb.execute("skip -gfi */upcr/*.h", to_string=True)
    gdb.events.stop.connect(_forget_launcher)
    Threads()
    Thread()
    Run()
