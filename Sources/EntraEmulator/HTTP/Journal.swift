// Licensed under the MIT License. See LICENSE.

import Synchronization

/// The requests since the start or the last reset. If there are too many, the oldest are removed.
final class Journal: Sendable {
    private struct State {
        /// The entries, oldest first.
        var entries: [JournalEntry] = []
        var size = 0
        var lastID = 0
        /// The callers waiting for entries, by number.
        var waiting: [Int: AsyncStream<JournalEntry>.Continuation] = [:]
        var lastWaiting = 0
    }

    private let state = Mutex(State())
    private let countLimit: Int
    private let sizeLimit: Int

    /// - Parameters:
    ///   - countLimit: The maximum number of entries.
    ///   - sizeLimit: The maximum number of bytes that they use in memory, approximately.
    init(countLimit: Int = 10_000, sizeLimit: Int = 16 << 20) {
        self.countLimit = countLimit
        self.sizeLimit = sizeLimit
    }

    /// All entries, oldest first.
    var entries: [JournalEntry] { state.withLock { $0.entries } }

    /// Adds an entry.
    func append(_ entry: JournalEntry) {
        let size = entry.size
        state.withLock { state in
            state.lastID += 1
            state.entries.append(entry)
            state.entries[state.entries.count - 1].id = state.lastID
            for waiting in state.waiting.values { waiting.yield(state.entries[state.entries.count - 1]) }
            state.size += size
            guard state.entries.count > countLimit || state.size > sizeLimit else { return }
            // Remove a tenth more than necessary, so that not every request has to remove entries.
            var surplus = 0
            while surplus < state.entries.count - 1,
                state.entries.count - surplus > countLimit * 9 / 10 || state.size > sizeLimit / 10 * 9
            {
                state.size -= state.entries[surplus].size
                surplus += 1
            }
            state.entries.removeFirst(surplus)
        }
    }

    /// The entries after an ID that match a filter, oldest first.
    func entries(after id: Int, matching filter: JournalFilter) -> [JournalEntry] {
        state.withLock { state in state.entries.filter { $0.id > id && filter.matches($0) } }
    }

    /// Waits for the first entry after an ID that matches a filter; `nil` on a timeout.
    func first(after id: Int, matching filter: JournalFilter, within time: Duration) async -> JournalEntry? {
        let (stream, continuation) = AsyncStream.makeStream(of: JournalEntry.self)
        let number = state.withLock { state in
            state.lastWaiting += 1
            // Yield the existing entries and register under one lock, so that no entry in between is missed.
            for entry in state.entries where entry.id > id { continuation.yield(entry) }
            state.waiting[state.lastWaiting] = continuation
            return state.lastWaiting
        }
        defer { _ = state.withLock { $0.waiting.removeValue(forKey: number) } }
        return await withTaskGroup(of: JournalEntry?.self) { group in
            group.addTask { await stream.first(where: filter.matches) }
            group.addTask {
                // Canceled as soon as there is an entry.
                try? await Task.sleep(for: time)
                return nil
            }
            let entry = await group.next() ?? nil
            group.cancelAll()
            return entry
        }
    }

    /// Removes and returns the oldest matching entry.
    func take(where fits: (JournalEntry) -> Bool) -> JournalEntry? {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: fits) else { return nil }
            let entry = state.entries.remove(at: index)
            state.size -= entry.size
            return entry
        }
    }

    /// Removes all entries.
    func clear() {
        state.withLock { state in
            state.entries.removeAll()
            state.size = 0
        }
    }
}

/// Selects entries of the journal. A property that is `nil` matches every entry.
struct JournalFilter: Sendable {
    var pathSuffix: String?
    var method: String?
    var status: Int?
    var correlationID: String?
    /// The number of a refusal.
    var number: Int?

    func matches(_ entry: JournalEntry) -> Bool {
        pathSuffix.map(entry.path.hasSuffix) != false
            && method.map { $0 == entry.method } != false
            && status.map { $0 == entry.status } != false
            && correlationID.map { $0.lowercased() == entry.correlationID } != false
            && number.map { $0 == entry.refusal?.number } != false
    }
}
