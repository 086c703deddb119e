// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import UserFiles

/// The file in which Kubernetes keeps the token of a pod's service account, and replaces it before it ends.
struct FederatedTokenFile: Sendable {
    /// The variable with the path.
    static let variable = "AZURE_FEDERATED_TOKEN_FILE"
    private static let limit = 65_536

    let path: String

    /// The file at a path, or the one that the variable names.
    ///
    /// - Throws: `.credentialUnavailable` naming the variable.
    init(path: String?, environment: ServerEnvironment) throws(MSALTokenError) {
        guard let path = path ?? environment.variable(Self.variable) else {
            throw MSALTokenError(
                .credentialUnavailable,
                message:
                    "The variable \(Self.variable) is not set. In Kubernetes, the webhook for workload identity sets it: "
                    + "label the pod azure.workload.identity/use, and annotate its service account."
            )
        }
        self.path = path
    }

    /// The content without a line end. It is read anew each time.
    ///
    /// - Throws: `.credentialUnavailable` naming the path, never the content.
    func assertion(in environment: ServerEnvironment) throws(MSALTokenError) -> Secret {
        let data: Data
        do throws(FileFault) {
            data = try environment.files.contents(of: path, limit: Self.limit)
        } catch {
            throw fault(error.reason)
        }
        guard let text = String(validating: data, as: UTF8.self) else { throw fault(FileFault.notText.reason) }
        let token: String
        do throws(CredentialText.Fault) {
            token = try CredentialText.credential(in: text)
        } catch {
            throw fault(error.reason)
        }
        guard !token.isEmpty, !token.contains(" ") else { throw fault(token.isEmpty ? "is empty" : "holds no token") }
        return Secret(token)
    }

    private func fault(_ reason: String) -> MSALTokenError {
        MSALTokenError(
            .credentialUnavailable,
            message:
                "The file with the federated token, \(path), \(reason). Nothing was sent. Check the volume of the pod, "
                + "and \(Self.variable)."
        )
    }
}
