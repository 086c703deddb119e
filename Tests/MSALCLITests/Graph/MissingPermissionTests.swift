// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL
import Testing

@testable import MSALCLI

/// What a 403 response of Microsoft Graph says about the required permission.
struct MissingPermissionTests {
    private func refusal(_ message: String) throws -> GraphResponse {
        let body = try JSONSerialization.data(withJSONObject: ["error": ["code": "Forbidden", "message": message]])
        let answer = GraphHTTPResponse(MSALAPIResponse(status: 403, body: body))
        return GraphResponse(answer, of: try #require(URL(string: "https://graph.microsoft.com/")))
    }

    private func names(_ message: String, headers: [String: String] = [:]) throws -> [String]? {
        let body = try JSONSerialization.data(withJSONObject: ["error": ["message": message]])
        return MissingPermission(GraphHTTPResponse(MSALAPIResponse(status: 403, headers: headers, body: body)))?.names
    }

    @Test(arguments: [
        (
            "Missing scope permissions on the request. API requires one of 'Chat.ReadBasic, Chat.Read, Chat.ReadWrite'. "
                + "Scopes on the request 'User.Read, openid'", ["Chat.ReadBasic", "Chat.Read", "Chat.ReadWrite"]
        ),
        (
            "Authorization failed due to missing permission scope PrivilegedAccess.Read.AzureADGroup,"
                + "PrivilegedAccess.ReadWrite.AzureADGroup.",
            ["PrivilegedAccess.Read.AzureADGroup", "PrivilegedAccess.ReadWrite.AzureADGroup"]
        ),
        (
            "Application must have one of the following scopes: DeviceManagementApps.Read.All, "
                + "DeviceManagementApps.ReadWrite.All - Operation ID (for customer support): 0",
            ["DeviceManagementApps.Read.All", "DeviceManagementApps.ReadWrite.All"]
        ),
    ])
    func `the message of a service names the permissions`(message: String, permissions: [String]) throws {
        #expect(try names(message) == permissions)
    }

    @Test(arguments: [
        "Insufficient privileges to complete the operation.", "Access is denied. Check credentials and try again.", "",
        "Exception of type 'Contoso.Core.Exception' was thrown.", "API requires one of '$(reboot), `x`'",
        "API requires one of 'nothing'", "API requires one of 'A; rm -rf ~'",
    ])
    func `another message names none`(message: String) throws {
        #expect(try names(message) == nil)
    }

    @Test func `a header names the permission and takes precedence over the message`() throws {
        let header = ["www-authenticate": #"Bearer error="insufficient_scope", scope="User.Read.All Group.Read.All""#]

        #expect(try names("API requires one of 'Chat.Read'", headers: header) == ["User.Read.All", "Group.Read.All"])
        #expect(
            try names("", headers: ["WWW-Authenticate": #"Bearer error="insufficient_scope", scope="$(x)""#]) == nil
        )
        #expect(try names("", headers: ["WWW-Authenticate": #"Bearer scope="User.Read.All""#]) == nil)
    }

    @Test func `five permissions of a long list are named`() throws {
        let many = (1...400).map { "Chat.Read\($0)" }.joined(separator: ", ")

        #expect(try names("API requires one of '\(many)'")?.count == 5)
    }

    @Test func `the remedy is the sign-in with that scope`() throws {
        let response = try refusal("API requires one of 'Mail.Read, Mail.ReadWrite'.")
        let signIn = SignInCommand(try ClientOptions.parse(["--client-id", "app"]), scopes: ["User.Read"])

        let failure = try #require(throws: Failure.self) { try response.checked(RemedyContext(signIn: signIn)) }

        #expect(failure.status == .failed)
        #expect(
            failure.remedy
                == "The call needs one of Mail.Read, Mail.ReadWrite. Run: msal login --client-id app --scope "
                + "Mail.Read. Then add --scope Mail.Read here."
        )
    }

    @Test func `an administrator grants the permission to an app`() throws {
        let response = try refusal("Missing role permissions on the request. API requires one of 'Mail.Send'.")

        let failure = try #require(throws: Failure.self) { try response.checked(RemedyContext(isService: true)) }

        #expect(
            failure.remedy
                == "The call needs Mail.Send. Ask an administrator to consent to this permission for the app."
        )
    }

    @Test(arguments: [false, true])
    func `without a name, the error refers to Microsoft's page`(isService: Bool) throws {
        let response = try refusal("Insufficient privileges to complete the operation.")

        let failure = try #require(throws: Failure.self) { try response.checked(RemedyContext(isService: isService)) }

        #expect(failure.remedy?.contains("Microsoft's page for this call") == true)
        #expect(failure.remedy?.contains("msal login") == !isService)
    }
}
