// Licensed under the MIT License. See LICENSE.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The version number of Apple's framework builds: 1. For the version of the library, see
/// ``MSALPublicClientApplication/sdkVersion``.
public let MSAL__Framework_VersionNumber: Double = 1
