// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import TestSupport
import Testing

/// The conformance files about servers, by subject. A file belongs to the family whose name is a prefix of its `file`
/// member.
enum ServerFamily: String, CaseIterable {
    case clientAssertion = "client-assertion"
    case appCache = "app-cache"
    case managedIdentity = "managed-identity"
    case credentialChain = "credential-chain"
    case tokenValidation = "access-token-validation"
}

/// One case of a conformance file.
struct ServerCase: CustomTestStringConvertible, Sendable {
    let family: ServerFamily
    let id: String
    let op: String
    let input: CaseMembers
    let output: CaseMembers
    let isContested: Bool
    /// The `fixtures` member of the file, which its cases refer to.
    let fixtures: JSONValue

    var testDescription: String { "\(family.rawValue) \(op) \(id)" }

    /// A member of the input, or `nil` if it is absent or null.
    subscript(name: String) -> JSONValue? { input[name] }

    /// A member of the expected output, or `nil` if it is absent and therefore not checked.
    func expected(_ name: String) -> JSONValue? { output.raw(name) }

    /// Fails a test that ends without having read every member of the case.
    func expectAllRead(at location: SourceLocation = #_sourceLocation) {
        #expect(input.unread.map { "in.\($0)" } + output.unread.map { "out.\($0)" } == [], sourceLocation: location)
    }
}

/// The folder `server` of the conformance cases.
struct ServerConformanceFolder: Sendable {
    static let shared = ServerConformanceFolder()

    let exists: Bool
    /// Every case, exceptions included.
    let all: [ServerCase]
    /// Faults of files with the right schema, all of which must be reported.
    let complaints: [String]

    private static let caseMembers: Set = [
        "id", "op", "in", "out", "basis", "source", "note", "decision", "contested",
    ]

    private init() {
        let url = ConformanceFiles.folder.appending(path: "server", directoryHint: .isDirectory)
        let files = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
        exists = files != nil
        var cases: [ServerCase] = []
        var complaints: [String] = []
        for file in (files ?? []).sorted(by: { $0.path < $1.path }) where file.pathExtension == "json" {
            guard let data = try? Data(contentsOf: file), let envelope = JSONValue(parsing: data)?.object else {
                complaints.append("\(file.lastPathComponent) is not a JSON object")
                continue
            }
            guard envelope["schema"] == .string("msal-conformance-1") else { continue }  // Another runner's file.
            let name = envelope["file"]?.string ?? file.deletingPathExtension().lastPathComponent
            guard let family = ServerFamily.allCases.first(where: { name.hasPrefix($0.rawValue) }) else {
                complaints.append("\(file.lastPathComponent) belongs to no family")
                continue
            }
            for value in envelope["cases"]?.array ?? [] {
                guard
                    let members = value.object, let id = members["id"]?.string, let op = members["op"]?.string,
                    let input = members["in"]?.object, let output = members["out"]?.object,
                    Self.caseMembers.isSuperset(of: members.keys)
                else {
                    complaints.append("\(file.lastPathComponent) contains a malformed case: \(value.text.prefix(80))")
                    continue
                }
                cases.append(
                    ServerCase(
                        family: family,
                        id: id,
                        op: op,
                        input: CaseMembers(input),
                        output: CaseMembers(output),
                        isContested: members["contested"].map { $0 != .bool(false) && $0 != .null } ?? false,
                        fixtures: envelope["fixtures"] ?? .null
                    )
                )
            }
        }
        all = cases
        self.complaints = complaints
        let count = cases.count { ServerException.matching($0) == nil }
        ConformanceFiles.announce(count, for: "ServerConformance")
    }

    /// The cases of some ops of a family, without those that an exception excludes.
    func cases(of family: ServerFamily, ops: String...) -> [ServerCase] {
        all.filter { $0.family == family && ops.contains($0.op) && ServerException.matching($0) == nil }
    }
}
