// Licensed under the MIT License. See LICENSE.

/// The texts of requests as the journal keeps them: no client can fill the memory with long ones.
enum JournalText {
    /// The bytes of a value that are kept. Every token and assertion of the emulator fits.
    static let valueLimit = 8_192
    static let nameLimit = 128
    static let pathLimit = 2_048
    /// The parameters or header fields that are kept of a request.
    static let pairLimit = 100

    /// The beginning of a text that is longer than the limit, with its length.
    ///
    /// `length`: The bytes that it had before it was shortened for the first time.
    static func shortened(_ text: String, to limit: Int = valueLimit, length: Int? = nil) -> String {
        let bytes = text.utf8.count
        guard bytes > limit else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: limit)
        // Does not cut a character in two.
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

    /// The bytes of memory that the texts take, approximately.
    static func size(of pairs: [String: String]) -> Int {
        pairs.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 96 }
    }
}
