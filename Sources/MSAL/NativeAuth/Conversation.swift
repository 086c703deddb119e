// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// Sends the requests of one step of a flow. Their log lines have the flow's correlation ID.
struct Conversation {
    let client: NativeAuthClient
    /// The app's correlation ID, until the service names another one.
    private(set) var correlationID: UUID
    /// The service's last error, which may have advanced the flow.
    private var lastServerError: NativeAuth.ServerError?

    init(_ client: NativeAuthClient, correlationID: UUID) {
        self.client = client
        self.correlationID = correlationID
    }

    /// A form with the parameters of every request.
    func form(_ token: Secret? = nil) -> FormBody {
        var form = FormBody()
        form.set(.clientID, to: client.tokens.configuration.app.clientID)
        form.set(.continuationToken, to: token?.exposed)
        return form
    }

    /// A form that also includes the challenge types that the app supports.
    func challengeForm(_ token: Secret? = nil) -> FormBody {
        var form = form(token)
        form.set(.challengeType, to: client.configuration.challengeTypes.text)
        return form
    }

    /// The form that starts a flow.
    func startForm(username: String) -> FormBody {
        var form = challengeForm()
        form.set(.username, to: username)
        form.set(.capabilities, to: client.configuration.capabilities.text)
        return form
    }

    /// Sends a form and reads the success response.
    ///
    /// - Throws: `WireError` for everything else, including redirects.
    mutating func send<Response: NativeAuthResponse>(
        _ form: FormBody,
        to endpoint: NativeAuthEndpoint,
        expecting: Response.Type = Response.self
    ) async throws(WireError) -> Response {
        let members = ResponseMembers(try await post(form, to: endpoint))
        let redirect: WireError.Reason?
        do throws(ResponseMembers.Unreadable) {
            redirect = try members.redirect(by: endpoint.challengeTypeRule)
            if redirect == nil { return try Response(members) }
        } catch {
            throw unreadable("its member \(error.member) is missing or wrong", endpoint: endpoint)
        }
        throw WireError(redirect ?? .unexpectedBody, correlationID: correlationID, endpoint: endpoint)
    }

    /// Sends a form, and repeats it once if that may help.
    ///
    /// - Returns: The members of the success response.
    /// - Throws: `WireError` for every other response, and if there is none.
    mutating func post(
        _ form: FormBody,
        to endpoint: NativeAuthEndpoint
    ) async throws(WireError) -> [String: JSONValue] {
        let response: HTTPResponse
        do throws(TransportError) {
            response = try await Log.lines(of: correlationID) { () async throws(TransportError) in
                try await client.exchange(form, with: endpoint, correlationID: correlationID)
            }
        } catch {
            throw unreadable(AuthError(error), endpoint: endpoint)
        }
        if let named = response[header: "client-request-id"].flatMap(UUID.init(uuidString:)) { correlationID = named }
        let members = JSONValue(parsing: response.body)?.object
        let serverError = members.flatMap { NativeAuth.ServerError($0, status: response.status) }
        switch response.status {
        case 200, 400, 401:
            guard let members else {
                let message = response.notJSON(from: "The service's \(endpoint.rawValue)")
                throw unreadable(AuthError(.invalidResponse, message: message), endpoint: endpoint)
            }
            guard response.status != 200 else { return members }
            guard let serverError else { throw unreadable("it names no error", endpoint: endpoint) }
            let refusal: WireError
            do throws(ResponseMembers.Unreadable) {
                refusal = try WireError(
                    ResponseMembers(members),
                    verbatim: serverError,
                    correlationID: correlationID,
                    endpoint: endpoint
                )
            } catch {
                var unreadable = unreadable("its member \(error.member) is wrong", endpoint: endpoint)
                unreadable.serverError = serverError
                throw unreadable
            }
            lastServerError = serverError
            throw refusal
        default:
            var unreadable = unreadable(
                AuthError(response, from: "The service's \(endpoint.rawValue)"),
                endpoint: endpoint
            )
            unreadable.serverError = serverError
            throw unreadable
        }
    }

    /// The error of a successful step from which the flow cannot continue; `text` explains why.
    func deadEnd(_ text: String) -> WireError {
        var error = WireError(.unexplained(text), correlationID: correlationID)
        error.serverError = lastServerError
        return error
    }

    private func unreadable(_ why: String, endpoint: NativeAuthEndpoint) -> WireError {
        unreadable(
            AuthError(.invalidResponse, message: "The response of \(endpoint.rawValue) cannot be used: \(why)."),
            endpoint: endpoint
        )
    }

    private func unreadable(_ cause: AuthError, endpoint: NativeAuthEndpoint) -> WireError {
        WireError(.unexpectedBody, correlationID: correlationID, endpoint: endpoint, underlying: cause)
    }

    /// Requests the challenge for the first or second factor. If that is a code, the service sends it.
    mutating func signInChallenge(
        _ token: Secret,
        method id: String? = nil
    ) async throws(WireError) -> ChallengeResponse {
        var form = challengeForm(token)
        form.set(.methodID, to: id)
        return try await send(form, to: .signInChallenge)
    }

    /// Requests a code. Every other challenge is an error.
    mutating func sendSignInCode(
        _ token: Secret,
        method id: String? = nil
    ) async throws(WireError) -> (Secret, NativeAuth.CodeDelivery) {
        switch try await signInChallenge(token, method: id) {
        case .code(let token, let delivery): return (token, delivery)
        case .password(.some): throw deadEnd(NativeAuthFailure.Text.passwordInsteadOfCode)
        case .password(nil): throw WireError(.unexpectedBody, correlationID: correlationID)
        case .unnamed: throw WireError(.unexpectedChallengeType, correlationID: correlationID)
        }
    }
}

extension ResponseMembers {
    /// The redirect in a success response, even if the response has other members.
    fileprivate func redirect(by rule: NativeAuthEndpoint.ChallengeTypeRule) throws(Unreadable) -> WireError.Reason? {
        switch rule {
        case .ignored:
            return nil
        case .closed:
            guard ["oob", "password", "redirect", nil].contains(try text("challenge_type")) else {
                throw Unreadable(member: "challenge_type")
            }
        case .open:
            break
        }
        let reason = try text("redirect_reason")
        return try text("challenge_type") == "redirect" ? .redirect(reason) : nil
    }
}

extension NativeAuthClient {
    /// The requests of a step that submits the user's input.
    ///
    /// - Throws: For empty text, a failure of the kind `refusal` that keeps the state, without sending a request.
    func conversation(
        in state: some NativeAuth.State,
        input: Secret,
        refusal: NativeAuthFailure.Kind
    ) throws(NativeAuthFailure) -> Conversation {
        guard !input.exposed.isEmpty else {
            throw NativeAuthFailure(refusal, keeping: .same, correlationID: state.continuation.correlationID)
        }
        return Conversation(self, correlationID: state.continuation.correlationID)
    }
}

extension NativeAuth.Continuation {
    /// The next state: another token, and the correlation ID that the service requested.
    func next<Next: NativeAuth.State>(_ token: Secret, in conversation: Conversation) -> Next {
        var copy = self
        copy.token = token
        copy.correlationID = conversation.correlationID
        return Next(continuation: copy)
    }
}

extension NativeAuth.State {
    /// The next state: another token, and the correlation ID that the service requested.
    func next<Next: NativeAuth.State>(_ token: Secret, in conversation: Conversation) -> Next {
        continuation.next(token, in: conversation)
    }

    /// The failure of a step that ends the flow. If the service was unreachable, the state is still usable; MSAL for
    /// iOS ends the flow even then (docs/reference/NativeAuthentication.md#quirk-network).
    func end(with error: WireError, in conversation: Conversation) -> NativeAuthFailure {
        guard error.isServiceUnavailable else { return error.failure() }
        return error.failure(keeping: retry(in: conversation)).withoutDetails(.state)
    }

    /// The failure, with this state and its used token left for another attempt.
    func retry(in conversation: Conversation) -> NativeAuthFailure.Remaining {
        var copy = continuation
        copy.correlationID = conversation.correlationID
        return .continuation(copy)
    }
}
