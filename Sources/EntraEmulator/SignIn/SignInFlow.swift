// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Synchronization

/// A sign-in on the pages, from an authorization request to its response.
struct SignInFlow: Sendable {
    /// The page the person is looking at.
    enum Stage: Sendable, Equatable {
        case picker
        case userName
        case password(userName: String)
        case code(Challenge)
        case signUp
        /// A user without a method of a second factor names one.
        case registration
        case newPassword
        /// The terms of use of these policies, by id.
        case termsOfUse([String])
        case staySignedIn
        case consent
        case administratorNeeded
        /// The sign-in is refused, and no page can help.
        case refused(EntraError)
    }

    /// The person who is signing in.
    struct Identity: Sendable, Equatable {
        var userID: String
        var authenticatedAt: Date
        var hasSecondFactor = false
        /// Whether the organization manages the device; `nil` where the browser showed none.
        var isOnManagedDevice: Bool?

        /// The proofs by which the policies decide.
        var proof: AccessProof {
            .init(
                authenticatedAt: authenticatedAt,
                hasSecondFactor: hasSecondFactor,
                isOnManagedDevice: isOnManagedDevice
            )
        }
    }

    /// A one-time code that the person has to type.
    struct Challenge: Sendable, Equatable {
        let userID: String
        let address: String
        let channel: StrongMethod.Channel
        /// Whether the person has typed the password before this code.
        let isSecondFactor: Bool
        /// Whether the address becomes a method of the user's with it.
        var isRegistration = false
    }

    let id: String
    /// Must come back with every form.
    var token: Secret
    /// The browser in which the flow began; it cannot be continued in another.
    var browser: Secret
    /// The cookie that outlives the browser, if this step has made it.
    var persistent: Secret?
    /// The request, with the scopes of whoever is signing in.
    var request: AuthorizeRequest
    /// The scopes as the application asked for them, whoever signs in.
    let requestedScopes: RequestedScopes
    let expiresAt: Date
    var stage: Stage
    var identity: Identity?
    /// The code that was sent.
    var code: OneTimeCode?
    /// Whether the page lists people, whom one click signs in.
    var listsPeople = false
    /// Whether the person has just signed in, and is still to be asked whether to stay signed in.
    var asksToStay = false
    /// Whether the person has consented on the page, for `prompt=consent`.
    var hasConsented = false
}

/// The sign-ins under way. They live in memory: a restart of the emulator ends them.
final class SignInFlows: Sendable {
    private let flows = Mutex<[String: SignInFlow]>([:])
    private static let limit = 1_000
    private static let lifetime: TimeInterval = 15 * 60

    /// Begins a sign-in in the browser that holds the cookie.
    func begin(_ request: AuthorizeRequest, browser: Secret, now: Date) -> SignInFlow {
        let flow = SignInFlow(
            id: Secret.random(bytes: 16).exposed,
            token: .random(),
            browser: browser,
            request: request,
            requestedScopes: request.scopes,
            expiresAt: now.addingTimeInterval(Self.lifetime),
            stage: .userName
        )
        flows.withLock { flows in
            flows.makeRoom(for: Self.limit, at: now, end: \.expiresAt)
            flows[flow.id] = flow
        }
        return flow
    }

    /// Keeps the state of a sign-in that goes on.
    func save(_ flow: SignInFlow) {
        flows.withLock { $0[flow.id] = flow }
    }

    /// Ends a sign-in.
    func end(_ flow: SignInFlow) {
        flows.withLock { $0[flow.id] = nil }
    }

    /// Ends all sign-ins.
    func removeAll() {
        flows.withLock { $0.removeAll() }
    }

    /// The sign-in that a form belongs to.
    ///
    /// - Throws: AADSTS165000 when it is unknown, too old, of another browser, or its token is wrong.
    func flow(id: String?, token: String?, browser: Secret?, now: Date) throws(EntraError) -> SignInFlow {
        guard let id, let token, let browser, let flow = flows.withLock({ $0[id] }),
            flow.expiresAt > now, flow.token == Secret(token), flow.browser == browser
        else { throw .formExpired }
        return flow
    }
}

extension Pages.Form {
    init(_ flow: SignInFlow) {
        self.init(
            action: "/\(flow.request.tenantSegment)/signin",
            flow: flow.id,
            token: flow.token,
            application: flow.request.client.displayName
        )
    }
}
