#!/usr/bin/env python3
"""Boots the units of deploy/systemd in a bare Debian, after every order in which an operator may enable them: each boot
ends with one playable game, and units that exclude each other cannot both be enabled. Needs root, debootstrap and
systemd-nspawn. Without these it prints a line that begins with `skipped:`.

    tests/container/boot.py target/release/deepwell

DEEPWELL_BASE=FOLDER keeps the bare Debian, or uses one that is there; it has systemd. DEEPWELL_BOOTS=N boots N times after
each order.
"""

import itertools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from evening import HERE, make_base, skip

UNITS = ["deepwell", "deepwell-gateway", "deepwell-host"]
APART = {"deepwell-gateway", "deepwell-host"}
# Tells which units run when the game can be played, or after half a minute.
PROBE = r"""
for _ in $(seq 300); do
    deepwell --config /etc/deepwell/config.toml control status >/dev/null 2>&1 && (exec 3<>/dev/tcp/127.0.0.1/4000) 2>/dev/null && playable=yes && break
    sleep 0.1
done
sleep 2
{
    echo "${playable:-no}"
    for unit in deepwell deepwell-gateway deepwell-host; do
        systemctl is-active --quiet "$unit" && echo "$unit"
        echo "$unit: $(systemctl show --value -p NRestarts "$unit") restarts" >&2
    done
} >/root/result
"""
PROBE_UNIT = """[Unit]
SuccessAction=poweroff-force
FailureAction=poweroff-force
[Service]
Type=oneshot
ExecStart=/bin/bash /root/probe.sh
"""


def install(root, program):
    """Installs the program and the units as docs/operate/deploy.md tells."""
    shutil.copy(program, root / "usr/local/bin/deepwell")
    (root / "etc/deepwell").mkdir()
    shutil.copy(HERE / "config.toml", root / "etc/deepwell")
    shutil.copytree(HERE / "content", root / "usr/share/deepwell/content")
    units = root / "etc/systemd/system"
    for unit in (HERE / "deploy/systemd").glob("*.service"):
        shutil.copy(unit, units)
    shutil.copytree(HERE / "deploy/systemd/multi-user.target.d", units / "multi-user.target.d")
    shutil.copy(HERE / "deploy/systemd/deepwell.sysusers", root / "usr/lib/sysusers.d/deepwell.conf")
    settings = root / "etc/deepwell/config.toml"
    settings.write_text(settings.read_text().replace('state_dir = "var"', 'state_dir = "/var/lib/deepwell"'))
    (root / "root/probe.sh").write_text(PROBE)
    (units / "probe.service").write_text(PROBE_UNIT)
    wants = units / "multi-user.target.wants"
    wants.mkdir(exist_ok=True)
    (wants / "probe.service").symlink_to("../probe.service")


def enable(root, orders):
    """Enables units one after the other; returns those that systemctl has enabled."""
    run = lambda *words: subprocess.run(["systemctl", f"--root={root}", *words], capture_output=True, check=False)
    run("disable", *UNITS)
    return [order for order in orders if run("enable", order).returncode == 0]


def boot(root):
    """Boots once; returns whether the game can be played, and the units that run."""
    (root / "root/result").unlink(missing_ok=True)
    line = ["systemd-nspawn", "-q", "-b", "-D", str(root), "--register=no", "--keep-unit", "--private-network"]
    subprocess.run(line, stdin=subprocess.DEVNULL, capture_output=True, timeout=180, check=False)
    playable, *active = (root / "root/result").read_text().split()
    return playable == "yes", set(active)


def main():
    """Boots after every order of enabling."""
    program = Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "target/release/deepwell").resolve()
    if os.geteuid() != 0:
        skip("only root can boot a container")
    for tool in ["debootstrap", "systemd-nspawn", "systemctl"]:
        if not shutil.which(tool):
            skip(f"{tool} is not installed")
    with tempfile.TemporaryDirectory() as work:
        base = Path(os.environ.get("DEEPWELL_BASE", f"{work}/base"))
        if not (base / "etc/debian_version").exists():
            print("# a bare Debian is made", flush=True)
            make_base(base, ["systemd", "systemd-sysv", "dbus"])
        root = Path(work) / "root"
        subprocess.run(["cp", "-a", str(base), str(root)], check=True)
        install(root, program)
        for count in range(1, len(UNITS) + 1):
            for orders in itertools.permutations(UNITS, count):
                # The first that is enabled decides; the others are refused, or already part of the choice.
                expected = {"deepwell"} if orders[0] == "deepwell" else APART
                enabled = enable(root, orders)
                if set(enabled) != {order for order in orders if order in expected}:
                    sys.exit(f"failed: enabled {enabled} of {orders}")
                for _ in range(int(os.environ.get("DEEPWELL_BOOTS", "1"))):
                    found = boot(root)
                    if found != (True, expected):
                        sys.exit(f"failed: after {orders}, playable and units are {found}")
                print(f"enable {' '.join(orders)}: {' '.join(sorted(expected))}", flush=True)
    print("passed")


if __name__ == "__main__":
    main()
