// Licensed under the MIT License. See LICENSE.

extension MSALConfidentialClientApplication {
    /// The certificate with which the application proves who it is now; `nil` for other credentials.
    ///
    /// An API that takes tokens bound to a certificate is called over mutual TLS with this one, as long as its thumbprint is
    /// the token's ``MSALTokenResult/bindingThumbprint``. A certificate in a file may be another one after a while.
    public var clientCertificate: MSALClientCertificate? { authentication.certificate }
}
