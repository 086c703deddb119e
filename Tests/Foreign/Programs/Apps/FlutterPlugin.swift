// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL

/// A plugin in the form of those for Flutter: account queries are handled where they are made.
final class FlutterPlugin {
    private let pca: MSALPublicClientApplication

    init() throws {
        MSALGlobalConfig.shouldRequestBoundAppRefreshTokens = true
        pca = try Bench.application()
    }

    func handle(_ method: String, result: @escaping (Any?) -> Void) {
        switch method {
        case "getCurrentAccount": result(getCurrentAccount()?.username)
        case "getAccounts": result(getAccounts())
        case "isSharedDevice": result(isSharedDevice())
        case "acquireToken": acquireToken(result: result)
        case "acquireTokenSilent": acquireTokenSilent(result: result)
        default: Bench.fail("no method \(method)")
        }
    }

    private func getCurrentAccount() -> MSALAccount? {
        var account: MSALAccount?
        let p = MSALParameters()
        pca.getCurrentAccount(with: p) { a, _, _ in account = a }
        return account
    }

    private func getAccounts() -> [String] {
        var names: [String] = []
        pca.accountsFromDevice(for: MSALAccountEnumerationParameters()) { accounts, error in
            Bench.expect(error)
            names = accounts?.compactMap { $0.username } ?? []
        }
        return names
    }

    private func isSharedDevice() -> Bool {
        var isShared = true
        pca.getDeviceInformation(with: nil) { information, _ in
            isShared = information?.deviceMode == .shared || information?.hasAADSSOExtension == true
        }
        return isShared
    }

    private func acquireToken(result: @escaping (Any?) -> Void) {
        let parameters = MSALInteractiveTokenParameters(
            scopes: Bench.scopes,
            webviewParameters: MSALWebviewParameters()
        )
        pca.acquireToken(with: parameters) { token, error in
            dispatchPrecondition(condition: .onQueue(.main))
            Bench.expect(error)
            result(token?.accessToken)
        }
    }

    private func acquireTokenSilent(result: @escaping (Any?) -> Void) {
        var refusal: Error?
        pca.acquireTokenSilent(with: MSALSilentTokenParameters(scopes: ["openid"], account: getCurrentAccount())) {
            refusal = $1
        }
        Bench.expect(refusal != nil, "a reserved scope is not rejected before the call returns")
        let parameters = MSALSilentTokenParameters(scopes: Bench.scopes, account: getCurrentAccount())
        pca.acquireTokenSilent(with: parameters) { token, error in
            Bench.expect(error)
            guard let end = token?.expiresOn, end > Date() else { Bench.fail("the token has no expiry") }
            result(token?.accessToken)
        }
    }
}

@main struct Host {
    static func main() throws {
        let plugin = try FlutterPlugin()
        var before: Any? = ""
        plugin.handle("getCurrentAccount") { before = $0 }
        Bench.expect(before == nil, "a user is already signed in")
        plugin.handle("acquireToken") { token in
            Bench.expect((token as? String)?.isEmpty == false, "there is no token")
            var name: Any?
            plugin.handle("getCurrentAccount") { name = $0 }
            Bench.expect(name as? String == Bench.user, "no user is found after the sign-in")
            plugin.handle("getAccounts") { name = $0 }
            Bench.expect(name as? [String] == [Bench.user], "no account is found after the sign-in")
            plugin.handle("isSharedDevice") { name = $0 }
            Bench.expect(name as? Bool == false, "the device is in shared mode")
            plugin.handle("acquireTokenSilent") { token in
                Bench.expect((token as? String)?.isEmpty == false, "there is no stored token")
                Bench.pass()
            }
        }
        RunLoop.main.run()
    }
}
