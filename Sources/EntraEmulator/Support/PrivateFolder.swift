// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization

/// The folder with the certificate authority, the keys and the control token: mode 0700, its files 0600.
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
    init(_ url: URL) throws {
        self.url = url
        try Self.prepare(url.path)
    }

    /// `$XDG_STATE_HOME/entra-emulator`, else `~/.local/state/entra-emulator`.
    static var standard: URL {
        let environment = ProcessInfo.processInfo.environment
        // XDG Base Directory Specification: a relative path is to be ignored.
        if let home = environment["XDG_STATE_HOME"], home.hasPrefix("/") {
            return URL(fileURLWithPath: home).appendingPathComponent("entra-emulator")
        }
        // What a shell means by `~`; Foundation would ask the user database, which may say something else.
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? URL(fileURLWithPath: $0) : nil }
        return (home ?? FileManager.default.homeDirectoryForCurrentUser)
            .appendingPathComponent(".local/state/entra-emulator")
    }

    /// The address of a file in the folder.
    func file(_ name: String) -> URL {
        url.appendingPathComponent(name)
    }

    /// The text of a file, or `nil` if there is none.
    func read(_ name: String) throws -> String? {
        guard FileManager.default.fileExists(atPath: file(name).path) else { return nil }
        do {
            return try String(contentsOf: file(name), encoding: .utf8)
        } catch {
            throw Failure(description: "cannot read \(file(name).path): \(error.localizedDescription)")
        }
    }

    /// What the body makes of a file's text, or a failure that names the file and the remedy.
    func undamaged<Value>(_ name: String, parse body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch {
            throw Failure(damaged: file(name))
        }
    }

    /// Writes a file as a whole: readers see the old text or the new one, never a part.
    func write(_ text: String, to name: String) throws {
        let target = file(name).path
        let temporary = file(".\(name).\(Secret.random(bytes: 9).revealed)").path
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: "cannot create \(temporary): \(Self.lastError)")
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(text.utf8))
            try handle.synchronize()
        } catch {
            unlink(temporary)
            throw Failure(description: "cannot write \(temporary): \(error.localizedDescription)")
        }
        guard rename(temporary, target) == 0 else {
            let reason = Self.lastError
            unlink(temporary)
            throw Failure(description: "cannot replace \(target): \(reason)")
        }
    }

    /// Creates an empty file with mode 0600 unless it exists; a database is opened in it afterwards.
    func createIfMissing(_ name: String) throws {
        let descriptor = open(file(name).path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: "cannot create \(file(name).path): \(Self.lastError)")
        }
        close(descriptor)
    }

    /// Runs the body while no other process runs one in the same folder, so that only one CA is ever made.
    func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let descriptor = open(file("lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: "cannot create \(file("lock").path): \(Self.lastError)")
        }
        defer { Self.unlock(descriptor) }
        guard flock(descriptor, LOCK_EX) == 0 else {
            throw Failure(description: "cannot lock \(url.path): \(Self.lastError)")
        }
        return try body()
    }

    /// Keeps every other emulator out of the folder, in this process and others, until the claim is given up.
    func claim() throws -> Claim {
        let descriptor = open(file("in-use").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw Failure(description: "cannot create \(file("in-use").path): \(Self.lastError)")
        }
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
        // Closing does not end the lock while somebody holds a copy of the descriptor: a program that another thread
        // starts does, between fork and exec. Unlocking ends it for all copies.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// The system's reason for what just failed.
    static var lastError: String { String(cString: strerror(errno)) }
}
