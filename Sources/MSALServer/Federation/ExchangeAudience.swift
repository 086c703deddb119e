// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALCore

/// The audience of assertions that a cloud takes in exchange for a token (docs/reference/Services.md#federation).
enum ExchangeAudience {
    /// The audience at an authority.
    static func name(for authority: URL) -> String {
        let host = authority.host() ?? ""
        return switch KnownClouds.metadata(for: host)?.networkHost ?? host {
        case "login.microsoftonline.us": "api://AzureADTokenExchangeUSGov"
        case "login.partner.microsoftonline.cn", "login.chinacloudapi.cn": "api://AzureADTokenExchangeChina"
        default: "api://AzureADTokenExchange"
        }
    }
}
