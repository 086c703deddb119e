// Licensed under the MIT License. See LICENSE.

import DBus
public import EntraEmulator
import Foundation

/// A double of the identity broker of a Linux desktop: a service on a session bus, with the directory of an emulator
/// behind it.
///
/// ```swift
/// let emulator = try await Emulator.start()
/// let broker = try await EmulatedBroker.start(for: emulator)
/// try await broker.signIn(as: "megan@contoso.example")
/// // … programs with `broker.environment` find the broker, and are signed in …
/// await broker.shutdown()
/// ```
///
/// Its tokens come from the token endpoint of the emulator. The endpoint checks the registration, consent, changed
/// passwords and second factors, as for every client. These requests are in the emulator's journal, and its faults
/// affect them.
public final class EmulatedBroker: Sendable, ClosedMirror {
    /// The settings of a double.
    public struct Configuration: Sendable, ClosedMirror {
        /// The family of brokers.
        public var dialect = BrokerDialect.current
        /// Whether the device was set up for several people.
        public var isShared = false
        /// The person's answer to the window of an interactive call.
        public var window = BrokerWindow.deviceUser
        /// Whether it binds tokens to a key and signs requests. No known broker for Linux does.
        public var supportsProofOfPossession = false
        /// Whether it says how the device was set up, in the response of `getLinuxBrokerVersion`. No known broker does.
        public var describesDevice = true
        /// The variables that name a running session bus; `nil` starts a bus of its own.
        public var sessionBus: [String: String]?

        /// The settings of a broker of today, on a bus of its own.
        public init() {}
    }

    /// The address of the bus; `nil` on a bus that the environment names in another way.
    public let busAddress: String?
    /// The variables by which programs find the broker.
    public let environment: [String: String]

    private let emulator: Emulator
    private let bus: PrivateBus?
    private let double: BrokerDouble
    private let desk: BrokerDesk
    private let place: BrokerPlace

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
        desk = BrokerDesk(double)
        place = try await BrokerPlace(environment, desk: desk)
    }

    /// Starts a double for a running emulator. The caller shuts it down before the emulator.
    ///
    /// - Throws: ``BrokerStartFailure`` where there is no bus, where none can be started, or where another broker has the
    ///   name; its text says what to do.
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

    /// Leaves the bus, and ends the bus if it is the double's own. Open windows are given up. Calling it again changes
    /// nothing.
    public func shutdown() async {
        place.leave()
        await bus?.stop()
    }

    // MARK: The device

    /// Signs a user in to the device, as the login of the machine does. Apps are signed in from now on, and windows of
    /// ``BrokerWindow/deviceUser`` are answered by this person.
    ///
    /// - Parameters:
    ///   - userName: The user principal name.
    ///   - secondFactor: Whether a second factor was part of it; without it, an app that wants one has to open the window.
    /// - Throws: ``BrokerStartFailure`` for a name that the directory does not have.
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

    /// Signs everybody out of the device.
    public func signOut() {
        end(double.state.removeAll())
    }

    /// Takes the device out of its tenant: everybody is signed out, and calls for tokens fail (status 17) until somebody
    /// signs in again.
    public func leaveTenant() {
        end(double.state.removeAll(leaving: true))
    }

    /// Whether the device was set up for several people. There, one person at a time is signed in, and an app that removes
    /// the account signs the person out of the device.
    public var isShared: Bool {
        get { double.state.isShared }
        set { double.state.isShared = newValue }
    }

    /// The person's answer to the windows of the next interactive calls.
    public var window: BrokerWindow {
        get { double.state.window }
        set { double.state.window = newValue }
    }

    /// The number of windows that are open now: interactive calls that wait for a person.
    public var openWindows: Int { double.state.openWindows }

    private func end(_ signIns: [DeviceSignIn]) {
        for signIn in signIns { emulator.signOutOfDevice(signIn.id) }
    }

    // MARK: Faults and the journal

    /// Lets the next calls fail. Faults wait in line; a call takes the first one that fits.
    ///
    /// - Parameters:
    ///   - fault: What goes wrong.
    ///   - method: The calls that it is for; `nil` means every one.
    ///   - times: For how many calls.
    public func fail(_ fault: BrokerFault, of method: BrokerMethod? = nil, times: Int = 1) {
        desk.enqueue(fault, of: method, times: times)
    }

    /// Forgets the faults that are still to happen.
    public func clearFaults() {
        desk.clearFaults()
    }

    /// The calls so far, the oldest first, without secrets. Of more than 10,000 the newest are kept. A call that waits for
    /// its window is not among them yet.
    public var calls: [BrokerCall] { desk.calls }

    /// Forgets the calls.
    public func clearCalls() {
        desk.clearCalls()
    }
}
