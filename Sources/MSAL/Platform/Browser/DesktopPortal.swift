// Licensed under the MIT License. See LICENSE.

import DBus
import Foundation
import MSALSupport

/// Opens addresses through the desktop's portal, which also works from inside a sandbox and knows the window that asks
/// (XDG Desktop Portal, `org.freedesktop.portal.OpenURI`).
struct DesktopPortal: Sendable {
    /// What came of it.
    enum Outcome: Sendable {
        /// A browser was started, or the user is choosing one.
        case opened
        /// The user closed the choice, or the calling task was cancelled.
        case canceled
        /// There is no portal, or it could not do it.
        case unavailable
    }

    private static let name = "org.freedesktop.portal.Desktop"
    private static let path = "/org/freedesktop/portal/desktop"
    private static let request = "org.freedesktop.portal.Request"

    let environment: [String: String]
    /// The time to find the portal, and again to start it.
    var limit = Duration.seconds(3)
    /// The time to wait for the user's choice before going on; the portal's window stays longer.
    var choice = Duration.seconds(3)

    /// Whether there is a portal, or one that would be started when it is called.
    func isThere() async -> Bool {
        guard !BusAddress.session(environment).isEmpty else { return false }
        return await withCheckedContinuation { continuation in
            // A thread of its own: it may stay for seconds.
            Thread.detachNewThread { continuation.resume(returning: look()) }
        }
    }

    private func look() -> Bool {
        let deadline = Deadline(after: limit)
        do throws(DBusError) {
            return try BusConnection.session(environment, until: deadline).canReach(Self.name, until: deadline)
        } catch {
            return false  // Without a bus there is no portal.
        }
    }

    /// Asks the portal to open `url`; returns when it says that it did, or after three seconds of the user choosing.
    ///
    /// Cancelling the calling task gives `.canceled` within a moment, and takes away the choice that the user has.
    ///
    /// `parentWindow`: `x11:…` or `wayland:…`; anything else counts as no window.
    func open(_ url: URL, parentWindow: String?) async -> Outcome {
        guard !BusAddress.session(environment).isEmpty else { return .unavailable }
        let flag = AtomicFlag()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A thread of its own: it may stay for a minute.
                Thread.detachNewThread {
                    open(url, parentWindow: parentWindow, until: flag) { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            flag.set()
        }
    }

    /// Calls `report` once. Stays until the user has chosen: the portal takes its window away when the caller leaves.
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
        // Whatever it is, it comes too late to change anything.
        _ = try? response(on: connection, to: handle, by: owner, until: Deadline(after: .seconds(60)))
    }

    private func ask(
        _ connection: BusConnection,
        toOpen url: URL,
        parentWindow: String?,
        until deadline: Deadline
    ) throws(DBusError) -> (handle: String, owner: String) {
        // The path of the request is known beforehand, so that no answer can come before it is watched for.
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

    /// XDG Desktop Portal, "Parent window identifiers".
    private static func window(_ handle: String) -> String? {
        let isWindow = handle.wholeMatch(of: /x11:[0-9a-fA-F]{1,16}|wayland:[!-~]{1,256}/) != nil
        return isWindow ? handle : nil
    }
}
