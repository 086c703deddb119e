// Licensed under the MIT License. See LICENSE.

/// A response of a managed-identity endpoint that a client must not trust, on request.
public enum ManagedIdentityFlaw: String, Sendable, CaseIterable {
    /// The host passes over the id in the request, as old agents do, and hands out a token of the machine's own identity.
    case otherIdentity
    /// Azure Arc's challenge names a file outside the folder of key files.
    case challengeElsewhere
    /// … in a folder below it.
    case challengeInSubfolder
    /// … that is a link to a file elsewhere.
    case challengeLinked
    /// … of more than 4,096 bytes.
    case challengeTooLong
    /// … with a line break in its middle, which would begin another header field.
    case challengeWithLineBreak
    /// … whose name does not end in `.key`.
    case challengeOfOtherKind
    /// … that does not exist.
    case challengeMissing
    /// … of no name.
    case challengeWithoutPath
    /// … and a second challenge names another one.
    case challengeTwice

    /// Whether it is a flaw of Azure Arc's first response.
    var isOfChallenge: Bool { self != .otherIdentity }
}
