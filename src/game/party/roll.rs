//! Dice for things of worth: need beats greed, the highest throw wins, silence is a pass. What is rolled for lies on
//! the floor and nobody can take it; who may claim it is fixed when it falls, so that nobody gains by leaving,
//! quitting or cutting the link.

use crate::base::{BranchId, CharacterId, Dice, ItemId, PartyId, RoomId};
use crate::game::command::Refusal;
use crate::game::{Class, Game, Timer, moment_seed};
use crate::text::{Markup, Style, grammar};
use crate::world::{Claim, Place, Roll};
use std::collections::BTreeMap;

/// Throws after which equal ones count in the order of the party; two dice of a hundred sides never come so far.
const THROWS_MAX: u32 = 50;

impl Game {
    /// Lets those in the room roll for a thing, if it is worth it. False if it is not.
    pub(super) fn begin_roll(
        &mut self,
        id: PartyId,
        item: ItemId,
        room: RoomId,
        here: &[CharacterId],
    ) -> bool {
        let row = &self.world.items[item];
        let value = self.catalog.items.get(&row.prototype).map_or(0, |prototype| prototype.value);
        let worth = u64::from(value) * u64::from(row.count);
        let open = self.world.parties[id].rolls.len();
        if worth < u64::from(self.catalog.rules.party.roll_worth)
            || open >= self.config.limits.party_rolls as usize
            || self.world.rolled_for(item).is_some()
        {
            return false;
        }
        if row.place != Place::Room(room) {
            self.world.move_item(item, Place::Room(room));
        }
        let (time, until) = self.deadline(self.catalog.rules.party.roll_secs);
        let claims = here.iter().map(|member| (*member, None)).collect();
        self.world.add_roll(id, Roll { item, until, claims });
        self.timers.schedule(until, Timer::Party(id));
        let what = self.thing(item);
        let words = Markup::plain("Who gets ")
            .with(Style::Item, &what)
            .and("? Type ")
            .with(Style::Command, "roll need");
        let words =
            words.and(", ").with(Style::Command, "roll greed").and(" or ").with(Style::Command, "roll pass");
        let words = words.and(&format!(" within {time}."));
        for member in here {
            self.tell(*member, Class::Notice, words.clone());
        }
        true
    }

    /// Somebody says whether it wants a thing: the first that waits for its answer, or the one that is named.
    pub(crate) fn claim(&mut self, who: CharacterId, claim: Claim, words: &str) -> Result<(), Refusal> {
        let typed = words.to_lowercase();
        let id = self.own_party(who)?.id;
        let waits = |roll: &&Roll| roll.claims.get(&who) == Some(&None);
        let meant = |roll: &&Roll| self.thing(roll.item).to_lowercase().contains(&typed);
        let roll = self.world.parties[id].rolls.iter().filter(waits).find(meant);
        let item = roll.map(|roll| roll.item).ok_or_else(|| {
            Refusal::Because(match words {
                "" => "Nothing waits for your answer.".into(),
                _ => format!("No \"{words}\" waits for your answer."),
            })
        })?;
        self.note_claim(id, item, who, claim);
        let what = self.thing(item);
        let (yours, theirs) = match claim {
            Claim::Need => ("You need", " needs "),
            Claim::Greed => ("You would like", " would like "),
            Claim::Pass => ("You leave to the others", " does without "),
        };
        self.tell(who, Class::Reply, Markup::plain(yours).and(" ").with(Style::Item, &what).and("."));
        let line = self.name_of(who).and(theirs).with(Style::Item, &what).and(".");
        for other in self.claimants(item) {
            if other != who {
                self.tell(other, Class::Notice, line.clone());
            }
        }
        self.settle_if_all_answered(item);
        Ok(())
    }

    /// What somebody is asked to roll for, one line a thing.
    pub(crate) fn open_rolls(&self, who: CharacterId) -> Result<Markup, Refusal> {
        let party = self.own_party(who)?;
        let mut list = Markup::new();
        for roll in party.rolls.iter().filter(|roll| roll.claims.contains_key(&who)) {
            let left = crate::base::Span(roll.until.0 - self.now.0);
            let state = match roll.claims.get(&who) {
                Some(None) => "your answer is awaited",
                _ => "the others are awaited",
            };
            let what = grammar::capitalise(&self.thing(roll.item)).into_owned();
            if list.is_empty() {
                list.push(Style::Item, &what);
            } else {
                list.line(Style::Item, &what);
            }
            list.push(Style::Plain, &format!(": {state}, at most {left} more."));
        }
        if list.is_empty() { Err(Refusal::Because("Nothing is rolled for.".into())) } else { Ok(list) }
    }

    /// Nobody takes a thing that is rolled for.
    pub(crate) fn may_take(&self, item: ItemId) -> Result<(), Refusal> {
        match self.world.rolled_for(item) {
            Some(_) => Err(Refusal::Because("Dice are out for that; wait until it is settled.".into())),
            None => Ok(()),
        }
    }

    fn claimants(&self, item: ItemId) -> Vec<CharacterId> {
        let party = self.world.rolled_for(item).map(|id| &self.world.parties[id]);
        let roll = party.and_then(|party| party.rolls.iter().find(|roll| roll.item == item));
        roll.map(|roll| roll.claims.keys().copied().collect()).unwrap_or_default()
    }

    fn note_claim(&mut self, id: PartyId, item: ItemId, who: CharacterId, claim: Claim) {
        let party = self.world.parties.edit(id);
        if let Some(roll) = party.and_then(|party| party.rolls.iter_mut().find(|roll| roll.item == item)) {
            roll.claims.insert(who, Some(claim));
        }
    }

    /// Whoever leaves a party does without everything that is rolled for.
    pub(super) fn give_up_rolls(&mut self, id: PartyId, who: CharacterId) {
        let rolls = self.world.parties[id].rolls.iter().filter(|roll| roll.claims.contains_key(&who));
        for item in rolls.map(|roll| roll.item).collect::<Vec<_>>() {
            self.note_claim(id, item, who, Claim::Pass);
            self.settle_if_all_answered(item);
        }
    }

    fn settle_if_all_answered(&mut self, item: ItemId) {
        let party = self.world.rolled_for(item).map(|id| &self.world.parties[id]);
        let roll = party.and_then(|party| party.rolls.iter().find(|roll| roll.item == item));
        if roll.is_some_and(|roll| roll.claims.values().all(Option::is_some)) {
            self.settle(item);
        }
    }

    /// Before a branch ends: what is rolled for in it is settled, so that nothing won is lost with it.
    pub(crate) fn settle_rolls_in(&mut self, branch: BranchId) {
        let inside = |item: &ItemId| match self.world.items[*item].place {
            Place::Room(room) => self.world.rooms[room].branch == Some(branch),
            Place::Holder(_) | Place::Inside(_) => false,
        };
        for item in self.world.rolled().filter(inside).collect::<Vec<_>>() {
            self.settle(item);
        }
    }

    /// The end of a roll: the thing goes to whoever claims it best, or is free for all.
    pub(super) fn settle(&mut self, item: ItemId) {
        let Some(roll) = self.world.end_roll(item) else { return };
        let what = self.thing(item);
        let claim = |who: &CharacterId| roll.claims.get(who).copied().flatten().unwrap_or(Claim::Pass);
        let best = roll.claims.keys().map(claim).max().unwrap_or(Claim::Pass);
        let able: Vec<CharacterId> = roll
            .claims
            .keys()
            .copied()
            .filter(|who| claim(who) == best && self.has_hands_for(*who, item, self.world.items[item].count))
            .collect();
        let line = match (best, able.as_slice()) {
            (Claim::Pass, _) => {
                let line = Markup::plain("Nobody wants ").with(Style::Item, &what);
                line.and(": it lies there for whoever takes it.")
            }
            (_, []) => {
                let line = Markup::plain("Nobody who wants ").with(Style::Item, &what);
                line.and(" can carry any more: it lies there for whoever takes it.")
            }
            (_, several) => {
                let (winner, told) = self.throw(several, item);
                self.win(item, winner);
                let line = Markup::plain(&told).with(Style::Player, &self.world.characters[winner].name);
                line.and(" gets ").with(Style::Item, &what).and(".")
            }
        };
        for who in roll.claims.keys() {
            self.tell(*who, Class::Notice, line.clone());
        }
    }

    /// Throws dice among some; equal ones throw again. Who wins, and what was thrown, in words.
    fn throw(&self, among: &[CharacterId], item: ItemId) -> (CharacterId, String) {
        let mut dice = moment_seed(self.world.meta().seed, "roll", item.0, self.now).rng();
        let (mut left, mut told) = (among.to_vec(), String::new());
        for _ in 0..THROWS_MAX {
            if left.len() < 2 {
                break;
            }
            let throws: BTreeMap<CharacterId, u32> =
                left.iter().map(|who| (*who, dice.between(1, 100))).collect();
            let best = throws.values().copied().max().unwrap_or(0);
            let words: Vec<String> = throws
                .iter()
                .map(|(who, points)| format!("{} throws {points}", self.world.characters[*who].name))
                .collect();
            told += &grammar::list(&words);
            told += ". ";
            left.retain(|who| throws.get(who) == Some(&best));
            if left.len() > 1 {
                told += "That is equal, so they throw again: ";
            }
        }
        (left.first().or(among.first()).copied().unwrap_or(CharacterId(0)), told)
    }
}
