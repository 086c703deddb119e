// Licensed under the MIT License. See LICENSE.

private import Crypto
private import Foundation
package import MSALBase

/// A log line whose values are marked with their types. They are masked when the line is written.
///
/// Plain interpolation is for constants. Every value that comes from a user, a server, or the app is marked:
/// `"for \(username: name)"`, `"scopes \(list: scopes)"`. A ``Secret`` always prints as `‹redacted›`.
package struct LogMessage: Sendable, ExpressibleByStringInterpolation {
    fileprivate enum Piece: Sendable {
        case text(String)
        case line(String)
        case list([String])
        case username(String)
        case trackable(String)
        case error(domain: String, code: Int, description: String)
    }

    private let pieces: [Piece]

    package init(stringLiteral value: String) { pieces = [.text(value)] }

    package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

    /// The user's home directory, from the environment or otherwise from the system. Its name is usually the user's.
    private static let home =
        ProcessInfo.processInfo.environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        ?? FileManager.default.homeDirectoryForCurrentUser.path(percentEncoded: false)

    /// The line with its values masked.
    package func text(_ masking: MSALLogMaskingLevel, home: String = LogMessage.home) -> String {
        pieces.map { LogMessage.render($0, masking: masking, home: home) }.joined()
    }

    private static func render(_ piece: Piece, masking: MSALLogMaskingLevel, home: String) -> String {
        let showsPersonal = masking == .settingsMaskSecretsOnly
        let hidesAll = masking == .settingsMaskAllPII
        switch piece {
        case .text(let text): return text
        case .line(let line): return showsPersonal ? line : shortened(line, home: home)
        case .list(let values):
            return hidesAll ? "MaskedArray(count=\(values.count))" : values.joined(separator: ", ")
        case .username(let name): return showsPersonal ? name : maskedName(name)
        case .trackable(let id): return hidesAll ? hash(id) : id
        case .error(let domain, let code, let description):
            return showsPersonal ? description : "MaskedError(\(domain), \(code))"
        }
    }

    /// Paths in the user's directory begin with `~`.
    private static func shortened(_ line: String, home: String) -> String {
        let home = home.hasSuffix("/") ? home : home + "/"
        return home == "/" ? line : line.replacing(home, with: "~/")
    }

    /// Replaces the local part of a user name with a hash, which still distinguishes users.
    private static func maskedName(_ name: String) -> String {
        let parts = name.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return hash(name) }
        return "auth.placeholder-\(hash(parts[0].lowercased()))__\(parts[1])"
    }

    private static func hash(_ value: String) -> String {
        Hexadecimal.text(SHA256.hash(data: Data(value.utf8)).prefix(4))
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var pieces: [Piece] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { pieces.append(.text(literal)) }
        package mutating func appendInterpolation(_ value: StaticString) { pieces.append(.text("\(value)")) }
        /// A line of the core, which contains no personal data except in paths.
        package mutating func appendInterpolation(line: String) { pieces.append(.line(line)) }
        package mutating func appendInterpolation(_ value: Secret) { pieces.append(.text("\(value)")) }

        /// Values that may identify an organization, such as scopes.
        package mutating func appendInterpolation(list values: [String]) { pieces.append(.list(values)) }

        /// A user name or email address; `nil` is `none`.
        package mutating func appendInterpolation(username: String?) {
            pieces.append(username.map(Piece.username) ?? .text("none"))
        }

        /// The ID of an account or of another object, for finding its lines; `nil` is `none`.
        package mutating func appendInterpolation(trackable id: String?) {
            pieces.append(id.map(Piece.trackable) ?? .text("none"))
        }

        /// A count.
        package mutating func appendInterpolation(count: Int) { pieces.append(.text(String(count))) }

        /// An error: domain and code are always shown; the description may contain a user name.
        package mutating func appendInterpolation(error domain: String, code: Int, description: String) {
            pieces.append(.error(domain: domain, code: code, description: description))
        }
    }
}
