# Licensed under the MIT License. See LICENSE.
"""The index that the compiler writes in each build: which file declares a symbol, and which files refer to it."""
import collections
import ctypes
import pathlib
import shutil
import sys

# Bits of a symbol's roles in a file.
DEFINITION, REFERENCE, IMPLICIT, OVERRIDE = 1 << 1, 1 << 2, 1 << 8, 1 << 11
# The kind of a unit dependency that names the record of its file.
RECORD = 2

Symbol = collections.namedtuple("Symbol", "usr name kind roles")


def stop(message):
    print(message, file=sys.stderr)
    raise SystemExit(2)


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    def __str__(self):
        return ctypes.string_at(self.data, self.length).decode() if self.length else ""


class Index:
    """The toolchain's reader of index stores, of which this uses seven functions."""

    ON_TEXT = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, Text)
    ON_POINTER = ctypes.CFUNCTYPE(ctypes.c_bool, ctypes.c_void_p, ctypes.c_void_p)

    def __init__(self, store):
        swift = shutil.which("swift") or stop("No Swift toolchain on PATH.")
        self.library = ctypes.CDLL(str(pathlib.Path(swift).resolve().parent.parent / "lib" / "libIndexStore.so"))
        for name, result in (
            ("store_create", ctypes.c_void_p), ("unit_reader_create", ctypes.c_void_p),
            ("record_reader_create", ctypes.c_void_p), ("unit_reader_get_main_file", Text),
            ("unit_dependency_get_kind", ctypes.c_int),
            ("unit_dependency_get_name", Text), ("unit_dependency_get_filepath", Text), ("symbol_get_usr", Text),
            ("symbol_get_name", Text), ("symbol_get_roles", ctypes.c_uint64), ("symbol_get_kind", ctypes.c_int),
        ):
            getattr(self.library, "indexstore_" + name).restype = result
        self.store = self.call("store_create", str(store).encode(), None) or stop(f"No index in {store}.")

    def call(self, name, *arguments):
        arguments = [ctypes.c_void_p(one) if isinstance(one, int) else one for one in arguments]
        return getattr(self.library, "indexstore_" + name)(*arguments)

    def each(self, name, kind, *arguments):
        """The values that an `_apply_f` function passes, as a list of what `kind` makes of each."""
        found = []
        wrapper = self.ON_TEXT if kind is str else self.ON_POINTER

        def add(_, one):
            found.append(kind(one))
            return True

        self.call(name + "_apply_f", *arguments, None, wrapper(add))
        return found

    def records(self):
        """The path of each source file and the name of its record; if a file has several units, that of the newest."""
        newest = {}
        seconds, nanoseconds = ctypes.c_int64(), ctypes.c_int64()
        for unit in self.each("store_units", str, self.store, ctypes.c_uint(0)):
            reader = self.call("unit_reader_create", self.store, unit.encode(), None)
            if not reader:
                continue
            path = str(self.call("unit_reader_get_main_file", reader))
            if path.endswith(".swift"):
                self.call("unit_reader_get_modification_time", reader, ctypes.byref(seconds), ctypes.byref(nanoseconds))
                time = seconds.value + nanoseconds.value / 1e9
                if time > newest.get(path, (0,))[0]:
                    newest[path] = (time, self.record(reader, path))
            self.call("unit_reader_dispose", reader)
        return newest

    def record(self, unit, path):
        def look(dependency):
            if self.call("unit_dependency_get_kind", dependency) != RECORD:
                return None
            if str(self.call("unit_dependency_get_filepath", dependency)) != path:
                return None
            return str(self.call("unit_dependency_get_name", dependency))

        return next(filter(None, self.each("unit_reader_dependencies", look, unit)), None)

    def symbols(self, record):
        """The symbols that a file defines or refers to."""
        def look(symbol):
            return Symbol(str(self.call("symbol_get_usr", symbol)), str(self.call("symbol_get_name", symbol)),
                          self.call("symbol_get_kind", symbol), self.call("symbol_get_roles", symbol))

        reader = self.call("record_reader_create", self.store, record.encode(), None)
        if not reader:
            return []
        found = self.each("record_reader_symbols", look, reader, ctypes.c_bool(True))
        self.call("record_reader_dispose", reader)
        return found
