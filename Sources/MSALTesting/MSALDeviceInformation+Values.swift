// Licensed under the MIT License. See LICENSE.

public import MSAL

extension MSALDeviceInformation {
    /// Creates a device from values, as an identity broker would describe it.
    public convenience init(
        deviceMode: MSALDeviceMode,
        configuredPreferredAuthMethod: MSALPreferredAuthMethod = .none
    ) {
        var device = DeviceSnapshot()
        device.isShared = deviceMode == .shared
        device.prefersQRPIN = configuredPreferredAuthMethod == .QRPIN
        self.init(device)
    }
}
