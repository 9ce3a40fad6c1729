//! Deterministic random numbers: a seed, independent named streams, and draws that are identical on every platform and
//! in every release. The generator is PCG. The final step of each draw is implemented here, because `rand` may change
//! its own.

use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rand_pcg::rand_core::Rng as _;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use std::fmt;

/// Seed of a random stream.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seed(pub u64);

impl Seed {
    /// Derives the seed of a named sub-stream; different names give unrelated streams.
    #[must_use]
    pub fn named(self, name: &str) -> Self {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for byte in name.bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
        self.numbered(hash)
    }

    /// Derives the seed of a numbered sub-stream.
    #[must_use]
    pub fn numbered(self, n: u64) -> Self {
        Self(mix(mix(self.0) ^ n.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// Returns the stream of this seed.
    pub fn rng(self) -> Rng {
        Rng(Pcg64Mcg::seed_from_u64(self.0))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Finaliser of splitmix64: every input bit affects every output bit.
fn mix(mut z: u64) -> u64 {
    z = z.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Source of random draws: [`Rng`], or scripted values in tests.
pub trait Dice {
    /// Returns an integer, uniform over `0..=most`.
    fn up_to(&mut self, most: u32) -> u32;

    /// Returns an integer, uniform over `least..=most`; `least` if the range is empty.
    fn between(&mut self, least: u32, most: u32) -> u32 {
        least + self.up_to(most.saturating_sub(least))
    }

    /// Returns `true` with a probability of `percent` %.
    fn percent(&mut self, percent: u32) -> bool {
        self.up_to(99) < percent
    }

    /// Returns an element, each equally likely; `None` if the slice is empty.
    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T>
    where
        Self: Sized,
    {
        let last = u32::try_from(items.len()).ok()?.checked_sub(1)?;
        items.get(self.up_to(last) as usize)
    }

    /// Returns an element with probability proportional to its weight; `None` if all weights are zero.
    fn weighted<'a, T>(&mut self, items: &'a [T], weight: impl Fn(&T) -> u32) -> Option<&'a T>
    where
        Self: Sized,
    {
        let weights: SmallVec<[u32; 32]> = items.iter().map(weight).collect();
        let total: u32 = weights.iter().sum();
        let mut left = self.up_to(total.checked_sub(1)?);
        let drawn = items.iter().zip(&weights).find(|(_, weight)| {
            let hit = left < **weight;
            left = left.saturating_sub(**weight);
            hit
        });
        drawn.map(|(item, _)| item)
    }

    /// Shuffles a slice (Fisher–Yates from the end).
    fn shuffle<T>(&mut self, items: &mut [T])
    where
        Self: Sized,
    {
        for last in (1..items.len()).rev() {
            let other = self.up_to(u32::try_from(last).unwrap_or(u32::MAX)) as usize;
            items.swap(last, other);
        }
    }
}

/// Random stream.
#[derive(Clone, Debug)]
pub struct Rng(Pcg64Mcg);

impl Dice for Rng {
    fn up_to(&mut self, most: u32) -> u32 {
        // Multiply-shift over 64 bits: the bias is below 2^-32 for every 32-bit range.
        let wide = u128::from(self.0.next_u64()) * (u128::from(most) + 1);
        u32::try_from(wide >> 64).unwrap_or(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The streams must never change: existing seeds would give different worlds.
    #[test]
    fn c3_random_streams_never_change() {
        let mut rng = Seed(1).named("exits").numbered(3).rng();
        let draws: Vec<u32> = (0..8).map(|_| rng.up_to(99)).collect();
        assert_eq!(draws, [16, 44, 56, 38, 23, 6, 43, 11]);
    }

    #[test]
    fn draws_are_uniform_and_in_range() {
        let mut rng = Seed(7).rng();
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[rng.between(1, 6) as usize - 1] += 1;
        }
        assert!(counts.iter().all(|c| (9_600..10_400).contains(c)), "{counts:?}");
    }

    #[test]
    fn weights_are_respected_and_zero_is_never_drawn() {
        let mut rng = Seed(9).rng();
        let items = [("a", 3), ("never", 0), ("b", 1)];
        let drawn: Vec<_> = (0..4_000).filter_map(|_| rng.weighted(&items, |i| i.1)).map(|i| i.0).collect();
        let a = drawn.iter().filter(|n| **n == "a").count();
        assert!((2_850..3_150).contains(&a) && !drawn.contains(&"never"), "{a}");
        assert_eq!(rng.weighted(&[("x", 0)], |i| i.1), None);
    }

    #[test]
    fn a_shuffle_keeps_every_element() {
        let mut cards: Vec<u32> = (0..52).collect();
        Seed(3).rng().shuffle(&mut cards);
        assert_ne!(cards, (0..52).collect::<Vec<_>>());
        cards.sort_unstable();
        assert_eq!(cards, (0..52).collect::<Vec<_>>());
    }
}
