// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import Foundation
import MSAL
import MSALCore
import TestSupport
import Testing

/// The device information that an app gets.
struct DeviceInformationTests {
    private let bench = BrokerBench()

    private func describe(_ body: (inout BrokerDevice) -> Void) {
        var device = BrokerDevice()
        body(&device)
        bench.broker.change { $0.information.device = device }
    }

    private func text(_ pairs: [AnyHashable: Any], _ key: String) -> String? { pairs[key] as? String }

    @Test func `a shared and registered device is reported as such`() async throws {
        describe {
            $0.isShared = true
            $0.isRegistered = true
            $0.deviceID = "device-1"
            $0.tenantID = Contoso.tenant
            $0.preferredAuthMethod = "qrpin"
            $0.certificateThumbprint = "A1B2"
        }
        let application = try bench.application()

        let device = try await application.deviceInformation(with: nil)

        #expect(device.deviceMode == .shared && device.configuredPreferredAuthMethod == .QRPIN)
        let pairs = device.extraDeviceInformation
        #expect(text(pairs, MSAL_PRIMARY_REGISTRATION_UPN) == Contoso.username)
        #expect(text(pairs, MSAL_PRIMARY_REGISTRATION_DEVICE_ID) == "device-1")
        #expect(text(pairs, MSAL_PRIMARY_REGISTRATION_TENANT_ID) == Contoso.tenant)
        #expect(text(pairs, MSAL_PRIMARY_REGISTRATION_CLOUD) == "login.windows.net")
        #expect(text(pairs, MSAL_PRIMARY_REGISTRATION_CERTIFICATE_THUMBPRINT) == "A1B2")
    }

    @Test func `without device information the mode is default, and the account the broker's first`() async throws {
        let device = try await bench.application().deviceInformation(with: nil)

        #expect(device.deviceMode == .default && device.configuredPreferredAuthMethod == .none)
        #expect(!device.hasAADSSOExtension)
        #expect(text(device.extraDeviceInformation, MSAL_PRIMARY_REGISTRATION_UPN) == Contoso.username)
        #expect(text(device.extraDeviceInformation, MSAL_PRIMARY_REGISTRATION_TENANT_ID) == Contoso.tenant)
    }

    @Test func `a registration is reported for its own tenant only`() async throws {
        describe {
            $0.isRegistered = true
            $0.tenantID = Contoso.tenant
        }
        let application = try bench.application()

        let own = try await application.wpjMetaDataDevice(with: nil, forTenantId: Contoso.tenant.uppercased())
        let first = try await application.wpjMetaDataDevice(with: nil, forTenantId: nil)
        let other = try await application.wpjMetaDataDevice(with: nil, forTenantId: "another")

        #expect(text(own.extraDeviceInformation, MSAL_PRIMARY_REGISTRATION_UPN) == Contoso.username)
        #expect(text(first.extraDeviceInformation, MSAL_PRIMARY_REGISTRATION_UPN) == Contoso.username)
        #expect(other.extraDeviceInformation.isEmpty)
    }

    @Test func `a device that is not registered has no registration`() async throws {
        describe { $0.isRegistered = false }

        #expect(try await bench.application().deviceInformation(with: nil).extraDeviceInformation.isEmpty)
    }

    @Test func `an app that disables the broker gets an error and an empty registration`() async throws {
        let bypassing = try bench.application { $0.bypassRedirectURIValidation = true }
        let policy = try Authority.url("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/b2c_1_susi")
        let flows = try bench.application { $0.authority = try MSALB2CAuthority(url: policy) }

        for application in [bypassing, flows] {
            let failure = await bench.failure { _ = try await application.deviceInformation(with: nil) }
            #expect(failure?.detail == MSALInternalError.internalBrokerNotAvailable.rawValue)
            let join = try await application.wpjMetaDataDevice(with: nil, forTenantId: nil)
            #expect(join.extraDeviceInformation.isEmpty)
        }
        #expect(bench.broker.calls.isEmpty)
    }

    @Test func `a broker that hangs causes an error, and one without the method does not`() async throws {
        let application = try bench.application()
        bench.broker.change { $0.informationFailure = BrokerFailure(.unreachable, message: "It hangs.") }
        let failure = await bench.failure { _ = try await application.deviceInformation(with: nil) }
        bench.broker.change { $0.informationFailure = BrokerFailure(.unsupported, message: "No such method.") }

        let device = try await application.deviceInformation(with: nil)

        #expect(failure?.detail == MSALInternalError.internalErrorBrokerResponseNotReceived.rawValue)
        #expect(device.deviceMode == .default)
    }

    @Test func `the sharing mode is known even if the broker does not list its accounts`() async throws {
        describe { $0.isShared = true }
        bench.broker.change { $0.accountsFailure = BrokerFailure(.unreachable, message: "It hangs.") }

        let device = try await bench.application().deviceInformation(with: nil)

        #expect(device.deviceMode == .shared && device.extraDeviceInformation.isEmpty)
    }

    @Test func `whether a broker exists does not depend on whether the app may use it`() throws {
        let application = try bench.application { $0.bypassRedirectURIValidation = true }

        #expect(application.isCompatibleAADBrokerAvailable)
        bench.broker.change { $0.availability = .absent("this machine has no identity broker") }
        #expect(!application.isCompatibleAADBrokerAvailable)
    }

    @Test func `device tokens are not available from a broker either`() async throws {
        let application = try bench.application()

        let one = await bench.failure {
            _ = try await application.deviceToken(with: .init(resource: "api", scopes: nil, forTenantId: "t"))
        }
        let shared = await bench.failure {
            _ = try await application.deviceTokenForSharedDevice(withResource: "api", scopes: nil)
        }

        #expect(one?.code == MSALError.workplaceJoinRequired.rawValue)
        #expect(shared?.detail == MSALInternalError.internalErrorUnexpected.rawValue)
        #expect(one?.localizedDescription.contains("identity brokers on Linux have no call") == true)
    }
}
