// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase

/// The eight methods of a broker, based on the directory of an emulator.
struct BrokerDouble: Sendable {
    let emulator: Emulator
    let dialect: BrokerDialect
    let state: DeviceState
    let tokens: TokenService
    /// `nil` for a broker that does not bind tokens.
    let signer: ProofSigner?
    let describesDevice: Bool

    /// Executes a call. `substitute` is the fault that returns the tokens of another user or app.
    func respond(to request: BrokerRequest, substitute: BrokerFault? = nil) async throws(BrokerRefusal) -> JSONValue {
        switch request.method {
        case .getLinuxBrokerVersion: return try version(request)
        case .getAccounts: return try await accounts(request)
        case .acquireTokenSilently: return try await silently(request, substitute: substitute)
        case .acquireTokenInteractively: return try await interactively(request, substitute: substitute)
        case .acquirePrtSsoCookie: return try await cookie(request)
        case .generateSignedHttpRequest: return try await signedRequest(request)
        case .removeAccount: return try remove(request)
        case .cancelInteractiveFlow: return try cancel(request)
        }
    }

    private func version(_ request: BrokerRequest) throws(BrokerRefusal) -> JSONValue {
        guard dialect == .himmelblau || request.members["msalCppVersion"]?.nonEmptyString != nil else {
            throw .missing("msalCppVersion")
        }
        let version: JSONValue = ["linuxBrokerVersion": .string(dialect.version)]
        // Himmelblau reports nothing more, even if the device should be described.
        guard describesDevice, dialect != .himmelblau else { return version }
        // No known broker says this of the device. It is an extension (docs/emulator/Broker.md).
        var device: [String: JSONValue] = [
            "mode": state.isShared ? "shared" : "personal", "registered": .bool(!state.hasLeft),
        ]
        if !state.hasLeft {
            device["deviceId"] = .string(state.deviceID)
            device["tenantId"] = (state.accounts.first?.person.homeTenantID ?? emulator.organizationID)
                .map { .string($0) }
        }
        return version.adding(["deviceInfo": .object(device)])
    }

    private func accounts(_ request: BrokerRequest) async throws(BrokerRefusal) -> JSONValue {
        guard dialect != .himmelblau else {
            guard let user = state.accounts.first else { throw .noDeviceUser }
            return ["accounts": .array([description(of: user, environment: environment(request))])]
        }
        guard let clientID = request.members["clientId"]?.nonEmptyString else { throw .missing("clientId") }
        guard request.members["redirectUri"]?.nonEmptyString != nil else { throw .missing("redirectUri") }
        let environment = environment(request)
        return [
            "accounts": .array(state.accounts(for: clientID).map { description(of: $0, environment: environment) })
        ]
    }

    private func remove(_ request: BrokerRequest) throws(BrokerRefusal) -> JSONValue {
        guard dialect != .himmelblau else { throw .notImplemented }
        guard let clientID = request.clientID else { throw .missing("clientId") }
        guard let account = try account(of: request, for: clientID) else { throw .missing("account") }
        if state.isShared {
            // On a device for several users, the account is removed from the device.
            for signIn in state.removeAll() { emulator.signOutOfDevice(signIn.id) }
        } else {
            state.hide(account, from: clientID)
        }
        return [:]
    }

    private func cancel(_ request: BrokerRequest) throws(BrokerRefusal) -> JSONValue {
        guard dialect != .himmelblau else { throw .notImplemented }
        state.endWindow(of: request.correlationID, .canceled)
        return [:]
    }

    private func cookie(_ request: BrokerRequest) async throws(BrokerRefusal) -> JSONValue {
        let url = request.members["ssoUrl"]?.nonEmptyString ?? request.parameters?["ssoUrl"]?.nonEmptyString
        guard dialect == .himmelblau || url != nil else { throw .missing("ssoUrl") }
        try checkDevice()
        let clientID = request.clientID ?? ""
        let named = try account(of: request, for: clientID)
        guard let account = named ?? state.accounts(for: clientID).first else { throw .accountNotFound }
        let nonce = url.flatMap { URLComponents(string: $0)?.queryItems?.first { $0.name == "sso_nonce" }?.value }
        // The emulator keeps the sign-in as long as the account exists here, so a failure needs no separate reason.
        guard let content = try? emulator.deviceCookie(of: account.signIn.id, nonce: nonce) else {
            throw BrokerRefusal(.accountNotFound, context: "The account has no cookie.", himmelblau: .noCookie)
        }
        return [
            "account": cookieDescription(of: account, environment: environment(request)),
            "cookieName": "x-ms-RefreshTokenCredential", "cookieContent": .string(content),
        ]
    }

    private func signedRequest(_ request: BrokerRequest) async throws(BrokerRefusal) -> JSONValue {
        guard dialect != .himmelblau else { throw .notImplemented }
        guard let signer else {
            throw BrokerRefusal(.contractViolation, context: "This broker does not sign requests.")
        }
        guard let clientID = request.clientID else { throw .missing("clientId") }
        guard let parameters = request.members["popParams"], let home = parameters["homeAccountId"]?.nonEmptyString
        else {
            throw .missing("popParams")
        }
        guard let proof = ProofParameters(parameters.adding(["authenticationScheme": "pop"])) else {
            throw .missing("popParams")
        }
        guard state.accounts(for: clientID).contains(where: { $0.homeAccountID == home.lowercased() }) else {
            throw .accountNotFound
        }
        return ["signedHttpRequest": .string(try signer.sign(proof, accessToken: nil, now: emulator.now))]
    }
}
