//! Conversion of items to prototypes: class, slot and bonuses.

use std::collections::BTreeMap;

use super::report::{ImportReport, NoteKind};
use super::{DefinitionFile, ImportPlan, Keys, SourceRecords, bounded, words};
use crate::circle::records::flags;
use crate::circle::records::object::ObjectRecord;
use deepwell_core::base::Slot;
use deepwell_core::catalog::ItemClass;
use deepwell_core::data::edit::quoted;

/// Keys of the items that became prototypes, by number.
pub(super) type Items = BTreeMap<i64, String>;

/// Item types: name, class here, and whether the item loses its function.
const TYPES: [(&str, ItemClass, bool); 24] = [
    ("UNDEFINED", ItemClass::Trinket, false),
    ("LIGHT", ItemClass::Trinket, false),
    ("SCROLL", ItemClass::Trinket, true),
    ("WAND", ItemClass::Trinket, true),
    ("STAFF", ItemClass::Trinket, true),
    ("WEAPON", ItemClass::Weapon, false),
    ("FURNITURE", ItemClass::Trinket, false),
    ("FREE", ItemClass::Trinket, true),
    ("TREASURE", ItemClass::Trinket, false),
    ("ARMOR", ItemClass::Armour, false),
    ("POTION", ItemClass::Potion, false),
    ("WORN", ItemClass::Armour, false),
    ("OTHER", ItemClass::Trinket, false),
    ("TRASH", ItemClass::Trinket, false),
    ("FREE2", ItemClass::Trinket, true),
    ("CONTAINER", ItemClass::Container, false),
    ("NOTE", ItemClass::Trinket, false),
    ("DRINKCON", ItemClass::Trinket, true),
    ("KEY", ItemClass::Trinket, false),
    ("FOOD", ItemClass::Food, false),
    ("MONEY", ItemClass::Coin, true),
    ("PEN", ItemClass::Trinket, true),
    ("BOAT", ItemClass::Trinket, true),
    ("FOUNTAIN", ItemClass::Trinket, true),
];
const LIGHT: i64 = 1;
const FURNITURE: i64 = 6;
const NOTE: i64 = 16;
/// Type of money, which cannot lie in rooms here.
pub(super) const MONEY: i64 = 20;

/// Wear positions by flag: name, nearest slot, and multiplier of the armour value.
const PLACES: [(&str, Option<Slot>, i64); 15] = [
    ("TAKE", None, 1),
    ("FINGER", Some(Slot::Finger), 1),
    ("NECK", Some(Slot::Neck), 1),
    ("BODY", Some(Slot::Body), 3),
    ("HEAD", Some(Slot::Head), 2),
    ("LEGS", Some(Slot::Feet), 2),
    ("FEET", Some(Slot::Feet), 1),
    ("HANDS", Some(Slot::Hands), 1),
    ("ARMS", Some(Slot::Hands), 1),
    ("SHIELD", Some(Slot::Shield), 1),
    ("ABOUT", Some(Slot::Back), 1),
    ("WAIST", None, 1),
    ("WRIST", Some(Slot::Hands), 1),
    ("WIELD", Some(Slot::Hand), 1),
    ("HOLD", None, 1),
];

/// Names of the modifiers of a wearer.
const APPLIES: &str = "- STR DEX INT WIS CON CHA CLASS LEVEL AGE WEIGHT HEIGHT MANA HIT MOVE GOLD EXP AC HITROLL DAMROLL \
     SAVING_PARA SAVING_ROD SAVING_PETRI SAVING_BREATH SAVING_SPELL";
const MORE_HIT_POINTS: i64 = 13;
const ARMOUR_CLASS: i64 = 17;
const HIT_AND_DAMAGE: [i64; 2] = [18, 19];

/// Healing spells, each with the hit points that it heals. Other spells with a counterpart follow.
const HEALING: [(i64, u32); 4] = [(16, 8), (15, 20), (28, 60), (48, 60)];
const CURES_POISON: i64 = 43;
const POISONS: i64 = 33;
const POISON: &str = "poisoned";

/// Chance of an attempt to pick a lock that is not pickproof, in percent.
const PICK_PERCENT: u32 = 30;

/// Units of 10 g in a pound.
const POUND: i64 = 45;

/// Writes the files of all items that can be taken and returns their keys.
pub(super) fn write(
    source: &SourceRecords,
    plan: ImportPlan<'_>,
    written: &mut Vec<(String, String)>,
    report: &mut ImportReport,
) -> Items {
    let mut keys = Keys::of_files("items/", plan.zone);
    let (mut items, mut named) = (Items::new(), BTreeMap::<String, i64>::new());
    let whose = |number: &i64, object: &ObjectRecord| format!("{} ({number})", name(object, plan).name);
    for (number, object) in &source.objects {
        let (name, whose) = (name(object, plan), whose(number, object));
        if object.kind == MONEY {
            report.note(NoteKind::ItemType, &object.place, &whose, "MONEY is left out");
            continue;
        }
        if object.worn.has(flags::TAKE) {
            let key = keys.key(&name.name, "thing", *number);
            if let Some(other) = named.insert(name.name.to_lowercase(), *number) {
                let remark = format!("two things have it; {other} keeps it too, and this one's key is {key}");
                report.note(NoteKind::Name, &object.place, &whose, &remark);
            }
            items.insert(*number, key);
        }
    }
    for (number, key) in &items {
        let object = &source.objects[number];
        let whose = whose(number, object);
        let text =
            ConvertedItem { object, plan, items: &items, whose, report }.definition(&name(object, plan));
        written.push((format!("content/items/{key}.toml"), text));
    }
    items
}

/// Returns the class of a type of items, by its number or its name.
pub(super) fn class_named(word: &str) -> Option<ItemClass> {
    let by_number = word.parse::<usize>().ok().and_then(|at| TYPES.get(at));
    let by_name = || TYPES.iter().find(|(name, ..)| name.eq_ignore_ascii_case(word));
    by_number.or_else(by_name).map(|(_, class, _)| *class)
}

/// Returns the name of an item.
pub(super) fn name(object: &ObjectRecord, plan: ImportPlan<'_>) -> words::NameWithArticle {
    words::name_or_keywords(&object.short, &object.keywords, "thing", plan.limits.name_chars)
}

/// Returns the description of an item, and whether it was cut. It is the detail text for the item's own keywords, or
/// else the line shown when the item is in a room.
pub(super) fn description(object: &ObjectRecord, plan: ImportPlan<'_>) -> (String, bool) {
    let own = words::keywords(&object.keywords);
    let about = object
        .extras
        .iter()
        .find(|extra| words::keywords(&extra.keywords).iter().any(|word| own.contains(word)));
    let mut description =
        about.map(|extra| words::line_or_picture(&extra.text)).filter(|text| !text.is_empty());
    if description.is_none() {
        description = Some(words::line(&object.long)).filter(|text| !text.is_empty());
    }
    let mut description = description.unwrap_or_else(|| "There is nothing special about it.".to_owned());
    let action = words::line_or_picture(&object.action);
    if object.kind == NOTE && !action.is_empty() {
        let gap = if words::is_picture(&object.action) { '\n' } else { ' ' };
        description = format!("{description} It says:{gap}{action}");
    }
    words::cut(&description, plan.limits.description_chars)
}

/// An item under conversion.
struct ConvertedItem<'a, 'r> {
    object: &'a ObjectRecord,
    plan: ImportPlan<'a>,
    items: &'a Items,
    whose: String,
    report: &'r mut ImportReport,
}

impl ConvertedItem<'_, '_> {
    fn note(&mut self, kind: NoteKind, remark: &str) {
        self.report.note(kind, &self.object.place, &self.whose, remark);
    }

    fn definition(mut self, name: &words::NameWithArticle) -> String {
        let mut file = DefinitionFile::default();
        let object = self.object;
        file.add_names(name);
        let (description, is_cut) = description(object, self.plan);
        file.text("description", &description);
        if is_cut {
            self.note(NoteKind::Text, "its description is cut at its end");
        }
        let (slot, multiplier) = self.choose_slot();
        let class = self.choose_class(slot);
        if class != ItemClass::Trinket {
            file.text("class", class.name());
        }
        let slot = slot.or((class == ItemClass::Weapon).then_some(Slot::Hand));
        if let Some(slot) = slot.filter(|_| !matches!(class, ItemClass::Potion | ItemClass::Food)) {
            file.text("slot", slot.name());
        }
        file.number("weight", bounded(object.weight.saturating_mul(POUND), 0, 100_000));
        file.number("value", bounded(object.cost.saturating_add(9) / 10, 0, 20_000));
        self.worn(&mut file, class, multiplier);
        self.used(&mut file, class);
        self.tell_what_is_left();
        file.0
    }

    /// Returns the slot of the first supported wear position, with its armour multiplier.
    fn choose_slot(&mut self) -> (Option<Slot>, i64) {
        let places: Vec<_> =
            (1..).zip(PLACES.iter().skip(1)).filter(|(flag, _)| self.object.worn.has(*flag)).collect();
        let chosen = places.iter().find(|(_, (_, slot, _))| slot.is_some()).map(|(_, place)| *place);
        let mut left = Vec::new();
        for (_, place) in places {
            let (word, slot, _) = place;
            match slot {
                Some(slot) if chosen == Some(place) && word.to_lowercase() != slot.name() => {
                    let usual = matches!(*word, "WIELD" | "ABOUT");
                    left.extend((!usual).then(|| format!("{word} is {}", slot.name())));
                }
                Some(_) if chosen == Some(place) => {}
                _ => left.push(format!("{word} left out")),
            }
        }
        if !left.is_empty() {
            self.note(NoteKind::ItemFlag, &left.join(", "));
        }
        chosen.map_or((None, 1), |(_, slot, multiplier)| (*slot, *multiplier))
    }

    fn choose_class(&mut self, slot: Option<Slot>) -> ItemClass {
        let known = usize::try_from(self.object.kind).ok().and_then(|kind| TYPES.get(kind));
        let Some((word, class, loses)) = known else {
            self.note(
                NoteKind::ItemType,
                &format!("type {} does not exist; it is only carried and looked at", self.object.kind),
            );
            return ItemClass::Trinket;
        };
        if *loses {
            self.note(NoteKind::ItemType, &format!("{word} is only carried and looked at"));
        }
        if *class == ItemClass::Armour && slot.is_none() {
            self.note(NoteKind::ItemType, &format!("{word} without a place is only carried and looked at"));
            return ItemClass::Trinket;
        }
        *class
    }

    /// Writes the bonuses that apply while the item is worn.
    fn worn(&mut self, file: &mut DefinitionFile, class: ItemClass, multiplier: i64) {
        let object = self.object;
        let [first, number, sides, _] = object.values;
        let (mut attack, mut defence, mut hit_points) = (0_i64, 0_i64, 0_i64);
        if class == ItemClass::Weapon {
            let average = number.max(0).saturating_mul(sides.max(0).saturating_add(1)) / 2;
            attack = average.saturating_add(1) / 2;
        }
        if class == ItemClass::Armour && object.kind != 11 {
            defence = first.saturating_mul(multiplier);
        }
        for (place, what, by) in &object.applies {
            match *what {
                MORE_HIT_POINTS => hit_points = hit_points.saturating_add(*by),
                ARMOUR_CLASS => defence = defence.saturating_sub(*by),
                what if HIT_AND_DAMAGE.contains(&what) => attack = attack.saturating_add(*by),
                0 => {}
                what => {
                    let known =
                        usize::try_from(what).ok().and_then(|what| APPLIES.split_whitespace().nth(what));
                    let word = known.map_or_else(|| format!("place {what}"), str::to_owned);
                    self.report.note(
                        NoteKind::ItemEffect,
                        place,
                        &self.whose,
                        &format!("{word} {by} left out"),
                    );
                }
            }
        }
        for (word, number) in [("attack", attack), ("defence", defence), ("hit points", hit_points)] {
            if number < 0 {
                self.note(NoteKind::ItemEffect, &format!("{word} {number} left out"));
            }
        }
        let tenth = |number: i64| number.saturating_add(9) / 10;
        file.number("attack", bounded(attack, 0, 12));
        file.number("defence", bounded(tenth(defence), 0, 8));
        file.number("max_hp", bounded(hit_points / 5, 0, 20));
    }

    /// Writes the effects of consuming the item, and the capacity of a container.
    fn used(&mut self, file: &mut DefinitionFile, class: ItemClass) {
        let [first, second, third, fourth] = self.object.values;
        let knows_poison = self.plan.catalog.affects.contains_key(POISON);
        match class {
            ItemClass::Food => {
                file.raw("heals", &bounded(first / 2, 1, 8));
                if fourth != 0 && knows_poison {
                    file.text("affect", POISON);
                }
            }
            ItemClass::Potion => {
                let mut heals = 0;
                for spell in [second, third, fourth].into_iter().filter(|spell| *spell > 0) {
                    match HEALING.iter().find(|(known, _)| *known == spell) {
                        Some((_, points)) => heals += points,
                        None if spell == CURES_POISON && knows_poison => {
                            if !file.0.contains("\ncures = ") {
                                file.raw("cures", &format!("[{}]", quoted(POISON)));
                            }
                        }
                        None if spell == POISONS && knows_poison => {
                            if !file.0.contains("\naffect = ") {
                                file.text("affect", POISON);
                            }
                        }
                        None => self.note(NoteKind::Spell, &format!("spell {spell} left out")),
                    }
                }
                file.number("heals", heals);
            }
            ItemClass::Container => {
                file.raw("holds", &bounded(first / 10, 1, 50));
                self.lid(file);
            }
            _ => {}
        }
        match self.object.kind {
            // An hour of the other server takes 75 seconds; a negative number burns without end.
            LIGHT if third < 0 => file.raw("burns_secs", &1_000_000),
            LIGHT => file.number("burns_secs", bounded(third.saturating_mul(75), 0, 1_000_000)),
            FURNITURE => file.number("seats", bounded(first, 0, 100)),
            _ => {}
        }
        let spells = match self.object.kind {
            2 => vec![second, third, fourth],
            3 | 4 => vec![fourth],
            _ => Vec::new(),
        };
        for spell in spells.into_iter().filter(|spell| *spell > 0) {
            self.note(NoteKind::Spell, &format!("spell {spell} left out"));
        }
    }

    /// Writes the lid and the lock of a container. It begins shut.
    fn lid(&mut self, file: &mut DefinitionFile) {
        let [_, locks, key, _] = self.object.values;
        let locks = flags::Flags::read(&[&locks.max(0).to_string()]).unwrap_or_default();
        if !locks.has(flags::CLOSEABLE) {
            let left = locks.named(flags::CONTAINER, &[]);
            if !left.is_empty() {
                self.note(NoteKind::ItemFlag, &format!("stands open, {} left out", left.join(", ")));
            }
            return;
        }
        file.raw("closes", &true);
        match self.items.get(&key) {
            Some(key) => {
                file.text("opens_with", key);
                file.number("pick_percent", if locks.has(flags::PICKPROOF) { 0 } else { PICK_PERCENT });
            }
            None if locks.has(flags::LOCKED) => {
                self.note(NoteKind::ItemFlag, &format!("LOCKED left out, its key {key} is no thing here"));
            }
            None => {}
        }
    }

    fn tell_what_is_left(&mut self) {
        let object = self.object;
        let mut left = object.flags.named(flags::THING, &[]);
        left.extend(object.affections.named(flags::AFFECT, &[0]));
        if object.level > 0 {
            left.push(format!("for levels from {} on", object.level));
        }
        if !left.is_empty() {
            self.note(NoteKind::ItemFlag, &format!("left out: {}", left.join(", ")));
        }
        if object.kind != NOTE && !words::line(&object.action).is_empty() {
            self.note(NoteKind::Text, "what is told when it is used is left out");
        }
        let own = words::keywords(&object.keywords);
        let mut own_seen = false;
        for extra in &object.extras {
            let is_own = words::keywords(&extra.keywords).iter().any(|word| own.contains(word));
            if own_seen || !is_own {
                let remark = format!("detail {} left out", words::line(&extra.keywords));
                self.report.note(NoteKind::Text, &extra.place, &self.whose, &remark);
            }
            own_seen |= is_own;
        }
    }
}
