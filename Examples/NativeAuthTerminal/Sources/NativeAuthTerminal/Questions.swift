// Licensed under the MIT License. See LICENSE.

import MSAL

// The prompts of both versions.
extension Terminal {
    static func askForCode(_ delivery: MSALNativeAuthCodeDelivery) throws -> String {
        try ask("Code sent to \(delivery.sentTo) (\(delivery.codeLength) digits; empty for another): ")
    }

    static func choose(_ methods: [MSALAuthMethod]) throws -> MSALAuthMethod {
        for (index, method) in methods.enumerated() {
            print("  \(index + 1)  \(method.channelTargetType) \(method.loginHint ?? "")")
        }
        while true {
            let answer = Int(try ask("1 to \(methods.count): ")) ?? 0
            if methods.indices.contains(answer - 1) { return methods[answer - 1] }
        }
    }
}
