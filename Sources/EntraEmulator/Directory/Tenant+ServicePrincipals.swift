// Licensed under the MIT License. See LICENSE.

import Foundation

extension Tenant {
    /// The object id of an application's service principal in this tenant.
    func servicePrincipalID(of clientID: String) -> String {
        UUID.derived(from: "service principal", id, clientID).text
    }
}
