// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL

/// A bridge's object for each call of the page.
final class PluginCall {
    private let done: ([String: Any]?, String?) -> Void

    init(_ done: @escaping ([String: Any]?, String?) -> Void) {
        self.done = done
    }

    func resolve(_ data: [String: Any]) { done(data, nil) }
    func reject(_ message: String) { done(nil, message) }
}

/// A plugin in the form of those for Capacitor: blocks are passed on, and errors are matched by the names of former versions.
final class CapacitorBridge {
    private let context: MSALPublicClientApplication

    init() throws {
        context = try Bench.application()
        MSALGlobalConfig.telemetryConfig.telemetryCallback = { event in
            if event["access_token"] != nil { Bench.fail("telemetry shows a token") }
        }
    }

    func login(_ call: PluginCall) {
        let completion: (MSALResult?) -> Void = { result in
            guard let result = result else { return call.reject("Unable to obtain access token") }
            call.resolve([
                "accessToken": result.accessToken, "idToken": result.idToken as Any, "scopes": result.scopes,
                "expiresOn": ISO8601DateFormatter().string(from: result.expiresOn),
            ])
        }
        loadCurrentAccount { account in
            guard let account = account else { return self.acquireTokenInteractively(completion: completion) }
            self.acquireTokenSilently(account, completion: completion)
        }
    }

    func logout(_ call: PluginCall) {
        loadCurrentAccount { account in
            guard let account = account else { return call.reject("Nothing to sign-out from.") }
            self.context.signout(with: account, signoutParameters: MSALSignoutParameters()) { success, error in
                success ? call.resolve([:]) : call.reject("Unable to log out: \(String(describing: error))")
            }
        }
    }

    func account(named name: String) -> String {
        do {
            return try context.account(forIdentifier: name).username ?? ""
        } catch let error as NSError {
            switch MSALInternalError(rawValue: error.userInfo[MSALInternalErrorCodeKey] as? Int ?? 0) {
            case .errorAccountRequired: return "nobody"
            case .invalidParameter?: return "a bad name"
            case .brokerNotAvailable: return "no broker"
            default: return "\(error)"
            }
        }
    }

    private func loadCurrentAccount(completion: @escaping (MSALAccount?) -> Void) {
        let parameters = MSALParameters()
        parameters.completionBlockQueue = DispatchQueue.main
        context.getCurrentAccount(with: parameters) { current, _, error in
            dispatchPrecondition(condition: .onQueue(.main))
            Bench.expect(error)
            completion(current)
        }
    }

    private func acquireTokenInteractively(completion: @escaping (MSALResult?) -> Void) {
        let parameters = MSALInteractiveTokenParameters(
            scopes: Bench.scopes,
            webviewParameters: MSALWebviewParameters()
        )
        parameters.completionBlockQueue = DispatchQueue.main
        let block: MSALCompletionBlock = { result, error in
            Bench.expect(error)
            completion(result)
        }
        context.acquireToken(with: parameters, completionBlock: block)
    }

    private func acquireTokenSilently(_ account: MSALAccount, completion: @escaping (MSALResult?) -> Void) {
        let parameters = MSALSilentTokenParameters(scopes: Bench.scopes, account: account)
        context.acquireTokenSilent(with: parameters) { result, error in
            if let error = error as NSError? {
                guard error.domain == MSALErrorDomain, error.code == MSALError.interactionRequired.rawValue else {
                    return Bench.expect(error)
                }
                return self.acquireTokenInteractively(completion: completion)
            }
            completion(result)
        }
    }
}

@main struct Main {
    static func main() throws {
        try Page.load()
        RunLoop.main.run()
    }
}

/// Blocks of silent calls run on any thread, so what they call must not be isolated to the main actor, as `main` is.
enum Page {
    static func load() throws {
        let bridge = try CapacitorBridge()
        Bench.expect(bridge.account(named: "nobody.nowhere") == "nobody", bridge.account(named: "nobody.nowhere"))
        bridge.login(
            PluginCall { first, message in
                Bench.expect(message == nil, message ?? "")
                bridge.login(
                    PluginCall { second, _ in
                        let tokens = [first, second].map { $0?["accessToken"] as? String }
                        Bench.expect(tokens[0] != nil && tokens[0] == tokens[1], "the stored token was not returned")
                        bridge.logout(
                            PluginCall { data, message in
                                Bench.expect(data != nil, message ?? "")
                                Bench.pass()
                            }
                        )
                    }
                )
            }
        )
    }
}
