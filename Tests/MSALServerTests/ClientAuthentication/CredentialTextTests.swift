// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import MSALServer
import TestSupport
import Testing

/// Secrets, assertions, and passwords as stored in files and variables.
struct CredentialTextTests {
    private let identity = [
        "AZURE_CLIENT_ID": "00000000-0000-4000-8000-000000000001", "AZURE_TENANT_ID": "contoso.example",
    ]
    private let scope = "https://vault.azure.net/.default"
    private let token = ScriptedTransport.Response.json(
        #"{"access_token":"at","token_type":"Bearer","expires_in":7200}"#,
        to: "/oauth2/v2.0/token"
    )

    private func credential(
        _ variables: [String: String],
        _ transport: ScriptedTransport
    ) throws -> MSALEnvironmentCredential {
        MSALEnvironmentCredential(
            environment: .double(variables: identity.merging(variables) { $1 }, transport: transport)
        )
    }

    @Test(arguments: ["s3cret\n", "s3cret\r\n", "s3cret"])
    func `a client secret in a variable is sent without its line end`(_ secret: String) async throws {
        let transport = ScriptedTransport(token)

        _ = try await credential(["AZURE_CLIENT_SECRET": secret], transport).token(for: scope)

        #expect(transport.messages.last?.form["client_secret"] == "s3cret")
    }

    @Test(arguments: [("\u{FEFF}s3cret", 1), ("s3\u{200B}cret", 3), ("s3cret\n\n", 7), ("s3cret\t", 7)])
    func `a client secret with an invalid character is rejected with its position`(
        _ secret: String,
        _ position: Int
    ) async throws {
        let transport = ScriptedTransport([])
        let environment = try credential(["AZURE_CLIENT_SECRET": secret], transport)

        let ofVariable = try await failure { () async throws(MSALTokenError) in try await environment.token(for: scope)
        }
        let ofSettings = try await failure { () async throws(MSALTokenError) in
            try MSALClientCredential.only(secret: secret, certificatePath: nil, certificatePassword: nil)
        }

        let reason = "has a character at position \(position) that is not printable ASCII. Nothing was sent."
        #expect(ofVariable.kind == .configuration)
        #expect(ofVariable.message.hasSuffix("The value of AZURE_CLIENT_SECRET \(reason)"))
        #expect(ofSettings.kind == .invalidCredential)
        #expect(ofSettings.message == "The setting client_secret \(reason)")
        #expect(transport.messages.isEmpty)
    }

    @Test(arguments: [("päss word\u{200B}\r\n", "päss word\u{200B}"), (" \t\n", " \t"), ("a\n\n", "a\n")])
    func `one line end and nothing else is removed from passwords`(_ text: String, _ password: String) async throws {
        let transport = ScriptedTransport(token)
        let certificate = ServerEnvironment.double(
            variables: identity.merging([
                "AZURE_CLIENT_CERTIFICATE_PATH": "/c.pem", "AZURE_CLIENT_CERTIFICATE_PASSWORD": text,
            ]) { $1 }
        )

        _ = try await credential(["AZURE_USERNAME": "ana", "AZURE_PASSWORD": text], transport).token(for: scope)

        #expect(transport.messages.last?.form["password"] == password)
        guard case .certificate(_, let kept, _) = try EnvironmentIdentity(certificate).proof else {
            Issue.record("The variables describe a certificate.")
            return
        }
        #expect(kept?.exposed == password)
    }

    @Test(arguments: [("a.b.c\n", "a.b.c"), ("a.b.c", "a.b.c"), ("\u{FEFF}a.b.c", nil), (" \n", nil), ("a\r.b", nil)])
    func `an assertion that a callback read from a file is sent without its line end, or rejected`(
        _ text: String,
        _ assertion: String?
    ) async throws {
        let credential = MSALClientCredential.assertion { _ in MSALClientAssertion(text) }
        let context = try MSALAssertionContext.example()

        do throws(MSALTokenError) {
            let proof = try await credential.open(.double()).proof(for: context)
            #expect(proof.assertion?.exposed == assertion)
        } catch {
            #expect(assertion == nil)
            #expect(error.kind == .invalidCredential)
            #expect(error.message.hasSuffix("Nothing was sent."))
        }
    }
}
