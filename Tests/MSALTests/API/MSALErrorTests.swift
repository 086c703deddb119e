// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

struct MSALErrorTests {
    @Test func `a number outside the top level is wrapped`() {
        let error = AuthError(.invalidParameter, "Correct it.").nsError

        #expect(error.domain == MSALErrorDomain)
        #expect(error.code == MSALError.internal.rawValue)
        #expect(error.detail == MSALInternalError.internalErrorInvalidParameter.rawValue)
        #expect(error.userInfo[MSALErrorDescriptionKey] as? String == "Correct it.")
    }

    @Test func `interaction required stays at the top and keeps its cause`() {
        let refused = AuthError(.tokenRefused(OAuthError(error: "invalid_grant", suberror: "bad_token")), "Refused.")
        let error = AuthError(.interactionRequired, "Ask the user.", underlying: refused).nsError

        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(error.code == MSALErrorCode.interactionRequired.rawValue)
        #expect(error.detail == nil)
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == "invalid_grant")
        #expect(error.userInfo[MSALOAuthSubErrorKey] as? String == "bad_token")
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.detail == MSALInternalError.internalErrorInvalidGrant.rawValue)
    }

    @Test func `transport failures keep the numbers of URLSession`() {
        let error = AuthError(TransportError(.offline, "No network.")).nsError

        #expect(error.domain == NSURLErrorDomain)
        #expect(error.code == NSURLErrorNotConnectedToInternet)
        #expect(error.detail == nil)
    }

    @Test func `a missing page has the detail beneath`() {
        let error = AuthError(.http(status: 404, headers: ["Date": "today"]), "HTTP 404").nsError

        #expect(error.detail == -42007)
        #expect(error.userInfo[MSALHTTPResponseCodeKey] as? String == "404")
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.detail == -42009)
    }

    @Test func `a throttled error says so`() {
        var error = AuthError(.interactionRequired, "Ask the user.")
        error.isThrottled = true

        #expect((error.nsError.userInfo[MSALThrottlingCacheHitKey] as? NSNumber)?.intValue == 1)
    }

    @Test func `a session that is canceled is the user's cancel`() {
        #expect(MSALErrorCode.sessionCanceled == .userCanceled)
        #expect(MSALErrorCode.userCanceled.rawValue == MSALError.userCanceled.rawValue)
    }
}
