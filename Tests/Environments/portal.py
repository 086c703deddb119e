# Licensed under the MIT License. See LICENSE.
"""A desktop portal on a session bus of its own (XDG Desktop Portal, `org.freedesktop.portal.OpenURI`)."""
import contextlib
import subprocess
import threading

from jeepney import DBusAddress, HeaderFields, MessageType, new_error, new_method_return, new_signal
from jeepney.bus_messages import message_bus
from jeepney.io.blocking import open_dbus_connection

from machine import await_

NAME = "org.freedesktop.portal.Desktop"


class Portal:
    """`answer` is the code of its response: 0 opened, 1 the user chose nothing, 2 failed. `None` refuses the call."""

    def __init__(self, machine, answer=0, bus=None):
        """`bus`: The address of a session bus that runs already."""
        self.answer, self.addresses, self.parents = answer, [], []
        self.connection = open_dbus_connection(bus or self.start_bus(machine))
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
        with contextlib.suppress(Exception):  # The bus is gone with the case.
            while True:
                message = self.connection.receive()
                if message.header.message_type == MessageType.method_call:
                    self.respond(message)

    def respond(self, call):
        fields = call.header.fields
        if fields.get(HeaderFields.member) != "OpenURI" or self.answer is None:
            return self.connection.send(new_error(call, "org.freedesktop.DBus.Error.Failed"))
        parent, address, options = call.body
        self.parents.append(parent)
        caller = fields[HeaderFields.sender].lstrip(":").replace(".", "_")
        handle = f"/org/freedesktop/portal/desktop/request/{caller}/{options['handle_token'][1]}"
        self.addresses.append(address)
        self.connection.send(new_method_return(call, "o", (handle,)))
        emitter = DBusAddress(handle, interface="org.freedesktop.portal.Request")
        self.connection.send(new_signal(emitter, "Response", "ua{sv}", (self.answer, {})))

    def address(self, process):
        """The page that it was asked to open."""
        await_(lambda: self.addresses, "the portal was not asked", gone=lambda: process.poll() is not None)
        return self.addresses[0]

    def leave(self):
        """Gives the name back, so that there is no portal any more."""
        with contextlib.suppress(Exception):  # The thread that serves may hold the connection.
            self.connection.close()
