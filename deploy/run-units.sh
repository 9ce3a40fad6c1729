#!/usr/bin/env bash
# Tests the units of deploy/systemd: `systemd-analyze` verifies them, and a systemd of its own runs them in namespaces in
# which it sees no other unit and changes no file of the machine. Needs root, systemd and util-linux, but neither a
# running systemd nor a container engine. Without these it prints a line that begins with `skipped:`.
#
#     deploy/run-units.sh target/release/deepwell

set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
manager=/lib/systemd/systemd
units=/run/deepwell-units
# Maximum exposure by `systemd-analyze security`, in tenths.
exposure_max=15

skip() {
    echo "skipped: $1"
    exit 0
}

# Writes the files that an operator installs, and a unit that runs the steps below.
install_files() {
    install -m 755 "$program" /usr/local/bin/deepwell
    install -d /etc/deepwell /etc/sysusers.d /usr/share/deepwell
    cp "$here/config.toml" /etc/deepwell/
    cp -r "$here/content" /usr/share/deepwell/
    cp "$here/deploy/systemd/deepwell.sysusers" /etc/sysusers.d/deepwell.conf
    systemd-sysusers deepwell.conf
    install -d "$units"
    cp "$here"/deploy/systemd/*.service "$units"
    # The same restrictions for a command that runs scripts.
    sed -e 's/^Type=.*/Type=oneshot/' -e '/^Restart/d' -e '/^Conflicts/d' \
        -e 's|^ExecStart=.*|ExecStart=/usr/local/bin/deepwell dungeon verify --seed 1 --seeds 3 --theme all|' \
        "$here/deploy/systemd/deepwell.service" >"$units/scripts.service"
    for target in sysinit basic multi-user shutdown network-online umount; do
        printf '[Unit]\nDefaultDependencies=no\n' >"$units/$target.target"
    done
    printf '[Unit]\nDefaultDependencies=no\nWants=steps.service\n' >"$units/default.target"
    cat >"$units/steps.service" <<UNIT
[Unit]
DefaultDependencies=no
SuccessAction=exit-force
FailureAction=exit-force
FailureActionExitStatus=1
[Service]
Type=oneshot
StandardOutput=file:/run/steps.log
StandardError=inherit
Environment=PATH=$PATH
ExecStart=/bin/bash $here/deploy/run-units.sh --steps
UNIT
}

# Replaces what systemd and the units may change by copies that end with the namespaces, and becomes systemd.
boot() {
    mount --make-rprivate /
    mount -t proc proc /proc
    ip link set lo up
    if [[ $(stat -f -c %T /sys/fs/cgroup) == cgroup2fs ]]; then
        mount -t cgroup2 cgroup2 /sys/fs/cgroup
    else
        umount -R /sys/fs/cgroup
        mount -t tmpfs tmpfs /sys/fs/cgroup
        mkdir /sys/fs/cgroup/systemd /sys/fs/cgroup/unified
        mount -t cgroup -o none,name=systemd,xattr systemd /sys/fs/cgroup/systemd
        mount -t cgroup2 unified /sys/fs/cgroup/unified
    fi
    hostname deepwell-units
    mount -t tmpfs tmpfs "$scratch"
    for folder in etc var usr/local usr/share; do
        install -d "$scratch/$folder.new" "$scratch/$folder.work"
        mount -t overlay -o "lowerdir=/$folder,upperdir=$scratch/$folder.new,workdir=$scratch/$folder.work" overlay "/$folder"
    done
    mount -t tmpfs tmpfs /run
    install_files
    : >/run/steps.log
    tail -f -s 0.1 /run/steps.log &
    export container=unshare SYSTEMD_UNIT_PATH=$units
    exec "$manager" --system --log-target=null --show-status=no
}

fail() {
    echo "failed: $1"
    exit 1
}

control() {
    (cd /etc/deepwell && deepwell --set server.state_dir=/var/lib/deepwell control "$@")
}

property() {
    systemctl show --value -p "$2" "$1"
}

# Waits until a property of a unit has a value.
await() {
    for _ in $(seq 300); do
        [[ $(property "$1" "$2") == "$3" ]] && return
        sleep 0.1
    done
    systemctl status --no-pager --lines=0 "$1" || true
    fail "$1: $2 is $(property "$1" "$2"), not $3"
}

# Checks that the restrictions of a unit are in force for its process.
confined() {
    local status=/proc/$(property "$1" MainPID)/status
    grep -q '^NoNewPrivs:\s*1$' "$status" || fail "$1 may gain privileges"
    grep -q '^Seccomp:\s*2$' "$status" || fail "$1 may use any system call"
    grep -q '^CapBnd:\s*0*$' "$status" || fail "$1 may have capabilities"
    grep -q "^Uid:\s*$(id -u deepwell)\s" "$status" || fail "$1 runs as another user"
}

# Opens a connection and creates a character.
join() {
    exec 3<>/dev/tcp/127.0.0.1/4000
    printf 'create Tess correct-horse-battery\r\n' >&3
    hear 'Exits:'
}

# Reads from the connection until a text arrives.
hear() {
    local line
    while IFS= read -r -t 20 line <&3; do
        [[ $line == *"$1"* ]] && return
    done
    fail "\"$1\" did not come"
}

# Starts, reloads, kills and stops the units.
steps() {
    systemctl start scripts.service || fail "scripts cannot run under the restrictions"
    echo "scripts ran under the restrictions"

    systemctl start deepwell.service
    confined deepwell.service
    join
    systemctl reload deepwell.service
    await deepwell.service SubState running
    systemctl kill -s KILL --kill-who=main deepwell.service
    await deepwell.service NRestarts 1
    await deepwell.service SubState running
    systemctl stop deepwell.service
    [[ $(property deepwell.service Result) == success ]] || fail "deepwell.service did not stop properly"
    echo "deepwell.service: started, reloaded, killed and started again, stopped"

    systemctl start deepwell-gateway.service
    await deepwell-host.service SubState running
    local process
    process=$(property deepwell-host.service MainPID)
    for role in gateway host; do
        confined "deepwell-$role.service"
        systemctl reload "deepwell-$role.service"
        await "deepwell-$role.service" SubState running
    done
    exec 3<>/dev/tcp/127.0.0.1/4000
    printf 'connect Tess correct-horse-battery\r\n' >&3
    hear 'Exits:'
    for round in 1 2 3; do
        control restart >/dev/null
        printf 'say round %s\r\n' "$round" >&3
        hear "You say: round $round"
        await deepwell-host.service SubState running
        [[ $(property deepwell-host.service MainPID) == "$process" ]] || fail "the host is another process"
        [[ $(property deepwell-host.service NRestarts) == 0 ]] || fail "systemd started the host again"
    done
    systemctl kill -s KILL --kill-who=main deepwell-host.service
    await deepwell-host.service NRestarts 1
    await deepwell-host.service SubState running
    printf 'say after a kill\r\n' >&3
    hear 'You say: after a kill'
    systemctl stop deepwell-host.service deepwell-gateway.service
    hear 'The server stops now.'
    for role in gateway host; do
        [[ $(property "deepwell-$role.service" Result) == success ]] || fail "the $role did not stop properly"
    done
    echo "deepwell-gateway.service and deepwell-host.service: started, reloaded, three hot restarts in process $process, killed and started again, stopped"

    # A unit that replaces another waits until it has stopped.
    for unit in deepwell deepwell-host; do
        install -d "$units/$unit.service.d"
        printf '[Service]\nExecStop=/bin/sleep 2\n' >"$units/$unit.service.d/slow.conf"
    done
    systemctl daemon-reload
    systemctl start deepwell-gateway.service
    await deepwell-host.service SubState running
    systemctl start deepwell.service
    await deepwell-gateway.service ActiveState inactive
    await deepwell-host.service ActiveState inactive
    systemctl start deepwell-gateway.service
    await deepwell-host.service SubState running
    [[ $(property deepwell-host.service NRestarts) == 0 ]] || fail "the host did not wait for the database"
    systemctl stop deepwell-host.service deepwell-gateway.service
    echo "passed"
    # The log is read ten times a second.
    sleep 0.5
}

# Verifies the units without running them.
analyze() {
    local root=$scratch/root exposure
    install -d "$root/usr/local/bin" "$root/etc/systemd/system"
    install -m 755 "$program" "$root/usr/local/bin/deepwell"
    cp "$here"/deploy/systemd/*.service "$root/etc/systemd/system"
    cp -r --parents /lib/systemd/system "$root" 2>/dev/null || cp -rL --parents /usr/lib/systemd/system "$root"
    systemd-analyze verify --root="$root" --man=no "$root"/etc/systemd/system/*.service
    for unit in "$here"/deploy/systemd/*.service; do
        systemd-analyze security --offline=yes --threshold="$exposure_max" --no-pager "$unit" >"$scratch/security" ||
            fail "$unit is exposed too much: $(<"$scratch/security")"
        exposure=$(tail -n 1 "$scratch/security")
        echo "verified: ${exposure#* }"
    done
}

case ${1:-} in
--boot)
    program=$2 scratch=$3
    boot
    ;;
--steps)
    steps
    ;;
*)
    program=$(realpath "${1:-$here/target/release/deepwell}")
    [[ -x $program ]] || fail "there is no program at $program"
    for tool in systemd-analyze systemctl systemd-sysusers unshare ip; do
        command -v "$tool" >/dev/null || skip "$tool is not installed"
    done
    scratch=$(mktemp -d)
    name=${scratch##*/}
    groups=()
    for hierarchy in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
        [[ -w $hierarchy/cgroup.procs ]] && groups+=("$hierarchy/$name")
    done
    cleanup() {
        for group in "${groups[@]}"; do
            find "$group" -depth -type d -exec rmdir {} \; 2>/dev/null || true
        done
        rm -rf "$scratch"
    }
    trap cleanup EXIT
    analyze
    [[ $EUID == 0 && -x $manager ]] || skip "only root can run the units"
    unshare -m -p -f -i -u -n -C true 2>/dev/null || skip "this user may not create namespaces"
    mkdir "${groups[@]}" || skip "no control group can be created"
    (
        for group in "${groups[@]}"; do
            echo "$BASHPID" >"$group/cgroup.procs"
        done
        exec env -i PATH="$PATH" timeout -k 5 300 \
            unshare -m -p -f -i -u -n -C --kill-child "$here/deploy/run-units.sh" --boot "$program" "$scratch"
    )
    ;;
esac
