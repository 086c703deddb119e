// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSALBase
import Synchronization
import UserFiles

/// A folder of the emulator's own files, for state or for data. Its mode is 0700 and that of its files 0600, whatever
/// the umask.
struct PrivateFolder: Sendable {
    /// A file or folder that could not be made or read.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(description: String) {
            self.description = description
        }

        /// A file that does not hold what the emulator once wrote into it.
        init(damaged file: URL) {
            description = "\(file.path) is damaged; remove it, and the next start makes a new one"
        }
    }

    let url: URL

    /// Creates the folder if it does not exist. One that others can enter is closed to them if it is the emulator's
    /// alone, and refused if not.
    init(_ url: URL) throws(Failure) {
        self.url = url
        try Self.prepare(url.path)
    }

    /// The folder of an emulator's state.
    ///
    /// - Parameter state: The folder that was named; `nil` for ``standard``.
    /// - Throws: `Failure` if the folder cannot be made, or is not the emulator's alone.
    init(state: URL?) throws(Failure) {
        let folder = if let state { state } else { try Self.standard }
        let variable = state == nil ? ", or by XDG_STATE_HOME" : ""
        try self.init(folder, remedy: "name another folder with --state\(variable)")
    }

    /// The folder of an emulator's data.
    ///
    /// - Throws: As ``init(state:)``.
    init(data: URL) throws(Failure) {
        try self.init(data, remedy: "name another folder with --data")
    }

    /// `remedy`: What the user can do if the folder cannot be used.
    private init(_ url: URL, remedy: String) throws(Failure) {
        do throws(Failure) {
            try self.init(url)
        } catch {
            throw Failure(description: "\(error.description); \(remedy)")
        }
    }

    /// `$XDG_STATE_HOME/entra-emulator`, else `~/.local/state/entra-emulator`.
    ///
    /// - Throws: `Failure` if this user has no home directory.
    static var standard: URL { get throws(Failure) { try standard(ProcessInfo.processInfo.environment) } }

    /// The folder that ``standard`` would be with these variables.
    static func standard(_ environment: [String: String]) throws(Failure) -> URL {
        // XDG Base Directory Specification: a relative path is to be ignored.
        if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") {
            return URL(fileURLWithPath: home).appendingPathComponent("entra-emulator")
        }
        // `~` of a shell is HOME; Foundation would ask the user database, which may differ.
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        guard let home = home ?? registeredHome else {
            throw Failure(
                description:
                    "HOME is not set, and this user has no home directory; set HOME or XDG_STATE_HOME, or name a "
                    + "folder with --state"
            )
        }
        return home.appendingPathComponent(".local/state/entra-emulator")
    }

    /// The home directory in the user database.
    private static var registeredHome: URL? {
        let home = FileManager.default.homeDirectoryForCurrentUser
        // Foundation's answer for a user without an entry.
        return home.path == "/var/empty" ? nil : home
    }

    /// The address of a file in the folder.
    func file(_ name: String) -> URL {
        url.appendingPathComponent(name)
    }

    /// The text of a file, or `nil` if there is none.
    func read(_ name: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: file(name).path) else { return nil }
        let path = file(name).path
        do throws(FileFault) {
            // The largest is the list of a system's authorities.
            return String(decoding: try UserFile(path, limit: 1 << 24).bytes(), as: UTF8.self)
        } catch .tooLarge {
            throw Failure(damaged: file(name))
        } catch {
            throw Failure(description: "\(path) \(error.reason)")
        }
    }

    /// The value that the body parses from a file's text. A failure names the file and the remedy.
    func undamaged<Value>(_ name: String, parse body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw Failure(damaged: file(name))
        }
    }

    /// Writes a file as a whole: readers see the old text or the new one, never a part.
    func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

    /// Writes bytes in the same way.
    func write(_ data: Data, to name: String) throws {
        let target = file(name).path
        let temporary = file(".\(name).\(Secret.random(bytes: 9).exposed)").path
        guard let descriptor = try Self.create(temporary) else {
            throw Failure(description: "cannot create \(temporary): it exists")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: data)
            try handle.synchronize()
        } catch {
            unlink(temporary)
            throw Failure(description: "cannot write \(temporary): \(error.systemReason)")
        }
        guard rename(temporary, target) == 0 else {
            let reason = Self.lastError
            unlink(temporary)
            throw Failure(description: "cannot replace \(target): \(reason)")
        }
    }

    /// Creates an empty file with mode 0600 unless it exists; a database is opened in it afterwards.
    func createIfMissing(_ name: String) throws {
        close(try opened(name))
    }

    /// The descriptor of a file, which is created empty with mode 0600 unless it exists.
    private func opened(_ name: String) throws(Failure) -> CInt {
        let path = file(name).path
        if let created = try Self.create(path) { return created }
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(description: "cannot open \(path): \(Self.lastError)") }
        return descriptor
    }

    /// Creates a file with mode 0600; returns `nil` if it exists.
    private static func create(_ path: String) throws(Failure) -> CInt? {
        let descriptor = PrivateFile.create(path, flags: O_RDWR | O_EXCL)
        guard descriptor < 0 else { return descriptor }
        guard errno == EEXIST else { throw Failure(description: "cannot create \(path): \(lastError)") }
        return nil
    }

    /// Runs the body while no other process runs one in the same folder, so that only one CA is ever made.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let descriptor = try opened("lock")
        defer { Self.unlock(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else {
            throw Failure(description: "cannot lock \(url.path): \(Self.lastError)")
        }
        return try body()
    }

    /// Keeps every other emulator out of the folder, in this process and others, until the claim is given up.
    func claim() throws -> Claim {
        let descriptor = try opened("in-use")
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw Failure(description: "another emulator uses the folder \(url.path); stop it or choose another folder")
        }
        return Claim(descriptor: descriptor)
    }

    /// A folder that belongs to one emulator; the end of the process gives it up too.
    final class Claim: Sendable {
        private let descriptor: Mutex<CInt?>

        fileprivate init(descriptor: CInt) {
            self.descriptor = Mutex(descriptor)
        }

        deinit { release() }

        /// Lets others in. Calling it again changes nothing.
        func release() {
            descriptor.withLock { descriptor in
                if let open = descriptor { PrivateFolder.unlock(open) }
                descriptor = nil
            }
        }
    }

    /// Gives up a lock and closes its file.
    private static func unlock(_ descriptor: CInt) {
        // Closing does not end the lock while a copy of the descriptor is open. A program that another thread starts
        // has one between fork and exec. Unlocking ends the lock for all copies.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The system's reason for what just failed.
    static var lastError: String { String(cString: strerror(errno)) }
}
