// Licensed under the MIT License. See LICENSE.

import ClientTestSupport
import MSAL
import Testing

struct MSALGlobalConfigTests {
    @Test func `the switch for bound refresh tokens keeps its value and logs one line`() async {
        let logged = LoggedIDs()

        await logged.listen {
            MSALGlobalConfig.shouldRequestBoundAppRefreshTokens = true
            MSALGlobalConfig.shouldRequestBoundAppRefreshTokens = true
        }
        #expect(MSALGlobalConfig.shouldRequestBoundAppRefreshTokens)
        MSALGlobalConfig.shouldRequestBoundAppRefreshTokens = false

        #expect(!MSALGlobalConfig.shouldRequestBoundAppRefreshTokens)
        #expect(logged.lines.count == 1)
        #expect(logged.lines.first?.contains("shouldRequestBoundAppRefreshTokens has no effect") == true)
    }
}
