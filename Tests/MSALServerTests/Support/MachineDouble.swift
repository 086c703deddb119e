// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import TestSupport

/// A machine whose hosts respond as a script specifies. The variables select the host.
struct MachineDouble {
    let time: ManualTime
    let transport = ScriptedTransport([])
    let files: MemoryFiles
    let environment: ServerEnvironment

    init(
        variables: [String: String] = [:],
        now: Double? = nil,
        files: MemoryFiles = MemoryFiles(),
        skipsSleeps: Bool = true
    ) {
        time = ManualTime(now: Date(timeIntervalSince1970: now ?? 1_790_000_000), skipsSleeps: skipsSleeps)
        self.files = files
        var environment = ServerEnvironment.double(
            variables: variables,
            time: time,
            files: files,
            metadataTransport: transport
        )
        environment.pinnedTransport = { [transport] _ in transport }
        self.environment = environment
    }

    func application(
        _ identity: MSALManagedIdentityId = .systemAssigned,
        capabilities: [String] = [],
        onBackgroundFailure: (@Sendable (MSALTokenError) -> Void)? = nil
    ) -> MSALManagedIdentityApplication {
        var options = MSALCredentialOptions()
        options.capabilities = capabilities
        options.onBackgroundFailure = onBackgroundFailure
        return MSALManagedIdentityApplication(identity: identity, options: options, environment: environment)
    }

    /// Adds the first response of Azure Arc's agent, and the file that it names.
    func addChallenge(key: String = "c2VjcmV0") {
        let path = "/var/opt/azcmagent/tokens/a1b2c3.key"
        files.write(Data(key.utf8), to: path)
        transport.append(.json("{}", status: 401, headers: ["WWW-Authenticate": "Basic realm=\(path)"]))
    }
}
