// Licensed under the MIT License. See LICENSE.

package import Foundation
import HTTPGuards
import MSALBase
import UserFiles

/// The emulator on this machine that environment variables configure instead of the service
/// (docs/reference/Decisions.md#emulator-variable).
package struct EmulatorAddress: Sendable, Hashable {
    /// The variable with the emulator's address.
    package static let variable = "MSAL_EMULATOR"

    /// The host with its port, as in ``Authority/environment``.
    package let environment: String
    /// The certificate authorities as PEM. They are trusted in addition to the system's. `nil` if the environment names
    /// none.
    package let authorities: Data?

    /// Reads the emulator's address from `variables`; `nil` if it is not set, or if this process has privileges that
    /// its caller may lack.
    ///
    /// - Throws: `.invalidParameter` for an address that is not https or not on this machine, and for a file that other
    ///   users may change. Correct the variable, or unset it.
    package init?(
        in variables: [String: String],
        hasElevatedPrivileges: Bool = ElevatedPrivileges.areHeld
    ) throws(AuthorityError) {
        guard let text = variables[Self.variable], !text.isEmpty, !hasElevatedPrivileges else { return nil }
        environment = try Self.environment(of: text)
        authorities = try variables[TrustRoots.emulatorVariable].flatMap { $0.isEmpty ? nil : $0 }.map(Self.authorities)
    }

    /// Whether the variable is set, even to an invalid value.
    package static func isNamed(
        in variables: [String: String],
        hasElevatedPrivileges: Bool = ElevatedPrivileges.areHeld
    ) -> Bool {
        variables[variable]?.isEmpty == false && !hasElevatedPrivileges
    }

    /// The authority with its path, at the emulator.
    package func replacing(_ authority: Authority) -> Authority {
        // An authority of External ID has a host of several labels, and `localhost` has one.
        let name = "localhost"
        let isName = environment == name || environment.hasPrefix("\(name):")
        guard authority.kind == .ciam, isName else { return authority.replacingHost(environment) }
        return authority.replacingHost("127.0.0.1" + environment.dropFirst(name.count))
    }

    /// The log line for an object that uses the emulator.
    package var warning: String {
        "\(Self.variable) sends this application to the emulator at https://\(environment) instead of the service."
    }

    private static func environment(of text: String) throws(AuthorityError) -> String {
        guard
            let components = URLComponents(string: text), components.scheme?.lowercased() == "https",
            components.user == nil, components.password == nil, components.query == nil, components.fragment == nil,
            ["", "/"].contains(components.percentEncodedPath), ServerAddress.hasPossiblePort(text),
            let address = components.url.flatMap(AuthorityAddress.init), address.isLoopback
        else {
            // The value may hold a password, so it is not repeated.
            throw AuthorityError(
                .invalidParameter,
                message: "\(variable) is not an https address on this machine, such as https://localhost:8443. "
                    + "Correct it, or unset it to reach the service."
            )
        }
        return address.environment
    }

    private static func authorities(_ path: String) throws(AuthorityError) -> Data {
        var file = UserFile(path, limit: maximumSize)
        file.followsLinks = false
        file.isGuarded = true
        do throws(FileFault) {
            return Data(try file.bytes())
        } catch {
            throw AuthorityError(
                .invalidParameter,
                message: "The file \(path), which \(TrustRoots.emulatorVariable) names, \(error.reason). "
                    + "Name the file ca.pem of the emulator, or unset the variable. In a user namespace, files of root are "
                    + "another user's: name a copy of your own."
            )
        }
    }

    /// The largest accepted file, in bytes. The emulator's is smaller than 1 KiB.
    private static let maximumSize = 1 << 20
}
