// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL
import MSALTesting

/// A stub in the form of those in apps' test suites: it stores what to return, and counts its calls.
class ApplicationStub: MSALPublicClientApplication {
    var result: MSALResult?
    var error: NSError?
    var accounts: [MSALAccount] = []
    var calls: [String] = []

    override init(configuration: MSALPublicClientApplicationConfig) throws {
        try super.init(configuration: configuration)
    }

    override func acquireTokenSilent(
        with parameters: MSALSilentTokenParameters,
        completionBlock: @escaping MSALCompletionBlock
    ) {
        calls.append("silent")
        completionBlock(nil, error)
    }

    override func acquireToken(
        with parameters: MSALInteractiveTokenParameters,
        completionBlock: @escaping MSALCompletionBlock
    ) {
        calls.append("interactive")
        completionBlock(result, nil)
    }

    override func acquireTokenSilent(with parameters: MSALSilentTokenParameters) async throws -> MSALResult {
        guard let result = result else { throw NSError.msal(.interactionRequired) }
        return result
    }

    override func acquireToken(with parameters: MSALInteractiveTokenParameters) async throws -> MSALResult {
        throw NSError.msal(.userCanceled)
    }

    override func getCurrentAccount(
        with parameters: MSALParameters?,
        completionBlock: @escaping MSALCurrentAccountCompletionBlock
    ) {
        completionBlock(accounts.first, nil, nil)
    }

    override func currentAccount(with parameters: MSALParameters?) async throws -> (MSALAccount?, MSALAccount?) {
        (accounts.first, nil)
    }

    override func accountsFromDevice(
        for parameters: MSALAccountEnumerationParameters,
        completionBlock: @escaping MSALAccountsCompletionBlock
    ) {
        completionBlock(accounts, nil)
    }

    override func allAccounts() throws -> [MSALAccount] { accounts }

    override func account(forIdentifier identifier: String) throws -> MSALAccount {
        guard let account = accounts.first(where: { $0.identifier == identifier }) else {
            throw NSError.msal(detail: .internalErrorAccountRequired)
        }
        return account
    }

    override func remove(_ account: MSALAccount) throws { accounts.removeAll { $0 == account } }

    override func signout(
        with account: MSALAccount,
        signoutParameters: MSALSignoutParameters,
        completionBlock: @escaping MSALSignoutCompletionBlock
    ) {
        calls.append("sign-out")
        completionBlock(true, nil)
    }

    override func getDeviceInformation(
        with parameters: MSALParameters?,
        completionBlock: @escaping MSALDeviceInformationCompletionBlock
    ) {
        completionBlock(MSALDeviceInformation(deviceMode: .shared), nil)
    }

    override class func cancelCurrentWebAuthSession() -> Bool { true }
    override class func handleMSALResponse(_ response: URL, sourceApplication: String?) -> Bool { true }
    override class var sdkVersion: String? { "stub" }
    override var isCompatibleAADBrokerAvailable: Bool { true }
    override var configuration: MSALPublicClientApplicationConfig { .init(clientId: "stub") }
}

/// Handles the errors of all operations of native authentication in one place.
func needsBrowser(_ error: MSALNativeAuthError) -> Bool { error.isBrowserRequired }

/// Calls of version 0.x, with the optional account that its methods returned.
func signOut(_ account: MSALAccount?, of application: MSALPublicClientApplication) throws {
    try application.remove(account)
    application.signout(with: account, signoutParameters: MSALSignoutParameters()) { _, _ in }
}

/// The app's code, which knows only the library's class.
final class SessionStore: Sendable {
    private let application: MSALPublicClientApplication

    init(_ application: MSALPublicClientApplication) {
        self.application = application
    }

    func token(completion: @escaping (String?) -> Void) {
        application.getCurrentAccount(with: nil) { account, _, _ in
            guard let account = account else { return completion(nil) }
            let silent = MSALSilentTokenParameters(scopes: ["Mail.Read"], account: account)
            self.application.acquireTokenSilent(with: silent) { result, error in
                guard (error as NSError?)?.code == MSALError.interactionRequired.rawValue else {
                    return completion(result?.accessToken)
                }
                let parameters = MSALInteractiveTokenParameters(scopes: ["Mail.Read"])
                self.application.acquireToken(with: parameters) { result, _ in completion(result?.accessToken) }
            }
        }
    }

    func modernToken(_ account: MSALAccount) async throws -> String {
        try await application.acquireTokenSilent(
            with: MSALSilentTokenParameters(scopes: ["Mail.Read"], account: account)
        ).accessToken
    }
}

@main struct TestSuite {
    static func main() async throws {
        let megan = MSALAccount(username: "megan@contoso.com", claims: ["name": "Megan"])
        let stub = try ApplicationStub(configuration: MSALPublicClientApplicationConfig(clientId: "client"))
        stub.accounts = [megan]
        stub.error = NSError.msal(.interactionRequired, description: "The sign-in has ended.")
        let mail = MSALTokenParameters(scopes: ["Mail.Read"])
        stub.result = MSALResult(accessToken: "made up", account: megan, parameters: mail)

        let session = SessionStore(stub)
        var token: String?
        session.token { token = $0 }
        Bench.expect(token == "made up", "the stub was not called: \(token ?? "no token")")
        Bench.expect(stub.calls == ["silent", "interactive"], "the calls were \(stub.calls)")
        let modern = try await session.modernToken(megan)
        Bench.expect(modern == "made up", "the asynchronous form was not overridden")
        Bench.expect(stub.configuration.clientId == "stub", "the configuration was not overridden")
        try signOut(megan, of: stub)
        Bench.expect(stub.accounts.isEmpty && stub.calls.last == "sign-out", "an optional account reached no override")
        try signOut(nil, of: stub)
        stub.accounts = [megan]

        let application: MSALPublicClientApplication = stub
        let name = try application.account(forIdentifier: megan.identifier ?? "").accountClaims?["name"] as? String
        Bench.expect(name == "Megan", "the account has no claims")
        try application.remove(megan)
        do {
            _ = try application.account(forIdentifier: megan.identifier ?? "")
            Bench.fail("the account was not removed")
        } catch let error as NSError {
            Bench.expect(error.userInfo[MSALInternalErrorCodeKey] as? Int == -42106, "\(error)")
        }
        application.getDeviceInformation(with: nil) { information, _ in
            Bench.expect(information?.deviceMode == .shared, "the device is not the stub's")
        }
        Bench.expect(type(of: application).sdkVersion == "stub", "a class property is not overridden")
        Bench.expect(application.isCompatibleAADBrokerAvailable, "a property is not overridden")
        Bench.expect(type(of: application).cancelCurrentWebAuthSession(), "a class method is not overridden")
        Bench.pass()
    }
}
