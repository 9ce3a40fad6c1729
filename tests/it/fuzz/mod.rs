//! Fuzzing on the stable toolchain. Valid inputs are mutated at random and each result is checked against invariants.
//! An input with a new outcome is mutated further, so that runs get deeper than chance alone. The stable toolchain
//! gives no coverage data, so each target reports the outcome of a run itself.
//!
//! `cargo test` runs each target a fixed number of times with a fixed seed. Set `DEEPWELL_FUZZ` to the number of
//! seconds to run each target instead. A failing input is minimised and stored in `tests/data/fuzz`; every later run
//! starts from the stored inputs.

mod files;
mod lines;
mod rows;
mod wire;

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use deepwell::base::{Dice, Rng, Seed};
use deepwell::tools::shorten::shortened;

/// Maximum input length in bytes.
const LONGEST: usize = 4_096;
/// Maximum number of inputs kept for mutation; the oldest is evicted.
const ANCESTORS: usize = 512;
/// Maximum number of attempts to minimise a failing input.
const TRIALS: u32 = 2_000;
/// Byte values at boundaries of ranges with special meaning.
const EDGES: [u8; 14] = [0, 1, 7, 8, 10, 13, 27, 32, 127, 128, 240, 250, 254, 255];

/// Fuzz target.
pub(crate) struct Target {
    /// Name, also of its folder in `tests/data/fuzz`.
    pub(crate) name: &'static str,
    /// Number of runs if no duration is set.
    pub(crate) runs: u32,
    /// Initial inputs.
    pub(crate) seeds: Vec<Vec<u8>>,
    /// Dictionary: byte strings inserted whole.
    pub(crate) words: Vec<Vec<u8>>,
}

/// Returns the current monotonic time.
#[expect(clippy::disallowed_methods, reason = "somebody says for how long to go on")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

/// Runs a target: stored inputs first, then mutations of them. `run` panics if an invariant fails, and returns the
/// outcome of the input.
pub(crate) fn fuzz(target: &Target, run: impl Fn(&[u8]) -> u64) {
    let holds = |input: &[u8]| catch_unwind(AssertUnwindSafe(|| run(input))).ok();
    let mut ancestors = target.seeds.clone();
    ancestors.extend(stored_inputs(target.name));
    for input in &ancestors {
        assert!(holds(input).is_some(), "{}: broken by {}", target.name, shown(input));
    }
    let seconds = env::var("DEEPWELL_FUZZ").ok();
    let seconds = seconds.map(|seconds| seconds.parse().expect("DEEPWELL_FUZZ is a number"));
    let seed = env::var("DEEPWELL_SEED").map_or(1, |seed| seed.parse().expect("DEEPWELL_SEED is a number"));
    let mut dice = Seed(seed).named(target.name).rng();
    let (begun, mut runs, mut reached) = (now(), 0_u64, BTreeSet::new());
    while seconds
        .map_or(runs < u64::from(target.runs), |seconds| begun.elapsed() < Duration::from_secs(seconds))
    {
        runs += 1;
        let input = mutate(&ancestors, &target.words, &mut dice);
        let Some(outcome) = holds(&input) else {
            let input = shorten(input, |input| holds(input).is_none());
            if seconds.is_some() {
                store_input(target.name, &input);
            }
            panic!("{}: after {runs} runs (DEEPWELL_SEED={seed}) broken by {}", target.name, shown(&input));
        };
        if reached.insert(outcome) {
            if ancestors.len() == ANCESTORS {
                ancestors.remove(target.seeds.len().min(ANCESTORS - 1));
            }
            ancestors.push(input);
        }
    }
    crate::figures::tell(&format!("{runs} runs, {} outcomes", reached.len()));
}

/// Hashes an outcome.
pub(crate) fn outcome(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Returns a mutation of one earlier input, or a mix of two.
fn mutate(ancestors: &[Vec<u8>], words: &[Vec<u8>], dice: &mut Rng) -> Vec<u8> {
    let mut input = dice.pick(ancestors).cloned().unwrap_or_default();
    for _ in 0..dice.between(1, 5) {
        change(&mut input, ancestors, words, dice);
    }
    input.truncate(LONGEST);
    input
}

/// Mutates the input at one place.
fn change(input: &mut Vec<u8>, ancestors: &[Vec<u8>], words: &[Vec<u8>], dice: &mut Rng) {
    let place = |input: &[u8], dice: &mut Rng| dice.up_to(u32::try_from(input.len()).unwrap_or(0)) as usize;
    let at = place(input, dice);
    let end = (at + dice.between(1, 16) as usize).min(input.len());
    match dice.up_to(7) {
        0 if at < input.len() => input[at] ^= 1 << dice.up_to(7),
        1 if at < input.len() => input[at] = dice.pick(&EDGES).copied().unwrap_or_default(),
        2 => drop(input.drain(at..end)),
        3 => {
            let again = input[at..end].to_vec();
            input.splice(at..at, again);
        }
        4 => input.insert(at, u8::try_from(dice.up_to(255)).unwrap_or_default()),
        5 => {
            let other = dice.pick(ancestors).cloned().unwrap_or_default();
            let from = place(&other, dice);
            input.truncate(at);
            input.extend_from_slice(&other[from..]);
        }
        _ => {
            let word = dice.pick(words).cloned().unwrap_or_default();
            input.splice(at..at, word);
        }
    }
}

/// Minimises a failing input by removing parts.
fn shorten(input: Vec<u8>, is_broken: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut trials = 0..TRIALS;
    shortened(input, |input| (trials.next().is_some() && is_broken(input)).then_some(input.len()))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fuzz").join(name)
}

/// Returns the stored inputs, sorted by file name.
fn stored_inputs(name: &str) -> Vec<Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder(name)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a file")).collect()
}

fn store_input(name: &str, input: &[u8]) {
    fs::create_dir_all(folder(name)).expect("a folder for findings");
    let path = folder(name).join(format!("{:016x}", outcome(input)));
    fs::write(&path, input).expect("a place for findings");
    eprintln!("kept in {}", path.display());
}

fn shown(input: &[u8]) -> String {
    format!("b\"{}\"", input.escape_ascii())
}

/// Reader that draws numbers and bytes from an input.
pub(crate) struct Draws<'a>(pub(crate) &'a [u8]);

impl<'a> Draws<'a> {
    /// Returns the next byte, or 0 at the end.
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// Returns a number below `bound`, which must not be 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let wide = bound > 256;
        let number = (usize::from(self.byte()) << (8 * usize::from(wide)))
            | usize::from(if wide { self.byte() } else { 0 });
        number % bound
    }

    /// Returns the next `most` bytes, or fewer at the end.
    pub(crate) fn bytes(&mut self, most: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(most.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Splits the rest into pieces of 1 to 8 bytes, with lengths taken from `sizes`.
    pub(crate) fn pieces(&self, sizes: &[u8]) -> Vec<&'a [u8]> {
        let mut sizes = sizes.iter().chain(&[7]).map(|size| 1 + usize::from(size % 8)).cycle();
        let (mut pieces, mut rest) = (Vec::new(), self.0);
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(sizes.next().unwrap_or(1).min(rest.len()));
            pieces.push(piece);
            rest = after;
        }
        pieces
    }

    /// Returns `true` if no bytes are left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Finds a failure that needs three dictionary words in order, and minimises it.
#[test]
fn planted_failure_is_found_and_minimised() {
    let words: Vec<Vec<u8>> = ["open", "the", "door", " "].map(|word| word.as_bytes().to_vec()).into();
    let has = |input: &[u8], word: &[u8]| input.windows(word.len()).any(|window| window == word);
    let broken = |input: &[u8]| has(input, b"open the door");
    let came_to =
        |input: &[u8]| ["open", "open ", "open the", "open the "].map(|start| has(input, start.as_bytes()));
    let mut dice = Seed(1).named("planted").rng();
    let (mut ancestors, mut reached) = (vec![b"a lane".to_vec()], BTreeSet::new());
    let found = (0..200_000).find_map(|_| {
        let input = mutate(&ancestors, &words, &mut dice);
        if reached.insert(came_to(&input)) {
            ancestors.push(input.clone());
        }
        broken(&input).then_some(input)
    });
    assert_eq!(shorten(found.expect("it is found"), broken), b"open the door");
}
