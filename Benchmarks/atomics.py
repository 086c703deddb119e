#!/usr/bin/env python3
# Licensed under the MIT License. See LICENSE.
"""Counts the atomic writes of a hit to cache lines that another core also writes.

usage: atomics.py BENCHMARKS SUBJECT N [--calls]

Two threads of the program have the same hits one after the other, and are stepped through instruction by instruction (ptrace).
An instruction with the prefix `lock`, or an exchange with memory, takes the cache line from all other cores. It counts if the other
thread writes the same line, because then the cores wait for each other. `--calls` lists the calling functions. Only for Linux on
x86-64.
"""
import collections
import ctypes
import os
import platform
import signal
import struct
import subprocess
import sys
import time

SEIZE, SINGLESTEP, CONT, GETREGS, SETREGS, PEEKUSER = 0x4206, 9, 7, 12, 13, 3
RIP = 16 * 8
WALL = 0x40000000
ORDER = "r15 r14 r13 r12 rbp rbx r11 r10 r9 r8 rax rcx rdx rsi rdi orig_rax rip cs eflags rsp ss fs_base gs_base ds es fs gs".split()
NUMBERED = "rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15".split()
LINE = 64
libc = ctypes.CDLL(None, use_errno=True)
libc.ptrace.restype = ctypes.c_long
libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def decoded(code):
    """The operands of the address that an instruction writes atomically; `None` for every other instruction."""
    place, locked, segment, rex = 0, False, False, 0
    while code[place] in (0x66, 0x67, 0xF2, 0xF3, 0xF0, 0x2E, 0x36, 0x3E, 0x26, 0x64, 0x65):
        locked |= code[place] == 0xF0
        segment |= code[place] == 0x64
        place += 1
    if code[place] & 0xF0 == 0x40:
        rex = code[place]
        place += 1
    is_exchange = code[place] in (0x86, 0x87)
    if not (locked or is_exchange):
        return None
    place += 1 if code[place] != 0x0F else 2
    form = code[place]
    mode, low = form >> 6, form & 7
    if mode == 3:
        return None
    place += 1
    base, index, scale = NUMBERED[low | (rex & 1) << 3], None, 1
    if low == 4:
        sib = code[place]
        place += 1
        scale = 1 << (sib >> 6)
        number = (sib >> 3 & 7) | (rex & 2) << 2
        index = None if number == 4 else NUMBERED[number]
        base = None if sib & 7 == 5 and mode == 0 else NUMBERED[sib & 7 | (rex & 1) << 3]
    size = {0: 4 if base is None or (mode == 0 and low == 5) else 0, 1: 1, 2: 4}[mode]
    offset = int.from_bytes(code[place:place + size], "little", signed=True) if size else 0
    if mode == 0 and low == 5:
        # Relative to the next instruction. An immediate operand adds at most 4 bytes, which stays within the object.
        base, offset = "rip", offset + place + size
    return base, index, scale, offset, segment


class Thread:
    ticks = {}

    def __init__(self, number, memory, clock):
        self.number, self.memory, self.clock, self.known = number, memory, clock, {}
        self.writes = collections.Counter()
        self.steps = 0
        if libc.ptrace(SEIZE, number, None, None):
            raise SystemExit(f"The thread cannot be traced: {os.strerror(ctypes.get_errno())}.")

    def wait(self):
        _, status = os.waitpid(self.number, WALL)
        if not os.WIFSTOPPED(status):
            raise SystemExit("The program ended before its hits were counted.")
        return os.WSTOPSIG(status)

    def count(self, callers):
        """Steps from one signal of the program to the next."""
        while (number := self.wait()) != signal.SIGUSR2:
            libc.ptrace(CONT, self.number, None, number if number != signal.SIGTRAP else None)
        while True:
            libc.ptrace(SINGLESTEP, self.number, None, None)
            if self.wait() == signal.SIGUSR2:
                libc.ptrace(CONT, self.number, None, None)
                return
            self.steps += 1
            here = libc.ptrace(PEEKUSER, self.number, RIP, None) & (1 << 64) - 1
            if here == self.clock:
                self.skip_clock()
                continue
            if here not in self.known:
                self.known[here] = decoded(os.pread(self.memory, 16, here))
            if self.known[here]:
                self.note(here, callers)

    def skip_clock(self):
        """Returns the same coarse time from every call. A hit takes 10,000 times as long as usual, so otherwise each hit would check
        the file, which the library does once per clock tick."""
        raw = self.registers()
        registers = dict(zip(ORDER, struct.unpack("<27Q", raw.raw)))
        if registers["rdi"] not in (5, 6):
            return
        if registers["rdi"] not in self.ticks:
            self.ticks[registers["rdi"]] = struct.pack("<2q", *divmod(time.clock_gettime_ns(registers["rdi"]), 10**9))
        os.pwrite(self.memory, self.ticks[registers["rdi"]], registers["rsi"])
        back, = struct.unpack("<Q", os.pread(self.memory, 8, registers["rsp"]))
        registers.update(rax=0, rip=back, rsp=registers["rsp"] + 8)
        raw = ctypes.create_string_buffer(struct.pack("<27Q", *(registers[name] for name in ORDER)))
        libc.ptrace(SETREGS, self.number, None, raw)

    def registers(self):
        raw = ctypes.create_string_buffer(27 * 8)
        libc.ptrace(GETREGS, self.number, None, raw)
        return raw

    def note(self, here, callers):
        registers = dict(zip(ORDER, struct.unpack("<27Q", self.registers().raw)))
        base, index, scale, offset, segment = self.known[here]
        address = offset + (registers[base] if base else 0) + (registers[index] * scale if index else 0)
        line = (address + (registers["fs_base"] if segment else 0) & (1 << 64) - 1) // LINE
        self.writes[line] += 1
        if callers is not None:
            words = struct.unpack("<24Q", os.pread(self.memory, 192, registers["rsp"]))
            callers[line][(here, *words)] += 1


def clock_address(pid):
    """The address of `clock_gettime` in the program, which loads the same C library as this one."""
    own = ctypes.cast(libc.clock_gettime, ctypes.c_void_p).value

    def start(process):
        with open(f"/proc/{process}/maps") as maps:
            return int(next(line for line in maps if "/libc.so" in line or "/libc-" in line).split("-")[0], 16)

    return own - start("self") + start(pid)


def names(pid, program, callers):
    """The names of the functions on the counted stacks."""
    with open(f"/proc/{pid}/maps") as maps:
        parts = [line.split() for line in maps]
    own = [[int(end, 16) for end in part[0].split("-")] + [int(part[2], 16)] for part in parts
           if part[-1] == os.path.realpath(program) and "x" in part[1]]
    base = min(int(part[0].split("-")[0], 16) for part in parts if part[-1] == os.path.realpath(program))
    counted = collections.Counter()
    for stack, count in callers.items():
        inside = [word - base for word in stack if any(low <= word < high for low, high, _ in own)][:3]
        counted[tuple(inside)] += count
    wanted = sorted({word for stack in counted for word in stack})
    text = subprocess.run(["llvm-symbolizer", "--obj=" + program, "--no-inlines", "--functions=linkage", *map(hex, wanted)],
                          capture_output=True, text=True).stdout
    text = subprocess.run(["swift", "demangle", "--simplified", "--compact"], input=text, capture_output=True, text=True).stdout
    found = dict(zip(wanted, (block.split("\n")[0] for block in text.split("\n\n"))))
    return [(" < ".join(found.get(word, "?")[:90] for word in stack), count) for stack, count in counted.most_common(40)]


def main(program, subject, size, lists):
    if platform.machine() != "x86_64":
        raise SystemExit("This requires x86-64.")
    child = subprocess.Popen([program, "stepping", subject, size], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    # Lines before report that a store is filled.
    hits, *threads = map(int, next(line for line in child.stdout if line[0].isdigit()).split())
    memory = os.open(f"/proc/{child.pid}/mem", os.O_RDWR)
    clock = clock_address(child.pid)
    threads = [Thread(number, memory, clock) for number in threads]
    callers = collections.defaultdict(collections.Counter) if lists else None
    child.stdin.write("\n")
    child.stdin.flush()
    for thread in threads:
        thread.count(callers)
    one, other = (thread.writes for thread in threads)
    shared = one.keys() & other.keys()
    count = sum(one[line] + other[line] for line in shared) / 2 / hits
    everything = (one.total() + other.total()) / 2 / hits
    print(f"{count:.2f} {everything:.2f} {threads[0].steps / hits:.0f}")
    if lists:
        stacks = collections.Counter()
        for line in shared:
            stacks.update(callers[line])
        for text, number in names(child.pid, program, stacks):
            print(f"  {number / 2 / hits:5.2f}  {text}")
    child.stdin.close()
    # A traced thread ends only after its tracer has waited for it.
    for thread in threads:
        os.waitpid(thread.number, WALL)
    child.wait()


if __name__ == "__main__":
    words = [word for word in sys.argv[1:] if word != "--calls"]
    if len(words) != 3:
        raise SystemExit(__doc__)
    main(*words, lists="--calls" in sys.argv)
