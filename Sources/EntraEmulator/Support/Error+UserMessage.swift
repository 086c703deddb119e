// Licensed under the MIT License. See LICENSE.

import CommandOutput
import Foundation
import GRDB

extension Error {
    /// A description of the error: the emulator's own, SQLite's without the statement, or the system's. Other libraries'
    /// errors describe themselves only by the names of their cases, so they get a general message.
    var userMessage: String {
        switch self {
        case let error as PrivateFolder.Failure: error.description
        case let error as DatabaseError: error.message ?? "SQLite's error \(error.resultCode.rawValue)"
        case is DecodingError: "it has an unknown format"
        case is any LocalizedError: localizedDescription
        default: (self as NSError).domain == NSCocoaErrorDomain ? sentence : "an internal error of the emulator"
        }
    }
}
