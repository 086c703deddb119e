// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport
import Testing

struct MSALPublicClientApplicationTests {
    @Test(arguments: [" ", "client\u{1}", "client\n", "client\u{7F}"])
    func `a client ID that is blank or has control characters is rejected`(_ clientID: String) {
        let error = nsError { _ = try MSALPublicClientApplication.scripted(.init(clientId: clientID)) }

        #expect(error?.detail == -42000)
    }

    @Test func `the configuration is copied`() throws {
        let configuration = MSALPublicClientApplicationConfig(clientId: "client")
        let application = try MSALPublicClientApplication.scripted(configuration)

        configuration.clientApplicationCapabilities = ["CP1"]

        #expect(try application.client().configuration.app.capabilities.isEmpty)
        #expect(application.configuration === configuration)
    }

    @Test func `a silent request without an account requires interaction`() async throws {
        let application = try MSALPublicClientApplication.scripted()

        await #expect(throws: NSError.self) {
            try await application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: nil))
        }
        let outcome = await withCheckedContinuation { continuation in
            application.acquireTokenSilent(with: .init(scopes: ["User.Read"], account: nil)) { result, error in
                continuation.resume(returning: (result == nil, (error as NSError?)?.code))
            }
        }

        #expect(outcome == (true, MSALError.interactionRequired.rawValue))
    }

    @Test func `a scheme of another type is rejected`() async throws {
        /// A scheme that the app defines.
        final class Kind: NSObject, MSALAuthenticationSchemeProtocol {
            let scheme = MSALAuthScheme.pop
            let authenticationScheme = "Pop"
        }
        let parameters = MSALSilentTokenParameters(scopes: [], account: nil)
        parameters.authenticationScheme = Kind()
        let application = try MSALPublicClientApplication.scripted()

        do {
            _ = try await application.acquireTokenSilent(with: parameters)
            Issue.record("An error was expected.")
        } catch {
            #expect((error as NSError).detail == -42008)
        }
    }

    @Test func `a blank or unknown user name is an error`() throws {
        let application = try MSALPublicClientApplication.scripted()

        #expect(nsError { _ = try application.account(forUsername: "") }?.detail == -42000)
        #expect(nsError { _ = try application.account(forUsername: "megan@contoso.example") }?.detail == -42106)
        #expect(try application.allAccounts() == [])
    }

    @Test func `signing out without an account is an error`() async throws {
        let application = try MSALPublicClientApplication.scripted()

        do {
            _ = try await application.signout(with: nil, signoutParameters: MSALSignoutParameters())
            Issue.record("An error was expected.")
        } catch {
            #expect((error as NSError).detail == -42000)
        }
    }

    @Test func `web view parameters of a sign-out keep their values`() throws {
        let parameters = MSALSignoutParameters()

        parameters.webviewParameters.onOpen = { _ in }
        parameters.webviewParameters.prefersEphemeralWebBrowserSession = true

        #expect(parameters.webviewParameters.onOpen != nil)
        #expect(parameters.webviewParameters.prefersEphemeralWebBrowserSession)
        #expect(!parameters.hasWebviewParameters)
    }

    @Test(arguments: zip(UInt(0)...8, "GET HEAD POST PUT DELETE CONNECT OPTIONS TRACE PATCH".split(separator: " ")))
    func `a verb is sent by its name`(_ number: UInt, _ name: Substring) throws {
        let verb = try #require(MSALHttpMethod(rawValue: number))

        #expect(MSALParameterStringForHttpMethod(verb) == String(name))
    }

    @Test func `without a broker the device is in default mode`() async throws {
        let application = try MSALPublicClientApplication.scripted()

        #expect(try await application.deviceInformation(with: nil).deviceMode == .default)
        #expect(!application.isCompatibleAADBrokerAvailable)
    }

    @Test func `a device token needs a registered device`() async throws {
        let application = try MSALPublicClientApplication.scripted()

        do {
            _ = try await application.deviceToken(with: .init(resource: "api", scopes: nil, forTenantId: "t"))
            Issue.record("An error was expected.")
        } catch {
            #expect((error as NSError).code == MSALError.workplaceJoinRequired.rawValue)
        }
    }

    @Test func `a redirect without a waiting sign-in is not handled`() throws {
        let url = try #require(URL(string: "msauth.com.contoso.app://auth?code=x"))

        #expect(!MSALPublicClientApplication.handleMSALResponse(url, sourceApplication: nil))
    }

    @Test func `an application without settings fails with a message`() {
        #expect(nsError { _ = try MSALPublicClientApplication().allAccounts() }?.detail == -42000)
    }
}
