// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

struct MSALAuthorityTests {
    @Test(arguments: [
        ("https://login.microsoftonline.com/common", "MSALAADAuthority"),
        ("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_s", "MSALB2CAuthority"),
        ("https://contoso.ciamlogin.com", "MSALCIAMAuthority"),
    ])
    func `the URL determines the class`(_ url: String, _ name: String) throws {
        let authority = try MSALAuthority(url: try #require(URL(string: url)))

        #expect(String(describing: type(of: authority)) == name)
    }

    @Test func `direct AD FS is rejected`() throws {
        let url = try #require(URL(string: "https://fs.contoso.example/adfs"))

        #expect(nsError { _ = try MSALADFSAuthority(url: url) }?.detail == -42008)
        #expect(nsError { _ = try MSALAuthority(url: url) }?.detail == -42008)
    }

    @Test(arguments: ["", " "])
    func `a blank host is an invalid parameter`(_ host: String) {
        let error = nsError {
            _ = try MSALAADAuthority(
                environment: host,
                audienceType: .azureADMultipleOrgsAudience,
                rawTenant: nil
            )
        }

        #expect(error?.detail == -42000)
    }

    @Test func `equal URLs create equal authorities`() throws {
        let one = try MSALAADAuthority(url: try #require(URL(string: "https://login.microsoftonline.com/common")))
        let two = try MSALAADAuthority(
            cloudInstance: .publicCloudInstance,
            audienceType: .azureADAndPersonalMicrosoftAccountAudience,
            rawTenant: nil
        )

        #expect(one == two)
        #expect(one.hash == two.hash)
    }
}
