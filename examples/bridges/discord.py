#!/usr/bin/env python3
"""Connects a channel of a Deepwell server to one of Discord: DISCORD_TOKEN (of a bot with the intent "message content")
and DISCORD_CHANNEL (the number of the channel)."""

import os
import time
from json import load

import deepwell

URL = os.environ.get("DISCORD_URL", "https://discord.com/api/v10") + "/channels/" + os.environ["DISCORD_CHANNEL"]
TOKEN = "Bot " + os.environ["DISCORD_TOKEN"]
PAUSE = float(os.environ.get("DISCORD_PAUSE", "2"))


def send(text):
    # Without mentions, so that nobody in the game can wake everybody there.
    body = {"content": text[:2000], "allowed_mentions": {"parse": []}}
    deepwell.call(URL + "/messages", body, Authorization=TOKEN).close()


deepwell.pass_on("discord", send)
last = None
while True:
    try:
        after = f"?after={last}" if last else "?limit=1"
        messages = load(deepwell.call(URL + "/messages" + after, Authorization=TOKEN))
        for message in reversed(messages) if last else []:
            if not message["author"].get("bot") and message["content"]:
                name = message["author"].get("global_name") or message["author"]["username"]
                refused = deepwell.say("ooc", name, "discord", message["content"])
                if refused:
                    send(f"Nobody in the game heard that: {refused}")
        last = messages[0]["id"] if messages else last or "0"
    except OSError as error:
        print("Discord does not answer:", error, flush=True)
    time.sleep(PAUSE)
