// Licensed under the MIT License. See LICENSE.

extension CertificateFixture {
    /// The password of an encrypted file. It is not an argument of a test, because arguments are printed.
    static func password(of file: String) -> String {
        if file == "empty" { return "" }
        return file.hasSuffix("umlaut") ? "pässwörd" : "correct horse"
    }
}
