// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALCore

/// A callback of the application that gives assertions (docs/reference/Services.md#assertion-callback).
struct CallbackAuthentication: ClientAuthentication {
    let callback: @Sendable (MSALAssertionContext) async throws -> MSALClientAssertion
    let timeLimit: Duration
    let bindsToCertificate: Bool
    let environment: ServerEnvironment
    let kind = ObservedCredential.callback
    let hasForeignAssertions = true

    func proof(for context: MSALAssertionContext) async throws(MSALTokenError) -> ClientProof {
        let assertion = try await assertion(for: context)
        let jwt = try Secret(
            credential: assertion.jwt.exposed,
            of: "The text that the callback for the client's assertion returned",
            else: .invalidCredential
        )
        // The clocks of two machines may differ by this time.
        if let end = assertion.expiresOn, end + Self.leeway < environment.time.now {
            throw MSALTokenError(
                .credentialUnavailable,
                message:
                    "The callback returned an assertion that expired on \(end.formatted(.iso8601)). Nothing was sent. "
                    + "Have the callback fetch a new one."
            )
        }
        guard let certificate = assertion.certificate else {
            guard !context.bindsToCertificate else { throw Self.missingCertificate }
            return .assertion(jwt)
        }
        guard bindsToCertificate else {
            throw MSALTokenError(
                .configuration,
                message:
                    "The callback returned a certificate to bind to. Set bindsToCertificate to true where the "
                    + "credential is made, or leave the certificate out."
            )
        }
        return .boundAssertion(jwt, certificate)
    }

    func bindingKeyID() throws(MSALTokenError) -> String {
        guard bindsToCertificate else { throw Self.missingCertificate }
        // Only the callback knows the certificate, and it does not run for a token from the memory. So the name is
        // fixed.
        return "callback"
    }

    private static let leeway: TimeInterval = 300

    private static var missingCertificate: MSALTokenError {
        MSALTokenError(
            .certificateRequired,
            message: "A certificate-bound token needs a certificate: set bindsToCertificate to true, and return "
                + "the certificate with the assertion."
        )
    }

    private typealias Outcome = Result<MSALClientAssertion, MSALTokenError>

    /// Runs the callback in a separate task, so that a callback that ignores cancellation does not delay callers.
    private func assertion(for context: MSALAssertionContext) async throws(MSALTokenError) -> MSALClientAssertion {
        guard !Task.isCancelled else { throw .cancellation }
        let outcome = OneShot<Outcome>()
        let work = Task { [callback] in
            do {
                outcome.settle(.success(try await callback(context)))
            } catch {
                outcome.settle(.failure(Self.failure(error)))
            }
        }
        let clock = Task { [timeLimit, environment] in
            do {
                try await environment.time.sleep(for: timeLimit)
            } catch {
                return  // The callback was faster.
            }
            outcome.settle(
                .failure(
                    MSALTokenError(
                        .credentialUnavailable,
                        message: "The callback for the client's assertion did not return within \(timeLimit). Nothing "
                            + "was sent.",
                        isRetryable: true
                    )
                )
            )
        }
        // This cancels both tasks. No caller waits for a callback that ignores cancellation; it ends on its own.
        defer {
            work.cancel()
            clock.cancel()
        }
        return try await outcome.value(ifCancelled: .failure(.cancellation)).get()
    }

    private static func failure(_ error: any Error) -> MSALTokenError {
        MSALTokenError(
            .credentialUnavailable,
            message:
                "The callback for the client's assertion threw \(type(of: error)). Nothing was sent. The underlying "
                + "error has the cause.",
            isRetryable: (error as? MSALTokenError)?.isRetryable,
            underlying: [error]
        )
    }
}
