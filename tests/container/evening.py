#!/usr/bin/env python3
"""Follows docs/operate/first-evening.md word by word, from a bare Debian to a player who logs in over TLS: runs its
blocks `sh evening` in a new root file system, and sends the lines of a block `text evening` to the command before it.
Needs root and debootstrap, but no container engine. Without these it prints a line that begins with `skipped:`.

    tests/container/evening.py target/packages     # the folder of the Debian package

DEEPWELL_BASE=FOLDER keeps the bare Debian, or uses one that is there.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent.parent.parent
PAGE = HERE / "docs/operate/first-evening.md"
SUITE = "bookworm"

# Functions for the script in the container. `type_lines` waits for the server to fall silent before each line, as a player
# does, and passes its output on.
PRELUDE = r"""
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive
trap 'jobs -p | xargs -r kill 2>/dev/null' EXIT
type_lines() {
    local heard size line
    heard=$(mktemp)
    "$@" <>/tmp/typed >>"$heard" 2>&1 &
    local program=$!
    exec 9<>/tmp/typed
    while IFS= read -r line; do
        size=-1
        while [[ $(stat -c %s "$heard") != "$size" || $size == 0 ]]; do
            kill -0 "$program" 2>/dev/null || break 2
            size=$(stat -c %s "$heard")
            sleep 0.7
        done
        [[ $line == *TOKEN* ]] && line=${line/TOKEN/$(deepwell control owner-token | grep -oE '[0-9A-Za-z-]{8,}' | tail -n 1)}
        printf '\n>>> %s\n' "$line" >>"$heard"
        printf '%s\r\n' "$line" >&9
    done
    exec 9>&-
    timeout 20 tail --pid="$program" -f /dev/null
    # Without negotiation and colours.
    LC_ALL=C sed -e 's/\r//g' -e 's/\xff[\xfb-\xfe].//g' -e 's/\x1b\[[0-9;]*m//g' "$heard"
    wait "$program"
}
"""

# Texts that must come in this order.
EXPECTED = [
    "no mistakes",
    ">>> claim",
    "This world is yours.",
    "Bera, level 1",
    "copied to",
    "restored to",
    "no mistakes",
    ">>> connect Bera",
    "Exits:",
    ">>> quit",
    "Until next time.",
]

# An upgrade keeps the settings, a removal the world, and a purge only what the package did not make.
REMOVAL = """
export PATH=/usr/sbin:/usr/bin:/sbin:/bin
set -eux
dpkg -i /root/deepwell_*.deb
grep -q fullchain.pem /etc/deepwell/config.toml
dpkg -r deepwell
test -s /var/lib/deepwell/deepwell.db
test -s /etc/deepwell/config.toml
dpkg -P deepwell
test ! -e /var/lib/deepwell
test ! -e /etc/deepwell/config.toml
test -s /etc/deepwell/fullchain.pem
"""


def skip(why):
    """Ends without a failure."""
    print(f"skipped: {why}")
    sys.exit(0)


def blocks(page):
    """Returns the sections of a page that have blocks to follow: for each block its kind and its text."""
    sections = []
    for section in page.read_text().split("\n## "):
        found = re.findall(r"^```(sh|text) evening\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)
        if found:
            sections.append(found)
    return sections


def script(sections):
    """Returns the commands of sections as a script that shows each line before it runs it."""
    lines = ["set -eu -o pipefail", PRELUDE, "cd /root"]
    for section in sections:
        for number, (kind, text) in enumerate(section):
            if kind == "text":
                continue
            commands = text.splitlines()
            typed = section[number + 1][1] if section[number + 1:][:1] and section[number + 1][0] == "text" else None
            for at, command in enumerate(commands):
                lines.append(f"cat <<'SHOWN'\n\n# {command}\nSHOWN")
                if typed and at == len(commands) - 1:
                    lines += ["rm -f /tmp/typed", "mkfifo /tmp/typed"]
                    lines.append(f"type_lines {command} <<'TYPED'\n{typed}TYPED")
                else:
                    lines.append(command)
    return "\n".join(lines) + "\n"


def make_base(base, packages=()):
    """Makes a bare Debian with these packages, and the machine's mirrors."""
    sources = sorted(Path("/etc/apt/sources.list.d").glob("*.sources"))
    listed = [line.split()[1] for path in sources for line in path.read_text().splitlines() if line.startswith("URIs:")]
    mirror = listed[0] if listed else "http://deb.debian.org/debian"
    variant = ["--variant=minbase", *([f"--include={','.join(packages)}"] if packages else [])]
    subprocess.run(["debootstrap", *variant, SUITE, str(base), mirror], check=True, stdout=subprocess.DEVNULL)
    (base / "etc/apt/sources.list").unlink(missing_ok=True)
    shutil.copytree("/etc/apt/sources.list.d", base / "etc/apt/sources.list.d", dirs_exist_ok=True)
    # How to reach the mirrors, such as a proxy.
    for path in Path("/etc/apt/apt.conf.d").iterdir():
        if "Acquire::" in path.read_text():
            shutil.copy(path, base / "etc/apt/apt.conf.d")
    certificates = Path("/etc/ssl/certs/ca-certificates.crt")
    if certificates.exists():
        (base / "etc/ssl/certs").mkdir(parents=True, exist_ok=True)
        shutil.copy(certificates, base / "etc/ssl/certs")


def run(root, name, text, network):
    """Runs a script in the container."""
    file = root / f"root/{name}.sh"
    file.write_text(text)
    begin = ["mount --make-rprivate /", f"mount --bind {root} {root}", f"mount -t proc proc {root}/proc"]
    begin.append(f"mount -t devpts -o newinstance,ptmxmode=0666 devpts {root}/dev/pts")
    if not network:
        begin.append("ip link set lo up")
    begin.append(f"exec env -i $(command -v chroot) {root} /bin/bash /root/{name}.sh")
    spaces = ["unshare", "-m", "-p", "-f", "-i", "-u", "--kill-child"] + ([] if network else ["-n"])
    line = [*spaces, "bash", "-ec", "\n".join(begin)]
    told = ""
    with subprocess.Popen(line, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, errors="replace") as process:
        for row in process.stdout:
            print(row, end="")
            told += row
    if process.returncode != 0:
        log = root / "var/log/deepwell.log"
        if log.exists():
            print(log.read_text()[-3000:])
        sys.exit(f"failed: the last command above ended with code {process.returncode}")
    return told


def verify_units(root):
    """Verifies the units of the package, beside those of this machine's systemd."""
    if not shutil.which("systemd-analyze"):
        print("systemd is not installed: the units are not verified")
        return
    units = sorted((root / "usr/lib/systemd/system").glob("deepwell*.service"))
    shutil.copytree("/lib/systemd/system", root / "usr/lib/systemd/system", symlinks=True, dirs_exist_ok=True)
    subprocess.run(["systemd-analyze", "verify", f"--root={root}", "--man=no", *map(str, units)], check=True)
    print(f"{len(units)} units are verified")


def main():
    """Makes the container and follows the page."""
    packages = sorted(Path(sys.argv[1] if len(sys.argv) > 1 else HERE / "target/packages").glob("deepwell_*.deb"))
    if os.geteuid() != 0:
        skip("only root can create namespaces")
    for tool in ["debootstrap", "unshare", "chroot", "ip"]:
        if not shutil.which(tool):
            skip(f"{tool} is not installed")
    if len(packages) != 1:
        sys.exit(f"one package is needed, and there are {len(packages)}: deploy/package.sh makes one")
    sections = blocks(PAGE)
    with tempfile.TemporaryDirectory() as work:
        base = Path(os.environ.get("DEEPWELL_BASE", f"{work}/base"))
        if not (base / "etc/debian_version").exists():
            print("# a bare Debian is made", flush=True)
            make_base(base)
        root = Path(work) / "root"
        subprocess.run(["cp", "-a", str(base), str(root)], check=True)
        shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
        # As every container engine writes it.
        (root / "etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
        shutil.copy(packages[0], root / "root")
        run(root, "install", script(sections[:1]), network=True)
        told = run(root, "evening", script(sections[1:]), network=False)
        at = 0
        for text in EXPECTED:
            at = told.find(text, at)
            if at < 0:
                sys.exit(f"failed: \"{text}\" did not come")
        verify_units(root)
        run(root, "removal", REMOVAL, network=False)
    print("passed")


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    main()
