// Licensed under the MIT License. See LICENSE.

import Foundation

/// The request of Docker to its credential helper: a registry (docker/docker-credential-helpers, "README").
struct RegistryRequest: Equatable {
    /// The hosts of Azure Container Registry in all clouds (Microsoft's page "Azure Container Registry endpoints").
    static let hosts = HelperHost(domains: ["azurecr.io", "azurecr.us", "azurecr.cn"])

    /// The scope of the registries, the same in all clouds (Microsoft's page "Authenticate with an Azure container
    /// registry").
    static let scope = "https://containerregistry.azure.net/.default"

    /// The user name that goes with a token (the same page).
    static let userName = "00000000-0000-0000-0000-000000000000"

    /// The message by which Docker learns that a helper does not know a registry. Docker then continues without a
    /// credential.
    static let notFound = "credentials not found in native keychain"

    let host: String

    /// Reads the text that Docker writes: a host, or an address with a host.
    ///
    /// - Throws: `Failure`: `notSignedIn` for another registry; `usage` for an Azure registry in an unusual spelling.
    init(_ bytes: some BidirectionalCollection<UInt8>) throws(Failure) {
        var end = bytes.endIndex
        // Docker ends the name with nothing, a line feed, or CR LF.
        for byte: UInt8 in [0x0A, 0x0D] where bytes[..<end].last == byte && (byte == 0x0A || end != bytes.endIndex) {
            end = bytes.index(before: end)
        }
        let whole = String(decoding: bytes[..<end], as: UTF8.self)
        let line = String(whole.unicodeScalars.prefix { $0.properties.generalCategory != .control })
        let prefix = "https://"
        let isAddress = line.hasPrefix(prefix)
        let name = isAddress ? String(line.dropFirst(prefix.count)) : line
        switch Self.hosts.decision(name) {
        case .known where line != whole:
            throw .usage("The name of the registry contains a control character, such as a line break.")
        case .known: host = name
        case .refused(let reason): throw .usage("\(line) gets no token: the host \(reason).")
        case .foreign:
            let rest = name.components(separatedBy: "://").last ?? ""
            guard name.contains("://"), Self.hosts.decision(rest) != .foreign else {
                // Docker compares the whole line, so no remedy may follow the message.
                throw .notSignedIn(Self.notFound, remedy: nil)
            }
            throw .usage("\(line) gets no token: registries are reached only over https.")
        }
    }

    /// Checks that a token of an environment may be sent to the registry.
    ///
    /// - Throws: `Failure` with the status `usage`, if the registry belongs to another cloud.
    func check(environment: String) throws(Failure) {
        guard let cloud = Cloud.of(host: ServiceHost(environment: environment)?.name ?? environment) else { return }
        let domains = ["azurecr.io": Cloud.all[0], "azurecr.us": Cloud.all[1], "azurecr.cn": Cloud.all[2]]
        let own = domains.first { host.hasSuffix("." + $0.key) }?.value
        guard own == cloud else {
            throw .usage("\(host) belongs to another cloud than \(environment), so no token is sent there.")
        }
    }
}
