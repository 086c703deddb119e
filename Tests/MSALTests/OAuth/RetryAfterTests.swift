// Licensed under the MIT License. See LICENSE.

import Foundation
import MSAL
import MSALCore
import TestSupport
import Testing

/// The dates of HTTP headers. The conformance cases have the values of `Retry-After`.
struct RetryAfterTests {
    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Mon, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ])
    func `a date is read in each of its forms, even with a wrong day of the week`(text: String) {
        #expect(RetryAfter.httpDate(text) == Date(timeIntervalSince1970: 784_111_777))
    }

    @Test(arguments: [
        ("2.128", Duration.seconds(2.128)), ("Sunday, 06-Nov-94 08:49:37 GMT", nil), ("soon", .seconds(60)),
        ("1e400", .seconds(60)), ("86400", .seconds(3600)), ("-5", nil), ("1e-30", nil),
    ])
    func `an API's response names a pause within bounds`(header: String, pause: Duration?) {
        let response = MSALAPIResponse(status: 429, headers: ["retry-after": header])

        #expect(response.retryAfter(at: Date(timeIntervalSince1970: 1_700_000_000)) == pause)
    }

    @Test(
        arguments: [
            "", "x", "GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:60 GMT",
            "Sun, 06 Nov 1994 24:49:00 GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 06 Nov 1994 08:49:37 GMT, and more",
            "sun, 06 nov 1994 08:49:37 gmt", "Sunday, 06-Nov-94 08:49:37", "Sun Nov  6 08:49:37 1994 GMT",
            "Sun Nov 31 08:49:37 1994", "Sunday, 31-Nov-94 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov \u{0} 08:49:37 GMT",
        ]
    )
    func `other text is not a date`(text: String) {
        #expect(RetryAfter.httpDate(text) == nil)
    }
}

/// Damaged values of `Retry-After`.
struct RetryAfterFuzzTests {
    @Test func `every pause is bounded, whatever the header contains`() {
        var fuzz = Fuzz(
            corpus: [
                "2.128", "120", "soon", "1e400", "-5", "nan", "inf", "0x1p3", " 7 ", "Sun, 06 Nov 1994 08:49:37 GMT",
                "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Fri, 31 Dec 9999 23:59:59 GMT",
            ].map { Array($0.utf8) },
            words: ["GMT", "Nov", "-", ":", " ", "e", ".", "99999999999999999999", "Sunday, ", "0", "\u{0}"]
        )
        let now = Date(timeIntervalSince1970: 1_700_000_000)

        fuzz.run { bytes in
            let pause = RetryAfter.delay(String(decoding: bytes, as: UTF8.self), now: now)
            #expect(pause.map { $0 > .zero && $0 <= .seconds(3600) } ?? true)
        }
    }
}
