// Licensed under the MIT License. See LICENSE.

import DBus
import Foundation
import MSALSupport

/// Opens addresses through the desktop's portal (XDG Desktop Portal, `org.freedesktop.portal.OpenURI`).
///
/// The portal also works from inside a sandbox, and it knows the app's window.
struct DesktopPortal: Sendable {
    /// The outcome of one call.
    enum Outcome: Sendable {
        /// A browser was started, or the user is choosing one.
        case opened
        /// The user closed the choice, or the calling task was cancelled.
        case canceled
        /// There is no portal, or it could not open the address.
        case unavailable
    }

    private static let name = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"
    private static let request = "org.freedesktop.portal.Request"

    let environment: [String: String]
    /// The time limit for finding the portal, and again for starting it.
    var limit = Duration.seconds(3)
    /// The time that the caller waits for the user's choice. The portal's window stays longer.
    var choice = Duration.seconds(3)

    /// Whether a portal runs, or the bus would start one. If the calling task is cancelled, the result is `false` within a
    /// moment.
    func isThere() async -> Bool {
        guard !BusAddress.session(environment).isEmpty else { return false }
        let flag = AtomicFlag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The call may block for seconds, so it has a thread of its own.
                Thread.detachNewThread { continuation.resume(returning: look(until: flag)) }
            }
        } onCancel: {
            flag.set()
        }
    }

    private func look(until flag: AtomicFlag) -> Bool {
        let deadline = Deadline(after: limit, isCanceled: { flag.isSet })
        do throws(DBusError) {
            return try BusConnection.session(environment, until: deadline).canReach(Self.name, until: deadline)
        } catch {
            return false  // Without a bus there is no portal.
        }
    }

    /// Asks the portal to open `url`. Returns when the portal has done so, or while the user still chooses, after three
    /// seconds.
    ///
    /// If the calling task is cancelled, the result is `.canceled` within a moment, and the portal's window closes.
    ///
    /// - Parameters:
    ///   - url: The address to open.
    ///   - parentWindow: `x11:…` or `wayland:…`. Any other text counts as no window.
    /// - Returns: The outcome, which is `.opened` while the user still chooses.
    func open(_ url: URL, parentWindow: String?) async -> Outcome {
        guard !BusAddress.session(environment).isEmpty else { return .unavailable }
        let flag = AtomicFlag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // The call may block for a minute, so it has a thread of its own.
                Thread.detachNewThread {
                    open(url, parentWindow: parentWindow, until: flag) { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            flag.set()
        }
    }

    /// Calls `report` once. It then stays until the user has chosen, because the portal closes its window when the caller
    /// leaves the bus.
    private func open(_ url: URL, parentWindow: String?, until flag: AtomicFlag, report: (Outcome) -> Void) {
        func within(_ time: Duration) -> Deadline { Deadline(after: time, isCanceled: { flag.isSet }) }
        let connection: BusConnection
        let (handle, owner): (String, String)
        do throws(DBusError) {
            let deadline = within(limit)
            connection = try BusConnection.session(environment, until: deadline)
            guard try connection.canReach(Self.name, until: deadline) else { return report(.unavailable) }
            (handle, owner) = try ask(connection, toOpen: url, parentWindow: parentWindow, until: within(limit))
        } catch {
            return report(error.kind == .canceled ? .canceled : .unavailable)
        }
        if let outcome = try? response(on: connection, to: handle, by: owner, until: within(choice)) {
            return report(outcome)
        }
        if flag.isSet { return report(.canceled) }
        report(.opened)
        // The outcome was reported already, so this response changes nothing.
        _ = try? response(on: connection, to: handle, by: owner, until: Deadline(after: .seconds(60)))
    }

    private func ask(
        _ connection: BusConnection,
        toOpen url: URL,
        parentWindow: String?,
        until deadline: Deadline
    ) throws(DBusError) -> (handle: String, owner: String) {
        // The caller chooses the path of the request, so that it can watch for the response before it asks.
        let token = "msal" + UUID().uuidString.replacing("-", with: "")
        let caller = connection.name.dropFirst().replacing(".", with: "_")
        let handle = "\(Self.path)/request/\(caller)/\(token)"
        let rule = SignalRule(sender: Self.name, interface: Self.request, member: "Response", path: handle)
        try connection.watch(rule, until: deadline)
        let call = BusCall(
            to: Self.name,
            at: Self.path,
            interface: "org.freedesktop.portal.OpenURI",
            member: "OpenURI",
            arguments: [
                .string(parentWindow.flatMap(Self.window) ?? ""), .string(url.absoluteString),
                .variants([("handle_token", .string(token))]),
            ]
        )
        return (handle, try connection.call(call, until: deadline).sender)
    }

    private func response(
        on connection: BusConnection,
        to handle: String,
        by owner: String,
        until deadline: Deadline
    ) throws(DBusError) -> Outcome {
        let signal = try connection.signal(until: deadline) { message in
            message.sender == owner && message.path == handle && message.member == "Response"
        }
        guard case .uint32(let code)? = try signal.values().first else { return .unavailable }
        switch code {
        case 0: return .opened
        case 1: return .canceled
        default: return .unavailable
        }
    }

    /// The handle if it is well-formed (XDG Desktop Portal, "Parent window identifiers").
    private static func window(_ handle: String) -> String? {
        let isWindow = handle.wholeMatch(of: /x11:[0-9a-fA-F]{1,16}|wayland:[!-~]{1,256}/) != nil
        return isWindow ? handle : nil
    }
}
