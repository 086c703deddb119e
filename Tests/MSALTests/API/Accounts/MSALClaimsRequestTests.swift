// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

struct MSALClaimsRequestTests {
    @Test func `a request without claims is an empty object`() {
        #expect(MSALClaimsRequest().jsonString() == "{}")
    }

    @Test func `a removed claim is gone, and removing an absent claim is an error`() throws {
        let request = MSALClaimsRequest()
        try request.requestClaim(MSALIndividualClaimRequest(name: "nickname"), for: .idToken)

        try request.removeClaim(withName: "nickname", target: .idToken)

        #expect(request.claimsRequests(for: .idToken) == [])
        #expect(nsError { try request.removeClaim(withName: "nickname", target: .idToken) }?.detail == -42000)
    }

    @Test func `a value that JSON cannot represent is rejected`() {
        let claim = MSALIndividualClaimRequest(name: "auth_time")
        let info = MSALIndividualClaimRequestAdditionalInfo()
        info.value = Date(timeIntervalSince1970: 0)
        claim.additionalInfo = info

        #expect(nsError { try MSALClaimsRequest().requestClaim(claim, for: .accessToken) }?.detail == -42000)
    }

    @Test func `invalid JSON sets the error of the JSON reader`() {
        var error: NSError?
        _ = MSALClaimsRequest(jsonString: "{", error: &error)

        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.code == 3840)
    }

    @Test func `a parsed request is written back unchanged`() throws {
        var error: NSError?
        let text = #"{"access_token":{"nbf":{"essential":true,"value":"1"}},"id_token":{"sub":null}}"#

        #expect(MSALClaimsRequest(jsonString: text, error: &error).jsonString() == text)
        #expect(error == nil)
    }
}
