// Licensed under the MIT License. See LICENSE.

/// Shortens the texts of requests for the journal, so that no client can exhaust the memory with long ones.
enum JournalText {
    /// The maximum number of bytes of a value. Every token and assertion of the emulator fits.
    static let valueLimit = 8_192
    static let nameLimit = 128
    static let pathLimit = 2_048
    /// The maximum number of parameters or header fields of a request.
    static let pairLimit = 100

    /// The beginning of a text that exceeds the limit, with its length.
    ///
    /// `length`: The number of bytes before it was first shortened.
    static func shortened(_ text: String, to limit: Int = valueLimit, length: Int? = nil) -> String {
        let bytes = text.utf8.count
        guard bytes > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit)
        // Does not split a character.
        while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil {
            end = text.utf8.index(before: end)
        }
        return "\(text[..<end])… (\(length ?? bytes) bytes)"
    }

    /// If a name is repeated, the first value is shown.
    static func shortened(_ pairs: some Sequence<(name: String, value: String)>) -> [String: String] {
        var kept: [String: String] = [:]
        var surplus = 0
        for (name, value) in pairs {
            let name = shortened(name, to: nameLimit)
            if kept[name] != nil { continue }
            if kept.count < pairLimit { kept[name] = shortened(value) } else { surplus += 1 }
        }
        if surplus > 0 { kept["…"] = "\(surplus) more" }
        return kept
    }

    /// The approximate memory usage of the texts in bytes.
    static func size(of pairs: [String: String]) -> Int {
        pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 96 }
    }
}
