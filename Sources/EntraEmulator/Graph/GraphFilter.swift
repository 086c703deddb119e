// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase

/// A `$filter` expression: comparisons, `startsWith`, `endsWith`, `in`, `any`, `and`, `or`, and `not` (OData 4.01,
/// part 2, §5.1.1). The directory compares strings regardless of case.
indirect enum GraphFilter: Sendable, Equatable {
    /// The comparisons by order.
    enum Order: String, Sendable {
        case less = "lt"
        case lessOrEqual = "le"
        case greater = "gt"
        case greaterOrEqual = "ge"

        fileprivate func accepts<Value: Comparable>(_ value: Value, _ other: Value) -> Bool {
            switch self {
            case .less: value < other
            case .lessOrEqual: value <= other
            case .greater: value > other
            case .greaterOrEqual: value >= other
            }
        }
    }

    case and(GraphFilter, GraphFilter)
    case or(GraphFilter, GraphFilter)
    case not(GraphFilter)
    case isEqual(path: [String], GraphLiteral)
    case isOrdered(path: [String], Order, GraphLiteral)
    case isIn(path: [String], [GraphLiteral])
    case startsWith(path: [String], GraphLiteral)
    case endsWith(path: [String], GraphLiteral)
    /// At least one element of a list matches. In `element`, paths begin with the name of the variable.
    case any(path: [String], element: GraphFilter?)

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
        case .isEqual(let path, _), .isIn(let path, _), .startsWith(let path, _), .isOrdered(let path, _, _),
            .endsWith(let path, _), .any(let path, _):
            [path]
        }
    }

    /// Whether the service requires `ConsistencyLevel: eventual` and `$count=true` for it (Microsoft Graph, "Advanced
    /// query capabilities on Microsoft Entra ID objects").
    var isAdvanced: Bool {
        switch self {
        case .and(let left, let right), .or(let left, let right): left.isAdvanced || right.isAdvanced
        case .not, .endsWith: true
        case .isEqual(let path, _), .isOrdered(let path, _, _): path.last == GraphObject.count
        case .any(_, let element): element?.isAdvanced ?? false
        case .isIn, .startsWith: false
        }
    }

    /// Whether an object matches the filter.
    func matches(_ object: GraphObject) -> Bool { matches { object.value(at: $0) } }

    /// `value`: Finds the value at a path.
    private func matches(_ value: ([String]) -> JSONValue) -> Bool {
        switch self {
        case .and(let left, let right): left.matches(value) && right.matches(value)
        case .or(let left, let right): left.matches(value) || right.matches(value)
        case .not(let inner): !inner.matches(value)
        case .isEqual(let path, let literal): literal.isEqual(to: value(path))
        case .isOrdered(let path, let order, let literal): literal.isOrdered(order, to: value(path))
        case .isIn(let path, let literals):
            literals.contains { [value = value(path)] in $0.isEqual(to: value) }
        case .startsWith(let path, let literal): literal.isPrefix(of: value(path))
        case .endsWith(let path, let literal): literal.isSuffix(of: value(path))
        case .any(let path, let element):
            (value(path).array ?? []).contains { item in
                element?.matches { path in item.value(at: path.dropFirst()) } ?? true
            }
        }
    }
}

/// A literal of a filter. Strings are in lower case.
enum GraphLiteral: Sendable, Equatable {
    case text(String)
    case flag(Bool)
    case number(Int)
    /// A date and time in UTC.
    case date(Date)
    case null

    func isEqual(to value: JSONValue) -> Bool {
        switch (self, value) {
        case (.text(let text), .string(let other)):
            other.utf8.contains { $0 >= 0x80 }
                ? other.lowercased() == text
                : other.utf8.count == text.utf8.count && Self.has(other, prefix: text)
        case (.flag(let flag), .bool(let other)): flag == other
        case (.number(let number), .integer(let other)): Int64(number) == other
        case (.date(let date), .string(let other)): Date(iso8601: other) == date
        case (.null, .null): true
        default: false
        }
    }

    /// Whether a value comes before or after the literal. Text is compared only with dates, as the parser ensures.
    func isOrdered(_ order: GraphFilter.Order, to value: JSONValue) -> Bool {
        switch (self, value) {
        case (.number(let number), .integer(let other)): order.accepts(other, Int64(number))
        case (.date(let date), .string(let other)): Date(iso8601: other).map { order.accepts($0, date) } ?? false
        default: false
        }
    }

    func isSuffix(of value: JSONValue) -> Bool {
        guard case .text(let text) = self, case .string(let other) = value else { return false }
        return other.lowercased().hasSuffix(text)
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
        case colon
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
        case .literal, .close, .comma, .colon, .end: throw Self.wrong("a property or a function is missing.")
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
        let function = name.lowercased()
        if function.hasSuffix("/any") { return try any(Self.path(String(name.dropLast("/any".count)))) }
        guard ["startswith", "endswith"].contains(function) else {
            throw .unsupportedQuery(
                "The emulator does not support the function '\(name.prefix(40))' in filters, only startsWith, endsWith, "
                    + "and any."
            )
        }
        try advance()
        guard case .word(let property) = next else {
            throw Self.wrong("the first argument of \(function) must be a property.")
        }
        try advance()
        try take(.comma, called: "','")
        let literal = try literal()
        guard case .text = literal else {
            throw Self.wrong("the second argument of \(function) must be a string in single quotes.")
        }
        try take(.close, called: "')'")
        let path = Self.path(property)
        return function == "startswith" ? .startsWith(path: path, literal) : .endsWith(path: path, literal)
    }

    /// `any(x:x eq 'value')`, or `any()` for a list that is not empty.
    private mutating func any(_ path: [String]) throws(GraphFault) -> GraphFilter {
        try advance()
        if next == .close {
            try advance()
            return .any(path: path, element: nil)
        }
        guard case .word(let variable) = next else { throw Self.wrong("the variable of any is missing.") }
        try advance()
        try take(.colon, called: "':'")
        let element = try nested { (parser: inout Self) throws(GraphFault) in try parser.disjunction() }
        try take(.close, called: "')'")
        guard element.paths.allSatisfy({ $0.first == variable.lowercased() }) else {
            throw Self.wrong("a property in any does not begin with the variable '\(variable.prefix(40))'.")
        }
        return .any(path: path, element: element)
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
            guard let order = GraphFilter.Order(rawValue: comparison) else {
                throw .unsupportedQuery(
                    "The emulator does not support the operator '\(comparison.prefix(40))' in filters, only eq, ne, lt, "
                        + "le, gt, ge, in, and, or, and not."
                )
            }
            let literal = try literal()
            switch literal {
            case .number, .date: return .isOrdered(path: path, order, literal)
            case .text, .flag, .null:
                throw .unsupportedQuery("'\(comparison)' in filters compares only numbers and dates.")
            }
        }
    }

    private mutating func literal() throws(GraphFault) -> GraphLiteral {
        let literal: GraphLiteral
        switch next {
        case .literal(let found): literal = found
        case .word("true"): literal = .flag(true)
        case .word("false"): literal = .flag(false)
        case .word("null"): literal = .null
        case .word, .open, .close, .comma, .colon, .end:
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
        case "(": next = punctuation(.open)
        case ")": next = punctuation(.close)
        case ",": next = punctuation(.comma)
        case ":": next = punctuation(.colon)
        case "'": next = .literal(.text(try quoted()))
        case "-", "0"..."9":
            // OData 4.01, part 2, §5.1.1.14.1: dates are not in quotes.
            let word = take { Self.isPartOfWord($0) || "-+:".unicodeScalars.contains($0) }
            if let number = Int(word) {
                next = .literal(.number(number))
            } else if let date = Date(iso8601: word) ?? Date(iso8601Day: word) {
                next = .literal(.date(date))
            } else {
                throw Self.wrong("strings and IDs must be in single quotes.")
            }
        case _ where Self.isPartOfWord(first): next = .word(take(while: Self.isPartOfWord))
        default: throw Self.wrong("unexpected character.")
        }
    }

    private mutating func punctuation(_ token: Token) -> Token {
        text.removeFirst()
        return token
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
            || "_/.@$".unicodeScalars.contains(scalar)
    }
}
