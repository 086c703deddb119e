// Licensed under the MIT License. See LICENSE.

import EntraEmulator
import Foundation
import Glibc
import MSALBase

/// The window of an interactive call.
extension BrokerDouble {
    func interactively(_ request: BrokerRequest, substitute: BrokerFault?) async throws(BrokerRefusal) -> JSONValue {
        guard dialect != .himmelblau else { return try await atPrompt(request, substitute: substitute) }
        let parameters = try request.tokenRequest()
        try checkDevice()
        if let error = emulator.refusal(ofClient: parameters.clientID, redirectURI: parameters.redirectURI) {
            throw BrokerRefusal(error)
        }
        if let response = try await withoutWindow(request, parameters: parameters, substitute: substitute) {
            return response
        }
        let account = try await windowAccount(request, parameters: parameters)
        // By signing in again, a user restores an account that was removed.
        state.show(account, to: parameters.clientID)
        return try await token(parameters, for: account, request: request, substitute: substitute)
    }

    /// At each call, Himmelblau prompts the user of the request's account, and then continues without a window.
    private func atPrompt(_ request: BrokerRequest, substitute: BrokerFault?) async throws(BrokerRefusal) -> JSONValue {
        guard request.account?["username"]?.nonEmptyString != nil else {
            throw BrokerRefusal(.contractViolation, context: "There is no user name.", himmelblau: .missingUsername)
        }
        let parameters = try request.tokenRequest()
        do throws(BrokerRefusal) {
            _ = try await windowAccount(request, parameters: parameters)
        } catch {
            throw BrokerRefusal(status: error.status, context: error.context, himmelblau: .failedPrompt)
        }
        return try await silently(request, substitute: substitute)
    }

    /// The response without a window; `nil` if a window is required.
    private func withoutWindow(
        _ request: BrokerRequest,
        parameters: TokenParameters,
        substitute: BrokerFault?
    ) async throws(BrokerRefusal) -> JSONValue? {
        guard parameters.prompt == nil, request.account != nil || request.username != nil else { return nil }
        do throws(BrokerRefusal) {
            let account = try silentAccount(request, parameters: parameters)
            return try await token(parameters, for: account, request: request, substitute: substitute)
        } catch {
            let helped: [BrokerRefusal.Status] = [.interactionRequired, .accountNotFound]
            guard helped.map(\.rawValue).contains(error.status) else { throw error }
            return nil
        }
    }

    /// The account with which the window ends.
    private func windowAccount(
        _ request: BrokerRequest,
        parameters: TokenParameters
    ) async throws(BrokerRefusal) -> DeviceAccount {
        let former = state.accounts
        let result = try await window(request, parameters: parameters)
        let signIn: DeviceSignIn
        switch result {
        case .refused(let error): throw BrokerRefusal(error)
        case .signedIn(let userID, let authenticatedAt, let hasSecondFactor, let contexts):
            signIn = emulator.signInToDevice(
                userID: userID,
                authenticatedAt: authenticatedAt,
                hasSecondFactor: hasSecondFactor,
                authenticationContexts: contexts
            )
        }
        // An error of the store counts as a removed account, which is the usual reason.
        guard let person = try? await emulator.person(of: signIn) else { throw .accountNotFound }
        let account = DeviceAccount(signIn: signIn, person: person)
        if state.isShared, let user = former.first, user.homeAccountID != account.homeAccountID {
            emulator.signOutOfDevice(signIn.id)
            throw BrokerRefusal(.userSwitch, context: "Another user is signed in to this shared device.")
        }
        if let wanted = request.homeAccountID, wanted != account.homeAccountID {
            emulator.signOutOfDevice(signIn.id)
            throw BrokerRefusal(.accountSwitch, context: "A different user signed in than the one requested.")
        }
        for ended in state.add(account, asDeviceUser: former.isEmpty) { emulator.signOutOfDevice(ended.id) }
        return account
    }

    private func window(
        _ request: BrokerRequest,
        parameters: TokenParameters
    ) async throws(BrokerRefusal) -> BrokerWindowResult {
        switch state.window {
        case .closed: throw BrokerRefusal(.userCanceled, context: "The user closed the window.")
        case .nobody: return try await end(of: state.window(of: request.correlationID))
        case .browser(let command): return try await page(by: command, request: request, parameters: parameters)
        case .deviceUser:
            let named =
                state.accounts.first { request.homeAccountID == $0.homeAccountID }
                ?? request.username.flatMap { name in state.accounts.first { $0.isNamed(name) } }
            guard let user = named ?? state.accounts.first else {
                throw BrokerRefusal(
                    .unexpected,
                    context:
                        "No user is signed in to the device. Sign a user in, or open the window in a browser."
                )
            }
            return try await agree(user.person.userPrincipalName, to: parameters)
        case .person(let name): return try await agree(name, to: parameters)
        }
    }

    /// The user consents to everything that the pages would request.
    private func agree(
        _ userName: String,
        to parameters: TokenParameters
    ) async throws(BrokerRefusal) -> BrokerWindowResult {
        do {
            guard let signIn = try await emulator.signInToDevice(as: userName, hasSecondFactor: true) else {
                throw BrokerRefusal(.accountNotFound, context: "The directory has no user '\(userName)'.")
            }
            defer { emulator.signOutOfDevice(signIn.id) }
            try await emulator.consent(of: signIn, to: parameters.clientID, scope: parameters.scope)
            return .signedIn(
                userID: signIn.userID,
                authenticatedAt: signIn.authenticatedAt,
                hasSecondFactor: true,
                authenticationContexts: RequestedClaims.authenticationContexts(ifAnyIn: parameters.claims)
            )
        } catch let refusal as BrokerRefusal {
            throw refusal
        } catch let error as ServiceError {
            throw BrokerRefusal(error)
        } catch {
            throw BrokerRefusal(.unexpected, context: "The emulated broker's window failed.")
        }
    }

    /// Opens the emulator's page in a browser, and waits in this process for the result.
    private func page(
        by command: [String],
        request: BrokerRequest,
        parameters: TokenParameters
    ) async throws(BrokerRefusal) -> BrokerWindowResult {
        let state = UUID().uuidString.lowercased()
        let results = emulator.brokerWindow(state: state)
        let ends = self.state.window(of: request.correlationID)
        let address = authorizationAddress(parameters, state: state, loginHint: request.username)
        try BrokerPageOpener.open(address, with: command)
        // It ends with the page, or when the loop below no longer waits for it.
        let forwarding = Task {
            for await result in results { self.state.endWindow(of: request.correlationID, .page(result)) }
        }
        defer { forwarding.cancel() }
        return try await end(of: ends)
    }

    private func end(of ends: AsyncStream<DeviceState.WindowEnd>) async throws(BrokerRefusal) -> BrokerWindowResult {
        for await end in ends {
            switch end {
            case .page(let result): return result
            case .canceled: throw BrokerRefusal(.applicationCanceled, context: "The app gave up.")
            }
        }
        throw BrokerRefusal(.applicationCanceled, context: "The broker ends.")
    }

    private func authorizationAddress(_ parameters: TokenParameters, state: String, loginHint: String?) -> String {
        var query = [
            ("client_id", parameters.clientID), ("response_type", "code"), ("scope", parameters.scope),
            ("redirect_uri", parameters.redirectURI), ("state", state), ("code_challenge_method", "S256"),
            // The code is never redeemed: the sign-in itself stays in this process.
            ("code_challenge", Data((0..<32).map { _ in UInt8.random(in: .min ... .max) }).base64URL),
        ]
        if let loginHint { query.append(("login_hint", loginHint)) }
        if let prompt = parameters.prompt { query.append(("prompt", prompt)) }
        if let claims = parameters.claims { query.append(("claims", claims)) }
        let names = Set(query.map(\.0))
        query += parameters.extraQueryParameters.filter { !names.contains($0.key) }.sorted { $0.key < $1.key }
            .map { ($0.key, $0.value) }
        let tenant = parameters.tenant.percentEncoded()
        return "https://\(parameters.hostField)/\(tenant)/oauth2/v2.0/authorize?\(FormValues.encode(query))"
    }
}

/// Starts the program that shows a page.
enum BrokerPageOpener {
    /// Starts the program without waiting for its end.
    ///
    /// - Throws: The error response to the call, with the reason.
    static func open(_ address: String, with command: [String]) throws(BrokerRefusal) {
        let environment = ProcessInfo.processInfo.environment
        guard let name = command.first, let program = ChildProcess.executable(name, in: environment) else {
            throw refusal("there is no program \(command.first ?? "in the command")")
        }
        let browser: ChildProcess
        do throws(ChildProcess.Failure) {
            browser = try .silent(
                program,
                arguments: command.dropFirst() + [address],
                environment: environment,
                errors: STDERR_FILENO
            )
        } catch {
            throw refusal(error.description)
        }
        // An exited process keeps its ID until a process waits for it.
        Thread.detachNewThread { _ = browser.wait() }
    }

    private static func refusal(_ reason: String) -> BrokerRefusal {
        BrokerRefusal(.unexpected, context: "The window's program could not be started: \(reason).")
    }
}
