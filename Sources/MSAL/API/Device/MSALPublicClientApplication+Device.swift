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
}
