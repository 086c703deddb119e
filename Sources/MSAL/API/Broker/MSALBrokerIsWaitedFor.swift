// Licensed under the MIT License. See LICENSE.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name of the notification of an identity broker that has not responded for two seconds to a call that does not need
/// the user. Linux only.
///
/// Tell the user what is waited for. The call ends after ten seconds at most. Calls within the minute after that pass the
/// broker over, but for sign-ins. It is posted on any thread.
public let MSALBrokerIsWaitedFor = "MSALBrokerIsWaitedFor"
