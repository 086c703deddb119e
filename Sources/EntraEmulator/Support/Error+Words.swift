// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import GRDB

extension Error {
    /// The reason in words: the emulator's own, SQLite's without the statement, or the system's. The words of other
    /// libraries are names of cases.
    var words: String {
        switch self {
        case let error as PrivateFolder.Failure: error.description
        case let error as DatabaseError: error.message ?? "SQLite's error \(error.resultCode.rawValue)"
        case is DecodingError: "it has another form"
        case is any LocalizedError: localizedDescription
        default: (self as NSError).domain == NSCocoaErrorDomain ? sentence : "a fault of the emulator"
        }
    }
}
