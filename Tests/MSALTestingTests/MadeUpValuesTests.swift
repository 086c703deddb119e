// Licensed under the MIT License. See LICENSE.

import MSAL
import MSALTesting
import Testing

/// What a test makes up has the same members as what the library gives.
struct MadeUpValuesTests {
    @Test func `a result has what it is made of`() throws {
        let end = Date(timeIntervalSince1970: 2_000_000_000)
        let id = UUID()
        let url = try #require(URL(string: "https://login.microsoftonline.com/contoso.com"))
        let account = MSALAccount(username: "megan@contoso.com", identifier: "Oid.Tid")
        let parameters = MSALSilentTokenParameters(scopes: ["User.Read", "Mail.Read"], account: account)
        parameters.authority = try MSALAADAuthority(url: url)
        parameters.correlationId = id
        parameters.authenticationScheme = MSALAuthenticationSchemePop(
            httpMethod: .GET,
            request: url,
            nonce: nil,
            additionalParameters: nil
        )

        let result = MSALResult(
            accessToken: "token",
            account: account,
            parameters: parameters,
            expiresOn: end,
            claims: ["oid": "guest", "tid": "other", "roles": ["admin"], "auth_time": 7]
        )

        #expect(result.accessToken == "token")
        #expect(result.authorizationHeader == "Pop token")
        #expect(result.expiresOn == end)
        #expect(result.scopes == ["User.Read", "Mail.Read"])
        #expect(result.account == account)
        #expect(result.authority.url == url)
        #expect(result.correlationId == id)
        #expect(result.tenantProfile.identifier == "guest")
        #expect(result.tenantProfile.tenantId == "other")
        #expect(!result.tenantProfile.isHomeTenantProfile)
        #expect(result.tenantProfile.claims?["roles"] as? [String] == ["admin"])
        #expect(result.tenantProfile.claims?["auth_time"] as? Int == 7)
        #expect(result.idToken?.hasSuffix(".") == true)
    }

    @Test func `a result of token and account is that of the home tenant, for an hour`() throws {
        let account = MSALAccount(username: "megan@contoso.com", claims: ["name": "Megan"])

        let result = MSALResult(accessToken: "token", account: account)

        #expect(result.authorizationHeader == "Bearer token")
        #expect(result.scopes.isEmpty)
        #expect(try #require(result.expiresOn?.timeIntervalSinceNow).rounded() == 3600)
        #expect(result.tenantProfile.isHomeTenantProfile)
        #expect(result.tenantProfile.identifier == account.homeAccountId?.objectId)
        #expect(result.tenantProfile.claims?["name"] as? String == "Megan")
        #expect(result.authority.url.absoluteString == "https://login.microsoftonline.com/common")
        #expect(result.account.tenantProfiles == nil)
    }

    @Test func `an account has what it is made of`() {
        let guest = MSALTenantProfile(identifier: "guest", tenantId: "other", claims: ["name": "Guest"])

        let account = MSALAccount(
            username: "megan@contoso.com",
            identifier: "Oid.Tid",
            environment: "login.chinacloudapi.cn",
            claims: ["name": "Megan"],
            tenantProfiles: [guest]
        )

        #expect(account.username == "megan@contoso.com")
        #expect(account.identifier == "oid.tid")
        #expect(account.homeAccountId?.tenantId == "tid")
        #expect(account.environment == "login.chinacloudapi.cn")
        #expect(account.accountClaims?["name"] as? String == "Megan")
        #expect(account.tenantProfiles?.map(\.tenantId) == ["other"])
        #expect(account.tenantProfiles?.first?.claims?["name"] as? String == "Guest")
    }

    @Test func `accounts of different users differ, and those of one user are equal`() {
        let megan = MSALAccount(username: "megan@contoso.com")

        #expect(megan == MSALAccount(username: "megan@contoso.com"))
        #expect(megan != MSALAccount(username: "alex@contoso.com"))
        #expect(megan != MSALAccount(username: "megan@fabrikam.com"))
        #expect(megan.homeAccountId?.objectId == "megan")
        #expect(megan.accountClaims == nil)
    }

    @Test func `an error has domain, code and details as the library's have`() throws {
        let result = MSALResult(accessToken: "token", account: MSALAccount(username: "megan@contoso.com"))

        let canceled = NSError.msal(.userCanceled)
        let declined = NSError.msal(
            .serverDeclinedScopes,
            description: "Too much.",
            details: [MSALInvalidResultKey: result, MSALDeclinedScopesKey: ["Mail.Read"]]
        )
        let other = NSError.msal(.internal)
        let detailed = NSError.msal(detail: .internalErrorAccountRequired)

        for error in [canceled, declined, other, detailed] {
            #expect(error.domain == MSALErrorDomain)
            #expect(error.userInfo[MSALCorrelationIDKey] is String)
        }
        #expect(canceled.code == -50005)
        #expect(canceled.userInfo[MSALInternalErrorCodeKey] == nil)
        #expect(declined.code == -50003)
        #expect(declined.localizedDescription == "Too much.")
        #expect(declined.userInfo[MSALErrorDescriptionKey] as? String == "Too much.")
        #expect(declined.userInfo[MSALInvalidResultKey] as? MSALResult === result)
        #expect(other.code == -50000 && other.userInfo[MSALInternalErrorCodeKey] as? Int == -42008)
        #expect(detailed.code == -50000 && detailed.userInfo[MSALInternalErrorCodeKey] as? Int == -42106)
    }

    @Test func `a device can be a shared one`() {
        let device = MSALDeviceInformation(deviceMode: .shared, configuredPreferredAuthMethod: .QRPIN)

        #expect(device.deviceMode == .shared)
        #expect(device.configuredPreferredAuthMethod == .QRPIN)
        #expect(!device.hasAADSSOExtension)
    }
}
