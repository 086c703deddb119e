// Licensed under the MIT License. See LICENSE.

import Foundation
import Glibc
import MSALBase
import SealedStore
import Synchronization

/// Remembers a broker that did not respond in time: this process and later ones skip it for a minute
/// (docs/reference/Broker.md#hang).
///
/// A file informs later processes. It is ignored if it cannot be written or read.
final class BrokerHangs: Sendable {
    /// One hang of one broker. After a restart of the bus or of the machine, a different broker may have the same
    /// unique name, which must not be skipped.
    private struct Hang: Codable, Equatable {
        let boot: String
        let bus: String
        /// The broker's unique name; empty for one that did not acquire its name in time.
        let broker: String
        let since: Date
    }

    private let environment: [String: String]
    private let time: any TimeSource
    private let lifetime: Duration
    private let last = Mutex<Hang?>(nil)

    init(environment: [String: String], time: any TimeSource, lifetime: Duration) {
        self.environment = environment
        self.time = time
        self.lifetime = lifetime
    }

    /// The file with the last hang. If the environment does not determine a directory for it, only this process knows
    /// about the hang.
    private var path: String? { (try? StoreLocation.root(environment)).map { $0 + "/.broker-hang" } }

    /// Whether a broker hung within the last minute.
    func knows(bus: String, broker: String) -> Bool {
        [last.withLock { $0 }, stored()].contains { hang in
            guard let hang, hang.boot == Self.boot, hang.bus == bus, hang.broker == broker else { return false }
            // If the clock was set back, the time since the hang is negative. Without the lower bound, the hang would
            // count too long.
            return (0..<TimeInterval(lifetime.components.seconds)).contains(time.now.timeIntervalSince(hang.since))
        }
    }

    /// Records that a broker hung.
    func note(bus: String, broker: String) {
        let hang = Hang(boot: Self.boot, bus: bus, broker: broker, since: time.now)
        last.withLock { $0 = hang }
        guard let path, let data = try? JSONEncoder().encode(hang) else { return }
        PrivateFile.createDirectory((path as NSString).deletingLastPathComponent)
        // A file that is not ours is never overwritten.
        let file = PrivateFile.create(path, flags: O_WRONLY | O_NONBLOCK)
        guard file >= 0 else { return }
        defer { close(file) }
        guard Self.isOwn(file), ftruncate(file, 0) == 0 else { return }
        _ = data.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    }

    /// Records that a broker responded, and removes an earlier hang.
    func forget() {
        last.withLock { $0 = nil }
        if let path { unlink(path) }
    }

    private func stored() -> Hang? {
        guard let path else { return nil }
        let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1024)
        guard Self.isOwn(file), case let count = read(file, &bytes, bytes.count), count > 0 else { return nil }
        return try? JSONDecoder().decode(Hang.self, from: Data(bytes.prefix(count)))
    }

    private static func isOwn(_ file: Int32) -> Bool {
        var status = stat()
        return fstat(file, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_uid == geteuid()
    }

    /// The ID of this run of the kernel (proc(5), `/proc/sys/kernel/random/boot_id`); empty if it is hidden.
    private static let boot = KernelFile.text(at: "/proc/sys/kernel/random/boot_id")?.trimmed ?? ""
}
