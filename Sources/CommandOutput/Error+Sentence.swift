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
        let isTemporary = path.hasPrefix(FileManager.default.temporaryDirectory.path)
        return "cannot use \(path): \(systemReason)"
            + (isTemporary ? ". Set TMPDIR to a folder that can be written" : "")
    }

    /// The system's reason if it is known, else Foundation's words.
    public var systemReason: String {
        let underlying = (self as NSError).userInfo[NSUnderlyingErrorKey] as? any Error
        let cause = (underlying ?? self) as NSError
        guard cause.domain == NSPOSIXErrorDomain, let code = CInt(exactly: cause.code) else {
            return localizedDescription
        }
        return String(cString: strerror(code))
    }
}
