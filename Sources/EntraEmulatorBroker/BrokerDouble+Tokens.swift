// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import MSALBase

/// Tokens without a window, and the format of the response.
extension BrokerDouble {
    func silently(_ request: BrokerRequest, substitute: BrokerFault?) async throws(BrokerRefusal) -> JSONValue {
        let parameters = try request.tokenRequest()
        try checkDevice()
        return try await token(
            parameters,
            for: silentAccount(request, parameters: parameters),
            request: request,
            substitute: substitute
        )
    }

    /// The account that the request specifies, or the only one.
    func silentAccount(_ request: BrokerRequest, parameters: TokenParameters) throws(BrokerRefusal) -> DeviceAccount {
        if let account = try account(of: request, for: parameters.clientID) { return account }
        let accounts = state.accounts(for: parameters.clientID)
        guard let only = accounts.first else { throw .accountNotFound }
        guard accounts.count == 1 else {
            throw BrokerRefusal(
                .interactionRequired,
                context: "Several accounts are signed in; the user has to choose one."
            )
        }
        return only
    }

    /// A token for an account, in the format of the response.
    func token(
        _ parameters: TokenParameters,
        for account: DeviceAccount,
        request: BrokerRequest,
        substitute: BrokerFault?
    ) async throws(BrokerRefusal) -> JSONValue {
        var (parameters, account) = (parameters, account)
        if let substitute { (parameters, account) = try await substituted(parameters, of: account, by: substitute) }
        let credential: String?
        do {
            credential = try emulator.deviceCredential(of: account.signIn.id, for: parameters.clientID)
        } catch {
            throw BrokerRefusal(.unexpected, context: "The device's credential could not be made.")
        }
        guard let credential else { throw .accountNotFound }
        // A broker that does not bind tokens returns a bearer token, even if a bound one was requested.
        let proof = signer == nil ? nil : parameters.proof
        let issued = try await tokens.tokens(
            parameters,
            credential: credential,
            confirmation: proof.flatMap { $0.keyID ?? signer?.keyID },
            correlationID: request.correlationID
        )
        var accessToken = issued.accessToken
        if let proof, proof.keyID == nil, let signer {
            accessToken = try signer.sign(proof, accessToken: accessToken, now: emulator.now)
        }
        return response(issued, accessToken: accessToken, isBound: proof != nil, of: account, to: request)
    }

    private func response(
        _ issued: IssuedTokens,
        accessToken: String,
        isBound: Bool,
        of account: DeviceAccount,
        to request: BrokerRequest
    ) -> JSONValue {
        let extended = Int(issued.extendedExpiresOn.timeIntervalSince1970)
        var members: [String: JSONValue] = [
            "accessToken": .string(accessToken), "accessTokenType": .int(isBound ? 1 : 0),
            "idToken": .string(issued.idToken), "clientInfo": .string(issued.clientInfo),
            "expiresOn": .int(Int(issued.expiresOn.timeIntervalSince1970 * 1000)),
            "grantedScopes": .string(issued.scope),
        ]
        // Himmelblau's response contains no account, and has this time in seconds.
        members["extendedExpiresOn"] = .int(dialect == .himmelblau ? extended : extended * 1000)
        if dialect != .himmelblau {
            members["account"] = description(
                of: account,
                environment: environment(request),
                profile: (issued.tenantID, issued.objectID)
            )
        }
        return .object(members)
    }

    /// The parameters and the account of another user, or of another app.
    private func substituted(
        _ parameters: TokenParameters,
        of account: DeviceAccount,
        by fault: BrokerFault
    ) async throws(BrokerRefusal) -> (TokenParameters, DeviceAccount) {
        var (parameters, account) = (parameters, account)
        do {
            if fault == .otherClient {
                guard let other = emulator.otherClient(than: parameters.clientID, at: parameters.redirectURI) else {
                    throw BrokerRefusal(.unexpected, context: "The directory has no other application of this kind.")
                }
                parameters.clientID = other
            } else {
                guard let other = try await emulator.otherUser(than: account.person) else {
                    throw BrokerRefusal(.unexpected, context: "The directory has no other user of this tenant.")
                }
                guard let signIn = try await emulator.signInToDevice(as: other, hasSecondFactor: true),
                    let person = try await emulator.person(of: signIn)
                else { throw BrokerRefusal.accountNotFound }
                account = DeviceAccount(signIn: signIn, person: person)
            }
            try await emulator.consent(of: account.signIn, to: parameters.clientID, scope: parameters.scope)
        } catch let refusal as BrokerRefusal {
            throw refusal
        } catch {
            throw BrokerRefusal(
                .unexpected,
                context: "The emulated broker could not create the tokens of another user or app."
            )
        }
        return (parameters, account)
    }
}
