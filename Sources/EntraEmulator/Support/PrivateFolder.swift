// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import MSALBase
import Synchronization
import UserFiles

/// A folder with the emulator's own files, for state or for data. Its mode is 0700 and that of its files 0600,
/// regardless of the umask.
struct PrivateFolder: Sendable {
    /// A file or folder that cannot be created or read.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(description: String) { self.description = description }

        /// A file whose content is not what the emulator wrote.
        init(damaged file: URL) {
            description = "\(file.path) is damaged; remove it, and the next start creates a new one"
        }
    }

    let url: URL

    /// Creates the folder if it does not exist. An existing one that others can access is restricted if it contains
    /// only the emulator's files, and rejected otherwise.
    init(_ url: URL) throws(Failure) {
        self.url = url
        try Self.prepare(url.path)
    }

    /// The folder of an emulator's state.
    ///
    /// - Parameter state: The specified folder; `nil` for ``standard``.
    /// - Throws: `Failure` if the folder cannot be created, or contains other files.
    init(state: URL?) throws(Failure) {
        let folder = if let state { state } else { try Self.standard }
        let variable = state == nil ? ", or by XDG_STATE_HOME" : ""
        try self.init(folder, remedy: "choose another folder with --state\(variable)")
    }

    /// The folder of an emulator's data.
    ///
    /// - Throws: As ``init(state:)``.
    init(data: URL) throws(Failure) {
        try self.init(data, remedy: "choose another folder with --data")
    }

    /// `remedy`: What the user can do if the folder cannot be used.
    private init(_ url: URL, remedy: String) throws(Failure) {
        do throws(Failure) {
            try self.init(url)
        } catch {
            throw Failure(description: "\(error.description); \(remedy)")
        }
    }

    /// `$XDG_STATE_HOME/entra-emulator`, otherwise `~/.local/state/entra-emulator`.
    ///
    /// - Throws: `Failure` if this user has no home directory.
    static var standard: URL { get throws(Failure) { try standard(ProcessInfo.processInfo.environment) } }

    /// The value of ``standard`` for these environment variables.
    static func standard(_ environment: [String: String]) throws(Failure) -> URL {
        // XDG Base Directory Specification: a relative path must be ignored.
        if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") {
            return URL(fileURLWithPath: home).appendingPathComponent("entra-emulator")
        }
        // `~` of a shell is HOME; Foundation would use the user database, which may differ.
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        guard let home = home ?? registeredHome else {
            throw Failure(
                description:
                    "HOME is not set, and this user has no home directory; set HOME or XDG_STATE_HOME, or choose a "
                    + "folder with --state"
            )
        }
        return home.appendingPathComponent(".local/state/entra-emulator")
    }

    /// The home directory in the user database.
    private static var registeredHome: URL? {
        let home = FileManager.default.homeDirectoryForCurrentUser
        // Foundation's result for a user without an entry.
        return home.path == "/var/empty" ? nil : home
    }

    /// The URL of a file in the folder.
    func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// The text of a file, or `nil` if there is none.
    func read(_ name: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: file(name).path) else { return nil }
        let path = file(name).path
        do throws(FileFault) {
            // The largest file is the list of a system's authorities.
            return String(decoding: try UserFile(path, limit: 1 << 24).bytes(), as: UTF8.self)
        } catch .tooLarge {
            throw Failure(damaged: file(name))
        } catch {
            throw Failure(description: "\(path) \(error.reason)")
        }
    }

    /// The value that the body parses from a file. On an error, throws one with the file and the remedy.
    func undamaged<Value>(_ name: String, parse body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw Failure(damaged: file(name))
        }
    }

    /// Writes a file atomically: readers see either the old text or the new one.
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

    /// Creates an empty file with mode 0600 if it does not exist; a database is opened in it afterwards.
    func createIfMissing(_ name: String) throws { close(try opened(name)) }

    /// The descriptor of a file, which is created empty with mode 0600 if it does not exist.
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

    /// Runs the body while no other process runs one for the same folder, so that only one CA is ever created.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let descriptor = try opened("lock")
        defer { Self.unlock(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else {
            throw Failure(description: "cannot lock \(url.path): \(Self.lastError)")
        }
        return try body()
    }

    /// Locks the folder against other emulators, in this process and others, until the claim is released.
    func claim() throws -> Claim {
        let descriptor = try opened("in-use")
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            close(descriptor)
            throw Failure(description: "another emulator uses the folder \(url.path); stop it or choose another folder")
        }
        return Claim(descriptor: descriptor)
    }

    /// A folder that belongs to one emulator; the end of the process releases it, too.
    final class Claim: Sendable {
        private let descriptor: Mutex<CInt?>

        fileprivate init(descriptor: CInt) { self.descriptor = Mutex(descriptor) }

        deinit { release() }

        /// Releases the folder. Calling it again has no effect.
        func release() {
            descriptor.withLock { descriptor in
                if let open = descriptor { PrivateFolder.unlock(open) }
                descriptor = nil
            }
        }
    }

    /// Releases a lock and closes its file.
    private static func unlock(_ descriptor: CInt) {
        // Closing does not release the lock while a copy of the descriptor is open. A program that another thread
        // starts has one between fork and exec. Unlocking releases the lock for all copies.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The system's reason for the last failed call.
    static var lastError: String { String(cString: strerror(errno)) }

    /// Creates the folder with mode 0700 if it is missing; otherwise makes sure that only this user can access it.
    ///
    /// A folder that others can access is restricted only if it belongs to this user, is not sticky, and contains
    /// nothing but the emulator's own files. Any other one is left unchanged and rejected.
    static func prepare(_ path: String) throws(Failure) {
        try make(path)
        // Use one descriptor for the checks and the change, because the name may refer to another folder in between.
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(description: "cannot open the folder \(path): \(lastError)") }
        defer { close(descriptor) }
        guard let (owner, mode) = OpenedFolder.owner(of: descriptor) else {
            throw Failure(description: "cannot examine the folder \(path): \(OpenedFolder.fault)")
        }
        guard owner == geteuid() else {
            throw Failure(description: "the folder \(path) belongs to another user; choose one that belongs to you")
        }
        guard mode & 0o077 != 0 else { return }
        guard mode & 0o1000 == 0, holdsOnlyOwnFiles(path) else {
            let example = URL(fileURLWithPath: path).appendingPathComponent("entra-emulator").path
            throw Failure(
                description: "other users can access the folder \(path), and it contains other files; "
                    + "choose an empty or new one, such as \(example)"
            )
        }
        guard fchmod(descriptor, 0o700) == 0 else {
            throw Failure(description: "cannot restrict access to the folder \(path): \(lastError)")
        }
    }

    /// Creates the folder and its missing parents.
    private static func make(_ path: String) throws(Failure) {
        guard !PrivateFile.createDirectory(path), errno != EEXIST else { return }
        throw Failure(description: "cannot create the folder \(path): \(lastError)")
    }

    // MARK: Own files

    /// All files that an emulator creates in a state or data folder.
    private static let ownFiles: Set = [
        "ca.pem", "ca-key.pem", "ca-bundle.pem", "ca-bundle.jks", "server.pem", "server-key.pem", "server.names",
        "signing-key.pem", "signing-certificate.pem", "control-token", "lock", "in-use",
        "directory.sqlite", "directory.sqlite-journal", "directory.sqlite-wal", "directory.sqlite-shm",
    ]

    private static func holdsOnlyOwnFiles(_ path: String) -> Bool {
        // A folder that cannot be listed may contain anything.
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { return false }
        return names.allSatisfy(isOwnFile)
    }

    private static func isOwnFile(_ name: String) -> Bool {
        // An interrupted `write` leaves `.<file>.<random>` behind.
        ownFiles.contains(name) || ownFiles.contains { name.hasPrefix(".\($0).") }
    }
}
