// Licensed under the MIT License. See LICENSE.

extension GraphQuery {
    /// The longest query, in bytes.
    static let maximumLength = 4_096

    /// The description of the values of `--query`, for people.
    static let forms = "Supported: a.b[0].c, \"@odata.count\", [*], [?name=='x'] and length(@)."

    /// Reads a query.
    ///
    /// - Throws: `Failure` with the status `usage`, which names the part that is not supported.
    init(_ text: String) throws(Failure) {
        guard text.utf8.count <= Self.maximumLength else {
            throw .usage("--query is longer than \(Self.maximumLength) bytes.")
        }
        var reader = QueryReader(text)
        let inner = reader.takesLength()
        path = try reader.path()
        isLength = inner
        if inner { try reader.take(")") }
        try reader.end()
    }
}

/// Reads a query from its beginning to its end.
private struct QueryReader {
    private var rest: Substring.UnicodeScalarView

    init(_ text: String) {
        rest = text[...].unicodeScalars
        skipSpaces()
    }

    mutating func takesLength() -> Bool {
        guard Substring(rest).hasPrefix("length(") else { return false }
        rest.removeFirst("length(".count)
        skipSpaces()
        return true
    }

    /// Reads a path to its end: the end of the text, `)`, or `=` of a condition.
    mutating func path() throws(Failure) -> [GraphQuery.Step] {
        var steps: [GraphQuery.Step] = []
        if rest.first == "@" {
            rest.removeFirst()
        } else if rest.first != "[" {
            steps.append(try name())
        }
        while let next = rest.first {
            switch next {
            case ".":
                rest.removeFirst()
                steps.append(try name())
            case "[": steps.append(try bracket())
            default:
                skipSpaces()
                return steps
            }
        }
        return steps
    }

    mutating func take(_ wanted: Unicode.Scalar) throws(Failure) {
        guard rest.first == wanted else { throw unexpected() }
        rest.removeFirst()
        skipSpaces()
    }

    func end() throws(Failure) { guard rest.isEmpty else { throw unexpected() } }

    private mutating func bracket() throws(Failure) -> GraphQuery.Step {
        rest.removeFirst()
        switch rest.first {
        case "*":
            rest.removeFirst()
            try close()
            return .all
        case "?":
            rest.removeFirst()
            skipSpaces()
            let path = try condition()
            skipSpaces()
            let text = try quoted("'")
            skipSpaces()
            try close()
            return .filter(path: path, text: text)
        case "]": throw unknown("[], which flattens")
        default:
            let digits = rest.prefix { $0 == "-" || ("0"..."9").contains($0) }
            guard let position = Int(String(Substring(digits))) else {
                guard !digits.contains(where: { $0 != "-" }) || digits.dropFirst().contains("-") else {
                    throw .usage("The number \(Substring(digits)) in --query is too large.", remedy: GraphQuery.forms)
                }
                throw rest.first == ":" ? unknown("the slice [\(Substring(rest.prefix { $0 != "]" }))]") : unexpected()
            }
            rest.removeFirst(digits.count)
            if rest.first == ":" { throw unknown("the slice [\(position):…]") }
            try close()
            return .element(position)
        }
    }

    /// Reads the path of a condition, and the comparison after it.
    private mutating func condition() throws(Failure) -> [GraphQuery.Step] {
        // A condition inside a condition is refused: a short text could cause deep recursion.
        let inner = Substring(rest)
        if inner.prefix(while: { $0 != "'" }).contains("[?") { throw unknown("a condition within a condition") }
        let path = try path()
        guard Substring(rest).hasPrefix("==") else { throw unexpected() }
        rest.removeFirst(2)
        return path
    }

    private mutating func close() throws(Failure) {
        guard rest.first == "]" else { throw unexpected() }
        rest.removeFirst()
    }

    private mutating func name() throws(Failure) -> GraphQuery.Step {
        if rest.first == "\"" { return .member(try quoted("\"")) }
        let name = rest.prefix(while: Self.isInName)
        guard let first = name.first, !("0"..."9").contains(first) else { throw unexpected() }
        rest.removeFirst(name.count)
        if rest.first == "(" { throw unknown("the function \(Substring(name))") }
        return .member(String(Substring(name)))
    }

    /// Reads a text between quotes. A backslash keeps the character after it.
    private mutating func quoted(_ quote: Unicode.Scalar) throws(Failure) -> String {
        guard rest.first == quote else { throw unexpected() }
        rest.removeFirst()
        var text = String.UnicodeScalarView()
        while let next = rest.popFirst() {
            switch next {
            case quote: return String(text)
            case "\\":
                guard let kept = rest.popFirst() else { throw ended }
                text.append(kept)
            default: text.append(next)
            }
        }
        throw ended
    }

    private mutating func skipSpaces() { rest = rest.drop { $0 == " " } }

    private static func isInName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: false
        }
    }

    /// The failure for the next character, with the name that JMESPath has for it.
    private func unexpected() -> Failure {
        let text = Substring(rest)
        let names: [(String, String)] = [
            ("||", "||"), ("&&", "&&"), ("|", "the pipe |"), ("!=", "the comparison !="), ("<", "the comparison <"),
            (">", "the comparison >"), ("!", "!"), ("{", "the object {…}"), ("*", "* for all members"),
            ("`", "the literal `…`"), ("&", "the expression &…"), ("@", "@ within a path"), ("[", "a list […]"),
        ]
        if let name = names.first(where: { text.hasPrefix($0.0) })?.1 { return unknown(name) }
        return text.isEmpty ? ended : unknown(String(text.prefix(20)))
    }

    private var ended: Failure { .usage("--query ends too early.", remedy: GraphQuery.forms) }

    private func unknown(_ name: String) -> Failure {
        .usage("--query does not support \(name).", remedy: GraphQuery.forms)
    }
}
