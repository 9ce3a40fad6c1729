"""The bridge of a Deepwell server, for bots: read its events, and speak on its channels.

DEEPWELL_URL is the address of ops.listen, such as http://127.0.0.1:4090; DEEPWELL_TOKEN is the token.
"""

import json
import os
import threading
import time
import urllib.error
import urllib.request

URL = os.environ.get("DEEPWELL_URL", "http://127.0.0.1:4090")
TOKEN = os.environ["DEEPWELL_TOKEN"]


def call(url, body=None, method=None, **headers):
    """Sends a request with JSON, and returns the open answer."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Content-Type": "application/json", "User-Agent": "DeepwellBridge", **headers}
    request = urllib.request.Request(url, data, headers, method=method)
    return urllib.request.urlopen(request, timeout=60)


def events():
    """Yields each event of the game as a dictionary, for ever."""
    last = None
    while True:
        try:
            seen = {"Last-Event-ID": last} if last else {}
            with call(URL + "/bridge/events", Authorization="Bearer " + TOKEN, **seen) as answer:
                for line in answer:
                    field, _, value = line.decode().rstrip("\n").partition(": ")
                    if field == "id":
                        last = value
                    elif field == "data" and "kind" in (event := json.loads(value)):
                        yield event
        except OSError as error:
            print("the game does not answer:", error, flush=True)
            time.sleep(5)


def say(channel, name, via, text):
    """Speaks on a channel of the game. Returns the reason if nobody hears it."""
    body = {"channel": channel, "name": name, "via": via, "text": text}
    try:
        call(URL + "/bridge/say", body, Authorization="Bearer " + TOKEN).close()
    except urllib.error.HTTPError as error:
        return json.load(error).get("error", str(error))
    except OSError as error:
        return str(error)
    return None


def lines(via):
    """Yields a sentence for each event that did not come through this bridge itself."""
    for event in events():
        if event["kind"] == "speech" and event["via"] != via:
            through = f" ({event['via']})" if event["via"] else ""
            yield f"[{event['channel']}] {event['name']}{through}: {event['text']}"
        elif event["kind"] in ("login", "logout"):
            yield f"{event['name']} has {'come' if event['kind'] == 'login' else 'left'}."
        elif event["kind"] in ("news", "announcement"):
            yield event["text"]


def pass_on(via, send):
    """Sends all lines in the background. One that cannot be sent is lost."""

    def run():
        for line in lines(via):
            try:
                send(line)
            except OSError as error:
                print(f"{via} does not answer:", error, flush=True)

    threading.Thread(target=run, daemon=True).start()
