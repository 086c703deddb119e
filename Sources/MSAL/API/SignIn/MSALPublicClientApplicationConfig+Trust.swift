// Licensed under the MIT License. See LICENSE.

private import MSALCore

extension MSALPublicClientApplicationConfig {
    /// Checks the certificate files in ``caFile`` and the environment variable `SSL_CERT_FILE`. Linux only.
    ///
    /// As long as the files cannot be read, requests fail with `NSURLErrorDomain` -1202, the error for an untrusted
    /// server. This call distinguishes the two.
    ///
    /// - Throws: Detail -42000 if a file cannot be read or contains no certificate. The description names it.
    public func checkTrust() throws {
        guard let fault = TrustRoots.fault(in: HTTPSettings(caFile: caFile)) else { return }
        throw AuthError(.invalidParameter, message: fault.message).nsError
    }
}
