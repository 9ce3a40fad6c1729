#!/usr/bin/env python3
"""Connects a channel of a Deepwell server to one of IRC: IRC_HOST, IRC_CHANNEL, and perhaps IRC_PORT and IRC_NICK."""

import os
import socket
import ssl

import deepwell

HOST = os.environ["IRC_HOST"]
PORT = int(os.environ.get("IRC_PORT", "6697"))
CHANNEL = os.environ["IRC_CHANNEL"]
NICK = os.environ.get("IRC_NICK", "deepwell")

connection = socket.create_connection((HOST, PORT))
if PORT == 6697:
    connection = ssl.create_default_context().wrap_socket(connection, server_hostname=HOST)


def send(line):
    # A line of IRC has at most 512 bytes, with what the server adds.
    words = line.replace("\r", " ").replace("\n", " ").encode()[:400].decode(errors="ignore")
    connection.sendall((words + "\r\n").encode())


def tell(line):
    send(f"PRIVMSG {CHANNEL} :{line}")


send(f"NICK {NICK}")
send(f"USER {NICK} 0 * :Deepwell")
for line in connection.makefile(encoding="utf-8", errors="replace"):
    source, _, rest = line.rstrip("\r\n").partition(" ") if line.startswith(":") else ("", "", line.rstrip("\r\n"))
    command, _, parameters = rest.partition(" ")
    if command == "PING":
        send("PONG " + parameters)
    elif command == "001":
        send("JOIN " + CHANNEL)
        deepwell.pass_on("irc", tell)
    elif command == "PRIVMSG" and parameters.lower().startswith(CHANNEL.lower() + " :"):
        refused = deepwell.say("ooc", source[1:].partition("!")[0], "irc", parameters.partition(" :")[2])
        if refused:
            tell(f"Nobody in the game heard that: {refused}")
