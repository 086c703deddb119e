// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// Requests an assertion about a job from the service that runs it (docs/reference/Services.md#federation).
struct IssuerRequest: Sendable {
    /// The issuer, as the subject of a message.
    private let issuer: String
    private let message: HTTPMessage
    /// The member of the response that holds the assertion.
    private let member: String

    private static let attempts = 3
    private static let pause: Duration = .seconds(1)
    /// The time limit of one attempt, so that time remains for another attempt if the service hangs once.
    private static let longestAttempt: Duration = .seconds(10)

    /// The request of a job in GitHub Actions ("OpenID Connect reference").
    ///
    /// - Throws: `.credentialUnavailable` outside such a job; `.configuration` if the address is malformed.
    static func gitHubActions(
        audience: String,
        in environment: ServerEnvironment
    ) throws(MSALTokenError) -> IssuerRequest {
        let name = "ACTIONS_ID_TOKEN_REQUEST_URL"
        let tokenName = "ACTIONS_ID_TOKEN_REQUEST_TOKEN"
        guard let address = environment.variable(name), let token = environment.variable(tokenName) else {
            throw MSALTokenError(
                .credentialUnavailable,
                message:
                    "The variables \(name) and \(tokenName) are not set. A job of GitHub Actions has "
                    + "them if its workflow says: permissions: id-token: write."
            )
        }
        var form = FormBody()
        form.set("audience", to: audience)
        var message = HTTPMessage(method: "GET", to: try Self.address(address, with: form, of: name))
        message.headers["Authorization"] = try Self.authorization(token, of: "The value of \(tokenName)")
        message.headers["Accept"] = "application/json; api-version=2.0"
        return IssuerRequest("The token service of GitHub Actions", message: message, member: "value")
    }

    /// The request of a job in Azure Pipelines (Azure DevOps Services REST API, "Oidctoken - Create").
    ///
    /// - Throws: The same kinds.
    static func azurePipelines(
        connection: String?,
        token: Secret?,
        in environment: ServerEnvironment
    ) throws(MSALTokenError) -> IssuerRequest {
        let name = "SYSTEM_OIDCREQUESTURI"
        func missing(_ what: String) -> MSALTokenError {
            MSALTokenError(
                .credentialUnavailable,
                message: "\(what) A job of Azure Pipelines has \(name); a step gets the token with: "
                    + "env: SYSTEM_ACCESSTOKEN: $(System.AccessToken)."
            )
        }
        guard let address = environment.variable(name) else { throw missing("The variable \(name) is not set.") }
        guard
            let connection = connection ?? environment.variable("AZURESUBSCRIPTION_SERVICE_CONNECTION_ID"),
            !connection.isEmpty
        else { throw missing("The ID of the service connection is missing.") }
        guard
            let token = token ?? environment.variable("SYSTEM_ACCESSTOKEN").map({ Secret($0) }), !token.exposed.isEmpty
        else { throw missing("The system access token is missing.") }
        var form = FormBody()
        form.set("api-version", to: "7.1")
        form.set("serviceConnectionId", to: connection)
        var message = HTTPMessage(method: "POST", to: try Self.address(address, with: form, of: name), body: Data())
        message.headers["Authorization"] = try Self.authorization(token.exposed, of: "The system access token")
        message.headers["Content-Type"] = "application/json"
        // Without this header, the service redirects a refused request to a page for people.
        message.headers["X-TFS-FedAuthRedirect"] = "Suppress"
        return IssuerRequest("The token service of Azure Pipelines", message: message, member: "oidcToken")
    }

    private init(_ issuer: String, message: HTTPMessage, member: String) {
        self.issuer = issuer
        self.member = member
        var message = message
        message.maximumResponseBytes = 65_536
        // The transport must not retry the request, because this type does so itself.
        message.repetition = .never
        self.message = message
    }

    private static func authorization(_ token: String, of name: String) throws(MSALTokenError) -> String {
        "Bearer \(try Secret(credential: token, of: name, else: .configuration).exposed)"
    }

    private static func address(
        _ text: String,
        with query: FormBody,
        of variable: String
    ) throws(MSALTokenError) -> HTTPAddress {
        guard
            let url = HTTPAddress(text)?.url, url.scheme?.lowercased() == "https", url.fragment() == nil,
            let address = try? HTTPAddress(built: query.appended(to: url))  // The text says the same of every fault.
        else {
            throw MSALTokenError(
                .configuration,
                message: "The variable \(variable) is not an https URL. No request was sent."
            )
        }
        return address
    }

    /// Requests the assertion. A failed request is retried twice, if a retry can succeed.
    ///
    /// All attempts and the pauses between them take as long as one request to the service may take
    /// (docs/reference/Services.md#limits).
    ///
    /// - Throws: `.credentialUnavailable`, without the request token and without the body of the response.
    func assertion(in environment: ServerEnvironment) async throws(MSALTokenError) -> Secret {
        var failure = MSALTokenError.cancellation
        let start = environment.time.uptime
        for attempt in 1...(environment.isRetrying ? Self.attempts : 1) {
            let pause = attempt > 1 ? Self.pause : .zero
            let rest = environment.requestTimeout - (environment.time.uptime - start) - pause
            guard attempt == 1 || rest > .zero else { break }
            if attempt > 1 {
                do {
                    try await environment.time.sleep(for: pause)
                } catch {
                    throw .cancellation
                }
            }
            var message = message
            message.timeout = min(rest, Self.longestAttempt)
            do throws(TransportError) {
                let transport = ObservedTransport(environment.transport, time: environment.time, endpoint: .assertion)
                let response = try await transport.send(message)
                switch read(response) {
                case .success(let assertion): return assertion
                case .failure(let fault): failure = fault
                }
                guard response.status >= 500 else { break }
            } catch {
                failure = unavailable(error)
                guard error.isTransient else { break }
            }
        }
        throw failure
    }

    private func read(_ response: HTTPResponse) -> Result<Secret, MSALTokenError> {
        guard response.status == 200 else {
            let remedy = response.status >= 500 ? "Try again later." : "Check the permissions of the job."
            return .failure(unavailable("responded with HTTP status \(response.status). \(remedy)"))
        }
        guard let members = JSONValue(parsing: response.body)?.object else {
            let fault = "responded with something that is not a JSON object. \(HTTPResponse.portalHint)"
            return .failure(unavailable(fault))
        }
        let assertion = members[member]?.string ?? ""
        // A form would carry any text to the service. A token is visible ASCII, so only that is taken.
        guard !assertion.isEmpty, assertion.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else {
            return .failure(unavailable("responded without a token in the member \(member)."))
        }
        return .success(Secret(assertion))
    }

    private func unavailable(_ text: String) -> MSALTokenError {
        MSALTokenError(.credentialUnavailable, message: "\(issuer) \(text) Nothing was sent to Microsoft Entra ID.")
    }

    private func unavailable(_ error: TransportError) -> MSALTokenError {
        guard error.kind != .canceled else { return .cancellation }
        let cause = MSALTokenError(error, during: issuer)
        return MSALTokenError(
            .credentialUnavailable,
            message: "\(issuer) returned no token: \(error.message)",
            isRetryable: error.isTransient,
            underlying: cause.causes
        )
    }
}
