// Licensed under the MIT License. See LICENSE.

import Testing

@testable import MSAL

@Suite struct NativeAuthTests {}
