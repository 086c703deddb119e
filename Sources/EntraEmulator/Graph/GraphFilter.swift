// Licensed under the MIT License. See LICENSE.

import MSALBase

/// A `$filter` expression: `eq`, `ne`, `startsWith`, `in`, `and`, `or`, and `not` (OData 4.01, part 2, §5.1.1). The
/// directory compares strings regardless of case.
indirect enum GraphFilter: Sendable, Equatable {
    case and(GraphFilter, GraphFilter)
    case or(GraphFilter, GraphFilter)
    case not(GraphFilter)
    case isEqual(path: [String], GraphLiteral)
    case isIn(path: [String], [GraphLiteral])
    case startsWith(path: [String], GraphLiteral)

    /// The maximum length of a filter in UTF-8 bytes.
    static let longest = 2_000
    /// The maximum number of comparisons in a filter.
    static let mostTerms = 32

    /// - Throws: 400 if the text is not a valid expression, or uses an unsupported feature.
    init(_ text: String) throws(GraphFault) {
        guard text.utf8.count <= Self.longest else {
            throw .unsupportedQuery("The filter is longer than \(Self.longest) bytes.")
        }
        var parser = GraphFilterParser(text)
        self = try parser.whole()
    }

    /// The compared properties.
    var paths: [[String]] {
        switch self {
        case .and(let left, let right), .or(let left, let right): left.paths + right.paths
        case .not(let inner): inner.paths
        case .isEqual(let path, _), .isIn(let path, _), .startsWith(let path, _): [path]
        }
    }

    /// Whether the service requires `ConsistencyLevel: eventual` and `$count=true` for it (Microsoft Graph, "Advanced
    /// query capabilities on Microsoft Entra ID objects").
    var isAdvanced: Bool {
        switch self {
        case .and(let left, let right), .or(let left, let right): left.isAdvanced || right.isAdvanced
        case .not: true
        case .isEqual, .isIn, .startsWith: false
        }
    }

    /// Whether an object matches the filter.
    func matches(_ object: GraphObject) -> Bool {
        switch self {
        case .and(let left, let right): left.matches(object) && right.matches(object)
        case .or(let left, let right): left.matches(object) || right.matches(object)
        case .not(let inner): !inner.matches(object)
        case .isEqual(let path, let literal): literal.isEqual(to: object.value(at: path))
        case .isIn(let path, let literals):
            literals.contains { [value = object.value(at: path)] in $0.isEqual(to: value) }
        case .startsWith(let path, let literal): literal.isPrefix(of: object.value(at: path))
        }
    }
}

/// A literal of a filter. Strings are in lower case.
enum GraphLiteral: Sendable, Equatable {
    case text(String)
    case flag(Bool)
    case number(Int)
    case null

    func isEqual(to value: JSONValue) -> Bool {
        switch (self, value) {
        case (.text(let text), .string(let other)):
            other.utf8.contains { $0 >= 0x80 }
                ? other.lowercased() == text
                : other.utf8.count == text.utf8.count && Self.has(other, prefix: text)
        case (.flag(let flag), .bool(let other)): flag == other
        case (.number(let number), .integer(let other)): Int64(number) == other
        case (.null, .null): true
        default: false
        }
    }

    func isPrefix(of value: JSONValue) -> Bool {
        guard case .text(let text) = self, case .string(let other) = value else { return false }
        return Self.has(other, prefix: text)
    }

    /// Whether a text starts with a lower-case prefix. Nearly all texts are ASCII, which is compared without a copy.
    private static func has(_ text: String, prefix: String) -> Bool {
        var bytes = text.utf8.makeIterator()
        for expected in prefix.utf8 {
            guard let byte = bytes.next() else { return false }
            guard byte < 0x80 else { return text.lowercased().hasPrefix(prefix) }
            let lowered = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            guard lowered == expected else { return false }
        }
        return true
    }
}

/// Parses a filter from left to right.
private struct GraphFilterParser {
    private enum Token: Equatable {
        case word(String)
        case literal(GraphLiteral)
        case open
        case close
        case comma
        case end
    }

    private var text: Substring.UnicodeScalarView
    private var next = Token.end
    private var terms = 0
    private var depth = 0

    init(_ text: String) {
        self.text = text[...].unicodeScalars
    }

    private static func wrong(_ reason: String) -> GraphFault {
        .badRequest("Invalid filter clause: \(reason)")
    }

    // MARK: Grammar

    mutating func whole() throws(GraphFault) -> GraphFilter {
        try advance()
        let filter = try disjunction()
        guard next == .end else { throw Self.wrong("unexpected text at the end.") }
        return filter
    }

    private static let tooMany = GraphFault.unsupportedQuery(
        "The filter has more than \(GraphFilter.mostTerms) terms."
    )

    private mutating func disjunction() throws(GraphFault) -> GraphFilter {
        var left = try conjunction()
        while next == .word("or") {
            try advance()
            left = .or(left, try conjunction())
        }
        return left
    }

    private mutating func conjunction() throws(GraphFault) -> GraphFilter {
        var left = try term()
        while next == .word("and") {
            try advance()
            left = .and(left, try term())
        }
        return left
    }

    private mutating func term() throws(GraphFault) -> GraphFilter {
        switch next {
        case .word("not"):
            try advance()
            return .not(try nested { (parser: inout Self) throws(GraphFault) in try parser.term() })
        case .open:
            try advance()
            let inner = try nested { (parser: inout Self) throws(GraphFault) in try parser.disjunction() }
            try take(.close, called: "')'")
            return inner
        case .word(let name):
            try count()
            try advance()
            return next == .open ? try function(name) : try comparison(of: name)
        case .literal, .close, .comma, .end: throw Self.wrong("a property or a function is missing.")
        }
    }

    /// Parses a nested expression. The depth is limited, because each level uses stack space.
    private mutating func nested(
        _ read: (inout Self) throws(GraphFault) -> GraphFilter
    ) throws(GraphFault) -> GraphFilter {
        depth += 1
        defer { depth -= 1 }
        guard depth <= GraphFilter.mostTerms else { throw Self.tooMany }
        return try read(&self)
    }

    private mutating func count() throws(GraphFault) {
        terms += 1
        guard terms <= GraphFilter.mostTerms else { throw Self.tooMany }
    }

    private mutating func function(_ name: String) throws(GraphFault) -> GraphFilter {
        guard name.lowercased() == "startswith" else {
            throw .unsupportedQuery(
                "The emulator does not support the function '\(name.prefix(40))' in filters, only startsWith."
            )
        }
        try advance()
        guard case .word(let property) = next else {
            throw Self.wrong("the first argument of startsWith must be a property.")
        }
        try advance()
        try take(.comma, called: "','")
        let literal = try literal()
        guard case .text = literal else {
            throw Self.wrong("the second argument of startsWith must be a string in single quotes.")
        }
        try take(.close, called: "')'")
        return .startsWith(path: Self.path(property), literal)
    }

    private mutating func comparison(of property: String) throws(GraphFault) -> GraphFilter {
        guard case .word(let comparison) = next else {
            throw Self.wrong("an operator is missing after '\(property)'.")
        }
        try advance()
        let path = Self.path(property)
        switch comparison {
        case "eq": return .isEqual(path: path, try literal())
        case "ne": return .not(.isEqual(path: path, try literal()))
        case "in":
            try take(.open, called: "'('")
            var literals = [try literal()]
            while next == .comma {
                try advance()
                literals.append(try literal())
                try count()
            }
            try take(.close, called: "')'")
            return .isIn(path: path, literals)
        default:
            throw .unsupportedQuery(
                "The emulator does not support the operator '\(comparison.prefix(40))' in filters, only eq, ne, in, "
                    + "and, or, and not."
            )
        }
    }

    private mutating func literal() throws(GraphFault) -> GraphLiteral {
        let literal: GraphLiteral
        switch next {
        case .literal(let found): literal = found
        case .word("true"): literal = .flag(true)
        case .word("false"): literal = .flag(false)
        case .word("null"): literal = .null
        case .word, .open, .close, .comma, .end:
            throw Self.wrong("a string in single quotes, a number, true, false, or null is missing.")
        }
        try advance()
        return literal
    }

    private mutating func take(_ token: Token, called name: String) throws(GraphFault) {
        guard next == token else { throw Self.wrong("\(name) is missing.") }
        try advance()
    }

    private static func path(_ property: String) -> [String] {
        property.lowercased().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    }

    // MARK: Tokens

    private mutating func advance() throws(GraphFault) {
        while text.first?.value == 0x20 || text.first?.value == 0x09 { text.removeFirst() }
        guard let first = text.first else {
            next = .end
            return
        }
        switch first {
        case "(", ")", ",":
            text.removeFirst()
            next = first == "(" ? .open : first == ")" ? .close : .comma
        case "'": next = .literal(.text(try quoted()))
        case "-", "0"..."9":
            let digits = take { $0 == "-" || ("0"..."9").contains($0) }
            guard let number = Int(digits), text.first.map(Self.isPartOfWord) != true else {
                throw Self.wrong("strings, IDs, and dates must be in single quotes.")
            }
            next = .literal(.number(number))
        case _ where Self.isPartOfWord(first): next = .word(take(while: Self.isPartOfWord))
        default: throw Self.wrong("unexpected character.")
        }
    }

    /// A quoted string, in lower case; two quotes are an escaped quote.
    private mutating func quoted() throws(GraphFault) -> String {
        text.removeFirst()
        var found = String.UnicodeScalarView()
        while let scalar = text.popFirst() {
            if scalar != "'" {
                found.append(scalar)
            } else if text.first == "'" {
                found.append(scalar)
                text.removeFirst()
            } else {
                return String(found).lowercased()
            }
        }
        throw Self.wrong("a quotation mark is missing.")
    }

    private mutating func take(while belongs: (Unicode.Scalar) -> Bool) -> String {
        let word = text.prefix(while: belongs)
        text = text[word.endIndex...]
        return String(word)
    }

    private static func isPartOfWord(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
            || "_/.@".unicodeScalars.contains(scalar)
    }
}
