// Licensed under the MIT License. See LICENSE.

import Foundation
import MSALBase
import Testing

@testable import MSALCore

/// The signed examples of RFC 7515 and RFC 7520.
struct SignatureVectorTests {
    @Test(arguments: [SignatureVector.rfc7515A2, .rfc7515A3, .rfc7520s41])
    func `the signature of an RFC's example is valid`(_ vector: SignatureVector) throws {
        let key = try #require(vector.webKey)
        let algorithm = try #require(JSONWebSignature.Algorithm(rawValue: vector.algorithm))
        let signature = try #require(Base64URL.decode(vector.signature))

        #expect(JSONWebSignature.verify(compact: vector.compact, with: [key]) == .valid)
        #expect(JSONWebSignature.isValid(signature, of: vector.signed[...], by: algorithm, with: key))
    }

    @Test(arguments: [SignatureVector.rfc7515A2, .rfc7515A3, .rfc7520s41])
    func `a signature of an RFC's example with one changed bit is invalid`(_ vector: SignatureVector) throws {
        let key = try #require(vector.webKey)
        let algorithm = try #require(JSONWebSignature.Algorithm(rawValue: vector.algorithm))
        let signature = try #require(Base64URL.decode(vector.signature))

        for index in signature.indices {
            var changed = signature
            changed[index] ^= 1
            #expect(!JSONWebSignature.isValid(changed, of: vector.signed[...], by: algorithm, with: key))
        }
    }

    @Test(arguments: [SignatureVector.rfc7520s42, .rfc7520s43])
    func `an RFC's example with another algorithm is rejected`(_ vector: SignatureVector) {
        let keys = [vector.webKey, SignatureVector.rfc7520s41.webKey].compactMap(\.self)

        let verdict = JSONWebSignature.verify(compact: vector.compact, with: keys)

        #expect(verdict == .unsupportedAlgorithm(vector.algorithm))
    }

    @Test func `the P-521 key of RFC 7520 cannot be used`() {
        #expect(SignatureVector.rfc7520s43.webKey == nil)
    }
}

/// A signed example of an RFC, with the public members of its key.
struct SignatureVector: CustomTestStringConvertible {
    let algorithm: String
    let key: [String: String]
    let header: String
    let payload: String
    let signature: String

    var signed: String { "\(header).\(payload)" }
    var compact: String { "\(signed).\(signature)" }
    var webKey: JSONWebKey? { JSONWebKey(.object(key.mapValues(JSONValue.string))) }
    var testDescription: String { algorithm }
}

extension SignatureVector {
    /// RFC 7515 A.2.
    static let rfc7515A2 = SignatureVector(
        algorithm: "RS256",
        key: [
            "kty": "RSA",
            "n": """
            ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt\
            0Bm4d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSX\
            ndS5z5rexMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5\
            IhlJH7aGhyxXFvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ
            """,
            "e": "AQAB",
        ],
        header: "eyJhbGciOiJSUzI1NiJ9",
        payload: joesClaims,
        signature: """
            cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W\
            2Fp5jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkS\
            jtQBMHlb1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnv\
            Wh6IeYI2w9QOYEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw
            """
    )

    /// RFC 7515 A.3.
    static let rfc7515A3 = SignatureVector(
        algorithm: "ES256",
        key: [
            "kty": "EC",
            "crv": "P-256",
            "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        ],
        header: "eyJhbGciOiJFUzI1NiJ9",
        payload: joesClaims,
        signature: """
            DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q
            """
    )

    /// RFC 7520 §4.1.
    static let rfc7520s41 = SignatureVector(
        algorithm: "RS256",
        key: bilbosKey,
        header: "eyJhbGciOiJSUzI1NiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9",
        payload: gandalfsWarning,
        signature: """
            MRjdkly7_-oTPTS3AXP41iQIGKa80A0ZmTuV5MEaHoxnW2e5CZ5NlKtainoFmKZopdHM1O2U4mwzJdQx996ivp83\
            xuglII7PNDi84wnB-BDkoBwA78185hX-Es4JIwmDLJK3lfWRa-XtL0RnltuYv746iYTh_qHRD68BNt1uSNCrUCTJ\
            Dt5aAE6x8wW1Kt9eRo4QPocSadnHXFxnt8Is9UzpERV0ePPQdLuW3IS_de3xyIrDaLGdjluPxUAhb6L2aXic1U12\
            podGU0KLUQSE_oI-ZnmKJ3F4uOZDnd6QZWJushZ41Axf_fcIe8u9ipH84ogoree7vjbU5y18kDquDg
            """
    )

    /// RFC 7520 §4.2.
    static let rfc7520s42 = SignatureVector(
        algorithm: "PS384",
        key: bilbosKey,
        header: "eyJhbGciOiJQUzM4NCIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9",
        payload: gandalfsWarning,
        signature: """
            cu22eBqkYDKgIlTpzDXGvaFfz6WGoz7fUDcfT0kkOy42miAh2qyBzk1xEsnk2IpN6-tPid6VrklHkqsGqDqHCdP6\
            O8TTB5dDDItllVo6_1OLPpcbUrhiUSMxbbXUvdvWXzg-UD8biiReQFlfz28zGWVsdiNAUf8ZnyPEgVFn442ZdNqi\
            VJRmBqrYRXe8P_ijQ7p8Vdz0TTrxUeT3lm8d9shnr2lfJT8ImUjvAA2Xez2Mlp8cBE5awDzT0qI0n6uiP1aCN_2_\
            jLAeQTlqRHtfa64QQSUmFAAjVKPbByi7xho0uTOcbH510a6GYmJUAfmWjwZ6oD4ifKo8DYM-X72Eaw
            """
    )

    /// RFC 7520 §4.3.
    static let rfc7520s43 = SignatureVector(
        algorithm: "ES512",
        key: [
            "kty": "EC",
            "kid": "bilbo.baggins@hobbiton.example",
            "use": "sig",
            "crv": "P-521",
            "x": "AHKZLLOsCOzz5cY97ewNUajB957y-C-U88c3v13nmGZx6sYl_oJXu9A5RkTKqjqvjyekWF-7ytDyRXYgCF5cj0Kt",
            "y": "AdymlHvOiLxXkEhayXQnNCvDX4h9htZaCJN34kfmC6pV5OhQHiraVySsUdaQkAgDPrwQrJmbnX9cwlGfP-HqHZR1",
        ],
        header: "eyJhbGciOiJFUzUxMiIsImtpZCI6ImJpbGJvLmJhZ2dpbnNAaG9iYml0b24uZXhhbXBsZSJ9",
        payload: gandalfsWarning,
        signature: """
            AE_R_YZCChjn4791jSQCrdPZCNYqHXCTZH0-JZGYNlaAjP2kqaluUIIUnC9qvbu9Plon7KRTzoNEuT4Va2cmL1eJ\
            AQy3mtPBu_u_sDDyYjnAMDxXPn7XrT0lw-kvAD890jl8e2puQens_IEKBpHABlsbEPX6sFY8OcGDqoRuBomu9xQ2
            """
    )

    /// The claims of RFC 7515 A.2 and A.3.
    private static let joesClaims = """
        eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0\
        cnVlfQ
        """

    /// The payload of RFC 7520 §4.
    private static let gandalfsWarning = """
        SXTigJlzIGEgZGFuZ2Vyb3VzIGJ1c2luZXNzLCBGcm9kbywgZ29pbmcgb3V0IHlvdXIgZG9vci4gWW91IHN0ZXAg\
        b250byB0aGUgcm9hZCwgYW5kIGlmIHlvdSBkb24ndCBrZWVwIHlvdXIgZmVldCwgdGhlcmXigJlzIG5vIGtub3dp\
        bmcgd2hlcmUgeW91IG1pZ2h0IGJlIHN3ZXB0IG9mZiB0by4
        """

    /// RFC 7520 §3.3, without the private members.
    private static let bilbosKey = [
        "kty": "RSA",
        "kid": "bilbo.baggins@hobbiton.example",
        "use": "sig",
        "n": """
        n4EPtAOCc9AlkeQHPzHStgAbgs7bTZLwUBZdR8_KuKPEHLd4rHVTeT-O-XV2jRojdNhxJWTDvNd7nqQ0VEiZQHz_\
        AJmSCpMaJMRBSFKrKb2wqVwGU_NsYOYL-QtiWN2lbzcEe6XC0dApr5ydQLrHqkHHig3RBordaZ6Aj-oBHqFEHYpP\
        e7Tpe-OfVfHd1E6cS6M1FZcD1NNLYD5lFHpPI9bTwJlsde3uhGqC0ZCuEHg8lhzwOHrtIQbS0FVbb9k3-tVTU4fg\
        _3L_vniUFAKwuCLqKnS2BYwdq_mzSnbLY7h_qixoR7jig3__kRhuaxwUkRz5iaiQkqgc5gHdrNP5zw
        """,
        "e": "AQAB",
    ]
}
