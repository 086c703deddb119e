// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import TestSupport
import Testing

@testable import MSALCore

@Suite("Configuration of native authentication", .timeLimit(.minutes(1)))
struct APIConfigurationTests {
    @Test func `the raw values match MSAL for iOS`() {
        #expect(MSALNativeAuthChallengeTypes([.OOB, .password]).rawValue == 3)
        #expect(MSALNativeAuthCapabilities.mfaRequired.rawValue == 1)
        #expect(MSALNativeAuthCapabilities.registrationRequired.rawValue == 2)
    }

    @Test func `a subdomain becomes the tenant's authority`() throws {
        let configuration = try NativeScript.configuration()

        #expect(configuration.authority.url.absoluteString == "https://contoso.ciamlogin.com/contoso.onmicrosoft.com")
    }

    @Test(arguments: ["", "a.b", "evil.com/", "contoso@evil", "-", "a b", "ä", "contoso#"])
    func `an invalid subdomain is rejected`(_ subdomain: String) {
        #expect {
            try MSALNativeAuthPublicClientApplicationConfig(
                clientId: "client",
                tenantSubdomain: subdomain,
                challengeTypes: [.OOB]
            )
        } throws: { error in
            let error = error as NSError
            return error.domain == MSALErrorDomain
                && (error.userInfo[MSALInternalErrorCodeKey] as? NSNumber)?.intValue == -42000
        }
    }

    @Test func `an authority of another type is rejected`() throws {
        let url = try #require(URL(string: "https://login.microsoftonline.com/common"))
        let configuration = MSALNativeAuthPublicClientApplicationConfig(
            clientId: "client",
            authority: try MSALAADAuthority(url: url),
            challengeTypes: [.OOB]
        )

        #expect {
            try MSALNativeAuthPublicClientApplication(
                nativeAuthConfiguration: configuration,
                platform: Platform(
                    transport: ScriptedTransport(),
                    agent: StubAgent { _, _ in [:] },
                    time: ManualTime()
                ),
                store: MemoryStore(),
                session: CurrentSession()
            )
        } throws: { ($0 as NSError).domain == MSALErrorDomain }
    }

    private var method: MSALAuthMethod {
        MSALAuthMethod(
            id: "1",
            challengeType: "oob",
            channelTargetType: MSALNativeAuthChannelType(value: "email"),
            loginHint: "l***@c"
        )
    }

    @Test func `an address to verify is a string and, for older code, an optional string`() {
        let method = self.method
        let parameters = MSALNativeAuthChallengeAuthMethodParameters(authMethod: method, verificationContact: "a@b")
        let typed: String? = "c@d"

        let text = parameters.verificationContact
        let optional: String? = parameters.verificationContact
        parameters.verificationContact = typed

        #expect(text.count == 3)
        #expect(optional == "a@b")
        #expect(parameters.verificationContact.hasPrefix("c@"))
    }

    @available(*, deprecated)
    @Test func `an address that was never set is empty, or nil, and the suggested one is sent`() {
        let method = self.method
        let parameters = MSALNativeAuthChallengeAuthMethodParameters(authMethod: method)

        let text: String = parameters.verificationContact
        let optional: String? = parameters.verificationContact

        #expect(text.isEmpty)
        #expect(optional == nil)
        #expect(parameters.contact == "l***@c")
        parameters.verificationContact = ""
        #expect(parameters.contact.isEmpty)
    }

    @Test func `a copy contains every setting`() throws {
        let configuration = try NativeScript.configuration()
        configuration.redirectUri = "http://localhost"
        configuration.capabilities = [.mfaRequired]
        configuration.requestInterceptor = Headers([:])
        configuration.caFile = URL(filePath: "/ca.pem")

        let copy = try #require(configuration.copy() as? MSALNativeAuthPublicClientApplicationConfig)

        #expect(copy.challengeTypes == [.OOB, .password])
        #expect(copy.capabilities == [.mfaRequired])
        #expect(copy.requestInterceptor === configuration.requestInterceptor)
        #expect(copy.redirectUri == "http://localhost")
        #expect(copy.caFile == configuration.caFile)
        #expect(copy.authority == configuration.authority)
    }

    @Test func `an interceptor's headers are sent, except reserved ones`() async throws {
        let script = try NativeScript(.started("ct-1"), .code("ct-2")) {
            $0.requestInterceptor = Headers(["x-risk": "low", "x-ms-a": "1", "Cookie": "2", "X-Client-b": "3"])
        }

        _ = try await script.application.signIn(parameters: MSALNativeAuthSignInParameters(username: "lee"))

        for message in script.service.messages {
            #expect(message.headers["x-risk"] == "low")
            #expect(message.headers.keys.allSatisfy { !["x-ms-a", "Cookie", "X-Client-b"].contains($0) })
        }
        try script.service.verify()
    }

    @Test func `an interceptor may call its completion twice or never`() async throws {
        let script = try NativeScript(.started("ct-1"), .code("ct-2")) { $0.requestInterceptor = Careless() }

        _ = try await script.application.signIn(parameters: MSALNativeAuthSignInParameters(username: "lee"))

        #expect(script.service.messages.map { $0.headers["x-call"] } == ["1", nil])
        try script.service.verify()
    }
}

private final class Headers: NSObject, MSALNativeAuthRequestInterceptor {
    private let headers: [String: String]
    init(_ headers: [String: String]) { self.headers = headers }

    func addAdditionalHeaderFields(
        _ requestUrl: URL?,
        completionBlock: @escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock
    ) {
        completionBlock(headers)
    }
}

/// Completes the first request twice, and drops the block of the second.
private final class Careless: NSObject, MSALNativeAuthRequestInterceptor {
    func addAdditionalHeaderFields(
        _ requestUrl: URL?,
        completionBlock: @escaping MSALNativeAuthRequestInterceptorAddHeaderCompletionBlock
    ) {
        guard requestUrl?.path().hasSuffix("initiate") == true else { return }
        completionBlock(["x-call": "1"])
        completionBlock(["x-call": "2"])
    }
}
