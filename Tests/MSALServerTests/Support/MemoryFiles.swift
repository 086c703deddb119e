// Licensed under the MIT License. See LICENSE.

import Foundation
import Synchronization
import UserFiles

@testable import MSALServer

/// Files that a test creates, changes and removes.
final class MemoryFiles: ServerFiles {
    private struct Entry {
        var content: Data
        var isLink = false
        var change: Int64
    }

    private let entries: Mutex<[String: Entry]>
    private let reads = Mutex<[String]>([])

    /// The paths of the files that were read, in order.
    var read: [String] { reads.withLock { $0 } }

    init(_ files: [String: Data] = [:], links: Set<String> = []) {
        var entries = files.mapValues { Entry(content: $0, change: 0) }
        for link in links { entries[link] = Entry(content: Data("elsewhere".utf8), isLink: true, change: 0) }
        self.entries = Mutex(entries)
    }

    /// Writes or replaces a file.
    func write(_ content: Data, to path: String) {
        entries.withLock { entries in
            entries[path] = Entry(content: content, change: (entries[path]?.change ?? 0) + 1)
        }
    }

    func remove(_ path: String) {
        entries.withLock { $0[path] = nil }
    }

    func contents(of path: String, limit: Int) throws(FileFault) -> Data {
        guard let entry = entries.withLock({ $0[path] }) else { throw .missing }
        guard entry.content.count <= limit else { throw .tooLarge(limit: limit) }
        reads.withLock { $0.append(path) }
        return entry.content
    }

    func contents(of name: String, in folder: String, limit: Int) throws(FileFault) -> Data {
        let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        guard entries.withLock({ $0[path]?.isLink }) != true else { throw .link }
        return try contents(of: path, limit: limit)
    }

    func version(of path: String) -> FileVersion? {
        entries.withLock { $0[path] }.map {
            FileVersion(size: Int64($0.content.count), changed: $0.change, number: 1)
        }
    }
}
