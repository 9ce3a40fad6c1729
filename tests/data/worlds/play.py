#!/usr/bin/env python3
"""Plays a few minutes on a new world of any release, and saves the database.

play.py PROGRAM OUT [LINES]: starts PROGRAM in a temporary folder, lets eight players play over telnet on loopback,
stops it, and writes the database to OUT, compressed with gzip. A release refuses commands that it does not know, so the
same session works with every release.
"""

import gzip
import json
import random
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PASSWORD = "open-secret"
SETTINGS = {
    "telnet.listen": "127.0.0.1:0",
    "http.listen": "off",
    "ops.listen": "off",
    "log.level": "warn",
    "world.seed": "11",
    "game.round": "100ms",
    # Branches must not collapse before a test reads the database.
    "dungeon.max_life": "3650d",
    "limits.commands_per_second": "200",
    # The import of a few dozen rooms takes several steps.
    "limits.slice_work": "100",
}
CREATURES = re.compile(r"\b(\w+)(?: and [\w ]+)? bars? the way|\b(rat|bat|goblin|orc|spider|beetle|leech|hare|grub)\b")
# Commands that players try in the dungeon, in addition to walking and fighting.
HABITS = [
    "pull lever", "search chest", "open chest", "push barrel east", "unlock", "pray", "rest", "stand", "use potion",
    "drop torch", "put all in sack", "answer river", "train", "roll need", "goal", "rescue bera", "companion", "flee",
    "struggle", "get all", "get all from corpse", "wear all", "in", "down", "listen", "drop all.coin", "use rope",
]


class Server:
    """A running server with a folder for its state."""

    def __init__(self, program, folder):
        self.program, self.state = program, Path(folder) / "var"
        known = set(self.run("config", "defaults", plain=True).split())
        words = ["--set", f"server.state_dir={self.state}"]
        for name, value in SETTINGS.items():
            if name != "http.listen" or "[http]" in known:
                words += ["--set", f"{name}={value}"]
        self.words = words
        self.process = subprocess.Popen([program, "serve", *words], cwd=folder)
        while not (self.state / "ready.json").exists():
            time.sleep(0.05)
        ready = json.loads((self.state / "ready.json").read_text())
        self.port = int(str(ready["telnet"]).rsplit(":", 1)[1])

    def run(self, *words, plain=False):
        words = [self.program, *words] + ([] if plain else self.words)
        return subprocess.run(words, check=True, capture_output=True, text=True).stdout

    def stop(self):
        self.run("control", "stop")
        assert self.process.wait() == 0


class Client:
    """A telnet client that refuses every option, and reads until the server stops sending."""

    def __init__(self, port, name, word="create"):
        self.name, self.raw = name, b""
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.read(0.3)
        self.say(f"{word} {name} {PASSWORD}", 0.6)
        for line in ["guide off", "config width off", "config wait off"]:
            self.say(line)

    def read(self, quiet):
        self.socket.settimeout(quiet)
        text, patience = b"", time.monotonic() + 1
        while time.monotonic() < patience:
            try:
                data = self.socket.recv(65536)
            except TimeoutError:
                # The prompt marks the end of a response.
                if re.search(rb"[>:]\s*(\xff[\xf9\xef])?\s*$", text):
                    break
                continue
            for verb, option in re.findall(rb"\xff([\xfb\xfd])(.)", data, re.S):
                answer = 254 if verb == b"\xfb" else 252
                self.socket.sendall(bytes([255, answer]) + option)
            text += data
            if not data:
                break
        text = re.sub(rb"\xff\xfa.*?\xff\xf0|\xff[\xfb-\xfe].|\xff.|\x1b\[[0-9;]*m", b"", text, flags=re.S)
        return text.decode("utf-8", "replace")

    def say(self, line, quiet=0.03):
        self.socket.sendall(line.encode() + b"\r\n")
        heard = self.read(quiet)
        if VERBOSE:
            print(f"{self.name}> {line}\n{heard.strip()}\n", file=sys.stderr)
        return heard


def evening(server, lines):
    """Plays a session of eight players: an owner who builds, others in two parties and alone, and one who gets banned."""
    names = ["Olad", "Bera", "Mika", "Jost", "Tove", "Runa", "Hesp", "Sela"]
    people = {name: Client(server.port, name) for name in names}
    olad, bera, mika, jost, tove, runa, hesp, sela = people.values()
    token = json.loads(server.run("control", "--json", "owner-token"))
    for line in [
        f"claim {token}", "promote bera builder", "north", "dig well:start = down,up", "down", "open north;n:branch",
        "open east;e:branch", "set east window = 30", "set north max_unexplored_exits = 6", "up",
        "tunnel east = Guard Room", "east", "describe here = Water stands knee-deep.", "name here = Old Cistern;cistern",
        "open trap:exit = Guard Room", "west", "recall", "puzzle list", "branch list", "ban 192.0.2.0/24 for 3650d spam",
        "make creature well_rat like rat", "set creature well_rat hp = 4", "make thing well_rope = wet rope", "tag here = start", "undo", "undo", "redo",
        "variable new visits = number of zone", "variable set visits = 3", "lock accounts",
    ]:
        olad.say(line)
    for line in ["goto well", "tunnel south = Bera's Hut", "south", "drop lamp", "recall"]:
        bera.say(line)
    talk = [
        (mika, "say Who comes along?"), (jost, "emote nods."), (tove, "tell runa wait for me"), (runa, "reply I shall"),
        (mika, "bug The well drips."), (mika, "report tove she sings all night"), (jost, "typo climer"), (tove, "idea more ropes"), (runa, "newbie How do I fight?"),
        (mika, "alias gg = get all"), (jost, "config prompt brief"), (tove, "config colour off"), (runa, "ignore jost"), (mika, "mail to jost = Bring the rope."), (jost, "mail send tove 2 copper = For oil"), (tove, "pose hums"), (mika, "north"), (mika, "board write Rope wanted = Twenty fathoms."), (mika, "south"), (tove, "appearance A tall climber."),
        (mika, "character new Mikas"), (mika, "character list"), (olad, "ooc Welcome"), (jost, "config brief on"),
    ]
    for who, line in talk:
        who.say(line)
    moderate(olad, hesp, runa)
    outfit(olad, jost, sela)
    for line in ["party invite jost", "party invite tove"]:
        mika.say(line)
    for who in (jost, tove):
        who.say("party accept mika")
    mika.say("party loot roll")
    runa.say("party invite bera")
    bera.say("party accept")
    olad.say("party invite runa")
    for who in (jost, tove):
        who.say("follow mika")
    for who, wares in [(runa, ["pit knife", "rye loaf"]), (mika, ["cloth sack", "lamp oil"]), (tove, ["coil of rope"])]:
        for line in ["west", "list", *(f"buy {ware}" for ware in wares), "wield knife", "put oil in sack", "south"]:
            who.say(line)
        for line in ["deposit 5 copper", "balance", "recall", "north", "west", "heal", "recall"]:
            who.say(line)
    mika.say("give 2 copper to jost")
    jost.say("drop 1 copper")
    below = [(mika, "", "east"), (jost, "", "east"), (tove, "", "east"), (runa, "south", "west"), (bera, "south", "north")]
    chance = random.Random(11)
    for turn in range(lines):
        explore(*below[turn % len(below)], chance)
    mika.say("recall")
    mika.say("sell all")
    jost.say("quit")
    # Her character is in no branch and no party, so that a start can leave it in the database.
    sela.say("quit")
    tove.socket.close()
    for who in (olad, bera, mika, runa):
        who.say("stand")
        print(who.name, "|", who.say("look", 0.2).strip().splitlines()[:2], file=sys.stderr)
    begin_import(olad, server.state / "zones")


def begin_import(olad, folder):
    """Begins an import of many rooms; the server is stopped before it is complete."""
    room = '[[rooms]]\nkey = "r{0}"\nname = "Cell {0}"\nat = [{0}, 0, 0]\nenvironment = "stone"\ndescription = "Bare."\n\n'
    exit = '[[rooms.exits]]\nname = "east"\nto = "r{0}"\n\n'
    folder.mkdir(exist_ok=True)
    (folder / "maze.toml").write_text("".join(room.format(at) + exit.format((at + 1) % 90) for at in range(90)))
    heard, patience = olad.say("zone import maze"), time.monotonic() + 20
    while "the rooms come in" not in heard and time.monotonic() < patience:
        heard += olad.read(0.02)


def outfit(olad, jost, sela):
    """Founds an expedition of two players that has invited a third. Its price comes from a trigger of the lodge."""
    for line in ["recall", "north", "trigger enter = give gold_coin", *["south", "north"] * 7, "trigger enter = none"]:
        olad.say(line)
    for line in ["expedition found 2 map The Long Look for 42 days", "expedition invite sela", "expedition invite jost"]:
        olad.say(line)
    sela.say("expedition join")
    for line in ["recall", "down", "expedition enter", "recall"]:
        olad.say(line)


def moderate(olad, hesp, runa):
    """Applies every sanction to Hesp; Runa is only muted for a time."""
    hesp.say("say Give me your coins, all of you.")
    runa.say("report hesp he asks everybody for coins")
    runa.say("report The square is too loud.")
    for line in [
        "reports", "reports close 1 The roof is tight again.", "mute runa for 3650d sings all night",
        "mute hesp begs", "freeze hesp for 3650d begs", "ban hesp begs and does not stop", "ban 198.51.100.7",
        "ban 2001:db8:7::/48 for 3650d a flood", "kick hesp", "bans", "reports", "audit",
    ]:
        olad.say(line)
    runa.say("say Nobody hears this.")


def explore(who, way, exit_name, chance):
    """Explores one room: fights its creatures, takes its items, tries random commands, and walks on."""
    room = who.say("look")
    if "Well Square" in room:
        for line in [way or "stand", "descend"]:
            room = who.say(line)
    if "Bottom of the Well" in room or "Old Cistern" in room:
        who.say("look")
        room = who.say(exit_name)
    for _ in range(5 if "lever" in room else 0):
        room += who.say("pull lever")
    named = [name for found in CREATURES.findall(room.lower()) for name in found if name]
    for creature in dict.fromkeys(name.removesuffix("es") for name in named):
        heard = who.say(f"kill {creature}", 0.15)
        for _ in range(30):
            if who.name != "Jost" and re.search(r"dead|clear|[Nn]o .* here|not here|flee|yourself up|You are (down|out)", heard):
                break
            heard = who.say("hp", 0.15)
    for line in ["get all", "get all from corpse", "wear all", chance.choice(HABITS), chance.choice(HABITS)]:
        who.say(line)
    exits = who.say("exits").lower()
    ways = re.findall(r"^(north|east|south|west|down):.*unexplored", exits, re.M)
    ways = ways or re.findall(r"^(north|east|south|west|down)\b", exits, re.M)
    who.say(chance.choice(ways or ["west"]))


def main():
    program, out = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])
    lines = int(sys.argv[3]) if len(sys.argv) > 3 else 120
    with tempfile.TemporaryDirectory() as folder:
        server = Server(program, folder)
        evening(server, lines)
        server.stop()
        database = server.state / "deepwell.db"
        sqlite = sqlite3.connect(database)
        sqlite.execute("vacuum")
        for (table,) in sqlite.execute("select name from sqlite_master where type = 'table'").fetchall():
            print(table, sqlite.execute(f"select count(*) from {table}").fetchone()[0], file=sys.stderr)
        sqlite.close()
        out.write_bytes(gzip.compress(database.read_bytes(), 9, mtime=0))
    print(out, out.stat().st_size, "bytes", file=sys.stderr)


VERBOSE = "-v" in sys.argv
sys.argv = [word for word in sys.argv if word != "-v"]
main()
