// Licensed under the MIT License. See LICENSE.

import MSALCore

// The methods of MSAL 0.x and 1.x, so that old code compiles and works. Each calls the current method.

extension MSALPublicClientApplication {
    /// Creates an application with a client ID and an authority. With `nil`, the authority is
    /// `https://login.microsoftonline.com/common`.
    ///
    /// - Throws: The same errors as ``init(configuration:)``.
    @available(*, deprecated, message: "Use init(configuration:).")
    public convenience init(clientId: String, authority: MSALAuthority?) throws {
        try self.init(clientId: clientId, authority: authority, redirectUri: nil)
    }

    /// Creates an application with a client ID, an authority, and a redirect URI.
    ///
    /// - Throws: The same errors as ``init(configuration:)``.
    @available(*, deprecated, message: "Use init(configuration:).")
    public convenience init(clientId: String, authority: MSALAuthority?, redirectUri: String?) throws {
        try self.init(clientId: clientId, keychainGroup: nil, authority: authority, redirectUri: redirectUri)
    }

    /// Creates an application with a client ID, an authority, a redirect URI, and the name of a token store.
    ///
    /// - Throws: The same errors as ``init(configuration:)``.
    @available(*, deprecated, message: "Use init(configuration:).")
    public convenience init(
        clientId: String,
        keychainGroup: String?,
        authority: MSALAuthority?,
        redirectUri: String?
    ) throws {
        let configuration = MSALPublicClientApplicationConfig(
            clientId: clientId,
            redirectUri: redirectUri,
            authority: authority
        )
        if let keychainGroup { configuration.cacheConfig.keychainSharingGroup = keychainGroup }
        try self.init(configuration: configuration)
    }

    /// Whether to validate unknown authorities with the service; `true` by default.
    @available(*, deprecated, message: "Use knownAuthorities of the configuration.")
    public var validateAuthority: Bool {
        get { earlierSettings.validatesAuthority }
        set { earlierSettings.validatesAuthority = newValue }
    }

    /// The type of browser; on Linux, every value means the system browser.
    @available(*, deprecated, message: "Use MSALWebviewParameters.")
    public var webviewType: MSALWebviewType {
        get { earlierSettings.webviewType }
        set { earlierSettings.webviewType = newValue }
    }

    /// The app's own web view, which cannot be used on Linux: requests with it fail with the detail -42008.
    @available(*, deprecated, message: "Use MSALWebviewParameters.")
    public var customWebview: AnyObject? {
        get { earlierSettings.customWebview?.value }
        set { earlierSettings.customWebview = newValue.map { UncheckedSendable($0) } }
    }

    /// The account with this home account ID.
    ///
    /// - Throws: The same errors as ``account(forIdentifier:)``.
    @available(*, deprecated, renamed: "account(forIdentifier:)")
    public func account(forHomeAccountId homeAccountId: String) throws -> MSALAccount {
        try account(forIdentifier: homeAccountId)
    }

    /// The accounts in the cloud of the application's authority, with the errors of ``accountsFromDevice(for:)``.
    ///
    /// The block is called before this method returns.
    @preconcurrency
    @available(*, deprecated, message: "Use accountsFromDevice(for:).")
    public func allAccountsFiltered(
        byAuthority completionBlock: @escaping @Sendable ([MSALAccount]?, (any Error)?) -> Void
    ) {
        deliverImmediately(to: completionBlock, on: target(nil)) { () throws -> [MSALAccount] in
            let client = try throwingNSError { () throws(AuthError) in try self.client() }
            let hosts = client.authorities.environments(for: client.configuration.authorityRules.configured).lookup
            return try allAccounts().filter { hosts.contains($0.environment) }
        }
    }

    /// Passes a redirect to the sign-in that waits for it; see ``handleMSALResponse(_:sourceApplication:)``.
    ///
    /// - Returns: Whether a sign-in, in this process or another, was waiting for the redirect.
    @discardableResult
    public class func handleMSALResponse(_ response: URL) -> Bool {
        handleMSALResponse(response, sourceApplication: nil)
    }
}
