// Licensed under the MIT License. See LICENSE.

/// The number that Apple's framework builds are stamped with: 1. For the version of the library see
/// ``MSALPublicClientApplication/sdkVersion``.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let MSAL__Framework_VersionNumber: Double = 1
