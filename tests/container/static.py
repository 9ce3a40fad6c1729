#!/usr/bin/env python3
"""Unpacks the archive of deploy/package.sh into a root file system that has nothing else, neither a library nor a shell, and
runs its program there: checks the installation, logs a player in over telnet, and has a gateway look up the name of a NATS
server, in the file of hosts and by DNS. Needs root, but no container engine. Without it prints a line that begins with
`skipped:`.

    tests/container/static.py target/packages     # the folder of the archive
"""

import os
import shutil
import socket
import struct
import subprocess
import sys
import tarfile
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent.parent
PATIENCE = 60
# Type of the segment that names the loader of shared libraries.
PT_INTERP = 3
# Address that both names of the NATS server stand for.
NATS = "127.0.0.9"


def skip(why):
    """Ends without a failure."""
    print(f"skipped: {why}")
    sys.exit(0)


def has_loader(program):
    """Returns whether a program of 64 bits needs a loader of shared libraries."""
    data = program.read_bytes()
    begin, size, count = (struct.unpack_from(form, data, at)[0] for form, at in [("<Q", 32), ("<H", 54), ("<H", 56)])
    return any(struct.unpack_from("<I", data, begin + number * size)[0] == PT_INTERP for number in range(count))


def install(archive, root):
    """Unpacks the archive as docs/operate/deploy.md says."""
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            member.name = "/".join(member.name.split("/")[1:])
            if member.name:
                tar.extract(member, root / "usr/local", filter="data")
    (root / "etc").mkdir(parents=True)
    shutil.copytree(root / "usr/local/etc/deepwell", root / "etc/deepwell")
    for folder in ["dev", "tmp", "var/lib/deepwell"]:
        (root / folder).mkdir(parents=True)
    # As every container engine makes them.
    for name, minor in [("null", 3), ("random", 8), ("urandom", 9)]:
        subprocess.run(["mknod", "-m", "666", str(root / "dev" / name), "c", "1", str(minor)], check=True)
    (root / "etc/hosts").write_text(f"127.0.0.1 localhost\n{NATS} nats-of-hosts\n")
    (root / "etc/resolv.conf").write_text("nameserver 127.0.0.1\n")
    # Modules of the machine are not used. This line would end each look-up at the first one, which is not there.
    (root / "etc/nsswitch.conf").write_text("hosts: absent [UNAVAIL=return] files dns\n")


def line(root, *words):
    """Returns the command that runs the program in the root file system."""
    return ["chroot", str(root), "/usr/local/bin/deepwell", *words, "--config", "/etc/deepwell/config.toml"]


def until(what, is_done):
    """Waits for a condition."""
    end = time.monotonic() + PATIENCE
    while not is_done():
        if time.monotonic() > end:
            sys.exit(f"failed: {what} did not come")
        time.sleep(0.1)


def stop(process, log):
    """Ends a process, and returns what it has logged."""
    process.terminate()
    if process.wait(PATIENCE) != 0:
        sys.exit(f"failed: it ended with code {process.returncode}\n{log.read_text()}")
    return log.read_text()


def play(root, log):
    """Serves, and creates a character over telnet."""
    ready = root / "var/lib/deepwell/ready.json"
    with log.open("w") as file:
        server = subprocess.Popen(line(root, "serve"), stderr=file)
    until("the ready file", lambda: ready.exists() or server.poll() is not None)
    if not ready.exists():
        sys.exit(f"failed: the server ended\n{log.read_text()}")
    with socket.create_connection(("127.0.0.1", 4000), PATIENCE) as client:
        client.settimeout(PATIENCE)
        heard = b""
        while b"name: " not in heard:
            heard += client.recv(4096)
        client.sendall(b"create Bera lantern under stone\r\n")
        while b"Exits: " not in heard:
            heard += client.recv(4096)
    subprocess.run(line(root, "control", "status"), check=True, stdout=subprocess.DEVNULL)
    stop(server, log)
    print("a player is logged in")


def answer_dns():
    """Answers every question for an IPv4 address with that of the NATS server, and all others with none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as server:
        server.bind(("127.0.0.1", 53))
        while True:
            question, asker = server.recvfrom(512)
            end = question.index(b"\0", 12) + 5
            is_ipv4 = question[end - 4:end - 2] == b"\0\x01"
            record = b"\xc0\x0c\0\x01\0\x01\0\0\0\x3c\0\x04" + socket.inet_aton(NATS) if is_ipv4 else b""
            head = question[:2] + b"\x81\x80\0\x01" + (b"\0\x01" if is_ipv4 else b"\0\0") + b"\0\0\0\0"
            server.sendto(head + question[12:end] + record, asker)


def look_up(root, log):
    """Starts a gateway for each name of the NATS server, and waits until it connects."""
    threading.Thread(target=answer_dns, daemon=True).start()
    for name in ["nats-of-hosts", "nats.example"]:
        with socket.create_server((NATS, 4222)) as nats:
            nats.settimeout(PATIENCE)
            with log.open("w") as file:
                words = ["gateway", "--set", f"cluster.nats=nats://{name}:4222"]
                gateway = subprocess.Popen(line(root, *words), stderr=file)
            try:
                nats.accept()[0].close()
            except TimeoutError:
                sys.exit(f"failed: {name} was not looked up\n{log.read_text()}")
        gateway.kill()
        gateway.wait()
        print(f"{name} is looked up")


def main():
    """Makes the root file system and runs the program."""
    archives = sorted(Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "target/packages").glob("deepwell-*.tar.gz"))
    if os.geteuid() != 0:
        skip("only root can change the root file system")
    for tool in ["unshare", "chroot", "ip"]:
        if not shutil.which(tool):
            skip(f"{tool} is not installed")
    if len(archives) != 1:
        sys.exit(f"one archive is needed, and there are {len(archives)}: deploy/package.sh makes one")
    if "DEEPWELL_INSIDE" not in os.environ:
        # In a new network, where the usual ports are free; all processes end with the script.
        inside = dict(os.environ, DEEPWELL_INSIDE="1")
        spaces = ["unshare", "-n", "-p", "-f", "--kill-child"]
        sys.exit(subprocess.run([*spaces, sys.executable, *sys.argv], env=inside, check=False).returncode)
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    with tempfile.TemporaryDirectory() as work:
        root, log = Path(work) / "root", Path(work) / "log"
        install(archives[0], root)
        if has_loader(root / "usr/local/bin/deepwell"):
            sys.exit("failed: the program is linked to shared libraries")
        subprocess.run(line(root, "check"), check=True)
        play(root, log)
        look_up(root, log)
    print("passed")


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    main()
