//! Conversion of creatures to prototypes: statistics from the level, behaviours and loot.

use std::collections::BTreeMap;

use super::items::Items;
use super::report::{ImportReport, NoteKind};
use super::resets::Resets;
use super::{DefinitionFile, ImportPlan, Keys, SourceRecords, bounded, words};
use crate::circle::records::creature::CreatureRecord;
use crate::circle::records::flags;
use deepwell_core::data::edit::quoted;
use deepwell_core::text::grammar;

/// Keys of the creatures, by number.
pub(super) type Creatures = BTreeMap<i64, String>;

/// Attack verbs, by the number of the attack type.
const STRIKES: &str = "hits stings whips slashes bites bludgeons crushes pounds claws mauls thrashes pierces blasts punches \
     stabs impales";
/// Maximum difficulty.
const DIFFICULTY_MAX: u32 = 40;
/// Keyword of the attack type in enhanced records.
const ATTACK: &str = "BareHandAttack";
/// Posture of creatures that sleep until a player enters.
const ASLEEP: i64 = 4;

/// Statistics of a creature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Strength {
    pub(super) difficulty: u32,
    pub(super) hp: u32,
    pub(super) attack: u32,
    pub(super) defence: u32,
    pub(super) xp: u32,
}

impl Strength {
    /// Converts a level to a difficulty (one less) with the usual statistics. Hit points and attack are scaled by the
    /// ratio to the usual values of the level: hit points by 50 to 300 %, attack by 50 to 200 %.
    pub(super) fn of(rank: i64, hit_points: i64, damage: i64) -> Self {
        let rank = bounded(rank, 1, DIFFICULTY_MAX + 1);
        let difficulty = rank - 1;
        let attack = 3 + difficulty.min(20) * 3 / 2 + difficulty.saturating_sub(20) * 19 / 20;
        let usual = 1 + rank * 3 / 5;
        let scaled = |number: u32, own: i64, usual: u32, most: i64| {
            let percent = (own.saturating_mul(100) / i64::from(usual.max(1))).clamp(50, most);
            bounded(i64::from(number) * percent / 100, 1, 1_000_000)
        };
        Self {
            difficulty,
            hp: scaled(5 + difficulty * 3 + difficulty * difficulty * 7 / 100, hit_points, rank * 10, 300),
            attack: scaled(attack, damage, usual, 200),
            defence: difficulty * 2 / 5,
            xp: 10 + difficulty * 14 + difficulty * difficulty * 3 / 4,
        }
    }

    /// Returns the coppers left in the corpse.
    pub(super) fn coppers(self, gold: i64) -> u32 {
        bounded(gold / 10, 0, 10 + self.difficulty * 10)
    }
}

/// Writes the files of all creatures and returns their keys.
pub(super) fn write(
    source: &SourceRecords,
    resets: &Resets,
    items: &Items,
    plan: ImportPlan<'_>,
    written: &mut Vec<(String, String)>,
    report: &mut ImportReport,
) -> Creatures {
    let mut keys = Keys::of_files("mobs/", plan.zone);
    let mut creatures = Creatures::new();
    let mut named: BTreeMap<String, i64> = BTreeMap::new();
    for (number, mob) in &source.mobs {
        let most = plan.limits.name_chars;
        let name = words::name_or_keywords(&mob.short, &mob.keywords, "creature", most);
        let key = keys.key(&name.name, "creature", *number);
        let whose = format!("{} ({number})", name.name);
        if let Some(other) = named.insert(name.name.to_lowercase(), *number) {
            let remark = format!("two creatures have it; {other} keeps it too, and this one's key is {key}");
            report.note(NoteKind::Name, &mob.place, &whose, &remark);
        }
        let carried = resets.carried.get(number).map(Vec::as_slice).unwrap_or_default();
        let strength = Strength::of(first(mob), mob.hit_points.average(), mob.damage.average());
        let loot = loot(mob, &whose, carried, items, strength, report);
        let has_loot = loot.is_some();
        written.extend(loot.map(|text| (format!("content/loot/{key}.toml"), text)));
        let text = definition(mob, &name, strength, has_loot.then_some(key.as_str()), plan, report);
        report_unsupported_fields(mob, &whose, report);
        written.push((format!("content/mobs/{key}.toml"), text));
        creatures.insert(*number, key);
    }
    creatures
}

fn first(mob: &CreatureRecord) -> i64 {
    let [rank, ..] = mob.numbers;
    rank
}

/// Returns the definition file of a creature.
fn definition(
    mob: &CreatureRecord,
    name: &words::NameWithArticle,
    strength: Strength,
    loot: Option<&str>,
    plan: ImportPlan<'_>,
    report: &mut ImportReport,
) -> String {
    let mut file = DefinitionFile::default();
    let usual = grammar::with_article(&name.name, None);
    let with_article = name.with_article.as_ref().unwrap_or(&usual);
    file.add_names(name);
    let gap = if words::is_picture(&mob.description) { "\n" } else { " " };
    let text = [words::line(&mob.long), words::line_or_picture(&mob.description)].join(gap);
    let (description, is_cut) = words::cut(text.trim(), plan.limits.description_chars);
    if is_cut {
        report.note(NoteKind::Text, &mob.place, &name.name, "its description is cut at its end");
    }
    let otherwise = format!("There is nothing special about {with_article}.");
    file.text("description", if description.is_empty() { &otherwise } else { &description });
    let Strength { difficulty, hp, attack, defence, xp } = strength;
    for (key, value) in [("hp", hp), ("attack", attack), ("defence", defence), ("xp", xp)] {
        file.raw(key, &value);
    }
    file.raw("first_difficulty", &difficulty);
    file.raw("weight", &1);
    file.raw("threat", &difficulty.max(1));
    let attack = mob
        .more
        .iter()
        .find(|(_, word, _)| word.eq_ignore_ascii_case(ATTACK))
        .map_or(0, |(.., number)| *number);
    let strike =
        usize::try_from(attack).ok().and_then(|attack| STRIKES.split(' ').nth(attack)).unwrap_or("hits");
    file.raw("strikes", &format!("[{}]", quoted(strike)));
    file.text("death", &format!("{} falls and lies still.", words::capital(with_article)));
    if let Some(key) = loot {
        file.text("loot", key);
    }
    let parts = behaviours(mob);
    if parts.is_empty() {
        file.raw("behaviours", "[]");
    }
    file.0 + &parts.concat()
}

/// Returns the behaviours of a creature as TOML tables.
fn behaviours(mob: &CreatureRecord) -> Vec<&'static str> {
    let is_posted = mob.flags.has(flags::SENTINEL);
    let is_wimpy = mob.flags.has(flags::WIMPY);
    let parts = [
        (mob.posture == ASLEEP, "\n[[behaviours]]\npart = \"sleep\"\n"),
        (mob.flags.has(flags::HELPER), "\n[[behaviours]]\npart = \"pack\"\nbonus = 0\n"),
        (mob.flags.has(flags::AGGRESSIVE), "\n[[behaviours]]\npart = \"attack\"\n"),
        (is_wimpy, "\n[[behaviours]]\npart = \"flee\"\npercent = 0\nbelow = 20\n"),
        // One that flees walks about otherwise.
        (is_wimpy && is_posted, "\n[[behaviours]]\npart = \"guard\"\n"),
        (!is_posted, "\n[[behaviours]]\npart = \"wander\"\n"),
    ];
    parts.into_iter().filter(|(does, _)| *does).map(|(_, part)| part).collect()
}

/// Returns the loot table as a file; `None` if the creature leaves nothing.
fn loot(
    mob: &CreatureRecord,
    whose: &str,
    carried: &[i64],
    items: &Items,
    strength: Strength,
    report: &mut ImportReport,
) -> Option<String> {
    let coppers = strength.coppers(mob.gold);
    let known: Vec<&String> = carried.iter().filter_map(|item| items.get(item)).collect();
    for item in carried.iter().filter(|item| !items.contains_key(item)) {
        report.note(
            NoteKind::Belongings,
            &mob.place,
            whose,
            &format!("item {item} cannot be taken, and is left out"),
        );
    }
    if !known.is_empty() {
        let remark = format!("{} carried; one of them lies in its corpse", grammar::list(&known));
        report.note(NoteKind::Belongings, &mob.place, whose, &remark);
    }
    if coppers == 0 && known.is_empty() {
        return None;
    }
    let mut file = DefinitionFile::default();
    if coppers > 0 {
        for (key, value) in [("coins_percent", 100), ("coins_least", coppers), ("coins_most", coppers)] {
            file.raw(key, &value);
        }
    }
    if !known.is_empty() {
        file.raw("item_percent", &100);
    }
    for key in known {
        file.0.push_str("\n[[items]]\n");
        file.text("item", key);
    }
    Some(file.0)
}

/// Reports the fields without a counterpart.
fn report_unsupported_fields(mob: &CreatureRecord, whose: &str, report: &mut ImportReport) {
    let [_, to_hit, armour] = mob.numbers;
    let mut left = vec![format!("chance to hit {to_hit}, armour class {armour}")];
    if mob.alignment != 0 {
        left.push(format!("alignment {}", mob.alignment));
    }
    if mob.sex != 0 {
        left.push(format!("sex {}", mob.sex));
    }
    for (_, word, number) in mob.more.iter().filter(|(_, word, _)| !word.eq_ignore_ascii_case(ATTACK)) {
        left.push(format!("{} {number}", words::line(word)));
    }
    report.note(
        NoteKind::CreatureNumber,
        &mob.place,
        whose,
        &format!("left out, its level counts: {}", left.join(", ")),
    );
    let mut flags = mob.flags.named(flags::MOB, &flags::MOB_KNOWN);
    flags.extend(mob.affections.named(flags::AFFECT, &[0]));
    if !flags.is_empty() {
        report.note(NoteKind::CreatureFlag, &mob.place, whose, &format!("left out: {}", flags.join(", ")));
    }
    if !mob.flags.has(flags::SENTINEL) && !mob.flags.has(flags::STAY_ZONE) {
        report.note(
            NoteKind::CreatureFlag,
            &mob.place,
            whose,
            "it walked into other zones, and stays in its zone",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A typical creature of a level gets the usual statistics of that difficulty.
    #[test]
    fn level_gives_difficulty_and_statistics() {
        let figures = |rank: i64, hp: i64, damage: i64| {
            let Strength { difficulty, hp, attack, defence, xp } = Strength::of(rank, hp, damage);
            (difficulty, hp, attack, defence, xp)
        };
        assert_eq!(figures(1, 10, 1), (0, 5, 3, 0, 10));
        assert_eq!(figures(11, 110, 7), (10, 42, 18, 4, 225));
        assert_eq!(figures(31, 310, 19), (30, 158, 42, 12, 1_105));
        assert_eq!(figures(31, 0, 0), (30, 79, 21, 12, 1_105), "never less than half");
        assert_eq!(figures(1, i64::MAX, i64::MAX), (0, 15, 6, 0, 10), "never more than three times as much");
        assert_eq!(figures(i64::MAX, 410, 25), figures(41, 410, 25));
        assert_eq!(figures(i64::MIN, 10, 1), figures(1, 10, 1));
        assert_eq!((Strength::of(1, 10, 1).coppers(5_000), Strength::of(5, 50, 1).coppers(90)), (10, 9));
    }
}
