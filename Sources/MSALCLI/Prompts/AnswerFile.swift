// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import UserFiles

/// The user's answers, prepared as a JSON object in a file or on standard input.
struct AnswerFile: Equatable {
    var passwords: [PrivateText] = []
    var newPasswords: [PrivateText] = []
    var codes: [PrivateText] = []
    /// A program that prints a code, with its arguments.
    private(set) var codeCommand: [String] = []
    private(set) var attributes: [String: AnswerValue] = [:]
    var methods: [String] = []
    var contacts: [String] = []

    /// Reads a file, or standard input for `-`.
    ///
    /// - Throws: `Failure` with the status `usage`. Its message never shows the sheet's content.
    static func read(_ path: String) throws(Failure) -> AnswerFile {
        let name = path == "-" ? "standard input" : path
        let bytes: [UInt8]
        do throws(FileFault) {
            bytes =
                path == "-"
                ? try UserFile.standardInput(limit: largest)
                : try UserFile(path, limit: largest, pipeTimeout: UserFile.timeout).bytes()
        } catch {
            throw .usage(
                "\(name) \(error.reason).",
                remedy: "Pass --answers a file that you can read, or - for standard input."
            )
        }
        return try AnswerFile(Data(bytes), name: name)
    }

    init(_ text: Data, name: String) throws(Failure) {
        guard let members = try? JSONDecoder().decode([String: AnswerValue].self, from: text.withoutByteOrderMark)
        else {
            throw .usage("The answers in \(name) are not a JSON object.", remedy: Self.form)
        }
        for (key, value) in members {
            switch key {
            case "password": passwords = try Self.texts(value, key: key).map { PrivateText($0.withoutFinalLineEnd) }
            case "new_password":
                newPasswords = try Self.texts(value, key: key).map { PrivateText($0.withoutFinalLineEnd) }
            case "code": codes = try Self.texts(value, key: key).map { PrivateText($0) }
            case "code_command": codeCommand = try Self.texts(value, key: key)
            case "method": methods = try Self.texts(value, key: key)
            case "contact": contacts = try Self.texts(value, key: key)
            case "attributes":
                guard let object = value.object else {
                    throw Self.wrong(key, expected: "an object of names and values")
                }
                attributes = object
            default: throw .usage("The answers have the unknown member \(key).", remedy: Self.form)
            }
        }
    }

    /// The largest sheet, in bytes. A sheet with a hundred attributes, each with its longest value, is smaller.
    private static let largest = 1 << 20

    private static let form =
        #"Members: password, new_password, code, code_command, attributes, method, contact. See: msal native --help"#

    /// A text, or texts in the order in which they are to be used.
    private static func texts(_ value: AnswerValue, key: String) throws(Failure) -> [String] {
        if let text = value.string { return [text] }
        let texts = value.array?.compactMap(\.string) ?? []
        guard !texts.isEmpty, texts.count == value.array?.count else {
            throw wrong(key, expected: "a string or a list of strings")
        }
        return texts
    }

    private static func wrong(_ key: String, expected: String) -> Failure {
        .usage("\(key) in the answers must be \(expected).", remedy: form)
    }
}
