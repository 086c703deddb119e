// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

@testable import MSALBase
@testable import MSALCore

/// Compares a public error with the expectations of a case.
enum PublicErrorCheck {
    /// Checks `domain`, `code`, `internal`, `userInfo`, `userInfoAbsent`, `userInfoPresent`, `contains`, `underlying`.
    static func check(_ error: NSError, _ expected: JSONValue) {
        for (name, value) in expected.object ?? [:] {
            switch name {
            case "domain":
                #expect(error.domain == value.string)
            case "code":
                #expect(Double(error.code) == value.double, "\(error.userInfo)")
            case "internal":
                #expect(number(error.userInfo[MSALInternalErrorCodeKey]) == value.nonNullDouble, "\(error.userInfo)")
            case "userInfo":
                for (key, member) in value.object ?? [:] {
                    #expect(matches(error.userInfo[key], member), "\(key): \(String(describing: error.userInfo[key]))")
                }
            case "userInfoAbsent":
                for key in value.array?.compactMap(\.string) ?? [] { #expect(error.userInfo[key] == nil, "\(key)") }
            case "userInfoPresent":
                for key in value.array?.compactMap(\.string) ?? [] { #expect(error.userInfo[key] != nil, "\(key)") }
            case "contains":
                #expect(error.localizedDescription.contains(value.string ?? ""))
            case "underlying":
                guard let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError else {
                    Issue.record("There is no underlying error.")
                    continue
                }
                check(underlying, value)
            default:
                Issue.record("The runner does not support the member \(name) of an error.")
            }
        }
    }

    /// Texts and numbers are compared exactly, lists element by element, dictionaries by the expected members.
    private static func matches(_ actual: Any?, _ expected: JSONValue) -> Bool {
        switch expected {
        case .null: return actual == nil
        case .bool(let value): return actual as? Bool == value
        case .integer, .number: return number(actual) == expected.double
        case .string(let text): return actual as? String == text
        case .array(let elements):
            guard let values = actual as? [Any], values.count == elements.count else { return false }
            return zip(values, elements).allSatisfy { matches($0, $1) }
        case .object(let members):
            guard let values = actual as? [String: Any] else { return false }
            return members.allSatisfy { matches(values[$0.key], $0.value) }
        }
    }

    private static func number(_ value: Any?) -> Double? {
        (value as? NSNumber)?.doubleValue ?? (value as? Int).map(Double.init)
    }
}

extension JSONValue {
    /// The number. Null is the same as an absent member.
    fileprivate var nonNullDouble: Double? { self == .null ? nil : double }
}

/// A scripted response in the form of both files.
enum CaseResponse {
    /// Reads `{status, json | body, headers}` or `{networkError}`. Returns `nil` for anything else.
    static func read(_ members: [String: JSONValue]) -> StandInService.Response? {
        if let code = members["networkError"]?.double {
            return TransportError.Kind(urlErrorCode: Int(code)).map { .failure($0) }
        }
        guard let status = members["status"]?.double else { return nil }
        let headers = members["headers"]?.object?.compactMapValues { $0.string ?? $0.double.map { String(Int($0)) } }
        if let json = members["json"] { return .reply(.json(json, status: Int(status), headers: headers ?? [:])) }
        return .reply(
            HTTPResponse(status: Int(status), headers: headers ?? [:], body: Data((members["body"]?.string ?? "").utf8))
        )
    }
}
