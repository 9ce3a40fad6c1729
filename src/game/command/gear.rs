//! What one wears and carries: putting on, taking off, comparing, and the lists.

use super::Refusal;
use super::pick::Wish;
use super::spec::{Actor, CommandSpec, Touches};
use crate::base::{CharacterId, ItemId, Slot};
use crate::catalog::ItemClass;
use crate::game::gear::{Bonus, worn_words};
use crate::game::money::money_words;
use crate::game::{Class, Game};
use crate::text::{Markup, Style, grammar};
use crate::world::Role;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "wear",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "wear THING, or wear all",
        summary: "Puts on a thing you carry; what you wore in its place is put away. Wear all fills free places only.",
        example: "wear cap: the cap is on your head.",
        run: wear,
    },
    CommandSpec {
        name: "wield",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "wield WEAPON",
        summary: "Takes a weapon you carry in hand.",
        example: "wield club: you strike with the club from now on.",
        run: wield,
    },
    CommandSpec {
        name: "remove",
        aliases: &["unwield"],
        role: Role::Player,
        touches: Touches::World,
        syntax: "remove THING, or remove all",
        summary: "Takes off a thing you wear or wield; you still carry it.",
        example: "remove cap: you carry the cap.",
        run: remove,
    },
    CommandSpec {
        name: "equipment",
        aliases: &["eq"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "equipment",
        summary: "Lists what you wear, place by place, and what it adds.",
        example: "equipment: hand: a club, attack 1.",
        run: equipment,
    },
    CommandSpec {
        name: "compare",
        aliases: &[],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "compare THING",
        summary: "Tells in words and numbers what a thing would change against what you wear.",
        example: "compare axe: it is better than the club: two more attack.",
        run: compare,
    },
];

/// The thing of one's pack, not worn if there is a choice.
fn carried(game: &Game, who: CharacterId, words: &str) -> Result<ItemId, Refusal> {
    let pack = game.pack_of(who);
    game.item_among(&pack, words).ok_or_else(|| Refusal::NotCarried(words.to_owned()))
}

fn wear(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    if words.is_empty() {
        return Err(Refusal::Missing("wear and the name of a thing you carry, or wear all"));
    }
    if let Wish::All(kind) = Wish::parse(words)? {
        let things = game.items_meant(&game.loose_of(actor.who), kind);
        let mut any = false;
        for item in things {
            let slot = game.kind_of(item).and_then(|prototype| prototype.slot);
            if slot.is_some_and(|slot| game.worn_at(actor.who, slot).is_none()) {
                game.wear(actor.who, item)?;
                any = true;
            }
        }
        let none = || Refusal::Because("You carry nothing that fits a place that is free.".into());
        return if any { Ok(()) } else { Err(none()) };
    }
    let item = carried(game, actor.who, words)?;
    game.wear(actor.who, item)
}

fn wield(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    if words.is_empty() {
        return Err(Refusal::Missing("wield and the name of a weapon you carry"));
    }
    let item = carried(game, actor.who, words)?;
    if game.kind_of(item).and_then(|prototype| prototype.slot) != Some(Slot::Hand) {
        let name = grammar::capitalise(&game.the_thing(item)).into_owned();
        return Err(Refusal::Because(format!("{name} is no weapon.")));
    }
    game.wear(actor.who, item)
}

fn remove(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    if words.is_empty() {
        return Err(Refusal::Missing("remove and the name of a thing you wear, or remove all"));
    }
    let worn: Vec<ItemId> = game.worn_by(actor.who).into_iter().map(|(_, item)| item).collect();
    let wish = Wish::parse(words)?;
    let picked = game.picked(&worn, wish)?;
    if picked.is_empty() {
        return Err(match wish {
            Wish::All(_) => Refusal::Because("You wear nothing that you could take off.".into()),
            _ => Refusal::Because(format!("You wear no \"{}\".", wish.name())),
        });
    }
    for (item, _) in picked {
        game.take_off(actor.who, item);
    }
    Ok(())
}

fn equipment(game: &mut Game, actor: Actor, _: &str) -> Result<(), Refusal> {
    let mut list = Markup::styled(Style::Heading, "What you wear");
    let mut bare = Vec::new();
    for (name, slot) in Slot::NAMES {
        let worn = game.worn_at(actor.who, slot);
        if worn.is_none() && game.is_read_aloud(actor.account) {
            bare.push(name);
            continue;
        }
        list.line(Style::Plain, &format!("{}: ", grammar::capitalise(name)));
        match worn {
            Some(item) => {
                list.push(Style::Item, &game.thing_words(item, 1));
                let bonus = game.kind_of(item).map(Bonus::of).unwrap_or_default().words();
                if !bonus.is_empty() {
                    list.push(Style::Plain, &format!(", {bonus}"));
                }
            }
            None => list.push(Style::Faint, "nothing"),
        }
    }
    if !bare.is_empty() {
        list.line(Style::Plain, &format!("Nothing: {}.", grammar::list(&bare)));
    }
    let sum = game.gear_bonus(actor.who).words();
    if !sum.is_empty() {
        list.line(Style::Plain, &format!("All of it together adds {sum}."));
    }
    game.tell(actor.who, Class::Reply, list);
    Ok(())
}

fn compare(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    if words.is_empty() {
        return Err(Refusal::Missing("compare and the name of a thing you carry or see"));
    }
    let mut reach = game.pack_of(actor.who);
    reach.extend(game.world.floor(game.world.characters[actor.who].room));
    let item = game.item_among(&reach, words).ok_or_else(|| Refusal::NotHere(words.to_owned()))?;
    let words = game.comparison(actor.who, item)?;
    game.tell(actor.who, Class::Reply, words);
    Ok(())
}

impl Game {
    /// What somebody wears, carries and owns, for themself.
    pub(super) fn pack_view(&self, who: CharacterId) -> Markup {
        let worn = self.worn_by(who);
        let mut list = Markup::new();
        if !worn.is_empty() {
            list.push(Style::Plain, "You wear:");
            for (slot, item) in worn {
                list.line(Style::Item, &self.thing_words(item, 1));
                list.push(Style::Plain, &format!(" {}", worn_words(slot)));
            }
            list.new_line();
        }
        let loose = self.loose_of(who);
        list.push(Style::Plain, if loose.is_empty() { "You carry nothing." } else { "You carry:" });
        let (bags, things): (Vec<ItemId>, Vec<ItemId>) =
            loose.into_iter().partition(|item| !self.world.contents(*item).is_empty());
        for (name, _) in self.grouped(&things) {
            list.line(Style::Item, &name);
        }
        for bag in bags {
            list.line(Style::Item, &self.thing_words(bag, 1));
            list.push(Style::Plain, &format!(" with {}", self.contents_words(bag)));
        }
        let money = self.world.characters[who].money;
        list.line(
            Style::Plain,
            &match money.purse {
                0 => "Your purse is empty.".to_owned(),
                purse => format!("In your purse: {}.", money_words(purse)),
            },
        );
        list
    }

    /// "a clay lamp and two potions".
    fn contents_words(&self, container: ItemId) -> String {
        let names = self.grouped(self.world.contents(container));
        grammar::list(&names.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
    }

    /// A thing on a closer look: what it is for, what it does, what it is worth and what is in it.
    pub(super) fn thing_view(&self, item: ItemId) -> Markup {
        let Some(thing) = self.kind_of(item) else { return Markup::plain("It has lost its shape.") };
        let mut view = Markup::plain(&thing.description);
        let row = &self.world.items[item];
        let mut say = |words: String| view.line(Style::Plain, &words);
        let bonus = Bonus::of(thing).words();
        let gives = if bonus.is_empty() { String::new() } else { format!(" and gives {bonus}") };
        match (thing.class, thing.slot) {
            (ItemClass::Weapon, _) => say(format!("A weapon: it is wielded{gives}.")),
            (_, Some(slot)) => {
                let what = if thing.class == ItemClass::Armour { "Armour" } else { "A thing to wear" };
                say(format!("{what}: it is worn {}{gives}.", worn_words(slot)));
            }
            (ItemClass::Potion, _) => say("A potion: quaff it, and it is gone.".into()),
            (ItemClass::Food, _) => say("Food: eat it, and it is gone.".into()),
            (ItemClass::Coin, _) => say("A coin: it goes into your purse when you take it.".into()),
            _ => {}
        }
        if thing.heals > 0 {
            let points = grammar::counted(thing.heals, "hit point", None);
            say(format!("It gives {points}."));
        }
        for (key, verb) in thing
            .cures
            .iter()
            .map(|key| (key, "ends being"))
            .chain(thing.affect.iter().map(|key| (key, "makes you")))
        {
            if let Some(affect) = self.catalog.affects.get(key) {
                say(format!("It {verb} {}: {}", affect.name, affect.description));
            }
        }
        if thing.class == ItemClass::Container {
            say(format!("It holds up to {}.", grammar::counted(thing.holds, "thing", None)));
        }
        if matches!(thing.class, ItemClass::Container | ItemClass::Corpse) {
            let empty = self.world.contents(item).is_empty();
            let inside = if empty { "nothing".into() } else { self.contents_words(item) };
            say(format!("In it: {inside}."));
        }
        if thing.value > 0 && thing.class != ItemClass::Corpse {
            let each = if row.count > 1 { "Each is" } else { "It is" };
            say(format!("{each} worth about {}.", money_words(i64::from(thing.value))));
        }
        if row.found_in.is_some() && row.worn.is_none() {
            say("It was found on this run, and is safe once it is out of here.".into());
        }
        view
    }
}
