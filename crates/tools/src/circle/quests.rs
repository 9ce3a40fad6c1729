//! Conversion of quests: a file for each, and a trigger by which its master gives it out.

use std::collections::BTreeMap;

use super::creatures::Creatures;
use super::items::Items;
use super::report::{ImportReport, NoteKind, Untranslated};
use super::scripts::TriggersByOwner;
use super::{DefinitionFile, HOUR_SECS, ImportPlan, Keys, SourceRecords, bounded, homes, words};
use crate::circle::records::quest::QuestRecord;
use deepwell_core::catalog::script::ScriptLine;
use deepwell_core::data::edit::quoted;

/// Longest time of a quest in seconds, and the shortest.
const LIMIT_SECS: (u32, u32) = (10, 604_800);
/// Flag of a quest that can be done again.
const REPEATABLE: u32 = 0;
/// Reward there for one here, in gold and in experience.
const REWARD: i64 = 10;
/// Maximum number of a step.
const COUNT_MAX: u32 = 1_000;
/// Maximum reward.
const REWARD_MAX: u32 = 1_000_000;

/// State of the conversion.
struct Quests<'a, 'r> {
    source: &'a SourceRecords,
    items: &'a Items,
    creatures: &'a Creatures,
    homes: BTreeMap<i64, homes::Home>,
    plan: ImportPlan<'a>,
    /// Keys of the quests that are kept.
    keys: BTreeMap<i64, String>,
    report: &'r mut ImportReport,
}

/// Writes the files of all quests, and adds triggers to the creatures that give them out or take items. Returns the number
/// of quests.
pub(super) fn write(
    source: &SourceRecords,
    items: &Items,
    creatures: &Creatures,
    plan: ImportPlan<'_>,
    scripts: &mut TriggersByOwner,
    written: &mut Vec<(String, String)>,
    report: &mut ImportReport,
) -> usize {
    let homes = homes::of_rooms(source, plan);
    let mut quests = Quests { source, items, creatures, homes, plan, keys: BTreeMap::new(), report };
    let mut keys = Keys::of_files("quests/", plan.zone);
    let mut goals = BTreeMap::new();
    for (number, quest) in &source.quests {
        match quests.goal(quest) {
            Ok(goal) => {
                goals.insert(*number, goal);
                quests.keys.insert(*number, keys.key(&words::line(&quest.name), "quest", *number));
            }
            Err(why) => quests.note(*number, quest, &format!("left out: {why}")),
        }
    }
    for (number, goal) in &goals {
        let (Some(quest), Some(key)) = (source.quests.get(number), quests.keys.get(number).cloned()) else {
            continue;
        };
        let text = quests.definition(*number, quest, goal);
        written.push((format!("content/quests/{key}.toml"), text));
        quests.give_out(*number, quest, &key, scripts);
    }
    goals.len()
}

impl Quests<'_, '_> {
    fn note(&mut self, number: i64, quest: &QuestRecord, remark: &str) {
        let whose = format!("quest {number}, {}", words::line(&quest.name));
        self.report.note(NoteKind::Quest, &quest.place, &whose, remark);
    }

    fn thing(&self, number: i64) -> Result<&String, Untranslated> {
        self.items
            .get(&number)
            .ok_or_else(|| format!("item {number} was not read, or cannot be taken").into())
    }

    fn creature(&self, number: i64) -> Result<&String, Untranslated> {
        self.creatures.get(&number).ok_or_else(|| format!("creature {number} was not read").into())
    }

    /// Returns the goal of a quest as fields of its step, or the reason why it has none here.
    fn goal(&self, quest: &QuestRecord) -> Result<String, Untranslated> {
        let target = quest.target;
        match quest.kind {
            0 => Ok(format!("fetch = {}", quoted(self.thing(target)?))),
            1 => {
                let home = self.homes.get(&target).ok_or_else(|| format!("room {target} was not read"))?;
                Ok(format!("reach = {}", quoted(&format!("{}/{}", home.zone, home.key))))
            }
            2 => Ok(format!("condition = {}", quoted(&format!("here {}", self.creature(target)?)))),
            3 => Ok(format!("kill = {}", quoted(self.creature(target)?))),
            4 => Err("no step asks for the rescue of a creature in a fight".into()),
            5 => {
                let (item, taker) = (self.thing(target)?, self.creature(quest.taker)?);
                Ok(format!("give = {}\nto = {}", quoted(item), quoted(taker)))
            }
            6 => Err("no step asks for one room without creatures".into()),
            kind => Err(format!("kind {kind} does not exist").into()),
        }
    }

    /// Returns the quests that have to be done before, without one that needs this quest in turn.
    fn before(&mut self, number: i64, quest: &QuestRecord) -> Option<String> {
        let key = self.keys.get(&quest.before)?.clone();
        let mut at = quest.before;
        for _ in 0..=self.source.quests.len() {
            if at == number {
                self.note(number, quest, "the quest before it is left out: they need each other in a circle");
                return None;
            }
            match self.source.quests.get(&at) {
                Some(other) if self.keys.contains_key(&other.before) => at = other.before,
                _ => return Some(key),
            }
        }
        // A circle of other quests, of which none can begin.
        self.note(number, quest, "the quest before it is left out: it is part of a circle");
        None
    }

    fn definition(&mut self, number: i64, quest: &QuestRecord, goal: &str) -> String {
        let mut file = DefinitionFile::default();
        let named = |text: &str, otherwise: &str| {
            let (text, _) = words::cut(&words::line(text), self.plan.limits.description_chars);
            if text.is_empty() { otherwise.to_owned() } else { text }
        };
        let name = named(&quest.name, "A quest");
        let text = named(&format!("{} {}", quest.description, quest.info), &name);
        let step = named(&quest.description, &name);
        file.text("name", &name);
        file.text("text", &text);
        let conditions = self.collect_conditions(number, quest);
        if !conditions.is_empty() {
            file.text("only_if", &conditions.join(" and "));
        }
        if quest.flags.has(REPEATABLE) {
            file.text("repeat", "always");
        }
        if quest.time > 0 {
            let secs = bounded(quest.time.saturating_mul(HOUR_SECS), LIMIT_SECS.0, LIMIT_SECS.1);
            file.raw("limit_secs", &secs);
        }
        file.number("experience", bounded(quest.experience / REWARD, 0, REWARD_MAX));
        file.number("copper", bounded(quest.gold / REWARD, 0, REWARD_MAX));
        match self.items.get(&quest.reward) {
            Some(key) => file.raw("items", &format!("[{}]", quoted(key))),
            None if quest.reward > 0 => {
                self.note(
                    number,
                    quest,
                    &format!("its reward is left out: item {} was not read", quest.reward),
                );
            }
            None => {}
        }
        let lines = self.lines(number, quest);
        if !lines.is_empty() {
            let lines: Vec<String> = lines.iter().map(|line| quoted(line)).collect();
            file.raw("lines", &format!("[{}]", lines.join(", ")));
        }
        self.report_unsupported(number, quest);
        let mut table = DefinitionFile::default();
        table.text("key", "goal");
        table.text("text", &step);
        if quest.quantity > 1 && quest.kind != 1 && quest.kind != 2 {
            table.raw("count", &bounded(quest.quantity, 1, COUNT_MAX));
        }
        format!("{}\n[[steps]]\n{}{goal}\n", file.0, table.0)
    }

    /// Returns the conditions for the start of a quest.
    fn collect_conditions(&mut self, number: i64, quest: &QuestRecord) -> Vec<String> {
        let mut conditions = Vec::new();
        let (least, most) = quest.levels;
        if least > 1 {
            conditions.push(format!("level {}", bounded(least, 1, 10_000)));
        }
        if most > 0 && most < 10_000 {
            conditions.push(format!("not level {}", bounded(most.saturating_add(1), 1, 10_000)));
        }
        conditions.extend(self.before(number, quest).map(|key| format!("quest {key} done")));
        match self.items.get(&quest.needs) {
            Some(key) => conditions.push(format!("has {key}")),
            None if quest.needs > 0 => {
                self.note(number, quest, &format!("item {} is not needed: it was not read", quest.needs));
            }
            None => {}
        }
        conditions
    }

    /// Returns the lines at the end of a quest: its text, and the quest behind it.
    fn lines(&self, number: i64, quest: &QuestRecord) -> Vec<String> {
        let done = words::line(&quest.done).replace('{', "(").replace('}', ")");
        let (done, _) = words::cut(&done, u32::try_from(ScriptLine::CHARS_MAX).unwrap_or(u32::MAX) - 10);
        let farewell = (!done.is_empty()).then(|| format!("tell {done}"));
        let next = self.keys.get(&quest.next).filter(|_| quest.next != number);
        farewell.into_iter().chain(next.map(|key| format!("start {key}"))).collect()
    }

    fn report_unsupported(&mut self, number: i64, quest: &QuestRecord) {
        let mut left = Vec::new();
        if quest.points != 0 {
            left.push(format!("{} quest points", quest.points));
        }
        if quest.penalty != 0 {
            left.push(format!("a penalty of {}", quest.penalty));
        }
        if !words::line(&quest.quit).is_empty() {
            left.push("the text of giving it up".to_owned());
        }
        if quest.before > 0 && !self.keys.contains_key(&quest.before) {
            left.push(format!("quest {} before it", quest.before));
        }
        if quest.next > 0 && !self.keys.contains_key(&quest.next) {
            left.push(format!("quest {} behind it", quest.next));
        }
        if !left.is_empty() {
            self.note(number, quest, &format!("left out: {}", left.join(", ")));
        }
    }

    /// Lets the master of a quest give it out, and the creature that gets an item take it.
    fn give_out(&mut self, number: i64, quest: &QuestRecord, key: &str, scripts: &mut TriggersByOwner) {
        let whose = format!("quest {number}, {}", words::line(&quest.name));
        if quest.kind == 5
            && let Ok(item) = self.thing(quest.target)
        {
            let lines = vec!["emote takes it with a nod.".to_owned()];
            scripts.add_to_creature(quest.taker, (format!("receive {item}"), lines));
        }
        let remark = match self.creatures.get(&quest.master) {
            Some(master) => {
                let asked =
                    ["quest".to_owned()].into_iter().chain(words::keywords(&quest.name).into_iter().take(3));
                let asked: Vec<String> =
                    asked.map(|word| word.replace([';', '"'], "")).filter(|word| !word.is_empty()).collect();
                scripts.add_to_creature(
                    quest.master,
                    (format!("ask {}", asked.join(";")), vec![format!("start {key}")]),
                );
                format!("quests/{key}, which {master} gives to those who ask about it")
            }
            None => format!("quests/{key}, which nothing begins: creature {} was not read", quest.master),
        };
        self.report.note(NoteKind::KeptQuest, &quest.place, &whose, &remark);
    }
}
