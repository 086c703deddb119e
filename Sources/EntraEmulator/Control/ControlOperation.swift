// Licensed under the MIT License. See LICENSE.

import HTTPTypes

/// The requests of the control API. The API goes by this list, its description is made from it, and the kits for Swift,
/// Python and Go have a function of the same name for each.
enum ControlOperation: String, CaseIterable, Sendable {
    case apiDescription
    case journal, takeFromJournal, expectRequest, outbox
    case enqueueResponses, enqueueFault, clearFaults, showCertificate
    case clock, changeClock
    case revokeSignIns, signIns, signInNext, challenge
    case accessToken, rollOverSigningKey, flawFederatedTokens
    case managedIdentity, changeManagedIdentity
    case reset, snapshots, takeSnapshot, restoreSnapshot
    case directory, addToDirectory, nativeAuth, changeNativeAuth
    case entries, add, entry, change, remove

    /// The address of an operation, and its description.
    struct Route {
        let method: HTTPRequest.Method
        /// `{list}` and `{name}` stand for a segment.
        let path: String
        /// What the operation does, in one sentence.
        let summary: String
        /// The status of a response that is no refusal.
        let status: Int
        /// The functions of the kits; `nil` for one with the operation's name.
        fileprivate let functions: [String]?

        fileprivate init(
            _ method: HTTPRequest.Method,
            at path: String,
            summary: String,
            status: Int = 200,
            functions: [String]? = nil
        ) {
            self.method = method
            self.path = path
            self.summary = summary
            self.status = status
            self.functions = functions
        }
    }

    var route: Route {
        switch self {
        case .apiDescription: Route(.get, at: "/openapi.json", summary: "Describes this API in the form of OpenAPI.")
        case .journal: Route(.get, at: "/journal", summary: "Lists the requests, oldest first, secrets masked.")
        case .takeFromJournal:
            Route(.post, at: "/journal/take", summary: "Takes the oldest request that fits out of the journal.")
        case .expectRequest: Route(.post, at: "/expect", summary: "Waits until a request that fits is in the journal.")
        case .outbox: Route(.get, at: "/outbox", summary: "Lists the codes that were sent.")
        case .enqueueResponses:
            Route(
                .post,
                at: "/answers",
                summary: "Answers the next requests of native authentication by the names of responses.",
                status: 201
            )
        case .enqueueFault: Route(.post, at: "/faults", summary: "Makes the next requests that fit fail.", status: 201)
        case .clearFaults: Route(.delete, at: "/faults", summary: "Forgets the faults that are still to happen.")
        case .showCertificate:
            Route(
                .post,
                at: "/certificate",
                summary: "Shows a faulty certificate to connections that are opened from now on."
            )
        case .clock: Route(.get, at: "/clock", summary: "Shows the emulated time.")
        case .changeClock:
            Route(
                .post,
                at: "/clock",
                summary: "Moves, sets or stops the emulated time, or lets that of one client differ.",
                functions: ["advanceClock", "setClock", "freezeClock", "skewClock"]
            )
        case .revokeSignIns: Route(.post, at: "/revoke", summary: "Ends all sign-ins of a user.")
        case .signIns: Route(.get, at: "/signins", summary: "Lists the decisions of the policies.")
        case .signInNext:
            Route(
                .post,
                at: "/sign-in",
                summary: "Answers the next authorization requests without a page.",
                status: 201
            )
        case .challenge: Route(.post, at: "/challenge", summary: "Lets the APIs ask a user's app for claims.")
        case .accessToken: Route(.post, at: "/tokens", summary: "Makes an access token without a sign-in.", status: 201)
        case .rollOverSigningKey:
            Route(
                .post,
                at: "/keys",
                summary: "Lets a new key sign all tokens from now on.",
                functions: ["rollOverSigningKey", "announceSigningKey"]
            )
        case .flawFederatedTokens:
            Route(
                .post,
                at: "/issuers",
                summary: "Makes the next tokens of the emulator's own issuers wrong.",
                status: 201
            )
        case .managedIdentity:
            Route(
                .get,
                at: "/managed-identity",
                summary: "Shows the identities of the machine, and how programs reach them."
            )
        case .changeManagedIdentity:
            Route(
                .post,
                at: "/managed-identity",
                summary: "Gives the machine an identity or takes it, or makes its endpoints fail.",
                functions: ["assignManagedIdentity", "failManagedIdentity", "flawManagedIdentity"]
            )
        case .reset:
            Route(
                .post,
                at: "/reset",
                summary: "Returns to the directory of the start, without sign-ins, faults and journal."
            )
        case .snapshots: Route(.get, at: "/snapshots", summary: "Lists the names of the snapshots.")
        case .takeSnapshot:
            Route(
                .post,
                at: "/snapshots/{name}",
                summary: "Keeps directory, users, consents, sessions and tokens under a name.",
                status: 201
            )
        case .restoreSnapshot: Route(.put, at: "/snapshots/{name}", summary: "Returns to a snapshot.")
        case .directory: Route(.get, at: "/directory", summary: "Shows the whole directory, in the form of a file.")
        case .addToDirectory:
            Route(.post, at: "/directory", summary: "Adds many entries at once, all of them or none.", status: 201)
        case .nativeAuth: Route(.get, at: "/native", summary: "Shows the settings of native authentication.")
        case .changeNativeAuth: Route(.patch, at: "/native", summary: "Changes settings of native authentication.")
        case .entries: Route(.get, at: "/{list}", summary: "Lists entries of the directory.")
        case .add: Route(.post, at: "/{list}", summary: "Adds an entry to the directory.", status: 201)
        case .entry: Route(.get, at: "/{list}/{name}", summary: "Shows an entry of the directory.")
        case .change: Route(.patch, at: "/{list}/{name}", summary: "Changes members of an entry; null removes one.")
        case .remove: Route(.delete, at: "/{list}/{name}", summary: "Removes an entry of the directory.")
        }
    }

    /// The functions of the kits for it.
    var functions: [String] { route.functions ?? [rawValue] }

    /// The operation of a request; `nil` where there is none.
    init?(_ method: HTTPRequest.Method, path: String) {
        let segments = path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let found = Self.allCases.first { operation in
            let route = operation.route
            guard route.method == method else { return false }
            if route.path == path { return true }
            let parts = route.path.dropFirst().split(separator: "/")
            // The name of an entry may have a slash, which is escaped or not.
            guard parts.contains(where: { $0.hasPrefix("{") }), parts.count == segments.count else { return false }
            if parts[0] == "{list}" { return Self.lists.keys.contains(String(segments[0])) }
            return parts[0] == segments[0]
        }
        guard let found else { return nil }
        self = found
    }

    /// The lists of the directory, with the form of their entries.
    static let lists: [String: FileObject] = [
        "tenants": EmulatorDirectory.Tenant.form.object, "users": EmulatorDirectory.User.form.object,
        "groups": EmulatorDirectory.Group.form.object, "applications": EmulatorDirectory.Application.form.object,
        "apis": EmulatorDirectory.API.form.object, "policies": EmulatorDirectory.AccessPolicy.form.object,
        "managedIdentities": EmulatorDirectory.ManagedIdentity.form.object,
    ]
}
