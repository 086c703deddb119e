// Licensed under the MIT License. See LICENSE.

import Crypto
import Foundation
import Glibc
import MSALBase

/// Derives keys from the secret that the desktop portal provides to an app in a Flatpak sandbox
/// (docs/reference/Store.md#key-providers).
///
/// Does not store keys: each key name yields the same key as long as the app has its secret. Other apps and programs
/// outside of the sandbox cannot get it.
package struct SecretPortalKeys: KeyProvider {
    /// Whether this process is sandboxed. Flatpak creates the file, and apps cannot write it.
    package static var isInSandbox: Bool { access("/.flatpak-info", F_OK) == 0 }

    let isInSandbox: Bool
    private let environment: [String: String]
    private let limits: SecretService.Limits

    package var kind: KeyLocation { .portal }

    /// `operation` limits one call; `question` limits how long the user may take to respond to a prompt.
    package init(
        environment: [String: String],
        isInSandbox: Bool = Self.isInSandbox,
        operation: Duration = .seconds(2),
        question: Duration = .seconds(60)
    ) {
        self.environment = environment
        self.isInSandbox = isInSandbox
        limits = SecretService.Limits(operation: operation, question: question)
    }

    /// Whether this process is sandboxed and its portal provides secrets.
    ///
    /// Throws `.keyUnavailable` if the bus or the portal does not respond, so that the result is unknown.
    package func isOffered(_ keyAccess: KeyAccessOptions) throws(StoreError) -> Bool {
        guard isInSandbox else { return false }
        return try converse(keyAccess) { (portal) throws(SecretPortalFailure) in try portal.isOffered() }
    }

    package func key(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) -> KeyMaterial? {
        try converse(keyAccess) { (portal) throws(SecretPortalFailure) in
            guard isInSandbox else { throw .noSandbox }
            var secret = try portal.secret()
            defer { secret.wipe() }
            return Self.key(name, from: secret)
        }
    }

    package func keep(_ key: KeyMaterial, as name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {
        guard try self.key(name, keyAccess: keyAccess)?.isEqual(to: key) == true else {
            throw SecretPortalFailure.readOnly.storeError
        }
    }

    /// Does nothing: the portal keeps the secret, and this type stores no key.
    package func forget(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {}

    /// HKDF-SHA256 (RFC 5869). The portal's documentation recommends a derivation because a secret may have any length
    /// and form.
    private static func key(_ name: KeyName, from secret: [UInt8]) -> KeyMaterial? {
        // Neither part can contain a slash: one is a UUID, the other consists of lowercase letters and digits.
        let derived = HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret),
            info: Data(utf8: "msal.swift.store.portal/\(name.store)/\(name.keyID)"),
            outputByteCount: KeyMaterial.count
        )
        return derived.withUnsafeBytes { KeyMaterial($0) }
    }

    private func converse<R>(
        _ keyAccess: KeyAccessOptions,
        body: (SecretPortal) throws(SecretPortalFailure) -> R
    ) throws(StoreError) -> R {
        do throws(SecretPortalFailure) {
            return try body(SecretPortal(environment: environment, keyAccess: keyAccess, limits: limits))
        } catch {
            throw error.storeError
        }
    }
}
