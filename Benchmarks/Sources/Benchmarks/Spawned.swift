// Licensed under the MIT License. See LICENSE.

import Foundation

/// A process with pipes for its input and output. Foundation's `Process` needs a run loop, which tasks do not have.
final class Spawned {
    struct Failure: Error {
        let program: String
        let code: Int32
    }

    private let id: pid_t
    private var input: Int32
    private let output: Int32

    init(_ program: String, _ arguments: [String]) throws {
        var ends: (input: [Int32], output: [Int32]) = ([0, 0], [0, 0])
        guard pipe(&ends.input) == 0, pipe(&ends.output) == 0 else {
            throw Failure(program: program, code: errno)
        }
        // An end that another process inherited would stay open.
        for file in ends.input + ends.output { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_adddup2(&actions, ends.input[0], 0)
        posix_spawn_file_actions_adddup2(&actions, ends.output[1], 1)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, program, &actions, nil, &words, environ)
        posix_spawn_file_actions_destroy(&actions)
        close(ends.input[0])
        close(ends.output[1])
        guard code == 0 else { throw Failure(program: program, code: code) }
        self.id = id
        input = ends.input[1]
        output = ends.output[0]
    }

    var residentBytes: Int { memory("VmRSS", of: "\(id)") }

    func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Foundation.write(input, bytes, bytes.count)
    }

    /// Waits for more bytes; empty at the end of the output.
    func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(output, &bytes, bytes.count)
        return Array(bytes.prefix(max(0, count)))
    }

    /// The processor time of the process so far, of all its threads.
    var processorSeconds: Double {
        let text = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
        // The name of the program, which may contain spaces, is in parentheses. The 12th and 13th fields after it are ticks.
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        let ticks = fields.indices.contains(13) ? (Double(fields[12]) ?? 0) + (Double(fields[13]) ?? 0) : .nan
        return ticks / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// Terminates the process, and waits for it.
    func kill() {
        _ = Foundation.kill(id, SIGTERM)
        _ = end()
    }

    /// Closes the process's input, waits for the process, and returns its status.
    func end() -> Int32 {
        if input >= 0 { close(input) }
        input = -1
        var status: Int32 = 0
        waitpid(id, &status, 0)
        close(output)
        return status
    }
}
