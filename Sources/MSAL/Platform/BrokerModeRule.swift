// Licensed under the MIT License. See LICENSE.

/// The identity broker of this machine (docs/reference/Broker.md). If the device is signed in, it needs no page.
/// Otherwise the broker shows the page, and not our browser.
package struct BrokerModeRule: SignInModeRule {
    package let name = SignInMode.broker

    package func assessment(of request: SignInModeRequest, on machine: SignInEnvironment) -> SignInModeAssessment {
        if let refusal = request.brokerRefusal { return .impossible(refusal) }
        switch machine.broker {
        case .present: return .good("the identity broker of this machine signs you in")
        case .absent(let reason): return .impossible(reason)
        }
    }
}
