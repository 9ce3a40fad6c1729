//! What one wears and what it adds: a thing to a slot, in the order of [`Slot::NAMES`].

use crate::base::{CharacterId, ItemId, Slot};
use crate::catalog::{ItemClass, ItemPrototype, RuleSet};
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::spawn::points;
use crate::game::{Class, Game};
use crate::text::act::Template;
use crate::text::grammar;
use crate::world::Place;
use std::cmp::Ordering;

const WIELD: Template = Template::new("{actor} {wields|wield} {object}.");
const WEAR: Template = Template::new("{actor} {puts|put} on {object}.");
const LAY_ASIDE: Template = Template::new("{actor} {puts|put} {object} away.");
const TAKE_OFF: Template = Template::new("{actor} {takes|take} off {object}.");

/// What worn things add to a body's numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bonus {
    /// To attack.
    pub(crate) attack: i32,
    /// To defence.
    pub(crate) defence: i32,
    /// To the hit points at most.
    pub(crate) max_hp: i32,
}

impl Bonus {
    /// What one thing adds while it is worn.
    pub(crate) fn of(prototype: &ItemPrototype) -> Self {
        Self {
            attack: points(prototype.attack),
            defence: points(prototype.defence),
            max_hp: points(prototype.max_hp),
        }
    }

    /// The three with their names.
    pub(crate) const fn parts(self) -> [(&'static str, i32); 3] {
        [("attack", self.attack), ("defence", self.defence), ("hit points", self.max_hp)]
    }

    /// How good a thing is on the whole, for whoever cannot choose.
    const fn worth(self) -> i32 {
        self.attack.saturating_add(self.defence).saturating_add(self.max_hp / 5)
    }

    /// "attack 3 and 2 hit points"; empty if it adds nothing.
    pub(crate) fn words(self) -> String {
        let parts = self.parts().into_iter().filter(|(_, value)| *value != 0);
        let words = parts.map(|part| match part {
            ("hit points", 1) => "1 hit point".to_owned(),
            ("hit points", value) => format!("{value} hit points"),
            (name, value) => format!("{name} {value}"),
        });
        grammar::list(&words.collect::<Vec<_>>())
    }
}

/// Where a slot is, as it is said of a thing that is worn there.
pub(crate) const fn worn_words(slot: Slot) -> &'static str {
    match slot {
        Slot::Hand => "in the hand",
        Slot::Shield => "on the arm",
        Slot::Head => "on the head",
        Slot::Body => "on the body",
        Slot::Hands => "on the hands",
        Slot::Feet => "on the feet",
        Slot::Neck => "around the neck",
        Slot::Finger => "on a finger",
        Slot::Back => "over the back",
    }
}

impl Game {
    /// What somebody's worn things add.
    pub(crate) fn gear_bonus(&self, who: CharacterId) -> Bonus {
        let mut sum = Bonus::default();
        for item in self.world.carried(who) {
            if self.world.items[*item].worn.is_some()
                && let Some(prototype) = self.kind_of(*item)
            {
                let bonus = Bonus::of(prototype);
                sum.attack = sum.attack.saturating_add(bonus.attack);
                sum.defence = sum.defence.saturating_add(bonus.defence);
                sum.max_hp = sum.max_hp.saturating_add(bonus.max_hp);
            }
        }
        sum
    }

    /// What somebody wears at a slot.
    pub(crate) fn worn_at(&self, who: CharacterId, slot: Slot) -> Option<ItemId> {
        self.world.carried(who).iter().copied().find(|item| self.world.items[*item].worn == Some(slot))
    }

    /// What somebody wears, in the order of the slots.
    pub(crate) fn worn_by(&self, who: CharacterId) -> Vec<(Slot, ItemId)> {
        Slot::NAMES.iter().filter_map(|(_, slot)| Some((*slot, self.worn_at(who, *slot)?))).collect()
    }

    /// Puts on or takes in hand a thing that one carries; what was there before is put away.
    pub(crate) fn wear(&mut self, who: CharacterId, item: ItemId) -> Result<(), Refusal> {
        let because = |words: String| Err(Refusal::Because(words));
        let name = self.the_thing(item);
        let Some((slot, class)) = self.kind_of(item).and_then(|p| Some((p.slot?, p.class))) else {
            return because(format!("{} is nothing to wear or wield.", grammar::capitalise(&name)));
        };
        if self.world.items[item].worn.is_some() {
            return because(format!("You have {name} {} already.", worn_words(slot)));
        }
        let hp = self.hp(who);
        let before = self.worn_at(who, slot);
        // One of a stack that is worn is a thing of its own.
        let one = self.world.split_item(item, 1);
        if let Some(before) = before {
            self.set_worn(before, None);
            let words = self.the_thing(before);
            self.act(Class::Notice, &LAY_ASIDE, who, None, &words);
        }
        self.set_worn(one, Some(slot));
        let what = self.thing_words(one, 1);
        let template = if class == ItemClass::Weapon { &WIELD } else { &WEAR };
        self.act(Class::Notice, template, who, None, &what);
        if let Some(before) = before {
            self.stack_up(before);
        }
        self.keep_hp(who, hp);
        self.learns(who, Lesson::WoreThing);
        Ok(())
    }

    /// Takes off what one wears.
    pub(crate) fn take_off(&mut self, who: CharacterId, item: ItemId) {
        let hp = self.hp(who);
        self.set_worn(item, None);
        let what = self.the_thing(item);
        self.act(Class::Notice, &TAKE_OFF, who, None, &what);
        self.stack_up(item);
        self.keep_hp(who, hp);
    }

    /// R25: under the rule set `racket` a better thing of a kind replaces the worse one as soon as it is taken.
    pub(super) fn wear_if_better(&mut self, who: CharacterId, item: ItemId) {
        let Some(new) = self.kind_of(item).filter(|_| self.plays_racket(who)) else { return };
        let (Some(slot), bonus) = (new.slot, Bonus::of(new)) else { return };
        let old = self.worn_at(who, slot).and_then(|old| self.kind_of(old));
        if bonus.worth() > old.map_or(0, |old| Bonus::of(old).worth()) {
            // It is carried, it has a slot, and it is not worn yet: nothing speaks against it.
            drop(self.wear(who, item));
        }
    }

    /// Whether blows fall by the rule set `racket` where somebody is.
    fn plays_racket(&self, who: CharacterId) -> bool {
        self.rules_of(self.world.characters[who].room) == RuleSet::Racket
    }

    fn set_worn(&mut self, item: ItemId, slot: Option<Slot>) {
        if let Some(row) = self.world.items.edit(item) {
            debug_assert!(matches!(row.place, Place::Holder(_)), "only what is carried is worn");
            row.worn = slot;
            let place = row.place;
            self.world.note_change(place);
        }
    }

    /// After something may have come off a body: it has no more hit points than it may have.
    pub(super) fn after_gear_change(&mut self, who: CharacterId) {
        let most = self.max_hp_of(who);
        if self.world.characters.get(who).is_some_and(|body| body.hp > most) {
            self.keep_hp(who, most);
        }
    }

    /// Hit points stay what they were while gear changes, but for what the body can no longer hold.
    fn keep_hp(&mut self, who: CharacterId, hp: i32) {
        let (now, most) = (self.now, self.max_hp_of(who));
        if let Some(body) = self.world.characters.edit(who) {
            body.hp = hp.min(most);
            body.hp_at = now;
        }
        self.show_vitals(who);
    }

    /// What a thing would change for somebody who put it on, in words and numbers.
    pub(crate) fn comparison(&self, who: CharacterId, item: ItemId) -> Result<String, Refusal> {
        let name = grammar::capitalise(&self.the_thing(item)).into_owned();
        let none = || Refusal::Because(format!("{name} is nothing to wear or wield."));
        let new = self.kind_of(item).ok_or_else(none)?;
        let slot = new.slot.ok_or_else(none)?;
        let bonus = Bonus::of(new);
        let own = match bonus.words() {
            words if words.is_empty() => format!("{name} adds nothing to your numbers."),
            words => format!("{name}, {}, gives {words}.", worn_words(slot)),
        };
        let old = match self.worn_at(who, slot) {
            Some(old) if old == item => return Ok(format!("{own} You wear it now.")),
            Some(old) => Some((self.the_thing(old), self.kind_of(old).map(Bonus::of).unwrap_or_default())),
            None => None,
        };
        let Some((old, worn)) = old else {
            return Ok(format!("{own} You have nothing {}, so all of it would be gained.", worn_words(slot)));
        };
        let changes: Vec<String> = bonus
            .parts()
            .into_iter()
            .zip(worn.parts())
            .filter(|((_, new), (_, old))| new != old)
            .map(|((what, new), (_, old))| {
                let by = new.abs_diff(old);
                let what = if by == 1 { what.strip_suffix('s').unwrap_or(what) } else { what };
                format!("{} {} {what}", grammar::number(by), if new > old { "more" } else { "less" })
            })
            .collect();
        if changes.is_empty() {
            return Ok(format!("{own} That is just what {old} gives you now."));
        }
        let verdict = match bonus.worth().cmp(&worn.worth()) {
            Ordering::Greater => "better than",
            Ordering::Less => "worse than",
            Ordering::Equal => "different, but on the whole no better and no worse than",
        };
        Ok(format!("{own} It is {verdict} {old}: {}.", grammar::list(&changes)))
    }
}
