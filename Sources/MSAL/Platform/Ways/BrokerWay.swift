// Licensed under the MIT License. See LICENSE.

/// The identity broker of this machine (docs/reference/Broker.md). If the device is signed in, it needs no page.
/// Otherwise the broker shows the page, and not our browser.
package struct BrokerWay: SignInWay {
    package let name = WayName.broker

    package func judgement(of request: WayRequest, on machine: Surroundings) -> WayJudgement {
        if let refusal = request.brokerRefusal { return .impossible(refusal) }
        switch machine.broker {
        case .present: return .good("the identity broker of this machine signs you in")
        case .absent(let reason): return .impossible(reason)
        }
    }
}
