// Licensed under the MIT License. See LICENSE.

import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase

/// A conformance case of native authentication, read as a story: the app's calls, the service's response to each
/// request, and what the app then sees. The requests are tested by the suite `NativeAuthConformance`.
struct NativeAuthCaseStory: Sendable, CustomTestStringConvertible {
    /// A response of the service.
    struct Answer: Sendable {
        let path: String
        let isOptional: Bool
        let status: Int
        /// The members of the JSON body, or `nil` if the body is not a JSON object.
        let json: [String: JSONValue]?
        let body: String
        let networkError: String?

        var error: String? { json?["error"]?.string }
        var suberror: String? { json?["suberror"]?.string }
        var challengeType: String? { json?["challenge_type"]?.string }
        var codes: [Int] { (json?["error_codes"]?.array ?? []).compactMap { $0.double.flatMap(Int.init(exactly:)) } }
        var reason: String { json?["redirect_reason"]?.string ?? "" }
        var isSecondFactorOrCapability: Bool { reason.contains("capability") }

        init(_ path: String, isOptional: Bool, value: [String: JSONValue]) {
            self.path = path
            self.isOptional = isOptional
            status = value["status"]?.double.flatMap(Int.init(exactly:)) ?? 200
            json = value["json"]?.object
            body = value["json"]?.text ?? value["body"]?.string ?? ""
            networkError = value["networkError"]?.string
        }
    }

    /// One call of the app.
    struct Scene: Sendable {
        let method: String
        let arguments: [String: JSONValue]
        var answers: [Answer] = []
        /// What the delegate receives.
        var expected: [String: JSONValue] = [:]

        func text(_ name: String) -> String { arguments[name]?.string ?? "" }
    }

    let id: String
    let flow: String
    let config: [String: JSONValue]
    /// Whether the delegate lacks members, which does not involve the service.
    let isAboutTheDelegate: Bool
    let scenes: [Scene]

    var testDescription: String { id }
    var answers: [Answer] { scenes.flatMap(\.answers) }

    /// Reads a case. Returns `nil` if it is malformed, which the suite `NativeAuthConformance` reports.
    init?(_ value: JSONValue) {
        guard let members = value.object, let id = members["id"]?.string, let flow = members["flow"]?.string,
            let steps = members["steps"]?.array?.compactMap(\.object), let last = members["expect"]?.object
        else { return nil }
        self.id = id
        self.flow = flow
        config = members["config"]?.object ?? [:]
        isAboutTheDelegate = members["delegateWithout"] != nil
        var scenes: [Scene] = []
        for step in steps {
            if let call = step["call"]?.object, let method = call["method"]?.string {
                scenes.append(Scene(method: method, arguments: call["args"]?.object ?? [:]))
            }
            guard var scene = scenes.popLast() else { return nil }
            if let request = step["expectRequest"]?.object, let path = request["path"]?.string {
                let isOptional = request["optional"] == .bool(true)
                scene.answers.append(Answer(path, isOptional: isOptional, value: step["respond"]?.object ?? [:]))
            }
            if let outcome = step["then"]?.object { scene.expected = outcome }
            scenes.append(scene)
        }
        guard !scenes.isEmpty else { return nil }
        scenes[scenes.count - 1].expected = last
        self.scenes = scenes
    }

    /// Every case in the folder that the suite `NativeAuthConformance` reads.
    static let all: [NativeAuthCaseStory] = {
        let folder = ConformanceFiles.folder
        // A missing folder has no cases, and the suite is skipped.
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        let all = files.filter { $0.pathExtension == "json" }.sorted { $0.path < $1.path }.flatMap { file in
            guard let data = try? Data(contentsOf: file), let envelope = JSONValue(parsing: data)?.object,
                envelope["format"] == .string("native-auth-cases/1")
            else { return [NativeAuthCaseStory]() }
            return (envelope["cases"]?.array ?? []).compactMap(NativeAuthCaseStory.init)
        }
        ConformanceFiles.announce(all.count, for: "NativeAuthCaseTests")
        return all
    }()
}

extension NativeAuthCaseStory.Scene {
    /// What the app sees, without the texts of the responses, which are specific to the service.
    var observation: String {
        let error = expected["error"]?.object
        let flags = (error?["flags"]?.array ?? []).compactMap(\.string)
        let retry = expected["state"]?.string != nil
        switch expected["callback"]?.string {
        case "onSignInCodeRequired", "onSignInResendCodeCodeRequired": return "SignInCodeRequiredState"
        case "onSignUpAttributesInvalid": return "invalid attributes"
        case "onSignInCompleted": return "account result"
        case "onAccessTokenRetrieveCompleted": return "token result"
        case "onAccessTokenRetrieveError": return "no token"
        case "return":
            return expected["values"]?.object?["result"] == .null || method == "signOut"
                ? "no account" : "account result"
        default: break
        }
        if error == nil { return expected["state"]?.string ?? "nothing" }
        if flags.contains("isBrowserRequired") { return "browser" }
        let reason = flags.first.map { $0.dropFirst(2).prefix(1).lowercased() + $0.dropFirst(3) } ?? "general"
        return "\(reason == "invalidChallenge" ? "invalidCode" : reason), retry \(retry)"
    }
}

extension NativeAuthObservation {
    /// The same description for what was observed.
    func text(of method: String) -> String {
        switch self {
        case .invalidAttributes: "invalid attributes"
        case .browserRequired: "browser"
        case .failure(let reason, let retry): method == "getAccessToken" ? "no token" : "\(reason), retry \(retry)"
        default: state ?? "nothing"
        }
    }
}
