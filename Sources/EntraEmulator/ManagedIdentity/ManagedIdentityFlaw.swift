// Licensed under the MIT License. See LICENSE.

/// An invalid response of a managed identity endpoint, for tests. A client must not trust it.
public enum ManagedIdentityFlaw: String, Sendable, CaseIterable {
    /// The host ignores the ID in the request, as old agents do, and issues a token for the machine's own identity.
    case otherIdentity
    /// Azure Arc's challenge names a file outside the folder of key files.
    case challengeElsewhere
    /// Azure Arc's challenge names a file in a folder below the folder of key files.
    case challengeInSubfolder
    /// Azure Arc's challenge names a link to a file elsewhere.
    case challengeLinked
    /// Azure Arc's challenge names a file of more than 4,096 bytes.
    case challengeTooLong
    /// Azure Arc's challenge names a file with a line break in the middle, which would start another header field.
    case challengeWithLineBreak
    /// Azure Arc's challenge names a file whose name does not end in `.key`.
    case challengeOfOtherKind
    /// Azure Arc's challenge names a file that does not exist.
    case challengeMissing
    /// Azure Arc's challenge has an empty path.
    case challengeWithoutPath
    /// Azure Arc's response has a second challenge, which names another file.
    case challengeTwice

    /// Whether the flaw concerns Azure Arc's first response.
    var isOfChallenge: Bool { self != .otherIdentity }
}
