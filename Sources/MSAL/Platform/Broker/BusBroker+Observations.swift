// Licensed under the MIT License. See LICENSE.

import DBus
import MSALBase
import MSALCore

extension BusBroker {
    /// Requests the version, the accounts, a token and a cookie for the first account, a signed request, and a token
    /// for an account that does not exist, which shows the format of errors (docs/reference/Broker.md#report). Without
    /// a client ID, requests only the version.
    package func observations(_ report: BrokerReportRequest) async -> [BrokerObservation] {
        guard await availability().isPresent else { return [] }
        var observations = [await observe(.version, request: BrokerRequests.version(), for: report).0]
        guard !report.clientID.isEmpty else { return observations }
        let (list, text) = await observe(
            .accounts,
            request: BrokerRequests.accounts(
                BrokerAccountsRequest(clientID: report.clientID, correlationID: report.correlationID)
            ),
            for: report
        )
        observations.append(list)
        observations.append(
            await observe(.tokenSilently, request: token(of: Self.unknownUser, for: report), for: report).0
        )
        guard let account = text.flatMap(Self.firstAccount) else { return observations }
        let cookie = BrokerCookieRequest(
            clientID: report.clientID,
            authority: report.authority,
            url: report.authority,
            account: account,
            correlationID: report.correlationID
        )
        observations.append(await observe(.tokenSilently, request: token(of: account, for: report), for: report).0)
        observations.append(await observe(.cookie, request: BrokerRequests.cookie(cookie), for: report).0)
        let proof = SignedHTTPRequest(method: "GET", url: report.authority, nonce: nil)
        let request = BrokerRequests.signedRequest(proof, for: account, clientID: report.clientID)
        observations.append(await observe(.signedRequest, request: request, for: report).0)
        return observations
    }

    /// An account of no tenant.
    private static let unknownUser = BrokerAccount(
        homeAccountID: "00000000-0000-0000-0000-000000000001.00000000-0000-0000-0000-000000000002",
        environment: "login.microsoftonline.com",
        username: "nobody@msal.invalid"
    )

    private func token(of account: BrokerAccount, for report: BrokerReportRequest) -> JSONValue {
        var request = BrokerTokenRequest(
            clientID: report.clientID,
            authority: report.authority,
            scopes: report.scopes,
            correlationID: report.correlationID
        )
        request.account = account
        return BrokerRequests.tokenSilently(request)
    }

    private static func firstAccount(in response: String) -> BrokerAccount? {
        do throws(BrokerFailure) {
            return try BrokerResponse(response, to: .accounts).accounts().first
        } catch {
            return nil  // The observation shows what came instead.
        }
    }

    /// Makes a call. The text of its response is used for the next calls.
    private func observe(
        _ method: IdentityBrokerMethod,
        request: JSONValue,
        for report: BrokerReportRequest
    ) async -> (BrokerObservation, String?) {
        let begin = ContinuousClock.now
        var observation = BrokerObservation(method: method.rawValue, outcome: .response)
        do throws(IdentityBrokerCallError) {
            let text = try await exchange(method, request: request, correlationID: report.correlationID)
            observation.duration = begin.duration(to: .now)
            observation.members = BrokerResponseShape.members(of: text)
            do throws(BrokerFailure) {
                _ = try BrokerResponse(text, to: method)
            } catch {
                observation.meaning = error.kind
            }
            return (observation, text)
        } catch {
            observation.duration = begin.duration(to: .now)
            observation.meaning = error.failure(of: method, secrets: []).kind
            switch error {
            case .absent(let reason): observation.outcome = .nothing(reason)
            case .bus(let error):
                if case .remote(let name) = error.kind {
                    observation.outcome = .busError(name: name)
                } else {
                    observation.outcome = .nothing("\(error.kind)")
                }
            }
            return (observation, nil)
        }
    }
}

/// The outcome of one broker call for a report: how the call ended, and the structure of the response. It contains no
/// value that is secret or that identifies a person (docs/reference/Broker.md#report).
package struct BrokerObservation: Sendable, Hashable {
    /// How the call ended.
    package enum Outcome: Sendable, Hashable {
        /// The broker sent a text.
        case response
        /// The bus returned an error. The broker chose its name, so it is untrusted text.
        case busError(name: String)
        /// There was no response. The text describes the reason.
        case nothing(String)
    }

    /// The called method.
    var method: String
    var outcome: Outcome
    /// The members of the response, one for each path.
    var members: [BrokerResponseShape.Member] = []
    /// How the library interprets a failure; `nil` for a success.
    var meaning: BrokerFailure.Kind?
    /// The time from the request to the response.
    var duration = Duration.zero
}

/// The values for the requests of a report.
package struct BrokerReportRequest: Sendable {
    var clientID: String
    /// `https://<host>/<tenant>`.
    var authority: URL
    var scopes: [String]
    var correlationID: UUID
}

extension IdentityBroker {
    /// Makes no calls by default. A broker that can report has its own implementation.
    package func observations(_ report: BrokerReportRequest) async -> [BrokerObservation] { [] }
}
