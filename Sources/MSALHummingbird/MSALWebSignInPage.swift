// Licensed under the MIT License. See LICENSE.

import Foundation
import HTTPTypes
import MSALBase
import MSALServer

/// A page that tells the user what happened, and what to do.
///
/// The texts contain no secrets. Escape them in HTML, because they can contain the user's name.
public struct MSALWebSignInPage: Sendable {
    /// The reason for a page. Later versions may add kinds, so a `switch` needs a `default`.
    public enum Kind: String, Sendable {
        /// The user left the sign-in, or did not consent; or is signed out.
        case cancelled, signedOut
        /// The response belongs to no sign-in of this browser, or to an old one.
        case beginAgain
        /// The service requires the user, possibly even after several sign-ins.
        case signInAgain, repeated
        /// A form, possibly that of a sign-out, does not come from a page of this session.
        case forgedForm, forgedSignOut
        /// The user does not have the required app role.
        case missingRole
        /// The service, an API, or the store of the sessions does not respond now.
        case unavailable
        /// The service has refused a sign-in or a token.
        case failed
    }

    /// The reason for the page.
    public let kind: Kind
    /// The title and heading, and what happened and what to do.
    public let title: String, message: String
    /// The text and the address of the link, which is on this site.
    public let linkTitle: String, linkAddress: String
    /// The signed-in user, if known.
    public let user: MSALWebUser?
    let status: HTTPResponse.Status

    init(_ kind: Kind, link: String, user: MSALWebUser? = nil, correlationID: UUID? = nil) {
        (self.kind, linkAddress, self.user) = (kind, link, user)
        let (again, number) = ("Try again", correlationID?.uuidString ?? "–")
        let name = user?.name.map { ", \($0)" } ?? ""
        (title, message, linkTitle, status) =
            switch kind {
            case .cancelled: ("Not signed in", "You left the sign-in, or did not consent.", again, .ok)
            case .signedOut: ("You are signed out", "This application has deleted your session.", "Sign in again", .ok)
            case .beginAgain:
                ("Please begin again", "This sign-in is over, or another browser began it.", again, .badRequest)
            case .signInAgain:
                ("One more step", "The service requires you to sign in again\(name).", "Sign in again", .ok)
            case .repeated:
                ("Sign-in does not help", "Allow cookies for this site, or use another account.", again, .forbidden)
            case .forgedSignOut: ("Not signed out", "The form came from another page.", again, .forbidden)
            case .forgedForm: ("Nothing was changed", "The form came from another page.", again, .forbidden)
            case .missingRole:
                ("No access", "Ask an administrator for the role that this page requires.", "Switch user", .forbidden)
            case .unavailable:
                ("Please try again", "A service does not respond. You are not signed out.", again, .serviceUnavailable)
            // The text of an error is for the operators, who find it in the log with this number.
            case .failed: ("Sign-in failed", "Try again later, or quote the number \(number).", again, .badGateway)
            }
    }

    /// A plain page without scripts and styles.
    public var html: String {
        """
        <!doctype html><html lang="en"><meta charset="utf-8"><meta name="color-scheme" content="light dark">
        <meta name="viewport" content="width=device-width, initial-scale=1"><title>\(Self.escaped(title))</title>
        <h1>\(Self.escaped(title))</h1><p>\(Self.escaped(message))</p>
        <p><a href="\(Self.escaped(linkAddress))">\(Self.escaped(linkTitle))</a></p>
        """
    }

    /// Text for use in HTML, also in attributes.
    public static func escaped(_ text: String) -> String { text.escapedForHTML }
}
