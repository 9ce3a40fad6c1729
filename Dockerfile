# Container image of Deepwell. The first stage builds the server from source; the second contains the binary, its settings
# its content, the licences of all libraries and a bill of materials. A running server writes only to the volume
# /var/lib/deepwell, so the root file system can be read-only.

FROM rust:1.95-bookworm AS build
WORKDIR /src
COPY . .
# The caches persist between builds, so the binary is copied out of target/.
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --release --locked && cp target/release/deepwell /usr/local/bin/deepwell \
    && mkdir /doc && cp LICENSE-MIT LICENSE-APACHE /doc/ \
    && deploy/sbom.py "$(uname -m)-unknown-linux-gnu" >/doc/deepwell.cdx.json \
    && deploy/sbom.py "$(uname -m)-unknown-linux-gnu" notices >/doc/THIRD-PARTY-LICENCES

# Scripts (Luau) need libstdc++, which every Debian image contains as a dependency of apt.
FROM debian:bookworm-slim
# The commit, as in: docker build --build-arg REVISION="$(git rev-parse HEAD)" -t deepwell .
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Deepwell" \
      org.opencontainers.image.description="A multiplayer text-dungeon server" \
      org.opencontainers.image.version="0.2.0" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.licenses="MIT OR Apache-2.0"
RUN useradd --system --uid 10001 --home-dir /var/lib/deepwell --shell /usr/sbin/nologin deepwell \
    && install -d -o deepwell -g deepwell -m 0700 /var/lib/deepwell
COPY --from=build /usr/local/bin/deepwell /usr/local/bin/deepwell
COPY --from=build /doc /usr/share/doc/deepwell
COPY config.toml /etc/deepwell/config.toml
COPY content /usr/share/deepwell/content
ENV DEEPWELL_SERVER__STATE_DIR=/var/lib/deepwell \
    DEEPWELL_SERVER__CONTENT_DIR=/usr/share/deepwell/content \
    DEEPWELL_TELNET__LISTEN=0.0.0.0:4000 \
    DEEPWELL_HTTP__LISTEN=0.0.0.0:4080
USER deepwell
WORKDIR /etc/deepwell
VOLUME /var/lib/deepwell
EXPOSE 4000 4080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s --retries=3 CMD ["deepwell", "control", "status"]
ENTRYPOINT ["deepwell"]
CMD ["serve"]
