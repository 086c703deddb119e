// Licensed under the MIT License. See LICENSE.

import MSALBase

/// Whether a confidential client gets its application tokens from a regional endpoint or from the global one.
///
/// The tokens of both are the same. Microsoft offers regional endpoints only to its own services.
public enum MSALRegion: Sendable, Hashable {
    /// The global endpoint, unless the variable `MSAL_FORCE_REGION` names a region.
    case none
    /// The global endpoint, regardless of the variable.
    case disabled
    /// The region of the machine, from the variable `REGION_NAME` or the Azure metadata service; otherwise the global
    /// endpoint.
    case autoDetect
    /// The region with this name, such as `westus2`. A name that contains other characters than letters and digits is
    /// ignored, and a warning is logged.
    case named(String)

    /// The setting together with the variable.
    package func resolved(in environment: ServerEnvironment) -> MSALRegion {
        guard self == .none, let forced = environment.variable("MSAL_FORCE_REGION") else { return self }
        return MSALRegion(word: forced)
    }

    /// The setting that a word of MSAL for .NET stands for.
    package init(word: String) {
        switch word.lowercased() {
        case "tryautodetect": self = .autoDetect
        case "disablemsalforceregion": self = .disabled
        default: self = .named(word)
        }
    }
}

/// The name of a region, which becomes a part of a host: letters and digits in lower case.
package struct RegionName: Sendable, Hashable, CustomStringConvertible {
    package let description: String

    /// Spaces are removed. The result is `nil` for a text with other characters, or for one that is too long for a
    /// label of a host.
    package init?(_ text: String) {
        let name = text.filter { $0 != " " }.lowercased()
        guard name.utf8.allSatisfy(\.isASCIILetterOrDigit), (1...63).contains(name.utf8.count) else { return nil }
        description = name
    }
}
