// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import TestSupport
import Testing

@testable import MSAL
@testable import MSALBase
@testable import MSALCore

/// The headers of token requests (docs/reference/Protocol.md#headers and #mailbox).
struct TokenRequestHeaderTests {
    private let id = UUID()

    /// The user that the app names, and the data center to which the request is therefore sent.
    enum Whom: CaseIterable {
        case account, accountWithoutID, loginHint, nobody

        var mailbox: String? {
            switch self {
            case .account: "Oid:user-1@\(Contoso.tenant)"
            case .accountWithoutID: "UPN:bob@contoso.example"
            case .loginHint: "UPN:amy@contoso.example"
            case .nobody: nil
            }
        }
    }

    @Test func `a request names the library, the app and its id`() async throws {
        let bench = try BadInputBench {
            $0.applicationID = "com.contoso.app"
            $0.applicationVersion = "2.1"
        }
        bench.setResponse()
        let amy = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        let parameters = MSALSilentTokenParameters(scopes: ["user.read"], account: amy)
        parameters.forceRefresh = true
        parameters.correlationId = id

        _ = try await bench.application.acquireTokenSilent(with: parameters)

        let expected = [
            "Accept": "application/json", "Content-Type": "application/x-www-form-urlencoded",
            "client-request-id": id.uuidString, "return-client-request-id": "true", "x-client-SKU": "MSAL.Swift",
            "x-client-Ver": MSALPublicClientApplication.sdkVersion,
            "x-client-OS": ClientHeaders().client["x-client-OS"] ?? "",
            "x-client-CPU": "64",
            "x-app-name": "com.contoso.app", "x-app-ver": "2.1", "x-ms-lib-capability": "retry-after, h429",
            "X-AnchorMailbox": "Oid:user-1@\(Contoso.tenant)",
        ]
        let headers = try #require(bench.service.tokenRequests.first?.headers)
        for (name, value) in expected { #expect(headers[name] == value, "\(name)") }
        #expect(headers["x-client-OS"]?.hasPrefix("Linux") == true)
        // Device headers require a broker, and Linux has none.
        for name in ["x-ms-PKeyAuth", "x-client-DM"] { #expect(headers[name] == nil, "\(name)") }
    }

    @Test func `an app without a name and a version sends neither`() async throws {
        let bench = try BadInputBench()
        bench.setResponse()

        _ = try await bench.renew()

        let headers = try #require(bench.service.tokenRequests.first?.headers)
        for name in ["x-app-name", "x-app-ver"] { #expect(headers[name] == nil, "\(name)") }
    }

    @Test(arguments: Whom.allCases)
    func `the code is sent to the data center of the user that the app names`(_ whom: Whom) async throws {
        let bench = try BadInputBench()
        bench.setResponse()
        let parameters = MSALInteractiveTokenParameters(scopes: ["user.read"])
        switch whom {
        case .account: parameters.account = try bench.application.account(forIdentifier: Contoso.homeAccountID)
        case .accountWithoutID:
            let bob = AccountSnapshot(homeAccountID: "", username: "bob@contoso.example", environment: "")
            parameters.account = MSALAccount(bob, hasProfiles: false)
        case .loginHint: parameters.loginHint = Contoso.username
        case .nobody: break
        }

        _ = try await bench.application.acquireToken(with: parameters)

        #expect(bench.service.tokenRequests.map { $0.headers["X-AnchorMailbox"] } == [whom.mailbox])
    }

    @Test(arguments: [
        (#"{"uid":"user-9","utid":"home-9"}"#, "Oid:user-9@home-9"), ("not that", "UPN:amy@contoso.example"),
        (#"{"uid":"user-9\r\nx: y","utid":"home-9"}"#, "UPN:amy@contoso.example"),
    ])
    func `the code is sent to the signed-in user's data center`(_ clientInfo: String, _ mailbox: String) async throws {
        let bench = ClientBench(
            agent: StubAgent { visit, _ in
                [
                    "code": "code-1", "state": visit.expectedState,
                    "client_info": Base64URL.encode(Array(clientInfo.utf8)),
                ]
            }
        )
        bench.service.setLast(.failure(.offline))
        var request = Contoso.interactive()
        request.loginHint = Contoso.username

        await #expect(throws: AuthError.self) { try await bench.client.interactive.acquire(request) }

        #expect(bench.service.tokenRequests.first?.headers["X-AnchorMailbox"] == mailbox)
    }

    @Test func `a hint that cannot be sent in a header is omitted`() {
        #expect(ClientHeaders.mailbox(homeAccountID: nil, username: "amy\r\nx: y") == nil)
        #expect(ClientHeaders.mailbox(homeAccountID: "a\u{0}.b", username: nil) == nil)
    }
}
