// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase

/// The conformance files by subject. A file belongs to the family whose name is a prefix of its `file` member.
enum ConformanceFamily: String, CaseIterable {
    case authorities
    case redirectURIs = "redirect-uris"
    case scopesClaims = "scopes-claims"
    case errorMapping = "error-mapping"
    case silentScenarios = "silent-scenarios"
    case exchange
}

/// One case of a conformance file.
struct ConformanceCase: CustomTestStringConvertible, Sendable {
    let family: ConformanceFamily
    let id: String
    let op: String
    let input: JSONValue
    let output: JSONValue
    let isContested: Bool
    /// The `fixtures` member of the file, which its cases refer to.
    let fixtures: JSONValue

    var testDescription: String { "\(family.rawValue) \(op) \(id)" }

    /// A member of the input, or `nil` if it is absent or null.
    subscript(name: String) -> JSONValue? { input.object?[name].nonNull }

    /// A member of the expected output, or `nil` if it is absent and therefore not checked.
    func expected(_ name: String) -> JSONValue? { output.object?[name] }
}

/// The folder of conformance files with the cases about the protocol.
struct ConformanceFolder: Sendable {
    static let shared = ConformanceFolder()

    let url: URL
    let exists: Bool
    private let cases: [ConformanceCase]
    /// Faults of files with the right schema, all of which must be reported.
    let complaints: [String]

    private init() {
        url = ConformanceFiles.folder
        let files = ConformanceFiles.all
        exists = files != nil
        var cases: [ConformanceCase] = []
        var complaints: [String] = []
        for file in (files ?? []).sorted(by: { $0.path < $1.path }) where file.pathExtension == "json" {
            guard let data = try? Data(contentsOf: file), let envelope = JSONValue(parsing: data)?.object else {
                complaints.append("\(file.lastPathComponent) is not a JSON object")
                continue
            }
            guard envelope["schema"] == .string("msal-conformance-1") else { continue }  // Another runner's file.
            let name = envelope["file"]?.string ?? file.deletingPathExtension().lastPathComponent
            guard let family = ConformanceFamily.allCases.first(where: { name.hasPrefix($0.rawValue) }) else {
                complaints.append("\(file.lastPathComponent) belongs to no family")
                continue
            }
            for value in envelope["cases"]?.array ?? [] {
                guard
                    let members = value.object, let id = members["id"]?.string, let op = members["op"]?.string,
                    let input = members["in"], let output = members["out"]
                else {
                    complaints.append("\(file.lastPathComponent) contains a malformed case: \(value.text.prefix(80))")
                    continue
                }
                cases.append(
                    ConformanceCase(
                        family: family,
                        id: id,
                        op: op,
                        input: input,
                        output: output,
                        isContested: members["contested"].nonNull.map { $0 != .bool(false) } ?? false,
                        fixtures: envelope["fixtures"] ?? .null
                    )
                )
            }
        }
        self.cases = cases
        self.complaints = complaints
        let count = cases.count { ConformanceException.matching($0) == nil }
        ConformanceFiles.announce(count, for: "ProtocolConformance")
    }

    /// Every case, exceptions included.
    var all: [ConformanceCase] { cases }

    /// The cases of `family` to run: those that no exception excludes.
    func cases(of family: ConformanceFamily) -> [ConformanceCase] {
        cases.filter { $0.family == family && ConformanceException.matching($0) == nil }
    }
}

extension JSONValue? {
    /// The value, unless it is JSON's null.
    var nonNull: JSONValue? { self == .some(.null) ? nil : self }
}

extension JSONValue {
    /// The Boolean, if this is one.
    var bool: Bool? {
        if case .bool(let value) = self { value } else { nil }
    }
}
