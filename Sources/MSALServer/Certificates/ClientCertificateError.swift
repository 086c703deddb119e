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
        .noCertificate: "No certificate was found. Put the certificate and its private key in one text or file.",
        .noKey: "No private key was found. The certificate's key must be in the same text or file.",
        .twoKeys: "Two private keys were found. Keep the one that belongs to the certificate.",
        .keyMismatch:
            "The private key does not match any of the certificates. Supply a matching key and certificate.",
        .keyType: "The private key is not an RSA key. Microsoft Entra ID accepts only certificates with RSA keys.",
        .keyTooSmall: "The RSA key is too small. Use a certificate with a key of 2048 bits or more.",
        .password: "The password of the private key is wrong or missing.",
        .legacyEncryption: "The private key uses OpenSSL's legacy encryption (DEK-Info), which is not safe. "
            + "Convert it with: openssl pkcs8 -topk8 -v2 aes-256-cbc -in old.pem -out new.pem",
        .unsupportedEncryption:
            "The encryption of the private key or of the file is not supported. Export it again with "
            + "AES, such as with OpenSSL 3.",
        .malformed: "The certificate or its key is corrupt or has an unknown format. Use PEM or PKCS#12.",
    ]
}
