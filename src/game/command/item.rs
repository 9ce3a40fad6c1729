//! Things: picking up, putting down, handing over, stowing and using them, and levers.

use super::Refusal;
use super::pick::{Wish, like};
use super::resolve::means_lever;
use super::spec::{Actor, CommandSpec, Touches};
use crate::base::ItemId;
use crate::catalog::ItemClass;
use crate::game::{Class, Game};
use crate::puzzle::Verb;
use crate::text::act::Template;
use crate::text::grammar;
use crate::world::Role;

const DRINK: Template = Template::new("{actor} {drinks|drink} {object}.");
const EAT: Template = Template::new("{actor} {eats|eat} {object}.");
const USE: Template = Template::new("{actor} {uses|use} {object}.");

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "get",
        aliases: &["take"],
        role: Role::Player,
        touches: Touches::World,
        syntax: "get [NUMBER] THING, get all, get all.THING, or any of them with from CONTAINER",
        summary: "Picks up a thing that lies here or is in something, or several. Coins go into your purse.",
        example: "get all from corpse: you carry what the corpse held.",
        run: get,
    },
    CommandSpec {
        name: "drop",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "drop [NUMBER] THING, drop all, drop all.THING, or drop NUMBER COIN",
        summary: "Puts down a thing you carry, or several, or coins. In a branch it is lost when the branch collapses.",
        example: "drop 30 copper: thirty copper coins lie here.",
        run: drop,
    },
    CommandSpec {
        name: "give",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "give [NUMBER] THING to NAME, or give NUMBER COIN to NAME",
        summary: "Hands a thing you carry, or several, or money to somebody here.",
        example: "give 5 gold to bera: Bera has five gold more.",
        run: give,
    },
    CommandSpec {
        name: "put",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "put [NUMBER] THING in CONTAINER, or put all in CONTAINER",
        summary: "Puts a thing you carry, or several, into something that holds things.",
        example: "put lamp in bag: the lamp is in the bag.",
        run: put,
    },
    CommandSpec {
        name: "use",
        aliases: &["quaff", "eat", "drink"],
        role: Role::Player,
        touches: Touches::World,
        syntax: "use THING",
        summary: "Drinks a potion, eats food, or uses whatever else can be used up.",
        example: "quaff potion: you drink it, and it closes some of your wounds.",
        run: use_up,
    },
    CommandSpec {
        name: "pull",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "pull lever",
        summary: "Pulls a lever, where there is one.",
        example: "pull lever: the portcullis rises by a hand.",
        run: pull,
    },
];

fn get(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    if words.is_empty() {
        return Err(Refusal::Missing("get and the name of a thing, or get all"));
    }
    if let Some((thing, container)) = words.rsplit_once(" from ") {
        let container = game.container_here(actor.who, container.trim())?;
        let among = game.world.contents(container).to_vec();
        let wish = Wish::parse(thing)?;
        let picked = game.picked(&among, wish)?;
        let name = game.the_thing(container);
        return match (picked.is_empty(), wish) {
            (false, _) => take_each(game, actor, picked),
            (true, Wish::All(kind)) => {
                Err(Refusal::Because(format!("There is nothing{} in {name}.", like(kind))))
            }
            (true, _) => Err(Refusal::Because(format!("There is no \"{}\" in {name}.", wish.name()))),
        };
    }
    let among = game.world.floor(game.world.characters[actor.who].room).to_vec();
    let wish = Wish::parse(words)?;
    let mut picked = game.picked(&among, wish)?;
    if matches!(wish, Wish::All(_)) {
        picked.retain(|(item, _)| game.class_of(*item) != ItemClass::Corpse);
    }
    match (picked.is_empty(), wish) {
        (false, _) => take_each(game, actor, picked),
        (true, Wish::All(kind)) => Err(Refusal::Because(format!("Nothing{} lies here.", like(kind)))),
        (true, _) => Err(Refusal::NotHere(wish.name().to_owned())),
    }
}

/// Takes what can be taken; tells the first reason why something cannot.
fn take_each(game: &mut Game, actor: Actor, picked: Vec<(ItemId, u32)>) -> Result<(), Refusal> {
    let mut no = Ok(());
    for (item, count) in picked {
        match game.take(actor.who, item, count) {
            Err(Refusal::HandsFull) => return Err(Refusal::HandsFull),
            Err(other) if no.is_ok() => no = Err(other),
            _ => {}
        }
    }
    no
}

fn drop(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    if words.is_empty() {
        return Err(Refusal::Missing("drop and the name of a thing, or drop all"));
    }
    if let Some(sum) = game.sum_of(words)? {
        return game.lay_down(actor.who, &sum);
    }
    let picked = game.picked_from_pack(actor.who, words).map_err(|no| game.without_number(words, no))?;
    for (item, count) in picked {
        game.put_down(actor.who, item, count);
    }
    Ok(())
}

fn give(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    let missing = Refusal::Missing("give, a thing, to, and a name: give lamp to bera");
    let (thing, name) = words.rsplit_once(" to ").or_else(|| words.rsplit_once(' ')).ok_or(missing)?;
    let sum = game.sum_of(thing.trim())?;
    let picked = if sum.is_none() { game.picked_from_pack(actor.who, thing) } else { Ok(Vec::new()) };
    let picked = picked.map_err(|no| game.without_number(thing, no))?;
    let to = game.being_here(actor.who, name)?;
    if to == actor.who {
        return Err(Refusal::Because("You pass it from one hand to the other.".into()));
    }
    if !game.world.characters[to].is_player() {
        return Err(Refusal::Because(format!("{} has no use for it.", game.name_of(to).text())));
    }
    if game.ignores(to, actor.who) {
        let name = &game.world.characters[to].name;
        return Err(Refusal::Because(format!("{name} takes nothing from you.")));
    }
    if let Some(sum) = sum {
        return game.hand_money(actor.who, to, sum.copper);
    }
    picked.into_iter().try_for_each(|(item, count)| game.give_thing(actor.who, item, count, to))
}

fn put(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    let missing = Refusal::Missing("put, a thing, in, and what is to hold it: put lamp in bag");
    let parts = [" into ", " in "].iter().find_map(|word| words.rsplit_once(word));
    let (thing, container) = parts.or_else(|| words.rsplit_once(' ')).ok_or(missing)?;
    let container = game.container_here(actor.who, container.trim())?;
    let mut picked = game.picked_from_pack(actor.who, thing)?;
    if matches!(Wish::parse(thing)?, Wish::All(_)) {
        picked.retain(|(item, _)| *item != container);
    }
    picked.into_iter().try_for_each(|(item, count)| game.put_in(actor.who, item, count, container))
}

fn use_up(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    if words.is_empty() {
        return Err(Refusal::Missing("use and the name of a thing you carry"));
    }
    let pack = game.pack_of(actor.who);
    let item = game.item_among(&pack, words).ok_or_else(|| Refusal::NotCarried(words.to_owned()))?;
    game.consume(actor, item)
}

fn pull(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    game.may_act(actor.who)?;
    if let Some(done) = game.works(actor.who, Verb::Pull, words) {
        return done;
    }
    if !(words.is_empty() || means_lever(words)) {
        return Err(Refusal::Because("There is nothing like that to pull here.".into()));
    }
    game.pull_lever(actor.who)
}

impl Game {
    /// Uses one of a thing up: it heals, cures, and brings on what it brings on.
    fn consume(&mut self, actor: Actor, item: ItemId) -> Result<(), Refusal> {
        let who = actor.who;
        let name = grammar::capitalise(&self.the_thing(item)).into_owned();
        let useless = || Refusal::Because(format!("{name} is not there to be used up."));
        let thing = self.kind_of(item).cloned().ok_or_else(useless)?;
        if thing.slot.is_some() && thing.heals == 0 {
            return Err(Refusal::Because(format!("{name} is there to be worn or wielded.")));
        }
        let works = thing.heals > 0 || thing.affect.is_some() || !thing.cures.is_empty();
        if !works && !matches!(thing.class, ItemClass::Potion | ItemClass::Food) {
            return Err(useless());
        }
        let template = match thing.class {
            ItemClass::Potion => &DRINK,
            ItemClass::Food => &EAT,
            _ => &USE,
        };
        let what = self.thing_words(item, 1);
        self.world.lessen_item(item, 1, "used");
        self.act(Class::Notice, template, who, None, &what);
        let before = self.hp(who);
        if thing.heals > 0 {
            self.heal(who, crate::game::spawn::points(thing.heals));
        }
        for key in thing.cures.iter().filter(|key| self.has_affect(who, key)).cloned().collect::<Vec<_>>() {
            self.end_affect(who, &key);
        }
        if let Some(key) = &thing.affect {
            self.apply_affect(who, key, None);
        }
        let gained = self.hp(who) - before;
        if gained > 0 {
            let points = grammar::counted(gained.unsigned_abs(), "hit point", None);
            self.tell(who, Class::Notice, format!("It does you good: {points} more."));
        } else if thing.heals > 0 {
            self.tell(who, Class::Notice, "You were whole already, and feel no different.");
        }
        self.acted(who);
        Ok(())
    }
}
