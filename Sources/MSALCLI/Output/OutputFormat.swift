// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import CommandOutput
import Foundation

/// The format of a command's result.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case text, json, raw

    /// It is empty because the parser would otherwise build a dictionary of all values at each start.
    static let allValueDescriptions: [String: String] = [:]

    /// The format of a token. A program that captures the output needs the token or its members. It must not get lines
    /// for people by mistake.
    ///
    /// - Parameters:
    ///   - chosen: The format that the user chose.
    ///   - isShown: Whether the user asked for the token in the text.
    ///   - isTerminal: Whether a person reads the output.
    /// - Returns: The form in which the token is written.
    /// - Throws: `Failure` with the status `usage`, if a program reads the output and the user chose no format.
    static func ofToken(
        _ chosen: OutputFormat?,
        isShown: Bool,
        isTerminal: Bool = Terminal.output.isTerminal
    ) throws(Failure) -> OutputFormat {
        guard chosen != nil || isShown || isTerminal else {
            throw .usage("The output is not a terminal. Pass -o raw for the token, or -o json.")
        }
        return chosen ?? .text
    }

    /// The format that the arguments name, even if the arguments have an error: a usage error can be JSON too.
    static func requested(in arguments: [String]) -> OutputFormat {
        for (index, argument) in arguments.enumerated() {
            if argument == "--" { break }
            let value: String?
            if argument == "--output" || argument == "-o" {
                value = arguments.dropFirst(index + 1).first
            } else if argument.hasPrefix("--output=") {
                value = String(argument.dropFirst("--output=".count))
            } else {
                continue
            }
            if let format = value.flatMap(OutputFormat.init(rawValue:)) { return format }
        }
        return .text
    }
}

/// `--output`, which every command has.
///
/// A group of options costs time at each start. A command that scripts run in a loop has its own option with this
/// ``name``.
struct OutputOptions: ParsableArguments {
    @Option(name: name, help: help)
    var output = OutputFormat.text

    static let name: NameSpecification = [.long, .customShort("o")]

    static let help = ArgumentHelp(
        "text for people, json for programs, raw for the value only.",
        discussion: "JSON output always has the same members; dates are RFC 3339 in UTC."
    )

    /// See ``OutputFormat/show(_:)``.
    func show(_ report: some Report) throws(Failure) { try output.show(report) }
}

extension Terminal {
    /// Writes a result.
    ///
    /// - Throws: `Failure` with the status `failed`, if it cannot be written.
    func result(_ write: (Terminal) throws(OutputError) -> Void) throws(Failure) {
        do throws(OutputError) {
            try write(self)
        } catch {
            throw .file(error.message)
        }
    }
}

extension OutputFormat {
    /// Writes a result to standard output.
    ///
    /// - Throws: `Failure` with the status `failed`, if it cannot be written.
    func show(_ report: some Report) throws(Failure) {
        try Terminal.output.result { (output) throws(OutputError) in
            switch self {
            case .text: try output.deliver(report.text(Style(output)))
            case .json: try output.deliver(json: report.json)
            case .raw:
                let value = report.raw
                if !value.isEmpty { try output.deliver(value: value) }
            }
        }
    }
}

/// The result of a command in its three formats.
protocol Report {
    /// The result for people.
    func text(_ style: Style) -> TerminalText
    /// The result for programs.
    var json: String { get }
    /// The bare value. If it is empty, nothing is written.
    var raw: String { get }
}

extension Report where Self: Encodable {
    var json: String { JSONText.encode(self) }
}

/// Lines of names and values. The values begin in the same column.
func table(_ rows: [(String, TerminalText)], style: Style) -> TerminalText {
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { name, value in
        "\(style.faint(name))\(String(repeating: " ", count: width - name.count + 2))\(value)"
    }.joined(separator: "\n")
}

/// `--debug`, for the commands without ``ClientOptions``. ``CommandLog`` looks for the flag itself, before the
/// arguments are parsed.
struct LogOptions: ParsableArguments {
    @Flag(help: help)
    var debug = false

    static let help: ArgumentHelp = "Write log lines and requests to standard error. (MSAL_LOG sets the level)"
}

/// The JSON that the command writes: snake_case members in alphabetical order, dates in RFC 3339 and UTC.
enum JSONText {
    static func encode(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .iso8601
        // Encoding fails only for infinite numbers, and no report holds a floating-point number.
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
    }

    /// A tree of Foundation objects as JSON.
    static func pretty(_ value: Any) -> String? {
        let options: JSONSerialization.WritingOptions = [
            .prettyPrinted, .sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed,
        ]
        // The caller gets nil for a value that JSON cannot hold.
        return (try? JSONSerialization.data(withJSONObject: value, options: options))
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// Strings, and objects of them, as JSON in one line.
    static func line(_ value: [String: Any]) -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        // Foundation's own objects are always JSON.
        let data = try? JSONSerialization.data(withJSONObject: value, options: options)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
