// Licensed under the MIT License. See LICENSE.

import MSALBase
import MSALCore

/// A request of a V2 flow (docs/reference/NativeAuthV2.md#requests).
struct FlowRequest: Sendable {
    /// The purpose of the request, which determines the meaning of an error.
    enum Purpose: Sendable, Hashable {
        case entry, start, challenge, riskCheck, verifyCode, verifyPassword, update, poll, submitAttributes
        case enroll, activate, resume, token
    }

    enum Body: Sendable {
        case form(FormBody)
        case json([String: JSONValue])
    }

    let purpose: Purpose
    let link: FlowLink
    let body: Body
    /// Texts that an error must not contain, although the service repeats them.
    let secrets: [Secret]

    /// A request with a form.
    init(_ purpose: Purpose, to link: FlowLink, form: FormBody, secrets: [Secret] = []) {
        self.purpose = purpose
        self.link = link
        body = .form(form)
        self.secrets = secrets
    }

    /// A request to a link of the service, with the flow's token.
    init(
        _ purpose: Purpose,
        to link: FlowLink,
        token: Secret,
        members: [String: JSONValue] = [:],
        secrets: [Secret] = []
    ) {
        self.purpose = purpose
        self.link = link
        body = .json(members.merging(["continuationToken": .string(token.exposed)]) { $1 })
        self.secrets = secrets + [token]
    }

    var method: String { purpose == .update ? "PUT" : "POST" }

    /// The message without the common headers. `dc` is the data center of the slice configuration.
    ///
    /// - Throws: `.badURL` for a link that is not a valid service URL.
    func message(dataCenter dc: String?) throws(TransportError) -> HTTPMessage {
        var url = link.url
        let items = URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? []
        if let dc, !items.contains(where: { $0.name == "dc" }) {
            var query = FormBody()
            query.set("dc", to: dc)
            url = query.appended(to: url)
        }
        var message = HTTPMessage(method: method, to: try HTTPAddress(built: url))
        switch body {
        case .form(let form):
            message.body = form.data
            message.headers["Content-Type"] = "application/x-www-form-urlencoded"
        case .json(let members):
            message.body = Data(JSONValue.object(members).text.utf8)
            message.headers["Content-Type"] = "application/json"
            message.headers["Accept"] = "application/hal+json, application/json"
        }
        message.repetition = .never
        return message
    }
}
