// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALServer

extension Checkup {
    /// The check of the authority from which applications get their tokens.
    static func serviceSettings(_ sources: SettingSources) -> Check {
        let place = sources.authorityHost ?? "login.microsoftonline.com"
        let file = sources.caFile.map { ", and also trust \($0.path(percentEncoded: false))" } ?? ""
        return Check(name: "settings", isGood: true, finding: "applications get tokens from \(place)\(file)")
    }

    /// The identities of applications and machines on this machine, in the order of the default chain.
    static func identities() async -> [Check] {
        await MSALIdentityCheckup.findings().map { finding in
            Check(
                name: finding.name,
                isGood: finding.isGood,
                finding: finding.text,
                remedy: finding.remedy,
                status: .usage
            )
        }
    }
}
