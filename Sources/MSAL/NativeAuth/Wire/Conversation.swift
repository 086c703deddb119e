// Licensed under the MIT License. See LICENSE.

/// The requests of one step of a flow, one after the other. What they log carries the flow's correlation id.
struct Conversation {
    let client: NativeAuthClient
    /// The app's, until the service names another one.
    private(set) var correlationID: UUID
    /// The service's last error answer, which may have been a step forward.
    private(set) var lastServerError: NativeAuth.ServerError?

    init(_ client: NativeAuthClient, _ correlationID: UUID) {
        self.client = client
        self.correlationID = correlationID
    }

    /// A form with what every request carries.
    func form(_ token: Secret? = nil) -> FormBody {
        var form = FormBody()
        form.set(.clientID, client.tokens.configuration.clientID)
        form.set(.continuationToken, token?.exposed)
        return form
    }

    /// The same, with the ways to prove who one is that the app can show.
    func challengeForm(_ token: Secret? = nil) -> FormBody {
        var form = form(token)
        form.set(.challengeType, client.configuration.challengeTypes.text)
        return form
    }

    /// The form that starts a flow.
    func startForm(username: String) -> FormBody {
        var form = challengeForm()
        form.set(.username, username)
        form.set(.capabilities, client.configuration.capabilities.text)
        return form
    }

    /// Sends a form and reads the success answer.
    ///
    /// - Throws: `Trouble` for everything else, redirects included.
    mutating func ask<Answer: NativeAuthAnswer>(
        _ endpoint: NativeAuthEndpoint,
        _ form: FormBody,
        as type: Answer.Type = Answer.self
    ) async throws(Trouble) -> Answer {
        let members = AnswerMembers(try await send(form, to: endpoint))
        let redirect: Trouble.Reason?
        do throws(AnswerMembers.Unreadable) {
            redirect = try members.redirect(by: endpoint.challengeTypeRule)
            if redirect == nil { return try Answer(members) }
        } catch {
            throw unreadable("its member \(error.member) is missing or wrong", endpoint)
        }
        throw Trouble(redirect ?? .unexpectedBody, correlationID, endpoint)
    }

    /// Sends a form, once more where that may help.
    ///
    /// - Returns: The members of the success answer.
    /// - Throws: `Trouble` for every other answer, and for none.
    mutating func send(_ form: FormBody, to endpoint: NativeAuthEndpoint) async throws(Trouble) -> [String: JSONValue] {
        let reply: HTTPReply
        do throws(TransportError) {
            reply = try await Log.lines(of: correlationID) { () async throws(TransportError) in
                try await client.exchange(form, with: endpoint, correlationID: correlationID)
            }
        } catch {
            var trouble = Trouble(.unexpectedBody, correlationID, endpoint)
            trouble.underlying = AuthError(error)
            throw trouble
        }
        if endpoint.changesCorrelationID,
            let named = reply[header: "client-request-id"].flatMap(UUID.init(uuidString:))
        {
            correlationID = named
        }
        let members = JSONValue(parsing: reply.body)?.object
        switch reply.status {
        case 200:
            guard let members else { throw unreadable("it is no JSON object", endpoint) }
            return members
        case 400, 401:
            guard let members, let verbatim = NativeAuth.ServerError(members, status: reply.status) else {
                throw unreadable("it names no error", endpoint)
            }
            let refusal: Refusal
            do throws(AnswerMembers.Unreadable) {
                refusal = try Refusal(AnswerMembers(members), verbatim)
            } catch {
                var trouble = unreadable("its member \(error.member) is wrong", endpoint)
                trouble.serverError = verbatim
                throw trouble
            }
            lastServerError = verbatim
            throw Trouble(.refused(refusal), correlationID, endpoint)
        default:
            var trouble = Trouble(.unexpectedBody, correlationID, endpoint)
            trouble.serverError = members.flatMap { NativeAuth.ServerError($0, status: reply.status) }
            trouble.underlying = AuthError(reply, from: "The service's \(endpoint.rawValue)")
            throw trouble
        }
    }

    /// A step forward where there is no way on: the reference says nothing about it.
    func deadEnd() -> Trouble {
        var trouble = Trouble(.unexplained, correlationID)
        trouble.serverError = lastServerError
        return trouble
    }

    private func unreadable(_ why: String, _ endpoint: NativeAuthEndpoint) -> Trouble {
        var trouble = Trouble(.unexpectedBody, correlationID, endpoint)
        trouble.underlying = AuthError(
            .invalidResponse,
            "The answer of \(endpoint.rawValue) cannot be used: \(why)."
        )
        return trouble
    }
}

extension AnswerMembers {
    /// The redirect that a success answer may be, whatever else is in it.
    fileprivate func redirect(
        by rule: NativeAuthEndpoint.ChallengeTypeRule
    ) throws(Unreadable) -> Trouble.Reason? {
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
