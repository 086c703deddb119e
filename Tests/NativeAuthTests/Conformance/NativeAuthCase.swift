// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALBase

/// One case of a file of format `native-auth-cases/1` or `native-auth-v2-cases/1`
/// (Tests/Conformance/README.md#native-auth and #native-auth-v2).
struct NativeAuthCase: CustomTestStringConvertible, Sendable {
    /// The app's call, and the requests that follow from it.
    struct Call: Sendable {
        let target: String
        let method: String
        let arguments: [String: JSONValue]
        var exchanges: [Exchange] = []
        /// The outcome.
        var expected: [String: JSONValue] = [:]
    }

    /// An expected request, and its response.
    struct Exchange: Sendable {
        let request: [String: JSONValue]
        let answer: [String: JSONValue]
        /// Whether the request may be missing.
        var isOptional: Bool { request["optional"] == .bool(true) }
    }

    let file: String
    let id: String
    let flow: String
    let members: [String: JSONValue]
    /// The file's configuration, overridden by the case's.
    let configuration: [String: JSONValue]
    let calls: [Call]

    var testDescription: String { "\(flow) \(id)" }

    /// The optional members that the app's delegate lacks.
    var missingMembers: Set<String> { Set(members["delegateWithout"]?.array?.compactMap(\.string) ?? []) }

    /// Reads a case; `nil` if it is malformed.
    init?(_ value: JSONValue, file: String, defaults: [String: JSONValue]) {
        guard
            let members = value.object, let id = members["id"]?.string, let flow = members["flow"]?.string,
            let steps = members["steps"]?.array, let last = members["expect"]?.object
        else { return nil }
        self.file = file
        self.id = id
        self.flow = flow
        self.members = members
        configuration = defaults.merging(members["config"]?.object ?? [:]) { $1 }
        var calls: [Call] = []
        for step in steps {
            guard let step = step.object else { return nil }
            if let call = step["call"]?.object {
                guard let target = call["on"]?.string, let method = call["method"]?.string else { return nil }
                calls.append(Call(target: target, method: method, arguments: call["args"]?.object ?? [:]))
            }
            guard var call = calls.popLast() else { return nil }
            if let request = step["expectRequest"]?.object {
                call.exchanges.append(Exchange(request: request, answer: step["respond"]?.object ?? [:]))
            }
            if let outcome = step["then"]?.object { call.expected = outcome }
            calls.append(call)
        }
        guard var final = calls.popLast() else { return nil }
        final.expected = last
        self.calls = calls + [final]
    }
}

/// The folder of conformance files with the cases about native authentication.
struct NativeAuthCaseFolder: Sendable {
    static let shared = NativeAuthCaseFolder(format: "native-auth-cases/1")
    /// The cases of V2. A member that its format does not have makes a case unreadable.
    static let v2 = NativeAuthCaseFolder(format: "native-auth-v2-cases/1", members: .v2)

    let exists: Bool
    /// Every case, exceptions included.
    let cases: [NativeAuthCase]
    /// The problems in files of the correct format: none of them may go unnoticed.
    let complaints: [String]

    private init(format: String, members: NativeAuthCaseMembers? = nil) {
        let folder = ConformanceFiles.folder
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        var cases: [NativeAuthCase] = []
        var complaints: [String] = []
        for file in (files ?? []).sorted(by: { $0.path < $1.path }) where file.pathExtension == "json" {
            // Files that are not JSON are reported by another suite.
            guard
                let data = try? Data(contentsOf: file), let envelope = JSONValue(parsing: data)?.object,
                envelope["format"] == .string(format)
            else { continue }
            let defaults = envelope["defaults"]?.object?["config"]?.object ?? [:]
            for value in envelope["cases"]?.array ?? [] {
                let unknown = members?.unknown(in: value) ?? []
                if let read = NativeAuthCase(value, file: file.lastPathComponent, defaults: defaults), unknown.isEmpty {
                    cases.append(read)
                } else {
                    complaints.append(
                        "\(file.lastPathComponent) holds a malformed case: \(unknown) \(value.text.prefix(80))"
                    )
                }
            }
        }
        exists = files != nil
        self.cases = cases
        self.complaints = complaints
        ConformanceFiles.announce(
            runnable.count,
            for: members == nil ? "NativeAuthConformance" : "NativeAuthV2Conformance"
        )
    }

    /// The cases to run: those without an exception.
    var runnable: [NativeAuthCase] { cases.filter { NativeAuthCaseException.matching($0) == nil } }
}
