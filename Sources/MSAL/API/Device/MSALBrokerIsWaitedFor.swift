// Licensed under the MIT License. See LICENSE.

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name of a notification that is posted when an identity broker has not responded for two seconds to a call that
/// does not need the user. Linux only.
///
/// Tell the user what the app is waiting for. The call ends after ten seconds at most. For a minute after that, calls
/// other than sign-ins skip the broker. Posted on any thread.
public let MSALBrokerIsWaitedFor = "MSALBrokerIsWaitedFor"
