// Licensed under the MIT License. See LICENSE.

/// Texts that many remembered values have in common, each kept once.
struct TextPool: Sendable {
    /// More than this are not shared any longer with those before.
    private static let capacity = 8192

    private var texts: Set<String> = []
    private var lists: Set<[String]> = []

    /// A text equal to `text`, the same for all who ask.
    mutating func shared(_ text: String) -> String {
        if texts.count >= Self.capacity { texts.removeAll(keepingCapacity: true) }
        return texts.insert(text).memberAfterInsert
    }

    /// A list equal to `list`, the same for all who ask.
    mutating func shared(_ list: [String]) -> [String] {
        if lists.count >= Self.capacity { lists.removeAll(keepingCapacity: true) }
        return lists.insert(list).memberAfterInsert
    }
}
