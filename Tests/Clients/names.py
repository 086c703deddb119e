# Licensed under the MIT License. See LICENSE.
"""Maps the service's names to ports of this machine, within this process."""
import contextlib
import socket


@contextlib.contextmanager
def leading(ports, asked=None):
    """Maps each host name, or each name that ends with a `.suffix`, to a port of this machine. `asked` receives the names that
    were looked up."""
    resolve = socket.getaddrinfo

    def resolved(host, port, *rest, **options):
        name = host.decode() if isinstance(host, bytes) else host
        led = next((ports[one] for one in ports if name == one or one.startswith(".") and str(name).endswith(one)), None)
        if led is None:
            return resolve(host, port, *rest, **options)
        if asked is not None:
            asked.append(name)
        return resolve("127.0.0.1", led, *rest, **options)

    socket.getaddrinfo = resolved
    try:
        yield
    finally:
        socket.getaddrinfo = resolve
