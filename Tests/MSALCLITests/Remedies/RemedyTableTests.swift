// Licensed under the MIT License. See LICENSE.

import ArgumentParser
import Foundation
import MSAL
import Testing

@testable import MSALCLI

/// The remedy for each error of the library. No remedy belongs to another category of error.
struct RemedyTableTests {
    /// How the remedies of a category begin.
    private enum Kind: String {
        case signIn = "Sign in: msal login"
        case signInAgain = "Sign in again"
        case scopes = "Request only scopes that are granted"
        case spelling = "Check the spelling of --scope"
        case request = "Check that all scopes belong to one API"
        case client = "Check --client-id"
        case host = "Check the host in --authority"
        case broker = "To sign in without the identity broker: msal login --mode browser"
        case machine = "Run: msal doctor"
        case store = "Run: msal cache doctor"
    }

    /// Details of the code -50000. For all others the message is sufficient.
    private static let details: [MSALInternalError: Kind] = [
        .internalErrorInvalidRequest: .request, .internalErrorInvalidClient: .client,
        .internalErrorUnauthorizedClient: .client, .internalErrorInvalidScope: .spelling,
        .internalErrorFailedAuthorityValidation: .host, .internalErrorAccountRequired: .signIn,
        .internalErrorMismatchedUser: .broker, .internalErrorBrokerResponseNotReceived: .broker,
        .internalErrorBrokerCorruptedResponse: .broker, .internalErrorBrokerUnknown: .broker,
        .internalBrokerNotAvailable: .machine,
    ]

    private static let codes: [MSALError: Kind] = [
        .interactionRequired: .signInAgain, .serverInvalidRequestResetPasswordRequired: .signInAgain,
        .serverDeclinedScopes: .scopes,
    ]

    private static let storeFailures: [MSALTokenStoreFailure] = [
        .unwritable, .unreadable, .damaged, .unknownFormat, .busy, .full, .unverified, .keyUnavailable, .insecure,
        .invalidSetting, .unsupportedFileSystem,
    ]

    private func error(
        _ code: MSALError,
        _ detail: MSALInternalError? = nil,
        _ failure: MSALTokenStoreFailure? = nil
    ) -> NSError {
        var information: [String: Any] = [MSALErrorDescriptionKey: "What happened."]
        information[MSALInternalErrorCodeKey] = detail.map { NSNumber(value: $0.rawValue) }
        information[MSALTokenStoreFailureKey] = failure
        return NSError(domain: MSALErrorDomain, code: code.rawValue, userInfo: information)
    }

    private func expect(_ kind: Kind?, for error: NSError, sourceLocation: SourceLocation = #_sourceLocation) {
        let remedy = Failure(error).remedy
        guard let kind else {
            #expect(remedy == nil, "\(error)", sourceLocation: sourceLocation)
            return
        }
        #expect(remedy?.hasPrefix(kind.rawValue) == true, "\(error): \(remedy ?? "")", sourceLocation: sourceLocation)
    }

    @Test func `each detail has the remedy of its category, or none`() {
        let all = (42_000...43_000).compactMap { MSALInternalError(rawValue: -$0) }
        #expect(all.count > 60)

        for detail in all { expect(Self.details[detail], for: error(.internal, detail)) }
    }

    @Test func `each code has the remedy of its category, or none`() {
        let all = (50_000...50_200).compactMap { MSALError(rawValue: -$0) }
        #expect(all.count > 9)

        for code in all { expect(Self.codes[code], for: error(code)) }
    }

    @Test func `a failure of the store has the remedy of the store`() {
        for failure in Self.storeFailures { expect(.store, for: error(.internal, .internalErrorUnexpected, failure)) }
    }

    @Test func `a missing response has the remedy of the machine`() {
        for code in [-1001, -1003, -1004, -1005, -1009, -1202] {
            expect(.machine, for: NSError(domain: NSURLErrorDomain, code: code))
        }
    }

    /// The store and the redirect URI are checked when an application object is created, and share a code.
    @Test(arguments: storeFailures)
    func `a failure of the store is not reported as one of the redirect URI`(_ failure: MSALTokenStoreFailure) throws {
        let options = try ClientOptions.parse(["--client-id", "app"])
        let settings = try Settings(options, scopes: [], environment: [:], profile: Profile())
        let ofStore = error(.internal, .internalErrorUnexpected, failure)
        let ofRedirect = error(.internal, .internalErrorUnexpected)

        let passedOn = #expect(throws: NSError.self) {
            try settings.checkingRedirect { () throws -> Void in throw ofStore }
        }
        let told = #expect(throws: Failure.self) {
            try settings.checkingRedirect { () throws -> Void in throw ofRedirect }
        }

        #expect(passedOn?.storeFailure == failure)
        #expect(told?.remedy?.contains("--redirect-uri") == true)
    }
}
