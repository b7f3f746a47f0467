"""UPC expressions: names, numbers, `[]`, `.`, `->`, `*`, `&`, `+`, `-`, `*`, `/`, `%` on private and shared things alike."""

import re

import gdb

from upcgdb import job, symbols, values
from upcgdb.values import Place, Pointer

_TOKEN = re.compile(
    r"""\s*(?:
        (?P<number>0[xX][0-9a-fA-F]+|\d+)[uUlL]*(?![\w.])
      | (?P<char>'(?:\\.|[^'\\])')
      | (?P<name>[$A-Za-z_][$\w]*(?:::[A-Za-z_]\w*)?)
      | (?P<op>->|[-+*/%&.()\[\]])
    )""",
    re.VERBOSE,
)


def evaluate(text):
    """The value of an expression: Place, Pointer or gdb.Value.

    Raises gdb.error for what is not understood.
    """
    return _Parser(text).whole()


def loaded(value):
    """The value of a place that is no array; a pointer to the first item of an array; pointers-to-shared as such."""
    if isinstance(value, Place):
        return value.pointer() if value.type.dims else values.of_value(value.load())
    return value


def _number(value, what):
    value = loaded(value)
    if isinstance(value, Pointer):
        raise gdb.error("%s is a pointer-to-shared" % what)
    return int(value)


class _Parser:
    """Recursive descent over the tokens."""

    def __init__(self, text):
        self.tokens = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise gdb.error("`%s`: not understood in a UPC expression" % text[at:].strip())
            self.tokens.append((match.lastgroup, match.group(match.lastgroup)))
            at = match.end()
        self.at = 0

    def whole(self):
        if not self.tokens:
            raise gdb.error("give an expression")
        value = self.sum()
        if self.at < len(self.tokens):
            raise gdb.error("`%s`: not expected here" % self.tokens[self.at][1])
        return value

    def take(self, *ops):
        """The next token, if it is one of these operators."""
        if self.at < len(self.tokens) and self.tokens[self.at][0] == "op" and self.tokens[self.at][1] in ops:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def expect(self, op):
        if self.take(op) is None:
            raise gdb.error("`%s` is missing" % op)

    def sum(self):
        value = self.product()
        while True:
            op = self.take("+", "-")
            if op is None:
                return value
            value = _added(loaded(value), loaded(self.product()), op)

    def product(self):
        value = self.prefixed()
        while True:
            op = self.take("*", "/", "%")
            if op is None:
                return value
            left, right = _private(loaded(value)), _private(loaded(self.prefixed()))
            if op == "*":
                value = left * right
            elif op == "/":
                value = left / right
            else:
                value = left % right

    def prefixed(self):
        op = self.take("*", "&", "-", "+")
        if op is None:
            return self.suffixed()
        value = self.prefixed()
        if op == "*":
            return _target(loaded(value))
        if op == "&":
            if isinstance(value, Place):
                return value.address()
            if isinstance(value, Pointer):
                raise gdb.error("the address of a pointer-to-shared is not supported: use gdb's own print")
            return value.address
        number = _private(loaded(value))
        return -number if op == "-" else number

    def suffixed(self):
        value = self.primary()
        while True:
            op = self.take("[", ".", "->")
            if op is None:
                return value
            if op == "[":
                index = _number(self.sum(), "an index")
                self.expect("]")
                value = _indexed(value, index)
                continue
            kind, name = self.tokens[self.at] if self.at < len(self.tokens) else (None, "")
            if kind != "name":
                raise gdb.error("a member's name is missing")
            self.at += 1
            if op == "->":
                value = _target(loaded(value))
            value = value.member(name) if isinstance(value, Place) else values.of_value(_private(value)[name])

    def primary(self):
        if self.take("("):
            value = self.sum()
            self.expect(")")
            return value
        if self.at >= len(self.tokens):
            raise gdb.error("the expression ends too early")
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return gdb.Value(int(text, 8 if re.match(r"0\d", text) else 0))
        if kind == "char":
            return gdb.parse_and_eval(text)
        if kind == "name":
            constants = {"MYTHREAD": job.mythread, "THREADS": job.threads, "NULL": lambda: 0}
            if text in constants:
                return gdb.Value(constants[text]())
            return symbols.variable(text)
        raise gdb.error("`%s`: not expected here" % text)


def _private(value):
    if isinstance(value, (Place, Pointer)):
        raise gdb.error("this operator cannot be applied to a pointer-to-shared")
    return value


def _target(value):
    return value.target() if isinstance(value, Pointer) else values.of_value(value.dereference())


def _indexed(value, index):
    if isinstance(value, Place) and value.type.dims:
        return value.index(index)
    place, value = value, loaded(value)
    if isinstance(place, Place) and not isinstance(value, Pointer):
        if value.type.strip_typedefs().code != gdb.TYPE_CODE_PTR:
            raise gdb.error("`%s` is not an array" % place.type.spelled())
    if isinstance(value, Pointer):
        return value.add(index).target()
    return values.of_value(value[index])


def _added(left, right, op):
    """left + right or left - right."""
    sign = 1 if op == "+" else -1
    if isinstance(left, Pointer) and isinstance(right, Pointer):
        if op == "+":
            raise gdb.error("two pointers cannot be added")
        return gdb.Value(left.minus(right))
    if isinstance(left, Pointer):
        return left.add(sign * int(right))
    if isinstance(right, Pointer):
        if op == "-":
            raise gdb.error("a pointer cannot be subtracted from a number")
        return right.add(int(left))
    return left + right if op == "+" else left - right
