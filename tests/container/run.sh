#!/usr/bin/env bash
# Builds and tests the container image, with a read-only root file system: creates a character over telnet, checks the health status, stops the container,
# starts a new one on the same volume, and logs the character in. Prints the reason if it skips because tools are missing.
#
# DEEPWELL_IMAGE=name   tests that image instead of building one
# DEEPWELL_ENGINE=name  podman or docker; default: the first one installed

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

skip() {
    echo "container test skipped: $1"
    exit 0
}
fail() {
    echo "container test failed: $1" >&2
    exit 1
}

engine=${DEEPWELL_ENGINE:-}
for candidate in podman docker; do
    [[ -z $engine ]] && command -v "$candidate" >/dev/null && engine=$candidate
done
[[ -n $engine ]] || skip "neither podman nor docker is installed"
"$engine" info >/dev/null 2>&1 || skip "$engine is installed, but does not run here"

image=${DEEPWELL_IMAGE:-}
if [[ -z $image ]]; then
    image=deepwell:test
    for base in rust:1.95-bookworm debian:bookworm-slim; do
        "$engine" image inspect "$base" >/dev/null 2>&1 || "$engine" pull -q "$base" >/dev/null 2>&1 ||
            skip "the base image $base is not there and cannot be fetched (tests/container/bases.sh makes it locally)"
    done
    build=(build -t "$image")
    # Only Docker's image format includes the health check. The host network avoids a separate network for the build.
    [[ $engine == podman ]] && build+=(--format docker --network=host)
    echo "building $image with $engine"
    "$engine" "${build[@]}" .
fi

name=deepwell-test-$$
volume=$name-state
cleanup() {
    "$engine" rm -f "$name" >/dev/null 2>&1 || true
    "$engine" volume rm -f "$volume" >/dev/null 2>&1 || true
}
trap cleanup EXIT

port=
start() {
    "$engine" run -d --init --read-only --name "$name" -p 127.0.0.1::4000 -v "$volume:/var/lib/deepwell" "$image" >/dev/null
    port=$("$engine" port "$name" 4000 | head -n 1)
    port=${port##*:}
    for _ in $(seq 100); do
        if "$engine" exec "$name" deepwell control status >/dev/null 2>&1; then
            return
        fi
        sleep 0.2
    done
    "$engine" logs "$name" >&2
    fail "the server is not up after 20 seconds"
}

# Sends lines to the server and waits for the expected text in the output.
say() {
    local expected=$1 line heard=""
    shift
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    for line in "$@"; do
        printf '%s\r\n' "$line" >&3
    done
    while IFS= read -r -t 10 -u 3 line; do
        heard+=$line$'\n'
        [[ $line != *"$expected"* ]] || break
    done
    exec 3>&- 3<&-
    [[ $heard == *"$expected"* ]] || fail "expected \"$expected\", heard: $heard"
}

stop() {
    local began=$SECONDS code
    "$engine" stop -t 10 "$name" >/dev/null
    ((SECONDS - began < 10)) || fail "the server needed more than 10 seconds to stop"
    code=$("$engine" inspect -f '{{.State.ExitCode}}' "$name")
    [[ $code == 0 ]] || fail "the server stopped with exit code $code"
}

start
echo "up on port $port"
say "Well Square" "create Wilmot correct-horse-9"
say "Bottom of the Well" "connect Wilmot correct-horse-9" "down"
echo "a character was created and went down the well"

uid=$("$engine" exec "$name" id -u)
[[ $uid != 0 ]] || fail "the server runs as root"
echo "the server runs as user $uid"

for file in deepwell.cdx.json THIRD-PARTY-LICENCES LICENSE-MIT LICENSE-APACHE; do
    "$engine" exec "$name" test -s "/usr/share/doc/deepwell/$file" || fail "the image has no $file"
done
version=$("$engine" inspect -f '{{index .Config.Labels "org.opencontainers.image.version"}}' "$name")
[[ "deepwell $version" == "$("$engine" exec "$name" deepwell --version)" ]] || fail "the label says version $version"
echo "the image is of version $version and has its licences and its bill of materials"

health=
for _ in $(seq 60); do
    health=$("$engine" inspect -f '{{.State.Health.Status}}' "$name")
    [[ $health != healthy ]] || break
    # Podman schedules health checks with systemd; without it, run the check explicitly.
    [[ $engine != podman ]] || podman healthcheck run "$name" >/dev/null 2>&1 || true
    sleep 0.5
done
[[ $health == healthy ]] || fail "the health check says \"$health\""
echo "the health check says healthy"

stop
echo "it stopped in time, with exit code 0"
"$engine" rm "$name" >/dev/null
start
say "Bottom of the Well" "connect Wilmot correct-horse-9"
echo "a new container on the same volume knows the character and where it stood"
stop
echo "container test passed"
