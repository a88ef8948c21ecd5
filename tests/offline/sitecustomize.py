"""Keeps every Python process with this folder on PYTHONPATH off the network, and lists what it tried.

Names and addresses other than loopback are refused, and each attempt becomes a line of the file that
PLAYGROUND_TEST_OUTBOUND names. An audit hook sees every socket, whatever library opens it.
"""

import os
import sys

LOOPBACK = {None, "", "localhost", "127.0.0.1", "::1", "0.0.0.0", "::"}
ADDRESS_AT = {
    "socket.connect": 1,
    "socket.sendto": 1,
    "socket.sendmsg": 1,
    "socket.getaddrinfo": 0,
    "socket.gethostbyname": 0,
    "socket.gethostbyaddr": 0,
}
"""Where the address stands among the arguments of an audit event."""


def refuse(event: str, arguments: tuple) -> None:
    """Raise for an address of another machine."""
    if event not in ADDRESS_AT:
        return
    address = arguments[ADDRESS_AT[event]]
    if event in ("socket.connect", "socket.sendto", "socket.sendmsg"):
        if not isinstance(address, tuple):
            return  # a Unix socket
        address = address[0]
    address = address.decode() if isinstance(address, bytes) else address
    if address not in LOOPBACK:
        with open(os.environ["PLAYGROUND_TEST_OUTBOUND"], "a", encoding="utf-8") as log:
            log.write(f"{event} {address}\n")
        raise ConnectionRefusedError(f"{event} {address}: this test has no network.")


sys.addaudithook(refuse)
