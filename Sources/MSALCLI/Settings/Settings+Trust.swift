// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL

extension Settings {
    /// Runs work that needs the network. If no response comes and a file of certificates cannot be read, the failure
    /// names that setting. The files are read only then, because tokens from the store need no network.
    ///
    /// - Returns: What `work` returns.
    /// - Throws: `Failure` with the status `usage`, if that is the reason; else what `work` throws.
    func connected<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            let hasNoResponse = (error as? Failure)?.status == .network || (error as NSError).domain == NSURLErrorDomain
            if hasNoResponse { try checkTrust() }
            throw error
        }
    }

    private func checkTrust() throws(Failure) {
        do {
            try configuration().checkTrust()
        } catch {
            throw .usage((error as NSError).userMessage, remedy: Self.trustRemedy)
        }
    }

    /// The remedy, which lists all places that name a file of certificates.
    static let trustRemedy = "Correct --ca-file, MSAL_CA_FILE, ca_file in the profile, or SSL_CERT_FILE."
}
