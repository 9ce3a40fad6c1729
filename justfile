# Tasks besides the two everybody needs, `cargo run --release` and `cargo test`.

# Lists the tasks.
default:
    @just --list

# Runs the server: just run --set game.round=1
run *arguments:
    cargo run --release -- {{arguments}}

# Runs all tests.
test:
    cargo test

# Checks everything that a change has to pass.
check:
    .ci/run

# Plays bots in virtual time: just sim 7 --players 1000 --hours 4 --crashes 20
sim seed *arguments:
    cargo run --release -- simulate --seed {{seed}} {{arguments}}

# Draws a branch: just map 7 --rooms 100 --svg branch.svg
map seed *arguments:
    cargo run --release -- dungeon map --seed {{seed}} {{arguments}}

# Proves the rules of growth for 1,000 branches.
seeds:
    cargo run --release -- dungeon verify --seed 1 --seeds 1000 --rooms 400

# Measures the server and writes docs/develop/performance.md, in up to twelve minutes. A short run, elsewhere:
# just bench --quick --report target/bench/develop/performance.md
bench *arguments="--report docs/develop/performance.md":
    cargo build --release
    cargo run --release --example load -- {{arguments}}

# Lets bots play, fails if the server grows or logs an error, and writes docs/operate/sizing.md.
soak minutes="20" bots="300":
    cargo build --release
    cargo run --release --example load -- --soak {{minutes}} --connections {{bots}} --page docs/operate/sizing.md

# Measures the cost of a player's line in process.
bench-game *arguments:
    cargo bench --bench game -- {{arguments}}

# Makes a Debian package, an archive and a bill of materials in target/packages.
package:
    cargo build --release
    deploy/package.sh

# Follows docs/operate/first-evening.md in a bare Debian, with the package: needs root and debootstrap.
evening: package
    tests/container/evening.py

# Builds the documentation of the code.
docs:
    cargo doc --no-deps --document-private-items

# Checks licences and sources of all dependencies.
deny:
    cargo deny --offline check licenses bans sources

# Writes anew what follows from the code and the content, and has changed.
write:
    WRITE_GENERATED=1 cargo test --test it --test docs
