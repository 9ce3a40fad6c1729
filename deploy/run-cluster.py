#!/usr/bin/env python3
"""Runs the services of deploy/compose/cluster.yaml without containers, and loses them one at a time.

Each service has a network namespace with an address of its own, its volumes, and the user, the read-only file system
and the lack of capabilities of a container. A player digs rooms without a pause. Each room that the player was shown
must be stored once on each host. Needs root, nats-server, iproute2, util-linux, wget, and Python with PyYAML. Without
these it prints a line that begins with `skipped:`.

    deploy/run-cluster.py target/release/deepwell                       # each loss once
    deploy/run-cluster.py target/release/deepwell leader disk           # these losses
    DEEPWELL_LOSSES=50 deploy/run-cluster.py target/release/deepwell    # this many losses, in turn
    DEEPWELL_WORLD=FILE deploy/run-cluster.py target/release/deepwell   # with a world that has no owner
"""

import json
import os
import random
import re
import shlex
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent
TOOLS = ["nats-server", "ip", "unshare", "nsenter", "setpriv", "wget"]
# All files of the test are in a file system that ends with the namespaces.
SCRATCH = Path("/run/cluster")
# Folders that services write to or read their files from. Changes to them end with the namespaces, too.
FOLDERS = ["etc", "var", "usr/local", "usr/share"]
# Seconds until the test gives up.
PATIENCE = 90
# Seconds for an answer to the player, before it connects again.
ANSWER = 20
# Size of the volume of a host, besides the world that it begins with.
VOLUME_BYTES = 64 << 20
# What the rooms that the player digs during one loss may add to it, with the copy that is compared.
LOSS_BYTES = 1 << 20
PASSWORD = "for-this-test-only"


class Failure(Exception):
    """A promise that was not kept."""


def run(*words, **options):
    """Runs a command that must succeed, and returns its output."""
    words = [str(word) for word in words]
    return subprocess.run(words, check=True, text=True, stdout=subprocess.PIPE, **options).stdout


def wait_until(condition, problem):
    """Waits until a condition holds."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise Failure(problem())
        time.sleep(0.05)


class Service:
    """A service of the compose file."""

    def __init__(self, name, described, image):
        is_deepwell = described["image"] == "deepwell"
        self.name, self.process = name, None
        self.user = 10001 if is_deepwell else 0
        self.command = ["deepwell"] * is_deepwell + described["command"]
        settings = "\n".join(f"{key}={value}" for key, value in described["environment"].items())
        self.settings = re.sub(r"\$\{DEEPWELL_NATS_PASSWORD[^}]*\}", PASSWORD, settings).split("\n")
        self.settings += image * is_deepwell
        # Settings of the caller, such as DEEPWELL_CLUSTER__LEASE_MS.
        self.settings += [f"{key}={value}" for key, value in os.environ.items() if re.match("DEEPWELL_.*__", key)]
        self.health = described["healthcheck"]["test"][1:]
        self.mounts = [volume.split(":")[:2] for volume in described["volumes"]]
        self.volume = SCRATCH / self.mounts[0][0]
        self.log = SCRATCH / f"{name}.log"

    def prepare(self, number, volume_bytes):
        """Creates the network namespace and the volume."""
        link = f"to-{self.name}"
        run("ip", "netns", "add", self.name)
        run("ip", "link", "add", link, "type", "veth", "peer", "name", "eth0", "netns", self.name)
        run("ip", "link", "set", link, "master", "players", "up")
        run("ip", "-n", self.name, "addr", "add", f"10.77.0.{number}/24", "dev", "eth0")
        for device in ["eth0", "lo"]:
            run("ip", "-n", self.name, "link", "set", device, "up")
        self.volume.mkdir()
        size = f"size={volume_bytes}," if self.name.startswith("host") else ""
        run("mount", "-t", "tmpfs", "-o", f"{size}mode=700,uid={self.user},gid={self.user}", "tmpfs", self.volume)

    def start(self):
        """Starts the service, or starts it again."""
        lines = ["set -e"]
        for source, path in self.mounts:
            source = SCRATCH / source if not source.startswith("./") else SCRATCH / "nats.conf"
            path = Path(path)
            if source.is_dir():
                path.mkdir(parents=True, exist_ok=True)
            else:
                path.touch()
            lines.append(shlex.join(["mount", "--bind", str(source), str(path)]))
        lines += [f"mount -o remount,bind,ro {path}" for path in ["/", "/run"] + [f"/{folder}" for folder in FOLDERS]]
        lines += ["mount -t tmpfs tmpfs /tmp", "cd /etc/deepwell"]
        confined = f"--reuid {self.user} --regid {self.user} --clear-groups --inh-caps=-all --bounding-set=-all"
        lines.append(f"exec setpriv {confined} --no-new-privs {shlex.join(self.inner(self.command))}")
        with self.log.open("a") as log:
            words = ["ip", "netns", "exec", self.name, "sh", "-c", "\n".join(lines)]
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def inner(self, words):
        """Returns a command line with the environment of the service."""
        return ["env", "-i", f"PATH={os.environ['PATH']}", *self.settings, *words]

    def ask(self, *words):
        """Runs a command inside of the running service. Returns its output, or an empty text if it fails."""
        enter = ["nsenter", "--target", str(self.process.pid), "--mount", "--net", "--wdns=/etc/deepwell"]
        done = subprocess.run(enter + self.inner(words), text=True, capture_output=True)
        return done.stdout + " " if done.returncode == 0 else ""

    def end(self, name):
        """Sends a signal, and waits until the process is gone. Returns its exit code."""
        self.process.send_signal(name)
        return self.process.wait(PATIENCE)

    def link(self, state):
        """Connects the service to the network, or cuts it off: `up` or `down`."""
        run("ip", "link", "set", f"to-{self.name}", state)

    def role(self):
        """Returns the role of a host in the cluster."""
        return json.loads(self.ask("deepwell", "control", "--json", "status") or "{}").get("cluster", {}).get("role")


class Player(threading.Thread):
    """Digs rooms, over another gateway if one fails. `told` are those whose making was told, with the time."""

    def __init__(self, gateways, token):
        super().__init__(daemon=True)
        self.gateways, self.socket, self.heard = gateways, None, ""
        self.asked, self.told, self.refused, self.is_done = 0, {}, 0, threading.Event()
        self.connect("create")
        self.say(f"claim {token}", ["world is yours"])

    def connect(self, word):
        """Logs in at a gateway."""
        if self.socket:
            self.socket.close()
        self.socket, self.heard = socket.create_connection((self.gateways[0], 4000), timeout=ANSWER), ""
        self.say(f"{word} Tess correct-horse-battery", ["Exits:"])

    def say(self, line, answers):
        """Types a line, waits for one of these answers, and returns it."""
        self.socket.sendall(f"{line}\r\n".encode())
        while not (found := [answer for answer in answers if answer in self.heard]):
            data = self.socket.recv(65536)
            if not data:
                raise ConnectionError("the gateway has closed the connection")
            self.heard += data.decode(errors="replace")
        self.heard = ""
        return found[0]

    def run(self):
        while not self.is_done.is_set():
            try:
                self.dig()
            except OSError:
                self.gateways.reverse()
                try:
                    self.connect("connect")
                except OSError:
                    time.sleep(0.05)

    def dig(self):
        """Digs a room. No number is used twice."""
        self.asked += 1
        # The full stop ends the number.
        name = f"Mark {self.asked}."
        dug, refused = f"You dig {name}", "cannot write just now"
        answer = self.say(f"dig {name}", [dug, refused, f"Not answered: dig {name}"])
        if answer == dug:
            self.told[self.asked] = time.monotonic()
        self.refused += answer == refused
        # Fewer commands than the limit on their rate.
        time.sleep(0.15)

    def wait_for_rooms(self, count=3):
        """Waits until this many more rooms have been shown."""
        wanted = len(self.told) + count
        wait_until(lambda: len(self.told) >= wanted, lambda: "play has not resumed")

    def longest_pause(self, since):
        """Returns the longest time without a new room, from the last one before a time on."""
        times = sorted(self.told.values())
        times = times[max(0, sum(time < since for time in times) - 1):]
        return max(after - before for before, after in zip(times, times[1:]))


class Cluster:
    """All services, and the player."""

    def __init__(self, program, world, losses):
        import yaml

        image = (HERE / "Dockerfile").read_text().replace("\\\n", " ")
        image = re.search(r"^ENV (.*)$", image, re.M)[1].split()
        described = yaml.safe_load((HERE / "deploy/compose/cluster.yaml").read_text())["services"]
        self.services = {name: Service(name, service, image) for name, service in described.items()}
        self.hosts = self.of_kind("host")
        self.prepare(program, Path(world) if world else None, losses)

    def of_kind(self, kind):
        return [service for name, service in self.services.items() if name.startswith(kind)]

    def prepare(self, program, world, losses):
        """Prepares the machine that the services see, with space for the rooms dug during these losses."""
        run("mount", "--make-rprivate", "/")
        run("mount", "-t", "proc", "proc", "/proc")
        run("mount", "-t", "tmpfs", "tmpfs", "/run")
        for folder in FOLDERS:
            upper, work = SCRATCH / folder / "upper", SCRATCH / folder / "work"
            upper.mkdir(parents=True)
            work.mkdir()
            options = f"lowerdir=/{folder},upperdir={upper},workdir={work}"
            run("mount", "-t", "overlay", "-o", options, "overlay", f"/{folder}")
        for folder in ["/etc/deepwell", "/etc/nats"]:
            Path(folder).mkdir()
        shutil.copy(program, "/usr/local/bin/deepwell")
        shutil.copy(HERE / "config.toml", "/etc/deepwell")
        shutil.copytree(HERE / "content", "/usr/share/deepwell/content")
        conf = (HERE / "deploy/compose/nats.conf").read_text()
        # Servers before version 2.10 do not know the setting.
        if re.search(r"v2\.\d\.", run("nats-server", "--version")):
            conf = re.sub(r"sync_interval.*", "", conf)
        (SCRATCH / "nats.conf").write_text(conf)
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "players", "type", "bridge")
        run("ip", "addr", "add", "10.77.0.1/24", "dev", "players")
        run("ip", "link", "set", "players", "up")
        addresses = {name: 11 + number for number, name in enumerate(self.services)}
        lines = [f"10.77.0.{number} {name}\n" for name, number in addresses.items()]
        Path("/etc/hosts").write_text("127.0.0.1 localhost\n" + "".join(lines))
        volume_bytes = VOLUME_BYTES + losses * LOSS_BYTES + (8 * world.stat().st_size if world else 0)
        for name, service in self.services.items():
            service.prepare(addresses[name], volume_bytes)
        if world:
            database = self.hosts[0].volume / "deepwell.db"
            shutil.copy(world, database)
            shutil.chown(database, self.hosts[0].user, self.hosts[0].user)

    def begin(self):
        """Starts all services, host-1 before the other hosts, and the player."""
        for service in self.services.values():
            if service not in self.hosts[1:]:
                service.start()
        wait_until(lambda: self.hosts[0].role() == "leader", lambda: "host-1 does not lead")
        for host in self.hosts[1:]:
            host.start()
        self.wait_until_whole()
        token = self.hosts[0].ask("deepwell", "control", "owner-token").split()[0]
        self.player = Player([service.name for service in self.of_kind("gateway")], token)
        self.player.start()

    def wait_until_whole(self):
        """Waits until all services are healthy, and each host has stored the whole log."""
        wait_until(self.is_whole, lambda: f"not all is healthy: {self.status()}")

    def is_whole(self):
        for service in self.services.values():
            # As `restart: on-failure`.
            if service.process.poll() is not None:
                service.start()
            if not service.ask(*service.health):
                return False
        roles = sorted(str(host.role()) for host in self.hosts)
        return roles == ["leader", "standby", "standby"] and self.status().count("standby,") == 2

    def status(self):
        return self.hosts[0].ask("deepwell", "control", "cluster", "status")

    def leader(self):
        return next(host for host in self.hosts if host.role() == "leader")

    def standby(self):
        return next(host for host in self.hosts if host.role() == "standby")

    def leader_of_log(self):
        """Returns the NATS server that leads the log."""
        server = self.of_kind("nats")[0]
        told = json.loads(server.ask("wget", "-q", "-O", "-", "http://127.0.0.1:8222/jsz?streams=true"))
        streams = [stream for account in told["account_details"] for stream in account["stream_detail"]]
        return self.services[next(it["cluster"]["leader"] for it in streams if it["name"] == "deepwell-world")]

    def lose(self, loss):
        """Loses a service. Returns it, and what brings it back."""
        part, _, how = loss.partition("-")
        if part == "disk":
            return self.fill_disk()
        parts = {"leader": self.leader, "standby": self.standby, "nats": self.leader_of_log}
        lost = parts[part]() if part in parts else self.services[self.player.gateways[0]]
        # At any moment of a command.
        time.sleep(random.uniform(0, 0.2))
        if how == "cut":
            lost.link("down")
            return lost, lambda: lost.link("up")
        lost.end(signal.SIGKILL)
        return lost, lost.start

    def fill_disk(self):
        """Fills the disk of the leader, and lets a standby lead when players are told of it."""
        lost, standby, refused = self.leader(), self.standby(), self.player.refused
        filler = lost.volume / "filler"
        with filler.open("wb", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(1 << 16))
            except OSError:
                pass
        wait_until(lambda: self.player.refused > refused, lambda: "nobody was told of the full disk")
        if not standby.ask("deepwell", "control", "cluster", "promote"):
            raise Failure("the standby cannot be promoted")
        return lost, filler.unlink

    def compare(self, host):
        """Compares a copy of the world with what the player was told."""
        told, copy = set(self.player.told), host.volume / "compare.db"
        if not host.ask("deepwell", "control", "backup", "/var/lib/deepwell/compare.db"):
            raise Failure(f"{host.name} made no backup")
        compare(host.name, copy, told, self.player.asked)
        copy.unlink()

    def finish(self):
        """Stops all services in order, and checks the hosts' databases."""
        self.player.is_done.set()
        self.player.join(PATIENCE)
        self.wait_until_whole()
        leader = self.leader()
        standbys = [host for host in self.hosts if host is not leader]
        for service in [*self.of_kind("gateway"), *standbys, leader]:
            if service.end(signal.SIGTERM) != 0:
                raise Failure(f"{service.name} did not stop properly")
        for host in self.hosts:
            compare(host.name, host.volume / "deepwell.db", set(self.player.told), self.player.asked)
            run("deepwell", "check", "--set", f"server.state_dir={host.volume}", cwd="/etc/deepwell")


def compare(name, database, told, asked):
    """Compares the rooms in a database with those that the player was shown."""
    names = sqlite3.connect(database).execute("select data ->> 'name' from rooms where data ->> 'name' like 'Mark %'")
    stored = [int(name.removeprefix("Mark ").removesuffix(".")) for name, in names]
    lost = sorted(told - set(stored))
    twice = sorted(number for number in set(stored) if stored.count(number) > 1)
    if lost or twice or max(stored) > asked:
        raise Failure(f"{name}: rooms lost {lost}, twice {twice}; the last one is {max(stored)} of {asked}")


LOSSES = ["leader", "leader-cut", "nats", "nats-cut", "gateway", "standby", "disk"]


def test(program, losses):
    """Loses services in turn."""
    cluster = Cluster(program, os.environ.get("DEEPWELL_WORLD"), len(losses))
    try:
        cluster.begin()
        player = cluster.player
        print(f"healthy: {', '.join(cluster.services)}", flush=True)
        for number, loss in enumerate(losses, 1):
            player.wait_for_rooms()
            began = time.monotonic()
            lost, recover = cluster.lose(loss)
            player.wait_for_rooms()
            pause = player.longest_pause(began)
            recover()
            # Until then, a host may not know yet that it leads no more.
            cluster.wait_until_whole()
            leader = cluster.leader()
            cluster.compare(leader)
            told = f"the player waited {pause:.1f} s; then {leader.name} leads; {len(player.told)} rooms shown"
            print(f"{number:3} {loss:10} {lost.name:9} {told}", flush=True)
        cluster.finish()
        count, others = len(player.told), player.asked - len(player.told)
        print(f"passed: {len(losses)} losses, {count} rooms shown, each once on each host; {others} not made")
    except (Failure, OSError, subprocess.SubprocessError) as why:
        for service in cluster.services.values():
            if service.log.exists():
                print(f"--- {service.name}", *service.log.read_text().splitlines()[-15:], sep="\n")
        sys.exit(f"failed: {why}")


def skip(why):
    print(f"skipped: {why}")
    sys.exit(0)


def main():
    """Enters namespaces of its own."""
    program = Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "target/release/deepwell").resolve()
    kinds = sys.argv[2:] or LOSSES
    if unknown := set(kinds) - set(LOSSES):
        sys.exit(f"unknown: {', '.join(unknown)}; losses are {', '.join(LOSSES)}")
    if os.environ.get("DEEPWELL_CLUSTER_ENTERED"):
        count = int(os.environ.get("DEEPWELL_LOSSES", len(kinds)))
        return test(program, [kinds[number % len(kinds)] for number in range(count)])
    if not os.access(program, os.X_OK):
        skip(f"there is no program at {program}")
    if missing := [tool for tool in TOOLS if not shutil.which(tool)]:
        skip(f"{missing[0]} is not installed")
    try:
        import yaml
    except ImportError:
        skip("PyYAML is not installed (Debian: python3-yaml)")
    enter = ["unshare", "-m", "-p", "-f", "-i", "-u", "-n", "--kill-child"]
    if os.geteuid() != 0 or subprocess.run([*enter, "true"], stderr=subprocess.DEVNULL).returncode != 0:
        skip("only root can create network namespaces")
    os.environ["DEEPWELL_CLUSTER_ENTERED"] = "1"
    os.execvp("unshare", [*enter, sys.executable, __file__, str(program), *sys.argv[2:]])


if __name__ == "__main__":
    main()
