// Licensed under the MIT License. See LICENSE.

import DBus
import Glibc
import UserFiles

/// The desktop's secret portal (XDG Desktop Portal, `org.freedesktop.portal.Secret`), which returns each sandboxed app
/// its own secret, the same at every call. Each call opens its own connection.
///
/// The portal may prompt the user to unlock the keyring even if the caller does not allow prompts. Such a caller waits
/// two seconds. The prompt closes when the caller disconnects from the bus.
struct SecretPortal: Sendable {
    private static let interface = "org.freedesktop.portal.Secret"
    /// The minimum length of a secret. GNOME's has 64 bytes; the portal does not specify a length.
    private static let minimumCount = 16
    private static let maximumCount = 4096

    let environment: [String: String]
    let keyAccess: KeyAccessOptions
    let limits: SecretService.Limits

    /// Whether the portal is running or can be started, and offers secrets. The name on the bus is not sufficient: the
    /// available interfaces depend on the desktop.
    func isOffered() throws(SecretPortalFailure) -> Bool {
        let deadline = within(limits.operation)
        do throws(DBusError) {
            let connection = try BusConnection.session(environment, until: deadline)
            guard try connection.reach(of: PortalRequest.portalName, until: deadline) != .nowhere else { return false }
            let version = BusCall(
                to: try connection.startedProgram(named: PortalRequest.portalName, until: deadline),
                at: PortalRequest.portalPath,
                interface: "org.freedesktop.DBus.Properties",
                member: "Get",
                arguments: [.string(Self.interface), .string("version")]
            )
            _ = try connection.call(version, until: deadline)
            return true
        } catch {
            switch error.kind {
            case .noBus, .remote: return false
            case .timedOut, .canceled, .disconnected, .untrusted, .malformed:
                throw SecretPortalFailure(error, limit: limits.operation)
            }
        }
    }

    /// The secret of this app. The caller must wipe it.
    func secret() throws(SecretPortalFailure) -> [UInt8] {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .noPipe(errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        try retrieve(into: ends[1])
        var secret: [UInt8]
        do throws(FileFault) {
            secret = try UserFile.pipe(ends[0], limit: Self.maximumCount, timeout: limits.operation)
        } catch {
            throw .nonsense
        }
        guard secret.count >= Self.minimumCount else {
            secret.wipe()
            throw .nonsense
        }
        return secret
    }

    /// Makes the portal write the secret into a pipe, and closes this process's write end.
    private func retrieve(into writingEnd: CInt) throws(SecretPortalFailure) {
        // The portal has its own copy of this end; the pipe ends when it closes that copy.
        defer { close(writingEnd) }
        let deadline = within(limits.operation)
        let limit = keyAccess.mayPrompt ? limits.question : limits.operation
        let outcome: PortalRequest.Outcome
        do throws(DBusError) {
            let connection = try BusConnection.session(environment, passesDescriptors: true, until: deadline)
            let request = try PortalRequest(
                to: try connection.startedProgram(named: PortalRequest.portalName, until: deadline),
                on: connection,
                interface: Self.interface,
                member: "RetrieveSecret",
                arguments: [.descriptor(0)],
                descriptors: [writingEnd],
                until: deadline
            )
            // A caller that stops waiting disconnects from the bus, which closes the portal's prompt.
            outcome = try request.outcome(on: connection, until: within(limit))
        } catch {
            throw SecretPortalFailure(error, limit: limit)
        }
        switch outcome {
        case .done: return
        case .canceled: throw .declined
        case .failed: throw .failed
        }
    }

    private func within(_ time: Duration) -> Deadline { Deadline(after: time, isCanceled: keyAccess.isCanceled) }
}
