// Licensed under the MIT License. See LICENSE.

import MSAL

// Update this to the client ID that you received in the portal. The emulator accepts the text unchanged.
let kClientID = "Your_Application_Id_Here"
let kAuthority = "https://login.microsoftonline.com/common"
let kScopes = ["user.read"]

/// The tutorial's steps, under the tutorial's names.
@MainActor
final class ViewController {
    var applicationContext: MSALPublicClientApplication?
    var webViewParameters: MSALWebviewParameters?
    var currentAccount: MSALAccount?
    let window: Window
    /// The accounts whose photos have been requested.
    private var photographed: Set<String> = []

    init(window: Window) {
        self.window = window
    }

    // MARK: Start

    func viewDidLoad() {
        window.callGraph = { [self] in await callGraphAPI() }
        window.signIn = { [self] in await acquireTokenInteractively() }
        window.signOut = { [self] in await signOut() }
        window.getDeviceMode = { [self] in await getDeviceMode() }
        window.choose = { [self] account in choose(account) }
        window.cameToForeground = { [self] in await loadCurrentAccount() }
        window.cancel = { MSALPublicClientApplication.cancelCurrentWebAuthSession() }
        do {
            try initMSAL()
            window.updateLogging(text: "Ready.")
        } catch {
            show(error, title: "Unable to create Application Context")
        }
        updateCurrentAccount(account: nil)
        window.present()
        window.perform { [self] in await loadCurrentAccount() }
    }

    /// - Parameter allowsUnlockPrompt: Whether the desktop may ask the user to unlock the keyring, which stores the key of
    ///   the token store.
    func initMSAL(allowsUnlockPrompt: Bool = false) throws {
        guard let authorityURL = URL(string: kAuthority) else { throw URLError(.badURL) }
        let authority = try MSALAADAuthority(url: authorityURL)
        let msalConfiguration = MSALPublicClientApplicationConfig(
            clientId: kClientID,
            redirectUri: nil,
            authority: authority
        )
        // With a desktop entry of this name the redirect arrives through the app's scheme, and otherwise through loopback.
        msalConfiguration.applicationID = applicationID
        msalConfiguration.cacheConfig.allowsUnlockPrompt = allowsUnlockPrompt
        applicationContext = try MSALPublicClientApplication(configuration: msalConfiguration)
        initWebViewParams()
    }

    func initWebViewParams() {
        webViewParameters = MSALWebviewParameters(authPresentationViewController: window.parent)
    }

    // MARK: Accounts

    /// Queries the signed-in account whenever the app comes to the front, because another program may have changed it.
    @discardableResult func loadCurrentAccount() async -> MSALAccount? {
        guard let applicationContext else { return nil }
        do {
            let accounts = try await applicationContext.accountsFromDevice(for: MSALAccountEnumerationParameters())
            window.show(accounts)
            let account = accounts.first { $0.isEqual(currentAccount) } ?? accounts.first
            if let former = currentAccount, !accounts.contains(former) {
                window.updateLogging(text: "\(former.name) was signed out by another program.")
            }
            if currentAccount != account { updateCurrentAccount(account: account) }
            window.perform { [self] in await loadPhotos(of: accounts) }
        } catch {
            show(error, title: "Couldn't query current account")
        }
        return currentAccount
    }

    func choose(_ account: MSALAccount) {
        updateCurrentAccount(account: account)
        window.updateLogging(text: "\(account.name) is the current account.")
    }

    // MARK: Tokens

    func callGraphAPI() async {
        guard let account = await loadCurrentAccount() else {
            // We check to see if we have a current logged in account.
            // If we don't, then we need to sign someone in.
            guard let result = await acquireTokenInteractively() else { return }
            return await getContentWithToken(result)
        }
        await acquireTokenSilently(account)
    }

    @discardableResult func acquireTokenInteractively() async -> MSALResult? {
        guard let applicationContext, let webViewParameters else { return nil }
        let parameters = MSALInteractiveTokenParameters(scopes: kScopes, webviewParameters: webViewParameters)
        parameters.promptType = .selectAccount
        window.updateWaiting(true)
        defer { window.updateWaiting(false) }
        do {
            let result = try await applicationContext.acquireToken(with: parameters)
            window.updateLogging(text: "\(result.account.name) signed in.")
            updateCurrentAccount(account: result.account)
            await loadCurrentAccount()
            return result
        } catch let error as NSError where error.isMSAL(.userCanceled) {
            window.updateLogging(text: "The sign-in was canceled: \(error.reason)")
        } catch {
            show(error, title: "Could not acquire token")
        }
        return nil
    }

    func acquireTokenSilently(_ account: MSALAccount) async {
        guard let applicationContext else { return }
        let parameters = MSALSilentTokenParameters(scopes: kScopes, account: account)
        do {
            await getContentWithToken(try await applicationContext.acquireTokenSilent(with: parameters))
        } catch let error as NSError where error.isMSAL(.interactionRequired) {
            // interactionRequired means we need to ask the user to sign-in. This usually happens
            // when the user's Refresh Token is expired or if the user has changed their password
            // among other possible reasons.
            guard let result = await acquireTokenInteractively() else { return }
            await getContentWithToken(result)
        } catch {
            show(error, title: "Could not acquire token silently")
        }
    }

    func getContentWithToken(_ result: MSALResult) async {
        do {
            let response = try await graph("me", with: result)
            let content = try JSONSerialization.jsonObject(with: response.body)
            let text = try JSONSerialization.data(
                withJSONObject: content,
                options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            )
            window.updateLogging(text: "Result from Graph: \(response.status) \(String(decoding: text, as: UTF8.self))")
        } catch {
            show(error, title: "Couldn't get graph result")
        }
    }

    private func graph(_ path: String, with result: MSALResult) async throws -> MSALAPIResponse {
        guard let applicationContext else { throw CancellationError() }
        let host = try await applicationContext.graphHost(of: result.authority) ?? "graph.microsoft.com"
        guard let url = URL(string: "https://\(host)/v1.0/\(path)") else { throw URLError(.badURL) }
        // The request uses the library's HTTP client, which trusts the emulator's certificates. URLSession works as well.
        return try await applicationContext.send(MSALAPIRequest(url: url), with: result)
    }

    /// Fetches the photos of accounts, once for each. An account without a photo keeps its initials.
    private func loadPhotos(of accounts: [MSALAccount]) async {
        for account in accounts {
            guard let applicationContext, let id = account.identifier, photographed.insert(id).inserted else {
                continue
            }
            let parameters = MSALSilentTokenParameters(scopes: kScopes, account: account)
            do {
                let result = try await applicationContext.acquireTokenSilent(with: parameters)
                let photo = try await graph("me/photo/$value", with: result)
                if photo.status == 200 { window.show(photo.body, of: account) }
            } catch {
                // A missing photo is not worth a message. Any other problem shows up at the next button.
            }
        }
    }

    // MARK: Sign-out and device

    func signOut() async {
        guard let applicationContext, let webViewParameters, let account = currentAccount else { return }
        let signoutParameters = MSALSignoutParameters(webviewParameters: webViewParameters)
        signoutParameters.signoutFromBrowser = window.signsOutOfBrowser
        signoutParameters.onSignOutOutcome = { outcome in
            // It is called on any thread.
            Task { @MainActor in self.window.updateLogging(text: outcome.sentence) }
        }
        let usesBrowser = signoutParameters.signoutFromBrowser
        if usesBrowser { window.updateWaiting(true) }
        defer { if usesBrowser { window.updateWaiting(false) } }
        do {
            _ = try await applicationContext.signout(with: account, signoutParameters: signoutParameters)
            window.updateLogging(text: "Sign out of \(account.name) completed successfully.")
        } catch {
            show(error, title: "Couldn't sign out account")
        }
        // The account's tokens are removed here, whatever happened in the browser.
        updateCurrentAccount(account: nil)
        await loadCurrentAccount()
    }

    func getDeviceMode() async {
        guard let applicationContext else { return }
        do {
            let device = try await applicationContext.deviceInformation(with: nil)
            let modeString = device.deviceMode == .shared ? "shared" : "private"
            window.updateLogging(text: "Received device info. Device is in the \(modeString) mode.")
        } catch {
            show(error, title: "Device info not returned")
        }
    }

    // MARK: Output

    private func show(_ error: any Error, title: String) {
        let failure = (error as NSError).userInfo[MSALTokenStoreFailureKey] as? MSALTokenStoreFailure
        window.show(error, title: title, unlock: failure == .keyUnavailable ? unlock : nil)
    }

    /// Asks the desktop to unlock the keyring. The window stays responsive while the desktop prompts the user.
    private func unlock() async {
        do {
            try initMSAL(allowsUnlockPrompt: true)
            await loadCurrentAccount()
        } catch {
            show(error, title: "Unable to create Application Context")
        }
    }

    func updateCurrentAccount(account: MSALAccount?) {
        currentAccount = account
        window.updateAccount(account)
    }
}

extension MSALAccount {
    /// The name in the ID token, otherwise the user name.
    var name: String { accountClaims?["name"] as? String ?? username ?? "Somebody" }
}

extension MSALSignoutOutcome {
    /// The outcome for the browser's session, and what the user should do.
    var sentence: String {
        switch self {
        case .ended: "The browser is signed out, too."
        case .closed: "The sign-out in the browser was canceled. Close the browser, which may still be signed in."
        case .timedOut: "The browser did not return. Its page shows whether it is signed out."
        case .notOffered: "The service has no sign-out page. Close the browser, which is still signed in."
        default: "The sign-out in the browser ended with: \(rawValue)."
        }
    }
}

extension NSError {
    func isMSAL(_ error: MSALError) -> Bool { domain == MSALErrorDomain && code == error.rawValue }

    /// The problem, and what to do.
    var reason: String { userInfo[MSALErrorDescriptionKey] as? String ?? localizedDescription }
}
