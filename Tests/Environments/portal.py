# Licensed under the MIT License. See LICENSE.
"""A desktop portal on a separate session bus (XDG Desktop Portal, `org.freedesktop.portal.OpenURI` and `….Secret`)."""
import contextlib
import subprocess
import threading

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from machine import await_

NAME = "org.freedesktop.portal.Desktop"


class Portal:
    """`answer` is the code of its response: 0 opened, 1 the user canceled, 2 failed. `None` rejects the call.
    `secret` is the secret for the app in the sandbox. Without one it has no secrets, as on a desktop without a keyring."""

    def __init__(self, machine, answer=0, bus=None, secret=None):
        """`bus`: The address of a running session bus."""
        self.answer, self.secret, self.addresses, self.parents = answer, secret, [], []
        self.connection = open_dbus_connection(bus or self.start_bus(machine), enable_fds=True)
        machine.ends.callback(self.connection.close)
        self.connection.send_and_get_reply(message_bus.RequestName(NAME), timeout=10)
        threading.Thread(target=self.serve, daemon=True).start()

    @staticmethod
    def start_bus(machine):
        bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address=1",
                                f"--address=unix:path={machine.folder}/bus"], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        machine.ends.callback(lambda: (bus.kill(), bus.wait()))
        address = bus.stdout.readline().strip()
        machine.environment["DBUS_SESSION_BUS_ADDRESS"] = address
        return address

    def serve(self):
        with contextlib.suppress(Exception):  # The bus ended with the case.
            while True:
                message = self.connection.receive()
                if message.header.message_type == MessageType.method_call:
                    self.respond(message)

    def respond(self, call):
        fields = call.header.fields
        member = fields.get(HeaderFields.member)
        if member == "OpenURI" and self.answer is not None:
            parent, address, options = call.body
            self.parents.append(parent)
            self.addresses.append(address)
            return self.request(call, options, self.answer)
        if self.secret and member == "Get" and call.body == ("org.freedesktop.portal.Secret", "version"):
            return self.connection.send(new_method_return(call, "v", (("u", 1),)))
        if self.secret and member == "RetrieveSecret":
            descriptor, options = call.body
            with descriptor.to_file("wb") as pipe:
                pipe.write(self.secret)
            return self.request(call, options, 0)
        # GDBus responds like this if an interface is missing.
        error = "UnknownMethod" if member == "RetrieveSecret" else "Failed"
        return self.connection.send(new_error(call, f"org.freedesktop.DBus.Error.{error}"))

    def request(self, call, options, code):
        """Creates the request of the call, and responds to it immediately."""
        caller = call.header.fields[HeaderFields.sender].lstrip(":").replace(".", "_")
        handle = f"/org/freedesktop/portal/desktop/request/{caller}/{options['handle_token'][1]}"
        self.connection.send(new_method_return(call, "o", (handle,)))
        emitter = DBusAddress(handle, interface="org.freedesktop.portal.Request")
        self.connection.send(new_signal(emitter, "Response", "ua{sv}", (code, {})))

    def address(self, process):
        """The page that it was called to open."""
        await_(lambda: self.addresses, "the portal was not called", gone=lambda: process.poll() is not None)
        return self.addresses[0]

    def leave(self):
        """Releases the name, so that there is no portal any more."""
        with contextlib.suppress(Exception):  # The serving thread may hold the connection.
            self.connection.close()
