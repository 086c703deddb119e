// Licensed under the MIT License. See LICENSE.

import MSALBase
import UserFiles

extension MSALClientCredential {
    /// The one credential that settings name. An empty setting is ignored.
    ///
    /// - Throws: `.invalidCredential` if there is none, or more than one, because the choice would be ambiguous.
    package static func only(
        secret: String?,
        certificatePath: String?,
        certificatePassword: String?
    ) throws(MSALTokenError) -> MSALClientCredential {
        let secret = secret.flatMap { $0.isEmpty ? nil : $0 }
        let path = certificatePath.flatMap { $0.isEmpty ? nil : $0 }
        switch (secret, path) {
        case (let secret?, nil):
            let secret = try Secret(credential: secret, of: "The setting client_secret", else: .invalidCredential)
            return .secret(secret.exposed)
        case (nil, let path?): return .certificate(path: path, password: certificatePassword?.withoutFinalLineEnd)
        case (nil, nil):
            throw MSALTokenError(
                .invalidCredential,
                message: "The settings contain no credential. Set client_secret or client_certificate_path."
            )
        case (_?, _?):
            throw MSALTokenError(
                .invalidCredential,
                message:
                    "The settings have two credentials, client_secret and client_certificate_path. Leave one of them "
                    + "out."
            )
        }
    }
}
