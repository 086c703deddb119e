// Licensed under the MIT License. See LICENSE.

import Foundation

/// Settings under a name, from config.yaml. An empty one sets nothing.
struct Profile: Equatable {
    var clientID: String?
    var authority: String?
    var knownAuthorities: [String] = []
    var scopes: [String] = []
    var caFile: URL?
    var graphURL: String?
    var redirect: RedirectChoice?
}
