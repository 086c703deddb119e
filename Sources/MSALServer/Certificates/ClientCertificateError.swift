// Licensed under the MIT License. See LICENSE.

/// The errors of a certificate that cannot be used (docs/reference/Services.md#certificates).
enum ClientCertificateError {
    /// The error with the remedy for a reason. `detail` follows it.
    static func error(_ reason: MSALTokenError.Reason, detail: String = "") -> MSALTokenError {
        let words = words[reason] ?? ""
        let message = detail.isEmpty ? words : words.isEmpty ? detail : "\(words) \(detail)"
        return MSALTokenError(.invalidCertificate, facts: MSALTokenError.Facts(message: message, reason: reason))
    }

    private static let words: [MSALTokenError.Reason: String] = [
        .noCertificate: "No certificate was found. Give the certificate and its private key in one text or file.",
        .noKey: "No private key was found. The certificate's own key must stand in the same text or file.",
        .twoKeys: "Two private keys were found. Keep the one that belongs to the certificate.",
        .keyMismatch:
            "The private key belongs to none of the certificates. Give the key and the certificate of one pair.",
        .keyType: "The private key is no RSA key, and Microsoft Entra ID takes certificates with RSA keys only.",
        .keyTooSmall: "The RSA key is too small. Have a certificate made with a key of 2048 bits or more.",
        .password: "The password of the private key is wrong or missing.",
        .legacyEncryption: "The private key is encrypted in the old way of OpenSSL (DEK-Info), which is not safe. "
            + "Convert it with: openssl pkcs8 -topk8 -v2 aes-256-cbc -in old.pem -out new.pem",
        .unsupportedEncryption:
            "The encryption of the private key or of the file is not supported. Export it again with "
            + "AES, such as with OpenSSL 3.",
        .malformed: "The certificate or its key is damaged, or its form is not known. PEM and PKCS#12 are read.",
    ]
}
