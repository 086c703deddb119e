// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer
import MSALSupport

extension Checkup {
    /// Which identities that are no user's are set up here, in the order of the default chain. Variables are named, and
    /// their values are not shown.
    static func identities(_ environment: ServerEnvironment) async -> [Check] {
        [
            described(environment), workload(environment), await managedIdentity(environment),
            job(environment), commandLines(environment),
        ]
    }

    private static func described(_ environment: ServerEnvironment) -> Check {
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
            return Check(name: name, isGood: true, finding: "\(proof); \(set)")
        } catch {
            // A part of the variables is usually a typing error. None of them is no fault.
            let isFault = error.kind == .configuration || EnvironmentIdentity.isHalfSet(in: environment)
            return Check(
                name: name,
                isGood: !isFault,
                finding: "no identity; \(set)",
                remedy: isFault ? error.message : nil,
                status: .usage
            )
        }
    }

    private static func workload(_ environment: ServerEnvironment) -> Check {
        let name = "workload identity"
        guard let path = environment.variable("AZURE_FEDERATED_TOKEN_FILE") else {
            return Check(name: name, isGood: true, finding: "no; AZURE_FEDERATED_TOKEN_FILE is not set")
        }
        do throws(FileFault) {
            _ = try environment.files.contents(of: path, limit: 65_536)
            return Check(name: name, isGood: true, finding: "yes; AZURE_FEDERATED_TOKEN_FILE names a file")
        } catch {
            return Check(
                name: name,
                isGood: false,
                finding: "the file of AZURE_FEDERATED_TOKEN_FILE \(error.reason)",
                remedy: "Check that the pod has the label azure.workload.identity/use.",
                status: .usage
            )
        }
    }

    private static func managedIdentity(_ environment: ServerEnvironment) async -> Check {
        let name = "managed identity"
        let source = MSALManagedIdentitySource.detect(in: environment)
        guard source.kind == .imds else { return Check(name: name, isGood: true, finding: "\(source)") }
        let start = environment.time.uptime
        do throws(MSALTokenError) {
            let isPresent = try await MetadataProbing.of(environment).isPresent(MSALMetadataProbe(), in: environment)
            let seconds = (environment.time.uptime - start).formatted(
                .units(allowed: [.seconds, .milliseconds], width: .abbreviated)
            )
            let words = isPresent ? "a metadata service is there" : "no metadata service"
            return Check(name: name, isGood: true, finding: "\(words), after \(seconds); \(source.reason)")
        } catch {
            return Check(name, failure: Failure(error))
        }
    }

    private static func job(_ environment: ServerEnvironment) -> Check {
        let gitHub = ["ACTIONS_ID_TOKEN_REQUEST_URL", "ACTIONS_ID_TOKEN_REQUEST_TOKEN"]
        let pipelines = ["SYSTEM_OIDCREQUESTURI", "SYSTEM_ACCESSTOKEN"]
        let finding =
            if gitHub.allSatisfy({ environment.variable($0) != nil }) {
                "GitHub Actions: --federated github"
            } else if environment.variable("GITHUB_ACTIONS") != nil {
                "GitHub Actions, but the job has no permissions: id-token: write"
            } else if pipelines.allSatisfy({ environment.variable($0) != nil }) {
                "Azure Pipelines: --federated azure-pipelines"
            } else {
                "none"
            }
        return Check(name: "CI job", isGood: true, finding: finding)
    }

    private static func commandLines(_ environment: ServerEnvironment) -> Check {
        let found = ["msal", "az", "azd"].filter { ChildProcess.executable($0, in: environment.variables) != nil }
        return Check(
            name: "command lines",
            isGood: true,
            finding: found.isEmpty ? "none of msal, az and azd is in PATH" : "\(found.joined(separator: ", ")) in PATH"
        )
    }

    private static func names(_ names: [String], in environment: ServerEnvironment) -> String {
        let set = names.filter { environment.variable($0) != nil }
        return set.isEmpty ? "no variable of it is set" : "set: \(set.joined(separator: ", "))"
    }
}
