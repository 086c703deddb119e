// Licensed under the MIT License. See LICENSE.

import MSALCore
import MSALSupport

/// Asks whether the user has signed in with the code (RFC 8628 §3.4).
struct DeviceCodeGrant: TokenGrant {
    let deviceCode: Secret

    let grantType = "urn:ietf:params:oauth:grant-type:device_code"
    /// The caller repeats the question by itself, at the pace that the service wants.
    let repetition = HTTPMessage.Repetition.never

    var parameters: FormBody {
        var form = FormBody()
        form.set(.deviceCode, to: deviceCode.exposed)
        return form
    }
}
