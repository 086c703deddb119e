// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import UserFiles

/// The registration that `msal` needs: a public client of one tenant that may read its user's profile, and nothing else.
struct CommandRegistration: Equatable {
    var name = "msal"

    /// The redirect URIs of the registration. The second is for identity brokers: docs/Broker.md#registration
    static let redirectURIs = [
        RedirectChoice.defaultURI, "https://login.microsoftonline.com/common/oauth2/nativeclient",
    ]

    /// Microsoft Graph's `User.Read` (Microsoft's page "Microsoft Graph permissions reference").
    private static let userRead = (
        api: "00000003-0000-0000-c000-000000000000", id: "e1fe6dd8-ba31-4d61-89e7-88639da4683d"
    )

    /// The body of `POST /applications` (Microsoft's page "Create application").
    var json: String {
        let access: [String: Any] = ["id": Self.userRead.id, "type": "Scope"]
        return JSONText.pretty([
            "displayName": name, "signInAudience": "AzureADMyOrg", "publicClient": ["redirectUris": Self.redirectURIs],
            "requiredResourceAccess": [["resourceAppId": Self.userRead.api, "resourceAccess": [access]]],
        ]) ?? ""
    }

    /// The four steps in the portal of an authority's cloud (Microsoft's page "Register an application in Microsoft
    /// Entra ID"). For an emulator on this machine it is one sentence: an emulator needs no portal.
    static func steps(authority: String) -> [String] {
        let url = URL(string: authority)
        guard url.flatMap(ServiceHost.init)?.isLoopback != true else {
            return ["The emulator has apps and tenants: entra-emulator lists them when it starts."]
        }
        return [
            "Open \(portal(authorityHost: url?.host())) and choose New registration.",
            "Name it msal, for this organization only. Redirect URI: Public client/native, \(redirectURIs[0]). Register.",
            "Authentication, Mobile and desktop: also add \(redirectURIs[1]), for identity brokers.",
            "Overview: copy the application (client) ID and the directory (tenant) ID.",
        ]
    }

    /// The portal's list of registrations, in the cloud of an authority.
    static func portal(authorityHost: String?) -> String {
        let cloud = authorityHost.flatMap { Cloud.of(host: $0) }
        let hosts = [Cloud.all[1]: "entra.microsoft.us", Cloud.all[2]: "entra.microsoftonline.cn"]
        let host = cloud.flatMap { hosts[$0] } ?? "entra.microsoft.com"
        return "https://\(host)/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade"
    }
}

/// Registers the app at Microsoft Graph.
struct RegistrationRequest {
    let sender: GraphSender
    let registration: CommandRegistration

    /// Sends the request.
    ///
    /// - Returns: The application ID.
    /// - Throws: `Failure` with Microsoft Graph's message; what the library throws if no response came.
    func clientID() async throws -> String {
        var call = GraphRequest(url: try GraphAddress.url("/applications", at: sender.graph))
        call.method = "POST"
        call.headers = ["Content-Type": "application/json", "Accept": "application/json"]
        call.body = Data(registration.json.utf8)
        let answer = try await sender.send(call)
        do throws(Failure) {
            _ = try GraphResponse(answer, of: sender.graph).checked()
        } catch {
            var failure = error
            failure.status = .failed
            let isAboutToken = [401, 403].contains(answer.status) && !answer.isPage
            failure.remedy =
                (isAboutToken ? "The token needs Application.ReadWrite.All. " : "")
                + "To register the app by hand, follow the steps of: msal setup"
            throw failure
        }
        let remedy = "Check for the app in the portal."
        guard let id = try answer.document(remedy: remedy)?["appId"]?.string, !id.isEmpty else {
            throw Failure.file("Microsoft Graph returned no application ID.", remedy: remedy)
        }
        return id
    }
}

/// The token with which the app is registered. It is never an argument, because all users of the machine can see
/// arguments.
enum RegistrationToken {
    /// The longest token, in bytes.
    private static let maximumLength = 64 << 10

    /// Reads the text from standard input.
    ///
    /// - Throws: `Failure` with the status `failed`, if it cannot be read.
    static func read() throws(Failure) -> String {
        do throws(FileFault) {
            return String(decoding: try UserFile.standardInput(limit: maximumLength), as: UTF8.self)
        } catch {
            throw .file("Standard input \(error.reason).")
        }
    }

    /// - Throws: `Failure` with the status `usage`, for a text that is not a token. The message does not show the text.
    static func check(_ text: String, from place: String) throws(Failure) -> PrivateText {
        let remedy =
            "For example: az account get-access-token --resource-type ms-graph "
            + "--query accessToken -o tsv | msal setup --create --yes"
        let token: String
        do throws(CredentialText.Fault) {
            token = try CredentialText.credential(in: text).trimmingCharacters(in: .whitespaces)
        } catch {
            throw .usage("\(place) \(error.reason). Nothing was sent.", remedy: remedy)
        }
        guard !token.isEmpty, !token.contains(" "), token.utf8.count <= maximumLength else {
            throw .usage("\(place) contains no token.", remedy: remedy)
        }
        return PrivateText(token)
    }
}
