// Licensed under the MIT License. See LICENSE.

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
