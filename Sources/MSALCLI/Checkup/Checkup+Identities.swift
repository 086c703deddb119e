// Licensed under the MIT License. See LICENSE.

import MSALServer

extension Checkup {
    /// Which identities that are no user's are set up here, in the order of the default chain.
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
