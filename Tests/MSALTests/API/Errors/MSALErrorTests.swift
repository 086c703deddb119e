// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import Testing

@testable import MSALCore

struct MSALErrorTests {
    @Test func `a code outside the top level is wrapped`() {
        let error = AuthError(.invalidParameter, message: "Correct it.").nsError

        #expect(error.domain == MSALErrorDomain)
        #expect(error.code == MSALError.internal.rawValue)
        #expect(error.detail == MSALInternalError.internalErrorInvalidParameter.rawValue)
        #expect(error.userInfo[MSALErrorDescriptionKey] as? String == "Correct it.")
    }

    @Test func `interaction required stays at the top level and keeps its cause`() {
        let refused = AuthError(
            .tokenRefused(OAuthError(error: "invalid_grant", suberror: "bad_token")),
            message: "Refused."
        )
        let error = AuthError(.interactionRequired, message: "Ask the user.", underlying: refused).nsError

        #expect(error.code == MSALError.interactionRequired.rawValue)
        #expect(error.code == MSALErrorCode.interactionRequired.rawValue)
        #expect(error.detail == nil)
        #expect(error.userInfo[MSALOAuthErrorKey] as? String == "invalid_grant")
        #expect(error.userInfo[MSALOAuthSubErrorKey] as? String == "bad_token")
        let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.detail == MSALInternalError.internalErrorInvalidGrant.rawValue)
    }

    @Test func `transport failures keep the codes of URLSession`() {
        let error = AuthError(TransportError(.offline, message: "No network.")).nsError

        #expect(error.domain == NSURLErrorDomain)
        #expect(error.code == NSURLErrorNotConnectedToInternet)
        #expect(error.detail == nil)
    }

    @Test func `a missing page has its detail in the underlying error`() {
        let error = AuthError(.http(status: 404, headers: ["Date": "today"]), message: "HTTP 404").nsError

        #expect(error.detail == -42007)
        #expect(error.userInfo[MSALHTTPResponseCodeKey] as? String == "404")
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.detail == -42009)
    }

    @Test func `a throttled error is marked as throttled`() {
        var error = AuthError(.interactionRequired, message: "Ask the user.")
        error.isThrottled = true

        #expect((error.nsError.userInfo[MSALThrottlingCacheHitKey] as? NSNumber)?.intValue == 1)
    }

    @Test func `a canceled session is the same error as a canceled sign-in`() {
        #expect(MSALErrorCode.sessionCanceled == .userCanceled)
        #expect(MSALErrorCode.userCanceled.rawValue == MSALError.userCanceled.rawValue)
    }

    @available(*, deprecated)
    @Test func `names of earlier versions are aliases of current details`() {
        #expect(MSALInternalError.invalidParameter == .internalErrorInvalidParameter)
        #expect(MSALInternalError.brokerApplicationTokenReadFailed == .internalErrorBrokerApplicationTokenReadFailed)
        #expect(MSALInternalError.errorUINotSupportedInExtension == .internalErrorUINotSupportedInExtension)
        #expect(MSALInternalError.brokerNotAvailable == .internalBrokerNotAvailable)
        #expect(MSALInternalError.errorJITLinkError == .internalErrorJITLinkError)
    }

    @available(*, deprecated)
    @Test(arguments: [-42000, -42008, -42714, -42106])
    func `a switch may use names of earlier versions`(_ number: Int) {
        let name: String? =
            switch MSALInternalError(rawValue: number) {
            case .errorInvalidParameter: "parameter"
            case .unexpected?: "unexpected"
            case .brokerNotAvailable: "broker"
            default: nil
            }

        #expect(name == [-42000: "parameter", -42008: "unexpected", -42714: "broker"][number])
    }
}
