// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The changes of the directory that resolve an error on a page.
extension EntraError {
    /// The change, with the console's page for it; `nil` for an error that the request causes.
    ///
    /// `clientID`: The client ID of the request.
    func change(clientID: String?) -> (text: String, path: String)? {
        let application = clientID.map { "/edit/applications/\($0.percentEncoded())" } ?? "/list/applications"
        return switch number {
        case 50_011, 500_117: ("Add this redirect URI to the application, or correct the request.", application)
        case 50_194, 9_002_331: ("Change the supported accounts of the application, or the authority.", application)
        case 700_051, 700_054: ("Enable this type of token for the application.", application)
        case 700_016: ("Add an application with this client ID, or correct the request.", "/add/applications")
        case 7_000_229: ("Add a service principal of the application in this tenant.", application)
        case 90_002: ("Add a tenant with this name, or correct the authority.", "/list/tenants")
        case 500_011, 70_011: ("Add the API or the permission, or correct the scope.", "/list/apis")
        case 50_105: ("Assign the user or a group to the application.", application)
        case 53_000...53_004: ("Change the policy that denies access.", "/list/policies")
        case 50_020: ("Add the user as a guest of the tenant, or use another authority.", "/people")
        case 50_053, 50_055, 50_057, 50_142: ("Change the state of the user.", "/people")
        default: nil
        }
    }
}
