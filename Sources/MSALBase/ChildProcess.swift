// Licensed under the MIT License. See LICENSE.

import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A child process.
///
/// Foundation's `Process` copies a list of all descriptors and may read past its end when an app has more than about
/// 1,300 open (swift-corelibs-foundation, pull request 5472). It also passes on which signals are blocked and ignored.
package struct ChildProcess: Sendable {
    /// The process ID.
    package let id: Int32

    /// The program could not be started.
    package struct Failure: Error, CustomStringConvertible {
        /// The errno.
        package let number: Int32
        package let description: String
    }

    /// The process group, which determines which processes the keys of a terminal reach together.
    package enum Group: Sendable {
        /// A separate group. Ctrl-C does not reach the child, and it cannot read from the terminal.
        case own
        /// The caller's group. The child can also use the terminal.
        case callers
    }

    /// The descriptors that the child inherits. The caller still owns them.
    package struct Streams: Sendable {
        package var input: Int32
        package var output: Int32
        package var errors: Int32

        package init(input: Int32, output: Int32, errors: Int32) {
            (self.input, self.output, self.errors) = (input, output, errors)
        }
    }

    /// Starts the program at the path `program`. It inherits only the three descriptors of `streams`. With a `folder`,
    /// it starts there if the system supports that.
    ///
    /// A terminated child keeps its process ID until it is waited for, so the caller must call ``end()`` or ``wait()``.
    ///
    /// - Throws: `Failure` with the system's reason.
    package init(
        _ program: String,
        arguments: [String],
        environment: [String: String],
        folder: String? = nil,
        group: Group = .own,
        streams: Streams
    ) throws(Failure) {
        var actions = Self.noActions
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, descriptor) in [streams.input, streams.output, streams.errors].enumerated() {
            posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
        }
        Self.closeAll(from: 3, &actions)
        if let folder { Self.change(to: folder, &actions) }
        var attributes = Self.noAttributes
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)  // Pool threads block nearly all signals.
        // This process may ignore two signals for itself only: Ctrl-C while it waits, and a closed pipe. Its children
        // handle these two by default. They keep ignoring the others, for instance the one that `nohup` ignores.
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, group == .own ? Self.flags | Int16(POSIX_SPAWN_SETPGROUP) : Self.flags)

        let words = Self.copies([program] + arguments)
        let settings = Self.copies(environment.map { "\($0.key)=\($0.value)" })
        defer { (words + settings).forEach { free($0) } }
        var id: pid_t = 0
        let code = Self.codeWhenWritten { posix_spawn(&id, program, &actions, &attributes, words, settings) }
        guard code == 0 else { throw Failure(number: code, description: "\(program): \(Self.reason(of: code))") }
        self.id = id
    }

    /// Starts a program without input and output. It may write errors to `errors`.
    ///
    /// - Throws: `Failure` with the system's reason.
    package static func silent(
        _ program: String,
        arguments: [String],
        environment: [String: String],
        errors: Int32? = nil
    ) throws(Failure) -> ChildProcess {
        let nowhere = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard nowhere >= 0 else {
            throw Failure(number: errno, description: "\(program): /dev/null: \(String(cString: strerror(errno)))")
        }
        defer { close(nowhere) }
        return try ChildProcess(
            program,
            arguments: arguments,
            environment: environment,
            streams: Streams(input: nowhere, output: nowhere, errors: errors ?? nowhere)
        )
    }

    /// Tries again to start a program while its file is open for writing, at most a hundred times, a millisecond apart.
    ///
    /// A file that was just written may still be open in a child that another thread is starting. The child closes it
    /// when it executes its own program.
    ///
    /// - Returns: The result code of the last attempt.
    package static func codeWhenWritten(pause: () -> Void = { usleep(1_000) }, _ start: () -> Int32) -> Int32 {
        for _ in 0..<100 {
            let code = start()
            guard code == ETXTBSY else { return code }
            pause()
        }
        return start()
    }

    private static func reason(of code: Int32) -> String {
        let words = String(cString: strerror(code))
        return switch code {
        case ENOENT: "\(words), or its interpreter is missing"
        case EACCES: "\(words); it is not a program, or this user may not run it"
        case ENOEXEC: "\(words); it is not a program for this machine"
        case ETXTBSY: "\(words); another program is writing it"
        case E2BIG: "\(words); its arguments and the environment are too long"
        case EAGAIN, ENOMEM: "\(words); the system cannot start another process"
        default: words
        }
    }

    #if canImport(Darwin)
        // On those systems, the two types are pointers that are `nil` before initialization.
        private typealias Actions = posix_spawn_file_actions_t?
        private typealias Attributes = posix_spawnattr_t?
        private static var noActions: Actions { nil }
        private static var noAttributes: Attributes { nil }

        /// The last flag closes all files in the child except those inherited through an action.
        private static let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_CLOEXEC_DEFAULT)

        private static func closeAll(from first: Int32, _ actions: inout Actions) {}

        private static func change(to folder: String, _ actions: inout Actions) {
            posix_spawn_file_actions_addchdir_np(&actions, folder)
        }
    #else
        private typealias Actions = posix_spawn_file_actions_t
        private typealias Attributes = posix_spawnattr_t
        private static var noActions: Actions { Actions() }
        private static var noAttributes: Attributes { Attributes() }
        private typealias AddCloseFrom = @convention(c) (UnsafeMutablePointer<Actions>, CInt) -> CInt
        private typealias AddChangeFolder =
            @convention(c) (UnsafeMutablePointer<Actions>, UnsafePointer<CChar>) -> CInt

        private static let flags = Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)

        /// Closes the files in the child because no other thread can open another one there.
        private static func closeAll(from first: Int32, _ actions: inout Actions) {
            if let addCloseFrom {
                _ = addCloseFrom(&actions, first)
                return
            }
            let open = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
            for descriptor in open.compactMap({ Int32($0) }) where descriptor >= first {
                posix_spawn_file_actions_addclose(&actions, descriptor)
            }
        }

        private static func change(to folder: String, _ actions: inout Actions) {
            _ = addChangeFolder?(&actions, folder)
        }

        // Both functions are looked up by name because Swift's glibc module does not include them. Glibc has the first
        // since 2.34, and the second since 2.29.
        private static let addCloseFrom = dlsym(nil, "posix_spawn_file_actions_addclosefrom_np").map {
            unsafeBitCast($0, to: AddCloseFrom.self)
        }
        private static let addChangeFolder = dlsym(nil, "posix_spawn_file_actions_addchdir_np").map {
            unsafeBitCast($0, to: AddChangeFolder.self)
        }
    #endif

    private static func copies(_ texts: [String]) -> [UnsafeMutablePointer<CChar>?] {
        texts.map { strdup($0) } + [nil]
    }

    /// Waits for the process to exit without blocking the calling thread.
    ///
    /// - Returns: The same value as ``wait()``.
    package func end() async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: wait()) }
        }
    }

    /// Waits for the process to exit, and blocks the calling thread.
    ///
    /// - Returns: The exit status, or 128 plus the number of the signal that killed the process, like a shell.
    package func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }
}

extension ChildProcess {
    /// The path of a program: `name` itself if it contains a slash, otherwise the first match in `PATH`.
    ///
    /// A relative folder in `PATH` is inside the current folder, where others may write. It is only used for a program
    /// that the user has named, as in a shell.
    package static func executable(_ name: String, in environment: [String: String], asShell: Bool = false) -> String? {
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
            .filter { asShell || $0.hasPrefix("/") }
        let paths = name.contains("/") ? [name] : folders.map { "\($0)/\(name)" }
        return paths.first { path in
            var isDirectory: ObjCBool = false
            let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
            return exists && !isDirectory.boolValue && FileManager.default.isExecutableFile(atPath: path)
        }
    }
}
