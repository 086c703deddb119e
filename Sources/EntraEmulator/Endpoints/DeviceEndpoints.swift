// Licensed under the MIT License. See LICENSE.

import Foundation
import Hummingbird
import MSALBase

/// `POST /{tenant}/oauth2/v2.0/devicecode`, and the page `/devicelogin` where the user enters the code.
struct DeviceEndpoints: Sendable {
    let directory: ServedDirectory
    let deviceCodes: DeviceCodes
    let pages: Pages
    let signIn: SignIn

    private static let lifetime = 900
    // Letters and digits that are easy to distinguish and do not spell words.
    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ23456789")

    /// RFC 8628 §3.1: issues the two codes for a device.
    func begin(_ exchange: Exchange, tenant segment: TenantSegment) throws -> Response {
        let selector = try directory.selector(for: segment)
        let form = exchange.form
        let client = try directory.client(of: form)
        _ = try client.admitted(selector, called: segment.tenant)
        let scopes = try RequestedScopes.parse(
            exchange.scope,
            in: directory,
            passingOverUnknown: exchange.isVersion1
        )
        let deviceCode = Secret.random(bytes: 48)
        var generator = SystemRandomNumberGenerator()
        let userCode = String((0..<9).compactMap { _ in Self.alphabet.randomElement(using: &generator) })
        deviceCodes.add(
            DeviceCodes.Request(
                id: deviceCode.digest,
                userCode: userCode,
                tenantSegment: segment,
                clientID: client.clientID,
                scopes: scopes,
                capabilities: RequestedClaims.capabilities(ifAnyIn: form["claims"]),
                expiresAt: exchange.now.addingTimeInterval(TimeInterval(Self.lifetime))
            )
        )
        let address = "\(exchange.publicBase)/devicelogin"
        return .json([
            "user_code": .string(userCode),
            "device_code": .string(deviceCode.exposed),
            "verification_uri": .string(address),
            "expires_in": .int(Self.lifetime),
            "interval": .int(DeviceCodes.firstInterval),
            "message": .string(
                "To sign in, open the page \(address) in a web browser and enter the code \(userCode)."
            ),
        ])
    }

    /// Accepts the code, then continues like any sign-in.
    ///
    /// The account picker always comes first: a code that another person sent must not sign the user in without
    /// confirmation.
    func enter(_ exchange: Exchange) async throws -> Response {
        // A code sent from another site may belong to an attacker, so the user has to press the button.
        guard exchange.method == .post, !exchange.isFromOtherSite else {
            return pages.device(typed: exchange.parameters["otc"] ?? "", problem: nil)
        }
        let typed = exchange.form["otc"] ?? ""
        guard let device = deviceCodes.pending(userCode: typed, now: exchange.now),
            let client = directory.application(device.clientID)
        else { return pages.device(typed: typed, problem: .unknownUserCode) }
        var request = AuthorizeRequest(
            tenantSegment: device.tenantSegment,
            selector: try client.admitted(
                directory.selector(for: device.tenantSegment),
                called: device.tenantSegment.tenant
            ),
            client: client,
            target: .device(id: device.id),
            scopes: device.scopes,
            pageOptions: .init(prompt: .selectAccount)
        )
        request.capabilities = device.capabilities
        return try await signIn.begin(request, exchange: exchange)
    }
}
