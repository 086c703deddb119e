// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALCore

extension Settings {
    /// Does what needs the network. If no answer comes because a file of certificates cannot be read, that is told as
    /// the wrong setting it is. Looked at only then: what is in the store needs no network.
    ///
    /// - Returns: What `work` returns.
    /// - Throws: `Failure` with the status `usage`, if that is the reason; else what `work` throws.
    func connected<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            let isUnanswered =
                (error as? Failure).map { $0.status == .network } ?? ((error as NSError).domain == NSURLErrorDomain)
            guard isUnanswered, let fault = TrustRoots.fault(in: HTTPSettings(caFile: caFile)) else {
                throw error
            }
            throw Failure.usage(fault.message, remedy: Self.trustRemedy)
        }
    }

    /// All places that name a file of certificates.
    static let trustRemedy = "Correct --ca-file, MSAL_CA_FILE, ca_file in the profile, or SSL_CERT_FILE."
}
