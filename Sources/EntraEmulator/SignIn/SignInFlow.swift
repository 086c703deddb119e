// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Synchronization

/// A sign-in on the pages, from an authorization request to its response.
struct SignInFlow: Sendable {
    /// The page that the user sees.
    enum Stage: Sendable, Equatable {
        case picker
        case userName
        case password(userName: String)
        case code(Challenge)
        case signUp
        /// A user without a method for a second factor registers one.
        case registration
        case newPassword
        /// The terms of use of these policies, by ID.
        case termsOfUse([String])
        case staySignedIn
        case consent
        case administratorNeeded
        /// The sign-in is denied, and no page can help.
        case refused(EntraError)
    }

    /// The user who is signing in.
    struct Identity: Sendable, Equatable {
        var userID: String
        var authenticatedAt: Date
        var hasSecondFactor = false
        /// Whether the organization manages the device; `nil` if the browser did not identify one.
        var isOnManagedDevice: Bool?

        /// The proofs that the policies evaluate.
        var proof: AccessProof {
            .init(
                authenticatedAt: authenticatedAt,
                hasSecondFactor: hasSecondFactor,
                isOnManagedDevice: isOnManagedDevice
            )
        }
    }

    /// A one-time code that the user has to enter.
    struct Challenge: Sendable, Equatable {
        let userID: String
        let address: String
        let channel: StrongMethod.Channel
        /// Whether the user entered the password before this code.
        let isSecondFactor: Bool
        /// Whether the code registers the address as a method of the user.
        var isRegistration = false
    }

    let id: String
    /// The token that every form must contain.
    var token: Secret
    /// The browser that started the flow; it cannot be continued in another one.
    var browser: Secret
    /// The persistent cookie, if this step has created it.
    var persistent: Secret?
    /// The request, with the scopes of the user who is signing in.
    var request: AuthorizeRequest
    /// The scopes as the application requested them, regardless of the user.
    let requestedScopes: RequestedScopes
    let expiresAt: Date
    var stage: Stage
    var identity: Identity?
    /// The code that was sent.
    var code: OneTimeCode?
    /// Whether the page lists users that one click signs in.
    var listsPeople = false
    /// Whether the user has just signed in, and still has to be asked whether to stay signed in.
    var asksToStay = false
    /// Whether the user has consented on the page, for `prompt=consent`.
    var hasConsented = false
}

/// The sign-ins in progress. They are kept in memory, so a restart of the emulator ends them.
final class SignInFlows: Sendable {
    private let flows = Mutex<[String: SignInFlow]>([:])
    private static let limit = 1_000
    private static let lifetime: TimeInterval = 15 * 60

    /// Starts a sign-in in the browser with a cookie.
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

    /// Stores the state of a sign-in in progress.
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

    /// The sign-in of a page, without permission to continue it.
    ///
    /// - Throws: AADSTS165000 if it is unknown, too old, or from another browser.
    func flow(id: String?, browser: Secret?, now: Date) throws(EntraError) -> SignInFlow {
        guard let id, let browser, let flow = flows.withLock({ $0[id] }), flow.expiresAt > now, flow.browser == browser
        else { throw .formExpired }
        return flow
    }

    /// The sign-in of a form.
    ///
    /// - Throws: AADSTS165000 if it is unknown, too old, or from another browser, or if its token is wrong.
    func flow(id: String?, token: String?, browser: Secret?, now: Date) throws(EntraError) -> SignInFlow {
        let flow = try flow(id: id, browser: browser, now: now)
        guard let token, flow.token == Secret(token) else { throw .formExpired }
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
