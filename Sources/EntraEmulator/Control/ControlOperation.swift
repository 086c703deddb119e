// Licensed under the MIT License. See LICENSE.

import HTTPTypes

/// The requests of the control API. The API is driven by this list, its description is generated from it, and the kits
/// for Swift, Python, and Go have a function of the same name for each.
enum ControlOperation: String, CaseIterable, Sendable {
    case apiDescription
    case journal, takeFromJournal, expectRequest, outbox
    case enqueueResponses, enqueueFault, clearFaults, showCertificate
    case clock, changeClock
    case revokeSignIns, signIns, signInNext, setClaims, challenge
    case accessToken, rollOverSigningKey, flawFederatedTokens
    case managedIdentity, changeManagedIdentity
    case reset, snapshots, takeSnapshot, restoreSnapshot
    case directory, addToDirectory, nativeAuth, changeNativeAuth
    case entries, add, entry, change, remove

    /// The address of an operation, and its summary.
    struct Route {
        let method: HTTPRequest.Method
        /// `{list}` and `{name}` are placeholders for one segment each.
        let path: String
        /// One sentence about what the operation does.
        let summary: String
        /// The status of a successful response.
        let status: Int
        /// The functions of the kits; `nil` if there is one function, with the name of the operation.
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
        case .apiDescription: Route(.get, at: "/openapi.json", summary: "Returns the OpenAPI description of this API.")
        case .journal: Route(.get, at: "/journal", summary: "Lists the requests, oldest first, with masked secrets.")
        case .takeFromJournal:
            Route(
                .post,
                at: "/journal/take",
                summary: "Removes the oldest matching request from the journal and returns it."
            )
        case .expectRequest: Route(.post, at: "/expect", summary: "Waits until a matching request is in the journal.")
        case .outbox: Route(.get, at: "/outbox", summary: "Lists the codes that were sent.")
        case .enqueueResponses:
            Route(
                .post,
                at: "/answers",
                summary: "Queues named responses for the next native authentication requests.",
                status: 201
            )
        case .enqueueFault: Route(.post, at: "/faults", summary: "Makes the next matching requests fail.", status: 201)
        case .clearFaults: Route(.delete, at: "/faults", summary: "Removes the pending faults.")
        case .showCertificate:
            Route(
                .post,
                at: "/certificate",
                summary: "Presents a faulty certificate to new connections."
            )
        case .clock: Route(.get, at: "/clock", summary: "Shows the emulated time.")
        case .changeClock:
            Route(
                .post,
                at: "/clock",
                summary: "Moves, sets, or stops the emulated time, or changes it for one client.",
                functions: ["advanceClock", "setClock", "freezeClock", "skewClock"]
            )
        case .revokeSignIns: Route(.post, at: "/revoke", summary: "Revokes all sign-ins of a user.")
        case .signIns: Route(.get, at: "/signins", summary: "Lists the decisions of the policies.")
        case .signInNext:
            Route(
                .post,
                at: "/sign-in",
                summary: "Answers the next authorization requests without showing a page.",
                status: 201
            )
        case .setClaims:
            Route(
                .post,
                at: "/claims",
                summary: "Sets claims of the next sign-in, or of all tokens of a user, an application, or an API.",
                status: 201
            )
        case .challenge: Route(.post, at: "/challenge", summary: "Makes the APIs request claims from a user's app.")
        case .accessToken:
            Route(.post, at: "/tokens", summary: "Issues an access token without a sign-in.", status: 201)
        case .rollOverSigningKey:
            Route(
                .post,
                at: "/keys",
                summary: "Signs all tokens with a new key from now on.",
                functions: ["rollOverSigningKey", "announceSigningKey"]
            )
        case .flawFederatedTokens:
            Route(
                .post,
                at: "/issuers",
                summary: "Makes the next tokens of the emulator's external issuers invalid.",
                status: 201
            )
        case .managedIdentity:
            Route(
                .get,
                at: "/managed-identity",
                summary: "Shows the managed identities of the machine, and how programs reach them."
            )
        case .changeManagedIdentity:
            Route(
                .post,
                at: "/managed-identity",
                summary: "Assigns or removes a managed identity, or makes its endpoints fail.",
                functions: ["assignManagedIdentity", "failManagedIdentity", "flawManagedIdentity"]
            )
        case .reset:
            Route(
                .post,
                at: "/reset",
                summary: "Restores the initial directory, without sign-ins, faults, and journal."
            )
        case .snapshots: Route(.get, at: "/snapshots", summary: "Lists the names of the snapshots.")
        case .takeSnapshot:
            Route(
                .post,
                at: "/snapshots/{name}",
                summary: "Saves directory, users, consents, sessions, and tokens under a name.",
                status: 201
            )
        case .restoreSnapshot: Route(.put, at: "/snapshots/{name}", summary: "Restores a snapshot.")
        case .directory:
            Route(.get, at: "/directory", summary: "Shows the whole directory in the form of a directory file.")
        case .addToDirectory:
            Route(.post, at: "/directory", summary: "Adds many entries at once, all or none.", status: 201)
        case .nativeAuth: Route(.get, at: "/native", summary: "Shows the settings of native authentication.")
        case .changeNativeAuth: Route(.patch, at: "/native", summary: "Changes settings of native authentication.")
        case .entries: Route(.get, at: "/{list}", summary: "Lists entries of the directory.")
        case .add: Route(.post, at: "/{list}", summary: "Adds an entry to the directory.", status: 201)
        case .entry: Route(.get, at: "/{list}/{name}", summary: "Shows an entry of the directory.")
        case .change: Route(.patch, at: "/{list}/{name}", summary: "Changes members of an entry; null removes one.")
        case .remove: Route(.delete, at: "/{list}/{name}", summary: "Removes an entry from the directory.")
        }
    }

    /// The names of its functions in the kits.
    var functions: [String] { route.functions ?? [rawValue] }

    /// Finds the operation of a request; `nil` if there is none.
    init?(_ method: HTTPRequest.Method, path: String) {
        let segments = path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let found = Self.allCases.first { operation in
            let route = operation.route
            guard route.method == method else { return false }
            if route.path == path { return true }
            let parts = route.path.dropFirst().split(separator: "/")
            // The name of an entry may contain a slash, percent-encoded or not.
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
        "tokenClaims": EmulatorDirectory.TokenClaims.form.object,
        "agents": EmulatorDirectory.Agent.form.object,
    ]
}
