// Licensed under the MIT License. See LICENSE.

import UserFiles

extension MSALClientCredential {
    /// The one credential that settings name. An empty setting is ignored.
    ///
    /// - Throws: `.invalidCredential` if there is none, or more than one: nobody could tell which one serves.
    package static func only(
        secret: String?,
        certificatePath: String?,
        certificatePassword: String?
    ) throws(MSALTokenError) -> MSALClientCredential {
        let secret = secret.flatMap { $0.isEmpty ? nil : $0 }
        let path = certificatePath.flatMap { $0.isEmpty ? nil : $0 }
        switch (secret, path) {
        case (let secret?, nil): return .secret(secret)
        case (nil, let path?): return .certificate(path: path, password: certificatePassword?.withoutFinalLineEnd)
        case (nil, nil):
            throw MSALTokenError(
                .invalidCredential,
                message: "The settings have no credential. Set client_secret or client_certificate_path."
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
