#!/usr/bin/env bash
# Builds the two base images of the Dockerfile locally, for machines without access to a registry: Debian from its package
# mirror with debootstrap, Rust from the local toolchain. Requires podman, debootstrap and root.

set -euo pipefail
for tool in podman debootstrap rustc; do
    command -v "$tool" >/dev/null || { echo "bases.sh needs $tool" >&2; exit 1; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mirror=$(awk '/^URIs:/ { print $2; exit }' /etc/apt/sources.list.d/*.sources)
debootstrap --variant=minbase bookworm "$work/rootfs" "$mirror"
tar -C "$work/rootfs" -c . | podman import -c 'CMD ["bash"]' - debian:bookworm-slim

mkdir -p "$work/context/toolchain"
tar -C "$(rustc --print sysroot)" -c --exclude=share/doc . | tar -x -C "$work/context/toolchain"
cp -L /etc/ssl/certs/ca-certificates.crt "$work/context/"
cat >"$work/context/Dockerfile" <<'DOCKERFILE'
FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends gcc g++ libc6-dev make pkg-config ca-certificates python3
COPY ca-certificates.crt /etc/ssl/certs/
COPY toolchain /usr/local/rust
ENV PATH=/usr/local/rust/bin:$PATH CARGO_HOME=/usr/local/cargo
DOCKERFILE
podman build --network=host -t rust:1.95-bookworm "$work/context"
