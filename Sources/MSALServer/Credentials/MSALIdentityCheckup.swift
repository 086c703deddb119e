// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import UserFiles

/// Diagnoses which identities a machine offers to ``MSALDefaultCredential`` and the other credentials.
///
/// It requests no token. It probes for the metadata service of a virtual machine, as the chain does.
public enum MSALIdentityCheckup {
    /// The finding about one type of identity. It names variables, but does not show their values.
    public struct Finding: Sendable {
        /// The type of identity, such as `managed identity`.
        public let name: String
        /// Whether no problem was found. An identity that is not set up is not a problem.
        public let isGood: Bool
        /// The description of the finding.
        public let text: String
        /// How to fix the problem, if there is one.
        public let remedy: String?
    }

    /// Returns the findings, in the order of the default chain.
    public static func findings() async -> [Finding] { await findings(in: .system()) }

    package static func findings(in environment: ServerEnvironment) async -> [Finding] {
        [
            described(environment), workload(environment), await managedIdentity(environment),
            job(environment), commandLines(environment),
        ]
    }

    private static func described(_ environment: ServerEnvironment) -> Finding {
        let name = "environment"
        let set = names(
            [
                "AZURE_CLIENT_ID", "AZURE_TENANT_ID", "AZURE_CLIENT_SECRET", "AZURE_CLIENT_CERTIFICATE_PATH",
                "AZURE_USERNAME", "AZURE_PASSWORD", "AZURE_AUTHORITY_HOST", "AZURE_TOKEN_CREDENTIALS",
            ],
            in: environment
        )
        do throws(MSALTokenError) {
            let proof =
                switch try EnvironmentIdentity(environment).proof {
                case .secret: "an application with a secret"
                case .certificate: "an application with a certificate"
                case .password: "a user with a password, which is deprecated"
                }
            return Finding(name: name, text: "\(proof); \(set)")
        } catch {
            // If only some of the variables are set, that is usually a mistake. If none is set, nothing is wrong.
            let isFault = error.kind == .configuration || EnvironmentIdentity.isHalfSet(in: environment)
            return Finding(name: name, text: "no identity; \(set)", remedy: isFault ? error.message : nil)
        }
    }

    private static func workload(_ environment: ServerEnvironment) -> Finding {
        let name = "workload identity"
        guard let path = environment.variable("AZURE_FEDERATED_TOKEN_FILE") else {
            return Finding(name: name, text: "no; AZURE_FEDERATED_TOKEN_FILE is not set")
        }
        do throws(FileFault) {
            _ = try environment.files.contents(of: path, limit: 65_536)
            return Finding(name: name, text: "yes; AZURE_FEDERATED_TOKEN_FILE names a file")
        } catch {
            return Finding(
                name: name,
                text: "the file of AZURE_FEDERATED_TOKEN_FILE \(error.reason)",
                remedy: "Check that the pod has the label azure.workload.identity/use."
            )
        }
    }

    private static func managedIdentity(_ environment: ServerEnvironment) async -> Finding {
        let name = "managed identity"
        let (host, source) = ManagedIdentityHosts.detect(in: environment)
        guard host.hasCommonAddress else { return Finding(name: name, text: "\(source)") }
        let start = environment.time.uptime
        do throws(MSALTokenError) {
            let variable = "AZURE_POD_IDENTITY_AUTHORITY_HOST"
            guard environment.variable(variable) == nil else {
                // The chain does not probe either: the variable is proof enough.
                let address = try host.endpoint(in: environment)
                return Finding(name: name, text: "\(variable) names \(address.host() ?? "")")
            }
            let presence = try await MetadataProbing.of(environment).presence(MSALMetadataProbe(), in: environment)
            let seconds = (environment.time.uptime - start).formatted(
                .units(allowed: [.seconds, .milliseconds], width: .abbreviated)
            )
            let words =
                switch presence {
                case .present: "a metadata service responds"
                case .silent: "no metadata service"
                case .unexpectedResponder(let what): "no metadata service, but something else at its address (\(what))"
                }
            return Finding(name: name, text: "\(words), after \(seconds); \(source.reason)")
        } catch {
            return Finding(name: name, text: "not known", remedy: error.message)
        }
    }

    private static func job(_ environment: ServerEnvironment) -> Finding {
        let gitHub = ["ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"]
        let pipelines = ["SYSTEM_OIDCREQUESTURI", "SYSTEM_ACCESSTOKEN"]
        let text =
            if gitHub.allSatisfy({ environment.variable($0) != nil }) {
                "GitHub Actions: --federated github"
            } else if environment.variable("GITHUB_ACTIONS") != nil {
                "GitHub Actions, but the job has no permissions: id-token: write"
            } else if pipelines.allSatisfy({ environment.variable($0) != nil }) {
                "Azure Pipelines: --federated azure-pipelines"
            } else {
                "none"
            }
        return Finding(name: "CI job", text: text)
    }

    private static func commandLines(_ environment: ServerEnvironment) -> Finding {
        let variables = environment.allVariables()
        let found = ["msal", "az", "azd"].filter { ChildProcess.executable($0, in: variables) != nil }
        let text =
            found.isEmpty ? "none of msal, az and azd is in PATH" : "\(found.joined(separator: ", ")) in PATH"
        return Finding(name: "command lines", text: text)
    }

    private static func names(_ names: [String], in environment: ServerEnvironment) -> String {
        let set = names.filter { environment.variable($0) != nil }
        return set.isEmpty ? "no variable of it is set" : "set: \(set.joined(separator: ", "))"
    }
}

extension MSALIdentityCheckup.Finding {
    /// A finding with a remedy is a fault.
    fileprivate init(name: String, text: String, remedy: String? = nil) {
        self.name = name
        self.text = text
        self.remedy = remedy
        isGood = remedy == nil
    }
}
