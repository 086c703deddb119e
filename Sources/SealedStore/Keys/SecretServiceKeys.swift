// Licensed under the MIT License. See LICENSE.

import DBus
import Foundation

/// Stores keys as items in the default collection of the desktop's Secret Service: one item for each key, with only the
/// 32 bytes in base64 (docs/reference/Store.md#key-providers).
package struct SecretServiceKeys: KeyProvider {
    private let environment: [String: String]
    private let limits: SecretService.Limits

    package var kind: KeyLocation { .secretService }

    /// `operation` limits one call; `question` limits how long the user may take to respond to a prompt.
    package init(environment: [String: String], operation: Duration = .seconds(2), question: Duration = .seconds(60)) {
        self.environment = environment
        limits = SecretService.Limits(operation: operation, question: question)
    }

    /// Whether a Secret Service is running or can be started. `false` without a session bus.
    ///
    /// Throws `.keyUnavailable` if the bus does not respond, so that the result is unknown.
    package func canBeReached(_ keyAccess: KeyAccessOptions) throws(StoreError) -> Bool {
        do throws(SecretServiceFailure) {
            return try SecretService(environment, keyAccess: keyAccess, limits: limits).canBeReached()
        } catch {
            if case .noBus = error { return false }
            throw error.storeError
        }
    }

    package func key(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) -> KeyMaterial? {
        try converse(keyAccess) { (service) throws(SecretServiceFailure) in try Self.key(name, from: service) }
    }

    package func keep(_ key: KeyMaterial, as name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {
        try converse(keyAccess) { (service) throws(SecretServiceFailure) in
            if let present = try Self.key(name, from: service) {
                guard present.isEqual(to: key) else { throw .occupied }
                return
            }
            var text = key.withBytes { Array(Data($0).base64EncodedString().utf8) }
            defer { text.wipe() }
            try service.create(
                label: "Key of the token store \(name.group)",
                attributes: Self.attributes(name),
                secret: text,
                in: try service.defaultCollection()
            )
            guard try Self.key(name, from: service)?.isEqual(to: key) == true else { throw .vanished }
        }
    }

    package func forget(_ name: KeyName, keyAccess: KeyAccessOptions) throws(StoreError) {
        try converse(keyAccess) { (service) throws(SecretServiceFailure) in
            // Searches only for items of this location. The other names may come from a file that another program
            // changed.
            let items = try service.search(Self.attributes(name))
            for item in items.locked { try service.unlock(item) }
            for item in items.open + items.locked { try service.delete(item) }
        }
    }

    /// Whether the service is running, is unlocked, and has a key of any store at this location. Does not start a
    /// service or prompt the user.
    func holdsOpenKey(for location: StoreLocation, keyAccess: KeyAccessOptions) -> Bool {
        let keyAccess = KeyAccessOptions(isCanceled: keyAccess.isCanceled)
        do throws(SecretServiceFailure) {
            let service = try SecretService(environment, keyAccess: keyAccess, limits: limits)
            guard try service.isRunning() else { return false }
            let attributes = DBusValue.strings([("xdg:schema", Self.schema), ("location", location.directory)])
            return try !service.search(attributes).open.isEmpty
        } catch {
            // An unreachable service is treated as locked.
            return false
        }
    }

    private static func key(_ name: KeyName, from service: SecretService) throws(SecretServiceFailure) -> KeyMaterial? {
        if let key = try item(name, of: service) { return key }
        // A locked collection need not show its items. Only an unlocked one proves that the key does not exist.
        _ = try service.defaultCollection()
        return try item(name, of: service)
    }

    private static func item(_ name: KeyName, of service: SecretService) throws(SecretServiceFailure) -> KeyMaterial? {
        let items = try service.search(.strings(identity(name)))
        if items.open.isEmpty, let locked = items.locked.first { try service.unlock(locked) }
        guard let path = items.open.first ?? items.locked.first else { return nil }
        var secret = try service.secret(of: path)
        defer { secret.wipe() }
        guard let text = String(validating: secret, as: UTF8.self), let key = KeyText.key(text: text) else {
            throw .notAKey
        }
        return key
    }

    private static let schema = "msal.swift.StoreKey"

    /// The attributes that identify an item, even after its store has moved.
    private static func identity(_ name: KeyName) -> [(String, String)] {
        [("xdg:schema", schema), ("group", name.group), ("store", name.store), ("key", name.keyID), ("v", "1")]
    }

    /// The attributes of a new item. All of them are visible in the user's password manager.
    private static func attributes(_ name: KeyName) -> DBusValue {
        .strings(identity(name) + [("location", name.directory)])
    }

    private func converse<R>(
        _ keyAccess: KeyAccessOptions,
        body: (SecretService) throws(SecretServiceFailure) -> R
    ) throws(StoreError) -> R {
        do throws(SecretServiceFailure) {
            return try body(try SecretService(environment, keyAccess: keyAccess, limits: limits))
        } catch {
            throw error.storeError
        }
    }
}
