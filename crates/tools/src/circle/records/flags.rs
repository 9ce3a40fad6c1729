//! Flag fields of area files (numbers or letters, in one word or four), and the names of the flags by position.

/// A set of flags by bit position: `a`, or the number 1, is position 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(in crate::circle) struct Flags(u128);

/// Bits per word in the form with four words.
const WORD_BITS: u32 = 32;

impl Flags {
    /// Parses one word, or four.
    pub(in crate::circle) fn read(words: &[&str]) -> Option<Self> {
        let mut flags = 0;
        for (word, shift) in words.iter().zip([0, WORD_BITS, 2 * WORD_BITS, 3 * WORD_BITS]) {
            let read = word_of(word)?;
            let own = if words.len() == 1 { read } else { read & u128::from(u32::MAX) };
            flags |= own << shift;
        }
        Some(Self(flags))
    }

    /// Shifts the flags by one place: old files count the affects of creatures from one place lower.
    pub(in crate::circle) const fn shifted(self) -> Self {
        Self(self.0 << 1)
    }

    pub(in crate::circle) const fn has(self, place: u32) -> bool {
        place < u128::BITS && self.0 >> place & 1 == 1
    }

    /// Returns the names of the set flags, except those at the positions `but`. Flags whose name is missing or `-` are
    /// given by number.
    pub(in crate::circle) fn named(self, names: &str, but: &[u32]) -> Vec<String> {
        let set = (0..u128::BITS).filter(|place| self.has(*place) && !but.contains(place));
        set.map(|place| {
            let known = names.split_whitespace().nth(place as usize).filter(|name| *name != "-");
            known.map_or_else(|| format!("flag {place}"), str::to_owned)
        })
        .collect()
    }
}

fn word_of(word: &str) -> Option<u128> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) {
        // A negative number would set bits that the author did not intend.
        return if digits == word { word.parse::<u64>().ok().map(u128::from) } else { None };
    }
    let mut flags = 0;
    for letter in word.bytes() {
        let place = match letter {
            b'a'..=b'z' => letter - b'a',
            b'A'..=b'Z' => 26 + (letter - b'A'),
            _ => return None,
        };
        flags |= 1 << place;
    }
    Some(flags)
}

/// Names of room flags.
pub(in crate::circle) const ROOM: &str = "DARK DEATH NOMOB INDOORS PEACEFUL SOUNDPROOF NOTRACK NOMAGIC TUNNEL PRIVATE GODROOM HOUSE HOUSE_CRASH \
     ATRIUM OLC BFS_MARK WORLDMAP";
/// Room flag that needs a light.
pub(in crate::circle) const DARK: u32 = 0;
/// Room flag that forbids fighting.
pub(in crate::circle) const PEACEFUL: u32 = 4;
/// Few players can be in the room.
pub(in crate::circle) const TUNNEL: u32 = 8;
/// Room flags not reported: internal marks of the other server, and flags whose effect always applies here, such as no
/// weather.
pub(in crate::circle) const ROOM_MARKS: [u32; 8] = [DARK, 3, PEACEFUL, TUNNEL, 12, 14, 15, 16];

/// Names of creature flags.
pub(in crate::circle) const MOB: &str = "SPEC SENTINEL SCAVENGER ISNPC AWARE AGGRESSIVE STAY_ZONE WIMPY AGGR_EVIL AGGR_GOOD AGGR_NEUTRAL MEMORY \
     HELPER NOCHARM NOSUMMON NOSLEEP NOBASH NOBLIND NOKILL NOTDEADYET";
/// Creature flags that become behaviours.
pub(in crate::circle) const AGGRESSIVE: u32 = 5;
/// Creature flag: does not move.
pub(in crate::circle) const SENTINEL: u32 = 1;
/// Creature flag: does not leave its zone.
pub(in crate::circle) const STAY_ZONE: u32 = 6;
pub(in crate::circle) const WIMPY: u32 = 7;
pub(in crate::circle) const HELPER: u32 = 12;
/// Creature flags not reported: those with a counterpart, and those whose effect always applies here.
pub(in crate::circle) const MOB_KNOWN: [u32; 7] = [SENTINEL, 3, AGGRESSIVE, STAY_ZONE, WIMPY, HELPER, 19];

/// Names of the affects of creatures and items.
pub(in crate::circle) const AFFECT: &str = "- BLIND INVISIBLE DETECT_ALIGN DETECT_INVIS DETECT_MAGIC SENSE_LIFE WATERWALK SANCTUARY GROUP CURSE \
     INFRAVISION POISON PROTECT_EVIL PROTECT_GOOD SLEEP NOTRACK FLYING SCUBA SNEAK HIDE - CHARM";

/// Names of item flags.
pub(in crate::circle) const THING: &str = "GLOW HUM NORENT NODONATE NOINVIS INVISIBLE MAGIC NODROP BLESS ANTI_GOOD ANTI_EVIL ANTI_NEUTRAL \
     ANTI_MAGIC_USER ANTI_CLERIC ANTI_THIEF ANTI_WARRIOR NOSELL QUEST";

/// Wear flag of items that can be taken.
pub(in crate::circle) const TAKE: u32 = 0;

/// Container flags: it has a lid, its lock cannot be picked, and it begins locked.
pub(in crate::circle) const CLOSEABLE: u32 = 0;
pub(in crate::circle) const PICKPROOF: u32 = 1;
pub(in crate::circle) const LOCKED: u32 = 3;

/// Names of container flags.
pub(in crate::circle) const CONTAINER: &str = "CLOSEABLE PICKPROOF CLOSED LOCKED";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_numbers_give_the_same_flags() {
        assert_eq!(Flags::read(&["ad"]), Flags::read(&["9"]));
        assert_eq!(Flags::read(&["A"]), Flags::read(&["67108864"]));
        assert_eq!(Flags::read(&["0", "a", "0", "0"]), Some(Flags(1 << 32)));
        assert_eq!(Flags::read(&["bd"]).unwrap().named(ROOM, &ROOM_MARKS), ["DEATH"]);
        assert_eq!(Flags::read(&["b", "c", "0", "0"]).unwrap().named(ROOM, &[]), ["DEATH", "flag 34"]);
        assert!(
            Flags::read(&["a9"]).is_none() && Flags::read(&["-1"]).is_none() && Flags::read(&["-"]).is_none()
        );
    }
}
