// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import TestSupport

@testable import MSALBase
@testable import MSALCore

/// Many people of one tenant.
enum Crowd {
    static func id(_ number: Int) -> String { "user-\(number).\(Contoso.tenant)" }
    static func username(_ number: Int) -> String { "user-\(number)@contoso.example" }

    static func request(_ number: Int, forceRefresh: Bool = false) -> SilentRequest {
        let account = AccountReference(
            homeAccountID: id(number),
            username: username(number),
            environment: Contoso.environment
        )
        return Contoso.silent(account: account, forceRefresh: forceRefresh)
    }

    /// All records of the first `count` people, of a thousand, at the start time of tests.
    static func records(ofFirst count: Int) -> [CacheRecord] { thousand.prefix(count).flatMap(\.self) }

    /// Created once, because their ID tokens take long to create.
    private static let thousand = (0..<1000).map { records($0, at: ManualTime().now) }

    /// All records of one account. `secret` distinguishes tokens of the same account.
    static func records(_ number: Int, at now: Date, secret: String = "first") -> [CacheRecord] {
        var metadata = AccountMetadataRecord(clientID: Contoso.clientID, homeAccountID: id(number))
        metadata.accounts[id(number)] = AccountMetadata(signInState: .signedIn)
        return [
            accessToken(of: number, named: secret, at: now),
            .refreshToken(
                RefreshTokenRecord(
                    homeAccountID: id(number),
                    environment: Contoso.environment,
                    clientID: Contoso.clientID,
                    secret: Secret("fake-rt-\(number)")
                )
            ),
            .idToken(
                IDTokenRecord(
                    homeAccountID: id(number),
                    environment: Contoso.environment,
                    clientID: Contoso.clientID,
                    realm: Contoso.tenant,
                    secret: Secret(idToken(number, at: now))
                )
            ),
            .account(
                AccountRecord(
                    homeAccountID: id(number),
                    environment: Contoso.environment,
                    realm: Contoso.tenant,
                    localAccountID: "user-\(number)",
                    username: username(number)
                )
            ),
            .accountMetadata(metadata),
        ]
    }

    static func accessToken(of number: Int, named secret: String, at now: Date) -> CacheRecord {
        .accessToken(
            AccessTokenRecord(
                homeAccountID: id(number),
                environment: Contoso.environment,
                clientID: Contoso.clientID,
                realm: Contoso.tenant,
                target: "user.read",
                secret: Secret(accessToken(of: number, named: secret)),
                life: TokenLife(cachedAt: now.addingTimeInterval(-600), expiresOn: now.addingTimeInterval(7200))
            )
        )
    }

    static func accessToken(of number: Int, named secret: String = "first") -> String { "fake-at-\(secret)-\(number)" }

    /// New tokens for the account whose refresh token was sent.
    static func response(to message: HTTPMessage) -> HTTPResponse {
        let form = String(decoding: message.body ?? Data(), as: UTF8.self)
        let token = form.split(separator: "&").first { $0.hasPrefix("refresh_token=") } ?? ""
        let number = token.split(separator: "-").last.flatMap { Int($0) } ?? 0
        let clientInfo = #"{"uid":"user-\#(number)","utid":"\#(Contoso.tenant)"}"#
        return .json(
            .object(
                Contoso.tokens(
                    idToken: idToken(number, at: ManualTime(skipsSleeps: true).now),
                    [
                        "access_token": .string(accessToken(of: number, named: "new")),
                        "refresh_token": .string("fake-rt-\(number)"),
                        "client_info": .string(Base64URL.encode(Array(clientInfo.utf8))),
                    ]
                )
            )
        )
    }

    private static func idToken(_ number: Int, at now: Date) -> String {
        var claims = Contoso.claims(at: now)
        claims["sub"] = .string("subject-\(number)")
        claims["oid"] = .string("user-\(number)")
        claims["preferred_username"] = .string(username(number))
        return Contoso.idToken(claims)
    }
}
