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

    /// The method and the path, in which `{list}` and `{name}` stand for a segment.
    var route: (method: HTTPRequest.Method, path: String) {
        switch self {
        case .apiDescription: (.get, "/openapi.json")
        case .journal: (.get, "/journal")
        case .takeFromJournal: (.post, "/journal/take")
        case .expectRequest: (.post, "/expect")
        case .outbox: (.get, "/outbox")
        case .enqueueResponses: (.post, "/answers")
        case .enqueueFault: (.post, "/faults")
        case .clearFaults: (.delete, "/faults")
        case .showCertificate: (.post, "/certificate")
        case .clock: (.get, "/clock")
        case .changeClock: (.post, "/clock")
        case .revokeSignIns: (.post, "/revoke")
        case .signIns: (.get, "/signins")
        case .signInNext: (.post, "/sign-in")
        case .challenge: (.post, "/challenge")
        case .accessToken: (.post, "/tokens")
        case .rollOverSigningKey: (.post, "/keys")
        case .flawFederatedTokens: (.post, "/issuers")
        case .managedIdentity: (.get, "/managed-identity")
        case .changeManagedIdentity: (.post, "/managed-identity")
        case .reset: (.post, "/reset")
        case .snapshots: (.get, "/snapshots")
        case .takeSnapshot: (.post, "/snapshots/{name}")
        case .restoreSnapshot: (.put, "/snapshots/{name}")
        case .directory: (.get, "/directory")
        case .addToDirectory: (.post, "/directory")
        case .nativeAuth: (.get, "/native")
        case .changeNativeAuth: (.patch, "/native")
        case .entries: (.get, "/{list}")
        case .add: (.post, "/{list}")
        case .entry: (.get, "/{list}/{name}")
        case .change: (.patch, "/{list}/{name}")
        case .remove: (.delete, "/{list}/{name}")
        }
    }

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

    /// The functions of the kits for it.
    var functions: [String] {
        switch self {
        case .changeClock: ["advanceClock", "setClock", "freezeClock", "skewClock"]
        case .rollOverSigningKey: ["rollOverSigningKey", "announceSigningKey"]
        case .changeManagedIdentity: ["assignManagedIdentity", "failManagedIdentity", "flawManagedIdentity"]
        case .apiDescription, .journal, .takeFromJournal, .expectRequest, .outbox, .enqueueResponses, .enqueueFault,
            .clearFaults, .showCertificate, .clock, .revokeSignIns, .signIns, .signInNext, .challenge, .accessToken,
            .flawFederatedTokens, .managedIdentity, .reset, .snapshots, .takeSnapshot, .restoreSnapshot, .directory,
            .addToDirectory, .nativeAuth, .changeNativeAuth, .entries, .add, .entry, .change, .remove:
            [rawValue]
        }
    }

    /// One sentence.
    var summary: String {
        switch self {
        case .apiDescription: "Describes this API in the form of OpenAPI."
        case .journal: "Lists the requests, oldest first, secrets masked."
        case .takeFromJournal: "Takes the oldest request that fits out of the journal."
        case .expectRequest: "Waits until a request that fits is in the journal."
        case .outbox: "Lists the codes that were sent."
        case .enqueueResponses: "Answers the next requests of native authentication by the names of responses."
        case .enqueueFault: "Makes the next requests that fit fail."
        case .clearFaults: "Forgets the faults that are still to happen."
        case .showCertificate: "Shows a faulty certificate to connections that are opened from now on."
        case .clock: "Shows the emulated time."
        case .changeClock: "Moves, sets or stops the emulated time, or lets that of one client differ."
        case .revokeSignIns: "Ends all sign-ins of a user."
        case .signIns: "Lists the decisions of the policies."
        case .signInNext: "Answers the next authorization requests without a page."
        case .challenge: "Lets the APIs ask a user's app for claims."
        case .accessToken: "Makes an access token without a sign-in."
        case .rollOverSigningKey: "Lets a new key sign all tokens from now on."
        case .flawFederatedTokens: "Makes the next tokens of the emulator's own issuers wrong."
        case .managedIdentity: "Shows the identities of the machine, and how programs reach them."
        case .changeManagedIdentity: "Gives the machine an identity or takes it, or makes its endpoints fail."
        case .reset: "Returns to the directory of the start, without sign-ins, faults and journal."
        case .snapshots: "Lists the names of the snapshots."
        case .takeSnapshot: "Keeps directory, users, consents, sessions and tokens under a name."
        case .restoreSnapshot: "Returns to a snapshot."
        case .directory: "Shows the whole directory, in the form of a file."
        case .addToDirectory: "Adds many entries at once, all of them or none."
        case .nativeAuth: "Shows the settings of native authentication."
        case .changeNativeAuth: "Changes settings of native authentication."
        case .entries: "Lists entries of the directory."
        case .add: "Adds an entry to the directory."
        case .entry: "Shows an entry of the directory."
        case .change: "Changes members of an entry; null removes one."
        case .remove: "Removes an entry of the directory."
        }
    }

    /// The status of a response that is no refusal.
    var status: Int {
        switch self {
        case .enqueueResponses, .enqueueFault, .signInNext, .accessToken, .flawFederatedTokens, .takeSnapshot,
            .addToDirectory, .add:
            201
        case .apiDescription, .journal, .takeFromJournal, .expectRequest, .outbox, .clearFaults, .showCertificate,
            .clock, .changeClock, .revokeSignIns, .signIns, .challenge, .rollOverSigningKey, .managedIdentity,
            .changeManagedIdentity, .reset, .snapshots, .restoreSnapshot, .directory, .nativeAuth, .changeNativeAuth,
            .entries, .entry, .change, .remove:
            200
        }
    }
}
