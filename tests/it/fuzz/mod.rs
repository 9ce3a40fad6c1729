//! Fuzzing without a special toolchain: sound inputs are changed at random, and what must hold of every input is
//! asked of each. An input that comes to something new is changed further, so that runs get deeper than chance alone;
//! "new" is what a target says that it came to, since the stable toolchain tells nothing about the code that ran.
//!
//! `cargo test` does a few thousand runs of each, the same ones every time. `DEEPWELL_FUZZ` is for how many seconds
//! each target runs instead; then what breaks a rule is made as short as can be and kept in `tests/data/fuzz`, from
//! where every later run begins.

mod files;
mod lines;
mod rows;
mod wire;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use deepwell::base::{Dice, Rng, Seed};
use deepwell::tools::shorten::shortened;

/// The longest input, in bytes.
const LONGEST: usize = 4_096;
/// Inputs that are changed further; beyond it the oldest goes.
const ANCESTORS: usize = 512;
/// Trials to make a finding shorter.
const TRIALS: u32 = 2_000;
/// Bytes at the edges of what they may mean.
const EDGES: [u8; 14] = [0, 1, 7, 8, 10, 13, 27, 32, 127, 128, 240, 250, 254, 255];

/// What is fuzzed, and with what.
pub(crate) struct Target {
    /// The folder of its findings.
    pub(crate) name: &'static str,
    /// Runs, if no time is given.
    pub(crate) runs: u32,
    /// Inputs to begin with.
    pub(crate) seeds: Vec<Vec<u8>>,
    /// What inputs are made of, put in whole.
    pub(crate) words: Vec<Vec<u8>>,
}

/// A moment of the machine's clock.
#[expect(clippy::disallowed_methods, reason = "somebody says for how long to go on")]
fn now() -> std::time::Instant {
    std::time::Instant::now()
}

/// Runs a target: first what was found before, then inputs made from that. `run` panics if something does not hold
/// that must, and gives what the input came to.
pub(crate) fn fuzz(target: &Target, run: impl Fn(&[u8]) -> u64) {
    let holds = |input: &[u8]| catch_unwind(AssertUnwindSafe(|| run(input))).ok();
    let mut ancestors = target.seeds.clone();
    ancestors.extend(kept(target.name));
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
        let input = descend(&ancestors, &target.words, &mut dice);
        let Some(outcome) = holds(&input) else {
            let input = shorten(input, |input| holds(input).is_none());
            if seconds.is_some() {
                keep(target.name, &input);
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

/// A number for whatever an input came to.
pub(crate) fn outcome(of: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    of.hash(&mut hasher);
    hasher.finish()
}

/// An input made from one of those before it, or from two.
fn descend(ancestors: &[Vec<u8>], words: &[Vec<u8>], dice: &mut Rng) -> Vec<u8> {
    let mut input = dice.pick(ancestors).cloned().unwrap_or_default();
    for _ in 0..dice.between(1, 5) {
        change(&mut input, ancestors, words, dice);
    }
    input.truncate(LONGEST);
    input
}

/// One change at one place.
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

/// The shortest input that can be had by leaving out parts of one that is broken.
fn shorten(input: Vec<u8>, is_broken: impl Fn(&[u8]) -> bool) -> Vec<u8> {
    let mut trials = 0..TRIALS;
    shortened(input, |input| (trials.next().is_some() && is_broken(input)).then_some(input.len()))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/fuzz").join(name)
}

/// What once broke a rule, in the order of its names.
fn kept(name: &str) -> Vec<Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder(name)) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a file")).collect()
}

fn keep(name: &str, input: &[u8]) {
    fs::create_dir_all(folder(name)).expect("a folder for findings");
    let path = folder(name).join(format!("{:016x}", outcome(input)));
    fs::write(&path, input).expect("a place for findings");
    eprintln!("kept in {}", path.display());
}

fn shown(input: &[u8]) -> String {
    format!("b\"{}\"", input.escape_ascii())
}

/// Numbers and texts out of an input.
pub(crate) struct Draws<'a>(pub(crate) &'a [u8]);

impl<'a> Draws<'a> {
    /// The next byte; 0 behind the end.
    pub(crate) fn byte(&mut self) -> u8 {
        let Some((first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        *first
    }

    /// A number below a bound, which must not be 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let wide = bound > 256;
        let number = (usize::from(self.byte()) << (8 * usize::from(wide)))
            | usize::from(if wide { self.byte() } else { 0 });
        number % bound
    }

    /// So many bytes as there are, at most.
    pub(crate) fn bytes(&mut self, most: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(most.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// The rest in pieces of 1 to 8 bytes, as other numbers say.
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

    /// Whether nothing is left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The tool finds a fault that hides behind three right words, and makes it short.
#[test]
fn the_fuzzer_finds_what_is_planted() {
    let words: Vec<Vec<u8>> = ["open", "the", "door", " "].map(|word| word.as_bytes().to_vec()).into();
    let has = |input: &[u8], word: &[u8]| input.windows(word.len()).any(|window| window == word);
    let broken = |input: &[u8]| has(input, b"open the door");
    let came_to =
        |input: &[u8]| ["open", "open ", "open the", "open the "].map(|start| has(input, start.as_bytes()));
    let mut dice = Seed(1).named("planted").rng();
    let (mut ancestors, mut reached) = (vec![b"a lane".to_vec()], BTreeSet::new());
    let found = (0..200_000).find_map(|_| {
        let input = descend(&ancestors, &words, &mut dice);
        if reached.insert(came_to(&input)) {
            ancestors.push(input.clone());
        }
        broken(&input).then_some(input)
    });
    assert_eq!(shorten(found.expect("it is found"), broken), b"open the door");
}
