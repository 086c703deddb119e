// Licensed under the MIT License. See LICENSE.

extension MSALPublicClientApplication {
    /// The implementation of ``deviceInformation(with:)``.
    func deviceInformation() async throws -> MSALDeviceInformation {
        try await correlated { () async throws(AuthError) in MSALDeviceInformation(try await client().broker.device()) }
    }

    /// The same, but passes the result to a completion block.
    func deviceInformation(with parameters: MSALParameters?, to block: @escaping Completion<MSALDeviceInformation>) {
        deliverQuery(to: block, on: parameters?.completionBlockQueue) { () throws(AuthError) in
            try client().broker.checkUse()
            return MSALDeviceInformation()
        } withBroker: {
            try await self.deviceInformation()
        }
    }

    /// The implementation of ``wpjMetaDataDevice(with:forTenantId:)``.
    func deviceRegistration(in tenantID: String?) async throws -> MSALWPJMetaData {
        try await correlated { () async throws(AuthError) in
            MSALWPJMetaData(try await client().broker.registration(tenantID: tenantID))
        }
    }

    /// The same, but passes the result to a completion block.
    func deviceRegistration(
        in tenantID: String?,
        with parameters: MSALParameters?,
        to block: @escaping Completion<MSALWPJMetaData>
    ) {
        deliverQuery(to: block, on: parameters?.completionBlockQueue) { () throws(AuthError) in
            _ = try client()
            return MSALWPJMetaData()
        } withBroker: {
            try await self.deviceRegistration(in: tenantID)
        }
    }

    /// The error of ``deviceToken(with:)``.
    func deviceTokenError(_ parameters: MSALDeviceTokenParameters) -> AuthError {
        let isBlank = [parameters.resource, parameters.tenantId ?? ""].contains { $0.allSatisfy(\.isWhitespace) }
        return isBlank
            ? AuthError(.invalidParameter, message: "A device token needs a resource and a tenant.")
            : AuthError(
                .deviceNotRegistered,
                message: "No device token is available: identity brokers on Linux have no call that issues one."
            )
    }

    /// The error of ``deviceTokenForSharedDevice(withResource:scopes:)``.
    var notShared: AuthError {
        AuthError(
            .unexpected,
            message: "No shared-device token is available: identity brokers on Linux have no call that issues one."
        )
    }

    /// Returns cookies with which a browser opens the sign-in page as the user of this device, without a prompt.
    ///
    /// They are requested from the identity broker each time: nothing is stored. Linux only.
    ///
    /// - Parameters:
    ///   - url: The sign-in page to open, at the host of the authority. If its query has the service's `sso_nonce`, the
    ///     cookie is valid once; otherwise for some minutes.
    ///   - account: The account to sign in; `nil` uses the only one that the broker has.
    /// - Returns: At least one cookie.
    /// - Throws: `NSError` with ``MSALError/internal`` and the detail -42000 for a URL that does not belong to the
    ///   authority: correct it; -42102 if the broker has several accounts: name one; -42106 if it does not have the
    ///   account: sign in first; -42714 if no broker is available: open the page without a cookie; -42700, -42705, or
    ///   -42711 if the broker failed. ``MSALError/interactionRequired`` if the user must sign in first.
    public func ssoCookies(for url: URL, account: MSALAccount? = nil) async throws -> [MSALSSOCookie] {
        let homeAccountID = account?.identifier
        return try await correlated { () async throws(AuthError) in
            try await client().broker.ssoCookies(for: url, homeAccountID: homeAccountID).map(MSALSSOCookie.init)
        }
    }
}
