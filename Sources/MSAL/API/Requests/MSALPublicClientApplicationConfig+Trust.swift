// Licensed under the MIT License. See LICENSE.

private import MSALCore

extension MSALPublicClientApplicationConfig {
    /// Reads the certificates that ``caFile`` and the environment variable `SSL_CERT_FILE` name. Linux only.
    ///
    /// As long as the files cannot be read, requests fail with `NSURLErrorDomain` -1202, the error for an untrusted
    /// server. This call tells the two apart.
    ///
    /// - Throws: Detail -42000 if a file cannot be read or holds no certificate. The description names it.
    public func checkTrust() throws {
        guard let fault = TrustRoots.fault(in: HTTPSettings(caFile: caFile)) else { return }
        throw AuthError(.invalidParameter, message: fault.message).nsError
    }
}
