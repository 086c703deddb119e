// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import MSALBase

/// An account as the store keeps it, with a digest of its password.
struct User: Sendable, Codable, Equatable {
    /// Object id in the home tenant, a lower-case GUID.
    var id: String
    var homeTenantID: String
    var userPrincipalName: String
    var displayName: String
    var givenName: String
    var surname: String
    var jobTitle: String?
    var mobilePhone: String?
    var officeLocation: String?
    var preferredLanguage: String?
    var department: String?
    /// The object id or the name of the manager.
    var manager: String?
    /// A picture, in base64.
    var photo: String?
    var businessPhones: [String] = []
    /// Whether the person may consent to scopes reserved for administrators.
    var isAdministrator = false
    /// A disabled account cannot sign in (AADSTS50057).
    var isEnabled = true
    /// Object ids in the tenants where the person is a guest, by tenant id.
    var guestObjectIDs: [String: String] = [:]
    /// The methods of a second factor; a customer's are in the profile.
    private var strongMethods: [StrongMethod]?
    private var needsSecondFactor: Bool?
    private var hasLock: Bool?
    private var stateOfPassword: CustomerProfile.PasswordState?
    /// The policies whose terms of use the person has accepted, by id.
    private(set) var acceptedTerms: Set<String>?
    /// The time at which the person last chose a password.
    private(set) var passwordChangedAt: Date?
    /// The profile of a customer of an External ID tenant; `nil` for everybody else.
    var customer: CustomerProfile?
    /// Sessions and refresh tokens of sign-ins before this time no longer count (AADSTS50173).
    private(set) var sessionsValidFrom: Date?
    private var salt: String
    private var passwordDigest: String
    private var formerDigests: [String]?

    init(
        id: String,
        homeTenantID: String,
        userPrincipalName: String,
        givenName: String,
        surname: String,
        password: Secret
    ) {
        self.id = id
        self.homeTenantID = homeTenantID
        self.userPrincipalName = userPrincipalName
        self.givenName = givenName
        self.surname = surname
        displayName = surname.isEmpty ? givenName : "\(givenName) \(surname)"
        let salt = Secret.random(bytes: 16).exposed
        self.salt = salt
        passwordDigest = Self.digest(password, salt: salt)
    }

    /// The account that a directory describes.
    init(_ user: EmulatorDirectory.User, homeTenantID: String) {
        let names = Self.names(in: user.displayName)
        self.init(
            id: user.id.lowercased(),
            homeTenantID: homeTenantID,
            userPrincipalName: user.userPrincipalName,
            givenName: user.givenName ?? names.given,
            surname: user.surname ?? names.family,
            // A user without a password has one that nobody knows.
            password: user.password.map { Secret($0) } ?? .random()
        )
        if user.password == nil, let digest = user.passwordDigest.flatMap({ Self.parts(of: $0) }) {
            (salt, passwordDigest) = digest
        }
        if !user.displayName.isEmpty { displayName = user.displayName }
        jobTitle = user.jobTitle
        mobilePhone = user.mobilePhone
        officeLocation = user.officeLocation
        preferredLanguage = user.preferredLanguage
        (department, manager, photo) = (user.department, user.manager, user.photo)
        businessPhones = user.businessPhones
        isAdministrator = user.isAdministrator
        isEnabled = user.isEnabled
        strongMethods = user.strongMethods.isEmpty ? nil : user.strongMethods
        needsSecondFactor = user.requiresSecondFactor ? true : nil
        keepObstacles(of: user)
    }

    /// The methods of a second factor.
    var secondFactors: [StrongMethod] { customer?.strongMethods ?? strongMethods ?? [] }
    /// Whether every app needs a second factor.
    var requiresSecondFactor: Bool { customer?.requiresSecondFactor ?? needsSecondFactor ?? false }

    /// Whether the account is locked until its password is changed.
    var isLocked: Bool { customer?.isLocked ?? hasLock ?? false }
    /// Whether a right password is enough.
    var passwordState: CustomerProfile.PasswordState { customer?.passwordState ?? stateOfPassword ?? .current }

    /// Adds a method of a second factor.
    mutating func register(_ method: StrongMethod) {
        if customer == nil {
            strongMethods = (strongMethods ?? []) + [method]
        } else {
            customer?.strongMethods.append(method)
        }
    }

    /// Accepts the terms of use of policies.
    mutating func acceptTerms(of policies: [String]) {
        acceptedTerms = (acceptedTerms ?? []).union(policies)
    }

    /// The given name and the family name in a display name.
    static func names(in displayName: String) -> (given: String, family: String) {
        let words = displayName.split(separator: " ").map(String.init)
        return (words.first ?? "", words.dropFirst().joined(separator: " "))
    }

    /// The password as a text that only an emulator can use: its salt and its digest.
    var exportedPassword: String { "\(salt):\(passwordDigest)" }

    /// Whether a text is an exported password.
    static func isDigest(_ text: String) -> Bool { parts(of: text) != nil }

    private static func parts(of text: String) -> (salt: String, digest: String)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, parts[1].count == 43 else { return nil }
        return (parts[0], parts[1])
    }

    /// Keeps the password, and the sign-ins that count, of the account that this one replaces.
    mutating func keepPassword(of other: User) {
        (salt, passwordDigest, formerDigests) = (other.salt, other.passwordDigest, other.formerDigests)
        sessionsValidFrom = other.sessionsValidFrom
        (acceptedTerms, passwordChangedAt) = (other.acceptedTerms, other.passwordChangedAt)
    }

    /// Keeps the state that a directory describes.
    mutating func keepObstacles(of user: EmulatorDirectory.User) {
        customer = user.customer
        hasLock = user.isLocked ? true : nil
        stateOfPassword = user.passwordState == .current ? nil : user.passwordState
    }

    /// Whether the password is this person's; compared in constant time.
    func accepts(_ password: Secret) -> Bool {
        Secret(Self.digest(password, salt: salt)) == Secret(passwordDigest)
    }

    /// Whether the password is this person's, or one of the last 24 was.
    func hasUsed(_ password: Secret) -> Bool {
        let digest = Secret(Self.digest(password, salt: salt))
        return ([passwordDigest] + (formerDigests ?? [])).contains { Secret($0) == digest }
    }

    /// Whether a sign-in of that time is still valid: the password has not changed since.
    func accepts(signInAt date: Date) -> Bool {
        sessionsValidFrom.map { date >= $0 } ?? true
    }

    /// Gives the person a new password; sign-ins with the old one no longer count.
    mutating func replacePassword(with password: Secret, at now: Date) {
        formerDigests = [passwordDigest] + (formerDigests ?? []).prefix(23)
        passwordDigest = Self.digest(password, salt: salt)
        sessionsValidFrom = now
        passwordChangedAt = now
        customer?.passwordState = .current
        customer?.isLocked = false
        (hasLock, stateOfPassword) = (nil, nil)
    }

    /// Ends all sign-ins of before.
    mutating func endSignIns(at now: Date) {
        sessionsValidFrom = now
    }

    /// The object id in a tenant: the home one, a guest's, or `nil` where the person is unknown.
    func objectID(in tenantID: String) -> String? {
        tenantID == homeTenantID ? id : guestObjectIDs[tenantID]
    }

    /// The names by which a group, a role, an application or a policy may name the person, in lower case.
    func memberNames(in tenant: Tenant) -> [String] {
        [id, objectID(in: tenant.id) ?? id, userPrincipalName.lowercased()]
    }

    /// The user principal name as that tenant's directory has it; guests carry the external form.
    func principalName(in tenant: Tenant) -> String {
        guard tenant.id != homeTenantID else { return userPrincipalName }
        return userPrincipalName.replacingOccurrences(of: "@", with: "_") + "#EXT#@" + tenant.domain
    }

    // Passwords of the emulator are published test data. The salted hash only keeps a typed one out of the files.
    private static func digest(_ password: Secret, salt: String) -> String {
        Data(
            HMAC<SHA256>.authenticationCode(
                for: Data(password.exposed.utf8),
                using: SymmetricKey(data: Data(salt.utf8))
            )
        ).base64URL
    }
}
