#!/usr/bin/env python3
"""Connects a channel of a Deepwell server to a room of Matrix: MATRIX_URL of the home server, MATRIX_TOKEN (the access
token of the bot), MATRIX_USER (its id) and MATRIX_ROOM (the id of the room, which it has joined)."""

import os
import time
from json import load
from urllib.parse import quote

import deepwell

URL = os.environ["MATRIX_URL"] + "/_matrix/client/v3"
TOKEN = "Bearer " + os.environ["MATRIX_TOKEN"]
USER, ROOM = os.environ["MATRIX_USER"], os.environ["MATRIX_ROOM"]


def send(text):
    address = f"{URL}/rooms/{quote(ROOM)}/send/m.room.message/{time.time_ns()}"
    body = {"msgtype": "m.notice", "body": text}
    deepwell.call(address, body, "PUT", Authorization=TOKEN).close()


deepwell.pass_on("matrix", send)
since = ""
while True:
    try:
        wait = f"?timeout=30000&since={quote(since)}" if since else "?timeout=0"
        synced = load(deepwell.call(f"{URL}/sync{wait}", Authorization=TOKEN))
        room = synced.get("rooms", {}).get("join", {}).get(ROOM, {})
        for event in room.get("timeline", {}).get("events", []) if since else []:
            said = event.get("content", {})
            if event["type"] == "m.room.message" and said.get("msgtype") == "m.text" and event["sender"] != USER:
                name = event["sender"].lstrip("@").partition(":")[0]
                refused = deepwell.say("ooc", name, "matrix", said["body"])
                if refused:
                    send(f"Nobody in the game heard that: {refused}")
        since = synced["next_batch"]
    except OSError as error:
        print("Matrix does not answer:", error, flush=True)
        time.sleep(5)
