// Licensed under the MIT License. See LICENSE.

/// Texts that many remembered values have in common, each kept once.
struct TextPool: Sendable {
    /// More than this are not shared any longer with those before.
    private static let capacity = 8192

    private var texts: [String: String] = [:]
    /// By their first elements.
    private var lists: [String: [String]] = [:]

    /// A text equal to `text`, the same for all who ask.
    mutating func shared(_ text: String) -> String {
        if let known = texts[text] { return known }
        if texts.count >= Self.capacity { texts.removeAll(keepingCapacity: true) }
        texts[text] = text
        return text
    }

    /// A list equal to `list`; nearly always the same for all who ask.
    mutating func shared(_ list: [String]) -> [String] {
        guard let first = list.first else { return list }
        if let known = lists[first], known == list { return known }
        if lists.count >= Self.capacity { lists.removeAll(keepingCapacity: true) }
        lists[first] = list
        return list
    }
}
