// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// One call of the app in a V2 flow: its request, and those that follow from the responses, until the flow waits for
/// the app again (docs/reference/NativeAuthV2.md#actions).
struct FlowRun {
    let client: NativeAuthClient
    var flow: NativeAuth.Flow
    /// The kind of the last request, which determines the next step.
    var context = Context.other
    private var requestsLeft = 1 + 10
    private var pollsLeft = 5
    private var isFirstRequest = true

    /// The kind of request that was sent.
    enum Context {
        case other
        case challenge(NativeAuth.AuthMethod)
        case enrollment(NativeAuth.AuthMethod)
        case riskCheck(NativeAuth.AuthMethod)
        /// A new password was sent, or its status was requested.
        case newPassword
        /// Attributes were sent, under these names in lowercase.
        case attributes(Set<String>)

        /// The chosen method. A response may omit its type and its hint.
        var method: NativeAuth.AuthMethod? {
            switch self {
            case .challenge(let method), .enrollment(let method), .riskCheck(let method): method
            case .other, .newPassword, .attributes: nil
            }
        }
    }

    /// What follows from a response.
    enum Consequence {
        case step(NativeAuth.FlowStep)
        case request(FlowRequest)
        case poll(FlowRequest, after: Duration)
        case redemption(code: Secret)
    }

    init(_ client: NativeAuthClient, flow: NativeAuth.Flow) {
        self.client = client
        self.flow = flow
    }

    var authority: Authority { client.tokens.configuration.authorityRules.configured }
    var token: Secret { flow.continuation.token }

    /// A general failure with our own message.
    func failure(_ message: String) -> NativeAuthFailure {
        NativeAuthFailure(.general, message: message, correlationID: flow.continuation.correlationID)
    }

    /// A general failure with an underlying error.
    func failure(_ cause: AuthError) -> NativeAuthFailure {
        var failure = failure(cause.message)
        failure.underlying = cause
        return failure
    }

    /// Sends a request and the requests that follow from it.
    mutating func step(after first: FlowRequest) async throws(NativeAuthFailure) -> NativeAuth.FlowStep {
        var next = first
        while true {
            let response = try await response(to: next)
            switch try consequence(of: response, to: next) {
            case .step(let step):
                return step
            case .request(let request):
                next = request
            case .poll(let request, let pause):
                try await wait(pause)
                next = request
            case .redemption(let code):
                return .completed(try await redeem(code))
            }
        }
    }
}

// MARK: - Exchanges

extension FlowRun {
    /// The members of a response that is not an error.
    mutating func response(to request: FlowRequest) async throws(NativeAuthFailure) -> FlowMembers {
        let response = try await exchange(request)
        try check(response, to: request)
        isFirstRequest = false
        return response.members
    }

    /// Throws if the response is an error or requires the browser.
    func check(_ response: Exchange, to request: FlowRequest) throws(NativeAuthFailure) {
        let members = response.members
        if members.text("state") == "webFallbackRequired" {
            throw NativeAuthFailure(.browserRequired, correlationID: flow.continuation.correlationID)
        }
        if let refusal = FlowRefusal(members, status: response.http.status, hiding: request.secrets) {
            throw failure(refusal, of: request, response: response.http)
        }
    }

    /// A response whose body is a JSON object.
    struct Exchange {
        let http: HTTPResponse
        let body: JSONPart
        let members: FlowMembers
    }

    /// Sends a request once. Requests in a V2 flow are never repeated (docs/reference/NativeAuthV2.md#once).
    mutating func exchange(_ request: FlowRequest) async throws(NativeAuthFailure) -> Exchange {
        if request.purpose != .poll {
            guard requestsLeft > 0 else { throw failure("The service asks for too many requests after one call.") }
            requestsLeft -= 1
        }
        let correlationID = flow.continuation.correlationID
        let response: HTTPResponse
        do throws(TransportError) {
            let message = try request.message(dataCenter: client.configuration.sliceDataCenter)
            response = try await Log.lines(of: correlationID) { [client] () async throws(TransportError) in
                try await client.send(message, correlationID: correlationID)
            }
        } catch {
            let cause = AuthError(error)
            var failure = failure(cause)
            failure.remaining = cause.isServiceUnavailable ? .same : .nothing
            throw failure
        }
        if request.purpose != .token,
            let named = response[header: "client-request-id"].flatMap(UUID.init(uuidString:))
        {
            flow.continuation.correlationID = named
        }
        guard !(300...399).contains(response.status) else {
            throw failure("The service redirects this request, and the library does not follow redirects.")
        }
        // The body is untrusted.
        guard let body = try? JSONPart(checking: response.body), let members = FlowMembers(body) else {
            throw failure(
                response.status == 200
                    ? AuthError(.invalidResponse, message: response.notJSON(from: "The service"))
                    : AuthError(response, from: "The service")
            )
        }
        return Exchange(http: response, body: body, members: members)
    }

    private func wait(_ pause: Duration) async throws(NativeAuthFailure) {
        do {
            try await client.tokens.platform.time.sleep(for: pause)
        } catch {
            throw failure(AuthError(.canceled, message: "The call was canceled while it waited for the service."))
        }
    }

    /// The next poll of a new password.
    mutating func poll(_ members: FlowMembers) throws(NativeAuthFailure) -> Consequence {
        guard case .newPassword = context else { throw failure("The service asks for a poll, and nothing is pending.") }
        guard pollsLeft > 0 else { throw failure("The password reset did not complete in time. Start again.") }
        guard let link = members.link("poll", below: authority).usable else { throw missing("poll") }
        pollsLeft -= 1
        // docs/reference/NativeAuthV2.md#polling
        let named = members.number("pollInterval").flatMap { $0 > 0 ? $0 / 1_000 : nil }
        let pause = named.map { min(max($0, 0.5), 5) } ?? 1.5
        return .poll(FlowRequest(.poll, to: link, token: token), after: .seconds(pause))
    }

    /// The failure of a response without a usable link.
    func missing(_ relation: String) -> NativeAuthFailure {
        failure("The response has no usable link “\(relation)”.")
    }
}

// MARK: - Failures

extension FlowRun {
    private func failure(_ refusal: FlowRefusal, of request: FlowRequest, response: HTTPResponse) -> NativeAuthFailure {
        let kind = kind(of: refusal, purpose: request.purpose)
        var failure = NativeAuthFailure(
            kind,
            keeping: canRetry(kind, purpose: request.purpose) ? .same : .nothing,
            message: refusal.isInvitation ? missing("of the flow").message : refusal.serverError.description,
            correlationID: refusal.correlationID ?? flow.continuation.correlationID
        )
        failure.codes = refusal.numbers
        failure.errorURI = refusal.serverError.uri
        failure.serverError = refusal.serverError
        if kind == .general, response.status >= 500 {
            failure.underlying = AuthError(
                .http(status: response.status, headers: response.headers),
                message: refusal.serverError.description ?? response.refusal(from: "The service")
            )
        }
        guard kind == .invalidAttributes, !refusal.attributeNames.isEmpty else { return failure }
        return failure.prefixed(NativeAuthFailure.Text.invalidAttributes(refusal.attributeNames))
    }

    /// Whether the app may use its state again. A risk check rejects the method that the app has just chosen; after any
    /// other automatic request, the state has been used up.
    private func canRetry(_ kind: NativeAuthFailure.Kind, purpose: FlowRequest.Purpose) -> Bool {
        switch kind {
        case .invalidPassword, .invalidCode, .invalidChallenge, .invalidInput, .invalidAttributes, .authMethodBlocked,
            .verificationContactBlocked:
            isFirstRequest || purpose == .riskCheck
        case .general, .browserRequired, .userNotFound, .userAlreadyExists, .userDoesNotHavePassword, .invalidUsername,
            .invalidCredentials, .notImplemented:
            false
        }
    }

    /// The table of errors (docs/reference/NativeAuthV2.md#errors).
    private func kind(of refusal: FlowRefusal, purpose: FlowRequest.Purpose) -> NativeAuthFailure.Kind {
        if refusal.isBrowserRequired { return .browserRequired }
        if flow.scenario == .signUp, refusal.isUserExisting { return .userAlreadyExists }
        switch purpose {
        case .entry, .start:
            if refusal.isUserNotFound { return .userNotFound }
            if refusal.isAboutUsername { return .invalidUsername }
            if flow.scenario == .passwordReset, refusal.isWithoutPassword { return .userDoesNotHavePassword }
        case .verifyCode, .activate:
            if refusal.isWrongCode { return flow.factor == .first ? .invalidCode : .invalidChallenge }
        case .verifyPassword:
            if refusal.isWrongPassword { return .invalidPassword }
        case .update, .poll:
            if refusal.isAgainstPasswordRules { return .invalidPassword }
        case .submitAttributes:
            if refusal.isAgainstPasswordRules { return .invalidPassword }
            if refusal.isAboutAttributes {
                let names = refusal.attributeNames
                let isAboutPassword = !names.isEmpty && names.allSatisfy { $0.lowercased() == "password" }
                return isAboutPassword ? .invalidPassword : .invalidAttributes
            }
        case .enroll, .challenge, .riskCheck:
            if flow.factor == .second, refusal.isBlocked { return .authMethodBlocked }
            if flow.factor == .registration, refusal.isBlocked { return .verificationContactBlocked }
            if purpose == .enroll, refusal.isAboutContact { return .invalidInput }
        case .resume, .token:
            break
        }
        return .general
    }
}
