// Licensed under the MIT License. See LICENSE.

import DBus
import Foundation
import MSALBase

/// Opens URLs through the desktop portal (XDG Desktop Portal, `org.freedesktop.portal.OpenURI`).
///
/// The portal also works inside a sandbox, and supports a parent window.
struct DesktopPortal: Sendable {
    let environment: [String: String]
    /// The time limit for finding the portal, and again for starting it.
    var limit = Duration.seconds(3)
    /// How long the caller waits for the user's choice. The portal's window stays open longer.
    var choice = Duration.seconds(3)

    /// Whether a portal of this user or root is running, or the bus can start one. If the calling task is canceled,
    /// returns `false` promptly.
    func isThere() async -> Bool {
        guard !BusAddress.session(environment).isEmpty else { return false }
        return await BusThread.run { flag in isAvailable(until: flag.deadline(limit)) }
    }

    private func isAvailable(until deadline: Deadline) -> Bool {
        do throws(DBusError) {
            let connection = try BusConnection.session(environment, until: deadline)
            return try connection.reach(of: PortalRequest.portalName, until: deadline) != .nowhere
        } catch {
            return false  // Without a bus there is no portal. Another user's portal does not count.
        }
    }

    /// Asks the portal to open `url`. Returns when the portal has done so or, if the user is still choosing, after
    /// three seconds.
    ///
    /// If the calling task is canceled, returns `.canceled` promptly, and the portal's window closes.
    ///
    /// - Parameters:
    ///   - url: The URL to open.
    ///   - parentWindow: `x11:…` or `wayland:…`. Any other text means no window.
    /// - Returns: The outcome, which is `.started` while the user is still choosing.
    func open(_ url: URL, parentWindow: String?) async -> BrowserLauncher.Outcome {
        guard !BusAddress.session(environment).isEmpty else { return .unavailable }
        return await BusThread.run(reporting: { flag, report in
            open(url, parentWindow: parentWindow, until: flag, report: report)
        })
    }

    /// Calls `report` once. Then stays connected until the user has chosen because the portal closes its window when
    /// the caller leaves the bus.
    private func open(
        _ url: URL,
        parentWindow: String?,
        until flag: AtomicFlag,
        report: (BrowserLauncher.Outcome) -> Void
    ) {
        let connection: BusConnection
        let request: PortalRequest
        do throws(DBusError) {
            connection = try BusConnection.session(environment, until: flag.deadline(limit))
            let deadline = flag.deadline(limit)
            let portal = try connection.startedProgram(named: PortalRequest.portalName, until: deadline)
            request = try PortalRequest(
                to: portal,
                on: connection,
                interface: "org.freedesktop.portal.OpenURI",
                member: "OpenURI",
                arguments: [.string(parentWindow.flatMap(Self.window) ?? ""), .string(url.absoluteString)],
                until: deadline
            )
        } catch {
            return report(error.kind == .canceled ? .canceled : .unavailable)
        }
        do throws(DBusError) {
            return report(try Self.outcome(of: request, on: connection, until: flag.deadline(choice)))
        } catch {
            switch error.kind {
            case .timedOut: report(.started)
            case .canceled: return report(.canceled)
            // The portal or the bus exited, and the choice is lost.
            case .noBus, .disconnected, .malformed, .untrusted, .remote: return report(.unavailable)
            }
        }
        // The outcome has already been reported, so this response changes nothing.
        _ = try? request.outcome(on: connection, until: Deadline(after: .seconds(60)))
    }

    private static func outcome(
        of request: PortalRequest,
        on connection: BusConnection,
        until deadline: Deadline
    ) throws(DBusError) -> BrowserLauncher.Outcome {
        switch try request.outcome(on: connection, until: deadline) {
        case .done: .started
        case .canceled: .canceled
        case .failed: .unavailable
        }
    }

    /// The handle if it is well-formed (XDG Desktop Portal, "Parent window identifiers").
    private static func window(_ handle: String) -> String? {
        let isWindow = handle.wholeMatch(of: /x11:[0-9a-fA-F]{1,16}|wayland:[!-~]{1,256}/) != nil
        return isWindow ? handle : nil
    }
}
