//! Equipment commands: wearing, removing, comparing, and inventory lists.

use crate::access::audibility;
use crate::character::stats;
use crate::character::stats::Bonus;
use crate::command::parse::pick::Wish;
use crate::command::parse::{Actor, Argument, ArgumentForm, Carried, InReach, Words, pick, resolve};
use crate::command::spec::{CommandSpec, run, show};
use crate::item::equipment::worn_words;
use crate::item::{equipment, light};
use crate::message::naming;
use crate::refusal::{Refusal, refuse};
use crate::turn::{Turn, prototypes};
use deepwell_core::base;
use deepwell_core::base::{CharacterId, ItemId};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::catalog::{ItemClass, ItemPrototype};
use deepwell_core::text::coins::money_words;
use deepwell_core::text::{Markup, Style, grammar};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "wear",
        syntax: "wear THING, or wear all",
        summary: "Puts on a thing you carry; what you wore in its place is put away. Wear all fills free places only.",
        example: "wear cap: the cap is on your head.",
        teaches: Some(Lesson::WoreItem),
        missing: "wear and the name of a thing you carry, or wear all",
        run: run!(wear),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "wield",
        syntax: "wield WEAPON",
        summary: "Takes a weapon you carry in hand.",
        example: "wield club: you strike with the club from now on.",
        teaches: Some(Lesson::WoreItem),
        missing: "wield and the name of a weapon you carry",
        run: run!(wield),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "remove",
        aliases: &["unwield"],
        syntax: "remove THING, or remove all",
        summary: "Takes off a thing you wear or wield; you still carry it.",
        example: "remove cap: you carry the cap.",
        missing: "remove and the name of a thing you wear, or remove all",
        run: run!(remove),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "equipment",
        aliases: &["eq"],
        summary: "Lists what you wear, place by place, and what it adds.",
        example: "equipment: hand: a club, attack 1.",
        run: show!(equipment),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "compare",
        summary: "Tells in words and numbers what a thing would change against what you wear.",
        example: "compare axe: it is better than the club: two more attack.",
        missing: "compare and the name of a thing you carry or see, or that is for sale here",
        run: show!(compare),
        ..CommandSpec::GUEST
    },
];

/// Argument of `wear`.
#[derive(Clone, Copy)]
enum Wearing<'a> {
    /// All matching items, or all items, that fit a free slot.
    All(&'a str),
    /// One item.
    One(ItemId),
}

impl<'a> Argument<'a> for Wearing<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        match Wish::read(turn, actor, words)? {
            Wish::All(kind) => Ok(Self::All(kind)),
            Wish::Some(..) | Wish::One(_) => {
                Carried::read(turn, actor, words).map(|carried| Self::One(carried.0))
            }
        }
    }
}

fn wear(turn: &mut Turn, actor: Actor, what: Wearing<'_>) -> Result<(), Refusal> {
    let kind = match what {
        Wearing::One(item) => return equipment::wear(turn, actor.who, item),
        Wearing::All(kind) => kind,
    };
    let mut any = false;
    for item in resolve::items_meant(turn, &pick::loose_of(turn, actor.who), kind) {
        let slot = prototypes::kind_of(turn, item).and_then(|prototype| prototype.slot);
        if slot.is_some_and(|slot| stats::worn_at(turn, actor.who, slot).is_none()) {
            equipment::wear(turn, actor.who, item)?;
            any = true;
        }
    }
    if any { Ok(()) } else { Err(refuse!("You carry nothing that fits a place that is free.")) }
}

fn wield(turn: &mut Turn, actor: Actor, Carried(item): Carried) -> Result<(), Refusal> {
    if prototypes::kind_of(turn, item).and_then(|prototype| prototype.slot) != Some(base::Slot::Hand) {
        return Err(refuse!("{} is no weapon.", grammar::capitalise(&naming::the_item(turn, item))));
    }
    equipment::wear(turn, actor.who, item)
}

fn remove(turn: &mut Turn, actor: Actor, wish: Wish<'_>) -> Result<(), Refusal> {
    let worn: Vec<ItemId> = stats::worn_by(turn, actor.who).into_iter().map(|(_, item)| item).collect();
    let picked = pick::picked(turn, &worn, wish)?;
    if picked.is_empty() {
        return Err(match wish {
            Wish::All(_) => refuse!("You wear nothing that you could take off."),
            _ => refuse!("You wear no \"{}\".", wish.name()),
        });
    }
    for (item, _) in picked {
        equipment::take_off(turn, actor.who, item);
    }
    Ok(())
}

fn equipment(turn: &Turn, actor: Actor, (): ()) -> Result<Markup, Refusal> {
    let mut list = Markup::styled(Style::Heading, "What you wear");
    let mut bare = Vec::new();
    for slot in base::Slot::ALL {
        let name = slot.name();
        let worn = stats::worn_at(turn, actor.who, slot);
        if worn.is_none() && audibility::uses_screen_reader(turn, actor.account) {
            bare.push(name);
            continue;
        }
        list.line(Style::Plain, &format!("{}: ", grammar::capitalise(name)));
        match worn {
            Some(item) => {
                list.push(Style::Item, &naming::stack_words(turn, item, 1));
                let bonus = prototypes::kind_of(turn, item).map(Bonus::of).unwrap_or_default().words();
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
    let sum = stats::gear_bonus(turn, actor.who).words();
    if !sum.is_empty() {
        list.line(Style::Plain, &format!("All of it together adds {sum}."));
    }
    Ok(list)
}

/// Item to compare: in reach, or for sale here.
enum ComparedItem<'a> {
    Item(ItemId),
    Ware(&'a str),
}

impl<'a> Argument<'a> for ComparedItem<'a> {
    const SLOT: ArgumentForm = InReach::SLOT;

    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        match InReach::read(turn, actor, words) {
            Ok(InReach(item)) => Ok(Self::Item(item)),
            Err(_) if resolve::ware_here(turn, actor.who, words.bare()).is_some() => {
                Ok(Self::Ware(words.bare()))
            }
            Err(refusal) => Err(refusal),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "arguments of commands are passed by value")]
fn compare(turn: &Turn, actor: Actor, compared: ComparedItem<'_>) -> Result<String, Refusal> {
    match compared {
        ComparedItem::Item(item) => equipment::comparison(turn, actor.who, item),
        ComparedItem::Ware(name) => {
            let ware = resolve::ware_here(turn, actor.who, name);
            let ware = ware.ok_or_else(|| Refusal::NotHere(name.to_owned()))?;
            let name = grammar::definite(&ware.item.name, &ware.item.with_article);
            equipment::compare_kind(turn, actor.who, ware.item, &grammar::capitalise(&name), None)
        }
    }
}

/// Describes the inventory to its owner: worn and carried items, and money.
pub(crate) fn pack_view(turn: &Turn, who: CharacterId) -> Markup {
    let worn = stats::worn_by(turn, who);
    let mut list = Markup::new();
    if !worn.is_empty() {
        list.push(Style::Plain, "You wear:");
        for (slot, item) in worn {
            list.line(Style::Item, &naming::stack_words(turn, item, 1));
            list.push(Style::Plain, &format!(" {}", worn_words(slot)));
        }
        list.new_line();
    }
    let loose = pick::loose_of(turn, who);
    list.push(Style::Plain, if loose.is_empty() { "You carry nothing." } else { "You carry:" });
    let (bags, things): (Vec<ItemId>, Vec<ItemId>) =
        loose.into_iter().partition(|item| !turn.world.contents(*item).is_empty());
    for (name, _) in naming::grouped(turn, &things) {
        list.line(Style::Item, &name);
    }
    for bag in bags {
        list.line(Style::Item, &naming::stack_words(turn, bag, 1));
        list.push(Style::Plain, &format!(" with {}", contents_words(turn, bag)));
    }
    let money = turn.world.characters[who].money;
    list.line(
        Style::Plain,
        &match money.purse {
            0 => "Your purse is empty.".to_owned(),
            purse => format!("In your purse: {}.", money_words(purse)),
        },
    );
    list
}

/// Lists part of an inventory: items of one class or name.
pub(crate) fn part_of_pack(turn: &Turn, who: CharacterId, word: &str) -> Result<Markup, Refusal> {
    let pack = pick::pack_of(turn, who);
    let typed = word.to_lowercase();
    let singular = typed.strip_suffix('s').unwrap_or(&typed);
    let class = CLASSES.iter().find(|(name, _)| *name == singular).map(|(_, class)| *class);
    let named = resolve::items_meant(turn, &pack, &typed);
    let meant = |id: &ItemId| named.contains(id) || class == Some(prototypes::class_of(turn, *id));
    let found: Vec<ItemId> = pack.into_iter().filter(meant).collect();
    if found.is_empty() {
        return Err(pick::carries_none(word));
    }
    let mut list = Markup::plain("You have:");
    for (name, _) in naming::grouped(turn, &found) {
        list.line(Style::Item, &name);
    }
    Ok(list)
}

/// Item classes by their singular word.
const CLASSES: [(&str, ItemClass); 9] = [
    ("weapon", ItemClass::Weapon),
    ("armour", ItemClass::Armour),
    ("armor", ItemClass::Armour),
    ("potion", ItemClass::Potion),
    ("drink", ItemClass::Potion),
    ("food", ItemClass::Food),
    ("bag", ItemClass::Container),
    ("container", ItemClass::Container),
    ("trinket", ItemClass::Trinket),
];

/// Formats contents: "a clay lamp and two potions".
fn contents_words(turn: &Turn, container: ItemId) -> String {
    let names = naming::grouped(turn, turn.world.contents(container));
    grammar::list_or("nothing", names.into_iter().map(|(name, _)| name))
}

/// Describes an item in detail: purpose, effects, value and contents.
pub(crate) fn item_view(turn: &Turn, item: ItemId) -> Markup {
    let Some(prototype) = prototypes::kind_of(turn, item) else {
        return Markup::plain("It has lost its shape.");
    };
    let mut view = prototype_view(turn, prototype);
    let row = &turn.world.items[item];
    let mut say = |line: String| view.line(Style::Plain, &line);
    if row.shut {
        say(if prototype.opens_with.is_some() { "It is shut and locked." } else { "It is shut." }.into());
    } else if matches!(prototype.class, ItemClass::Container | ItemClass::Corpse) {
        say(format!("In it: {}.", contents_words(turn, item)));
    }
    if prototype.burns_secs > 0 {
        say(light::state_words(turn, item, prototype));
    }
    if prototype.value > 0 && prototype.class != ItemClass::Corpse {
        let each = if row.count > 1 { "Each is" } else { "It is" };
        say(format!("{each} worth about {}.", money_words(i64::from(prototype.value))));
    }
    if row.found_in.is_some() && row.worn.is_none() {
        say("It was found on this run, and is safe once it is out of here.".into());
    }
    view
}

/// Describes a kind of item: purpose and effects.
pub(super) fn prototype_view(turn: &Turn, prototype: &ItemPrototype) -> Markup {
    let mut view = Markup::plain(&prototype.description);
    let mut say = |line: String| view.line(Style::Plain, &line);
    let bonus = Bonus::of(prototype).words();
    let gives = if bonus.is_empty() { String::new() } else { format!(" and gives {bonus}") };
    match (prototype.class, prototype.slot) {
        (ItemClass::Weapon, _) => say(format!("A weapon: it is wielded{gives}.")),
        (_, Some(slot)) => {
            let what = if prototype.class == ItemClass::Armour { "Armour" } else { "A thing to wear" };
            say(format!("{what}: it is worn {}{gives}.", worn_words(slot)));
        }
        (ItemClass::Potion, _) if prototype.laid_on => say("For wounds: use it, and it is gone.".into()),
        (ItemClass::Potion, _) => say("A potion: quaff it, and it is gone.".into()),
        (ItemClass::Food, _) => say("Food: eat it, and it is gone.".into()),
        (ItemClass::Coin, _) => say("A coin: it goes into your purse when you take it.".into()),
        _ => {}
    }
    if prototype.heals > 0 {
        let points = grammar::counted(prototype.heals, "hit point");
        say(format!("It gives {points}."));
    }
    for (key, verb) in prototype
        .cures
        .iter()
        .map(|key| (key, "ends being"))
        .chain(prototype.affect.iter().map(|key| (key, "makes you")))
    {
        if let Some(affect) = turn.catalog.affects.get(key) {
            say(format!("It {verb} {}: {}", affect.name, affect.description));
        }
    }
    if prototype.class == ItemClass::Container {
        say(format!("It holds up to {}.", grammar::counted(prototype.holds, "thing")));
    }
    if prototype.seats > 0 {
        say(format!(
            "There is room on it for {}.",
            grammar::counted_as(prototype.seats as usize, "person", Some("people"))
        ));
    }
    view
}
