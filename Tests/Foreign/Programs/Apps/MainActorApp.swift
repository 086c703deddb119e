// Licensed under the MIT License. See LICENSE.

import Bench
import Foundation
import MSAL

/// An app in the form of a view controller: its class is isolated to the main actor, and its blocks use it.
@MainActor
final class ViewController {
    private var text = ""
    private var account: MSALAccount?
    private var application: MSALPublicClientApplication?
    private var steps: [String] = []

    func viewDidLoad() throws {
        MSALGlobalConfig.loggerConfig.setLogCallback { _, line, _ in
            if line?.contains("eyJ") == true { Bench.fail("a log line shows a token") }
        }
        application = try Bench.application()
        loadCurrentAccount()
        signIn()
    }

    private func loadCurrentAccount(completion: ((MSALAccount?) -> Void)? = nil) {
        let parameters = MSALParameters()
        parameters.completionBlockQueue = DispatchQueue.main
        application?.getCurrentAccount(with: parameters) { current, previous, error in
            dispatchPrecondition(condition: .onQueue(.main))
            if let error {
                self.update("Couldn't query the current account: \(error)")
                return
            }
            self.account = current
            completion?(current)
        }
    }

    private func signIn() {
        let webview = MSALWebviewParameters(authPresentationViewController: self)
        let parameters = MSALInteractiveTokenParameters(scopes: Bench.scopes, webviewParameters: webview)
        parameters.promptType = .selectAccount
        application?.acquireToken(with: parameters) { [weak self] result, error in
            guard let self else { return }
            dispatchPrecondition(condition: .onQueue(.main))
            Bench.expect(error)
            self.account = result?.account
            self.update("signed in \(result?.account.username ?? "")")
            // A nested isolated closure, which checks where it runs.
            let show: @MainActor (String) -> Void = { line in self.steps.append(line) }
            MainActor.assumeIsolated { show("sign-in") }
            Task { @MainActor in self.renew() }
        }
    }

    private func renew() {
        guard let account else { Bench.fail("there is no account after the sign-in") }
        let parameters = MSALSilentTokenParameters(scopes: Bench.scopes, account: account)
        application?.acquireTokenSilent(with: parameters) { result, error in
            dispatchPrecondition(condition: .notOnQueue(.main))
            Bench.expect(error)
            DispatchQueue.main.async {
                self.update("renewed for \(result?.account.username ?? "")")
                self.steps.append("silent")
                self.signOut()
            }
        }
    }

    private func signOut() {
        let parameters = MSALSignoutParameters(webviewParameters: MSALWebviewParameters())
        application?.signout(with: account, signoutParameters: parameters) { success, error in
            dispatchPrecondition(condition: .onQueue(.main))
            Bench.expect(error)
            self.account = nil
            self.update("signed out: \(success)")
            MainActor.assumeIsolated { self.finish() }
        }
    }

    private func update(_ line: String) {
        text += line + "\n"
    }

    private func finish() {
        Bench.expect(steps == ["sign-in", "silent"], "the steps were \(steps)")
        Bench.expect(text.contains("signed in \(Bench.user)"), text)
        Bench.expect(text.contains("signed out: true"), text)
        Bench.pass()
    }
}

@main struct MainActorApp {
    @MainActor static func main() throws {
        let controller = ViewController()
        try controller.viewDidLoad()
        RunLoop.main.run()
    }
}
