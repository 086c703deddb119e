// Licensed under the MIT License. See LICENSE.

import Foundation

extension Error {
    /// The error in words for a person.
    ///
    /// Foundation's own words about a file leave out which file it is. So the file comes first, then the system's reason,
    /// and for a temporary file how to choose another place.
    package var sentence: String {
        let error = self as NSError
        guard error.domain == NSCocoaErrorDomain,
            let path = error.userInfo[NSFilePathErrorKey] as? String ?? (error.userInfo[NSURLErrorKey] as? URL)?.path
        else { return localizedDescription }
        let cause = error.userInfo[NSUnderlyingErrorKey] as? POSIXError
        let reason = cause.map { String(cString: strerror($0.code.rawValue)) } ?? error.localizedDescription
        let isTemporary = path.hasPrefix(FileManager.default.temporaryDirectory.path)
        return "cannot use \(path): \(reason)"
            + (isTemporary ? ". Set TMPDIR to a folder that can be written" : "")
    }
}
