// Licensed under the MIT License. See LICENSE.

public import EntraEmulator
import Foundation

/// An emulator of the identity broker on a Linux desktop: a service on a session bus that uses the directory of an
/// `Emulator`.
///
/// ```swift
/// let emulator = try await Emulator.start()
/// let broker = try await EmulatedBroker.start(for: emulator)
/// try await broker.signIn(as: "megan@contoso.example")
/// // … programs with `broker.environment` find the broker and are signed in …
/// await broker.shutdown()
/// ```
///
/// Its tokens come from the emulator's token endpoint, which validates the registration, consent, changed passwords,
/// and second factors, as for every client. These requests are recorded in the emulator's journal, and its faults
/// affect them.
public final class EmulatedBroker: Sendable, EmulatorRedactedReflection {
    /// The settings of an emulated broker.
    public struct Configuration: Sendable, EmulatorRedactedReflection {
        /// The family of brokers.
        public var dialect = BrokerDialect.current
        /// Whether the device is set up for several users.
        public var isShared = false
        /// The user's response to the window of an interactive call.
        public var window = BrokerWindow.deviceUser
        /// Whether it binds tokens to a key and signs requests. No known broker for Linux does.
        public var supportsProofOfPossession = false
        /// Whether the response of `getLinuxBrokerVersion` describes how the device was set up. No known broker does
        /// this.
        public var describesDevice = true
        /// The environment variables of a running session bus; `nil` starts a private bus.
        public var sessionBus: [String: String]?

        /// Creates the settings of a current broker on a private bus.
        public init() {}
    }

    /// The address of the bus; `nil` if the environment specifies the bus in another way.
    public let busAddress: String?
    /// The environment variables with which programs find the broker.
    public let environment: [String: String]

    private let emulator: Emulator
    private let bus: PrivateBus?
    private let double: BrokerDouble
    private let handler: BrokerCallHandler
    private let place: BrokerNameOwner

    private init(
        _ emulator: Emulator,
        environment: [String: String],
        bus: PrivateBus?,
        configuration: Configuration
    ) async throws {
        self.emulator = emulator
        self.environment = environment
        busAddress = environment["DBUS_SESSION_BUS_ADDRESS"]
        self.bus = bus
        double = BrokerDouble(
            emulator: emulator,
            dialect: configuration.dialect,
            state: DeviceState(
                isShared: configuration.isShared,
                isForOne: configuration.dialect == .himmelblau,
                window: configuration.window
            ),
            tokens: try TokenService(emulator),
            signer: configuration.supportsProofOfPossession ? try ProofSigner() : nil,
            describesDevice: configuration.describesDevice
        )
        handler = BrokerCallHandler(double)
        place = try await BrokerNameOwner(environment, handler: handler)
    }

    /// Starts an emulated broker for a running emulator. Shut it down before the emulator.
    ///
    /// - Throws: ``BrokerStartFailure`` if there is no bus, if none can be started, or if another broker owns the name;
    ///   the message says what to do.
    public static func start(
        for emulator: Emulator,
        _ configuration: Configuration = .init()
    ) async throws -> EmulatedBroker {
        if let environment = configuration.sessionBus {
            return try await EmulatedBroker(emulator, environment: environment, bus: nil, configuration: configuration)
        }
        let bus = try await PrivateBus.start()
        do {
            let environment = ["DBUS_SESSION_BUS_ADDRESS": bus.address]
            return try await EmulatedBroker(emulator, environment: environment, bus: bus, configuration: configuration)
        } catch {
            await bus.stop()
            throw error
        }
    }

    /// Leaves the bus, and stops it if it is private. Open windows are canceled. Calling it again has no effect.
    public func shutdown() async {
        place.leave()
        await bus?.stop()
    }

    // MARK: The device

    /// Signs a user in to the device, like the login on a machine. Apps are signed in from now on, and this user
    /// responds to windows with ``BrokerWindow/deviceUser``.
    ///
    /// - Parameters:
    ///   - userName: The user principal name.
    ///   - secondFactor: Whether the sign-in included a second factor. Without it, an app that requires one has to open
    ///     the window.
    /// - Throws: ``BrokerStartFailure`` if the user is not in the directory.
    public func signIn(as userName: String, secondFactor: Bool = false) async throws {
        guard let signIn = try await emulator.signInToDevice(as: userName, hasSecondFactor: secondFactor),
            let person = try await emulator.person(of: signIn)
        else {
            throw BrokerStartFailure(
                description: "the directory has no user '\(userName)'; choose one of its users, such as "
                    + emulator.someAccountNames.joined(separator: ", ")
            )
        }
        let account = DeviceAccount(signIn: signIn, person: person)
        end(double.state.add(account, asDeviceUser: true))
    }

    /// Signs all users out of the device.
    public func signOut() { end(double.state.removeAll()) }

    /// Removes the device from its tenant: all users are signed out, and token requests fail (status 17) until a user
    /// signs in again.
    public func leaveTenant() { end(double.state.removeAll(leaving: true)) }

    /// Whether the device is set up for several users. Then, only one user at a time is signed in, and an app that
    /// removes the account signs the user out of the device.
    public var isShared: Bool {
        get { double.state.isShared }
        set { double.state.isShared = newValue }
    }

    /// The user's response to the windows of the next interactive calls.
    public var window: BrokerWindow {
        get { double.state.window }
        set { double.state.window = newValue }
    }

    /// The number of windows that are currently open, that is, interactive calls that wait for a user.
    public var openWindows: Int { double.state.openWindows }

    private func end(_ signIns: [DeviceSignIn]) {
        for signIn in signIns { emulator.signOutOfDevice(signIn.id) }
    }

    // MARK: Faults and the journal

    /// Makes the next calls fail. Faults are queued; a call consumes the first one that matches.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - method: The affected method; `nil` means all methods.
    ///   - times: The number of affected calls.
    public func fail(_ fault: BrokerFault, of method: BrokerMethod? = nil, times: Int = 1) {
        handler.enqueue(fault, of: method, times: times)
    }

    /// Removes the pending faults.
    public func clearFaults() { handler.clearFaults() }

    /// The calls so far, oldest first, without secrets. At most the latest 10,000 are kept. A call that waits for its
    /// window is not included yet.
    public var calls: [BrokerCall] { handler.calls }

    /// Clears the list of calls.
    public func clearCalls() { handler.clearCalls() }
}
