// Licensed under the MIT License. See LICENSE.

import DBus

/// A session with the desktop's Secret Service (freedesktop.org Secret Service API 0.2): GNOME Keyring, KWallet, or
/// KeePassXC. Opened for one operation and closed with it.
///
/// Each call observes the deadline of the operation; a prompt for the user has its own. A process of another user that
/// owns the service's name is not contacted.
final class SecretService {
    static let name = "org.freedesktop.secrets"
    private static let path = "/org/freedesktop/secrets"

    /// The time limits of an operation and of a prompt for the user (docs/reference/Store.md#key-deadlines).
    struct Limits: Sendable {
        var operation = Duration.seconds(2)
        var question = Duration.seconds(60)
    }

    private let connection: BusConnection
    private let keyAccess: KeyAccessOptions
    private let limits: Limits
    private var deadline: Deadline
    /// The owner of the service's name, once found.
    private var found: TrustedName?

    init(_ environment: [String: String], keyAccess: KeyAccessOptions, limits: Limits) throws(SecretServiceFailure) {
        self.keyAccess = keyAccess
        self.limits = limits
        let deadline = Deadline(after: limits.operation, isCanceled: keyAccess.isCanceled)
        self.deadline = deadline
        do throws(DBusError) {
            connection = try BusConnection.session(environment, until: deadline)
        } catch {
            throw SecretServiceFailure(error, limits: limits)
        }
    }

    /// Whether a Secret Service is running or can be started by the bus.
    ///
    /// Throws `.untrusted` if another user's process owns the name: whether this user has a service is unknown then.
    func canBeReached() throws(SecretServiceFailure) -> Bool {
        try onBus { (connection, deadline) throws(DBusError) in
            try connection.reach(of: Self.name, until: deadline) != .nowhere
        }
    }

    /// Whether a Secret Service is running. Does not start one.
    func isRunning() throws(SecretServiceFailure) -> Bool {
        found = try onBus { (connection, deadline) throws(DBusError) in
            try connection.program(named: Self.name, until: deadline)
        }
        return found != nil
    }

    /// The process that offers the service. Starts one if none is running.
    private func program() throws(SecretServiceFailure) -> TrustedName {
        if let found { return found }
        let program = try onBus { (connection, deadline) throws(DBusError) in
            try connection.startedProgram(named: Self.name, until: deadline)
        }
        found = program
        return program
    }

    private func onBus<Value>(
        _ body: (BusConnection, Deadline) throws(DBusError) -> Value
    ) throws(SecretServiceFailure) -> Value {
        do throws(DBusError) {
            return try body(connection, deadline)
        } catch {
            throw SecretServiceFailure(error, limits: limits)
        }
    }

    /// The items with these attributes, in any collection.
    func search(_ attributes: DBusValue) throws(SecretServiceFailure) -> (open: [String], locked: [String]) {
        let values = try call("SearchItems", arguments: [attributes])
        guard values.count == 2, let open = values[0].objectPaths, let locked = values[1].objectPaths else {
            throw .nonsense
        }
        return (open, locked)
    }

    /// The collection for new items. If the user may be prompted, it is unlocked, or created if it does not exist.
    func defaultCollection() throws(SecretServiceFailure) -> String {
        guard let path = try call("ReadAlias", arguments: [.string("default")]).first?.objectPath else {
            throw .nonsense
        }
        guard path != "/" else { return try createDefaultCollection() }
        let property = try call(
            "Get",
            of: path,
            interface: "org.freedesktop.DBus.Properties",
            arguments: [.string("org.freedesktop.Secret.Collection"), .string("Locked")]
        )
        guard case .variant(.boolean(let isLocked))? = property.first else { throw .nonsense }
        if isLocked { try unlock(path) }
        return path
    }

    private func createDefaultCollection() throws(SecretServiceFailure) -> String {
        guard keyAccess.mayPrompt else { throw .noCollection }
        let properties = DBusValue.variants([("org.freedesktop.Secret.Collection.Label", .string("Default keyring"))])
        let values = try call("CreateCollection", arguments: [properties, .string("default")])
        guard values.count == 2, let path = values[0].objectPath, let prompt = values[1].objectPath
        else { throw .nonsense }
        guard path == "/" else { return path }
        guard let created = try outcome(of: prompt).objectPath else { throw .nonsense }
        return created
    }

    /// Unlocks an item or a collection. Prompts the user if necessary and allowed.
    func unlock(_ object: String) throws(SecretServiceFailure) {
        guard keyAccess.mayPrompt else { throw .locked }
        let values = try call("Unlock", arguments: [.objectPaths([object])])
        guard values.count == 2, let unlocked = values[0].objectPaths, let prompt = values[1].objectPath
        else { throw .nonsense }
        guard !unlocked.contains(object) else { return }
        guard prompt != "/", try outcome(of: prompt).objectPaths?.contains(object) == true else { throw .locked }
    }

    /// The content of an unlocked item.
    func secret(of item: String) throws(SecretServiceFailure) -> [UInt8] {
        let session = DBusValue.objectPath(try openSession())
        let values = try call("GetSecret", of: item, interface: Self.itemInterface, arguments: [session])
        guard case .structure(let parts)? = values.first, parts.count == 4, case .bytes(let secret) = parts[2] else {
            throw .nonsense
        }
        return secret
    }

    /// Creates an item in an unlocked collection.
    func create(
        label: String,
        attributes: DBusValue,
        secret: [UInt8],
        in collection: String
    ) throws(SecretServiceFailure) {
        let properties = DBusValue.variants([
            ("org.freedesktop.Secret.Item.Label", .string(label)),
            ("org.freedesktop.Secret.Item.Attributes", attributes),
        ])
        let content = DBusValue.structure([
            .objectPath(try openSession()), .bytes([]), .bytes(secret), .string("text/plain"),
        ])
        let values = try call(
            "CreateItem",
            of: collection,
            interface: "org.freedesktop.Secret.Collection",
            arguments: [properties, content, .boolean(false)]
        )
        guard values.count == 2, let prompt = values[1].objectPath else { throw .nonsense }
        if prompt != "/" { _ = try outcome(of: prompt) }
    }

    /// Deletes an item.
    func delete(_ item: String) throws(SecretServiceFailure) {
        let values = try call("Delete", of: item, interface: Self.itemInterface)
        guard let prompt = values.first?.objectPath else { throw .nonsense }
        if prompt != "/" { _ = try outcome(of: prompt) }
    }

    /// The secret crosses the bus unencrypted: the bus is a socket between processes of this user, all of which can
    /// read the item anyway. The specification's encrypted session (Diffie-Hellman in a 1024-bit group, without
    /// authentication) would add no protection.
    private func openSession() throws(SecretServiceFailure) -> String {
        let values = try call("OpenSession", arguments: [.string("plain"), .variant(.string(""))])
        guard values.count == 2, let session = values[1].objectPath else { throw .nonsense }
        return session
    }

    /// Lets the service prompt the user and waits for the result.
    private func outcome(of prompt: String) throws(SecretServiceFailure) -> DBusValue {
        guard keyAccess.mayPrompt else { throw .locked }
        let program = try program()
        let question = Deadline(after: limits.question, isCanceled: keyAccess.isCanceled)
        let interface = "org.freedesktop.Secret.Prompt"
        let completed: DBusMessage
        do throws(DBusError) {
            // Subscribes before the prompt because a quick signal could otherwise be missed.
            let rule = SignalRule(from: program, interface: interface, member: "Completed", path: prompt)
            try connection.watch(rule, until: deadline)
            let call = BusCall(
                to: program,
                at: prompt,
                interface: interface,
                member: "Prompt",
                arguments: [.string("")]
            )
            _ = try connection.call(call, until: question)
            completed = try connection.signal(of: program, until: question) { message in
                message.path == prompt && message.interface == interface && message.member == "Completed"
            }
        } catch {
            // The caller no longer waits, so the window should close.
            let call = BusCall(to: program, at: prompt, interface: interface, member: "Dismiss")
            _ = try? connection.call(call, until: Deadline(after: .seconds(1)))
            throw error.kind == .timedOut ? .unanswered(limits.question) : SecretServiceFailure(error, limits: limits)
        }
        deadline = Deadline(after: limits.operation, isCanceled: keyAccess.isCanceled)
        // An unreadable body is treated as empty.
        guard let values = try? completed.values(), values.count == 2, case .boolean(let isDismissed) = values[0],
            case .variant(let result) = values[1]
        else {
            throw .nonsense
        }
        guard !isDismissed else { throw .declined }
        return result
    }

    private static let itemInterface = "org.freedesktop.Secret.Item"

    /// Calls a method of an object, or of the service itself.
    private func call(
        _ member: String,
        of object: String = path,
        interface: String = "org.freedesktop.Secret.Service",
        arguments: [DBusValue] = []
    ) throws(SecretServiceFailure) -> [DBusValue] {
        let call = BusCall(to: try program(), at: object, interface: interface, member: member, arguments: arguments)
        return try onBus { (connection, deadline) throws(DBusError) in try connection.call(call, until: deadline) }
    }
}
