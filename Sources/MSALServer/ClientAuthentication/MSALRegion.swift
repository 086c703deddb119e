// Licensed under the MIT License. See LICENSE.

import MSALBase

/// The hosts that a confidential client asks for its own tokens: those of one region, or the cloud's.
///
/// A token of either host is the same. Microsoft offers regional hosts to its own services only.
public enum MSALRegion: Sendable, Hashable {
    /// The cloud's hosts, unless the variable `MSAL_FORCE_REGION` names a region.
    case none
    /// The cloud's hosts, whatever the variable says.
    case disabled
    /// The region of the machine, as the variable `REGION_NAME` or the metadata service of Azure tells it. If neither
    /// does, the cloud's hosts.
    case autoDetect
    /// The region of this name, such as `westus2`. A name with other characters than letters and digits is ignored,
    /// with a line in the log.
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
