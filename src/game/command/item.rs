//! Things: picking up, putting down, handing over, stowing and using them, and levers.

use crate::base::ItemId;
use crate::catalog::ItemClass;
use crate::catalog::guide::Lesson;
use crate::game::command::pick::{Wish, like};
use crate::game::command::resolve::means_lever;
use crate::game::command::spec::{Actor, CommandSpec};
use crate::game::command::{pick, resolve};
use crate::game::effect::Class;
use crate::game::happening::Happening;
use crate::game::places::lever;
use crate::game::puzzle::deeds;
use crate::game::refusal::Refusal;
use crate::game::turn::Turn;
use crate::game::{affects, body, hearing, inventory, money, naming, prototypes, tell};
use crate::puzzle::Verb;
use crate::text::act::Template;
use crate::text::grammar;

const DRINK: Template = Template::new("{actor} {drinks|drink} {object}.");

const EAT: Template = Template::new("{actor} {eats|eat} {object}.");

const USE: Template = Template::new("{actor} {uses|use} {object}.");

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "get",
        aliases: &["take"],
        syntax: "get [NUMBER] THING, get all, get all.THING, or any of them with from CONTAINER",
        summary: "Picks up a thing that lies here or is in something, or several. Coins go into your purse.",
        example: "get all from corpse: you carry what the corpse held.",
        teaches: Some(Lesson::GotThing),
        run: get,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "drop",
        syntax: "drop [NUMBER] THING, drop all, drop all.THING, or drop NUMBER COIN",
        summary: "Puts down a thing you carry, or several, or coins. In a branch it is lost when the branch collapses.",
        example: "drop 30 copper: thirty copper coins lie here.",
        run: drop,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "give",
        syntax: "give [NUMBER] THING to NAME, or give NUMBER COIN to NAME",
        summary: "Hands a thing you carry, or several, or money to somebody here.",
        example: "give 5 gold to bera: Bera has five gold more.",
        run: give,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "put",
        syntax: "put [NUMBER] THING in CONTAINER, or put all in CONTAINER",
        summary: "Puts a thing you carry, or several, into something that holds things.",
        example: "put lamp in bag: the lamp is in the bag.",
        run: put,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "use",
        aliases: &["quaff", "eat", "drink"],
        syntax: "use THING",
        summary: "Drinks a potion, eats food, or uses whatever else can be used up.",
        example: "quaff potion: you drink it, and it closes some of your wounds.",
        run: use_up,
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "pull",
        syntax: "pull lever",
        summary: "Pulls a lever, where there is one.",
        example: "pull lever: the portcullis rises by a hand.",
        run: pull,
        ..CommandSpec::PLAYER
    },
];

fn get(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    if words.is_empty() {
        return Err(Refusal::Missing("get and the name of a thing, or get all"));
    }
    if let Some((thing, container)) = words.rsplit_once(" from ") {
        let container = pick::container_here(turn, actor.who, container.trim())?;
        let among = turn.world.contents(container).to_vec();
        let wish = Wish::parse(thing)?;
        let picked = pick::picked(turn, &among, wish)?;
        let name = naming::the_thing(turn, container);
        return match (picked.is_empty(), wish) {
            (false, _) => take_each(turn, actor, picked),
            (true, Wish::All(kind)) => {
                Err(Refusal::Because(format!("There is nothing{} in {name}.", like(kind))))
            }
            (true, _) => Err(Refusal::Because(format!("There is no \"{}\" in {name}.", wish.name()))),
        };
    }
    let among = turn.world.floor(turn.world.characters[actor.who].room).to_vec();
    let wish = Wish::parse(words)?;
    let mut picked = pick::picked(turn, &among, wish)?;
    if matches!(wish, Wish::All(_)) {
        picked.retain(|(item, _)| prototypes::class_of(turn, *item) != ItemClass::Corpse);
    }
    match (picked.is_empty(), wish) {
        (false, _) => take_each(turn, actor, picked),
        (true, Wish::All(kind)) => Err(Refusal::Because(format!("Nothing{} lies here.", like(kind)))),
        (true, _) => Err(Refusal::NotHere(wish.name().to_owned())),
    }
}

/// Takes what can be taken; tells the first reason why something cannot.
fn take_each(turn: &mut Turn, actor: Actor, picked: Vec<(ItemId, u32)>) -> Result<(), Refusal> {
    let mut no = Ok(());
    for (item, count) in picked {
        match inventory::take(turn, actor.who, item, count) {
            Err(Refusal::HandsFull) => return Err(Refusal::HandsFull),
            Err(other) if no.is_ok() => no = Err(other),
            _ => {}
        }
    }
    no
}

fn drop(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    if words.is_empty() {
        return Err(Refusal::Missing("drop and the name of a thing, or drop all"));
    }
    if let Some(sum) = money::sum_of(turn, words)? {
        return money::lay_down(turn, actor.who, &sum);
    }
    let picked = pick::picked_from_pack(turn, actor.who, words)
        .map_err(|no| money::without_number(turn, words, no))?;
    for (item, count) in picked {
        inventory::put_down(turn, actor.who, item, count);
    }
    Ok(())
}

fn give(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let missing = Refusal::Missing("give, a thing, to, and a name: give lamp to bera");
    let (thing, name) = words.rsplit_once(" to ").or_else(|| words.rsplit_once(' ')).ok_or(missing)?;
    let sum = money::sum_of(turn, thing.trim())?;
    let picked = if sum.is_none() { pick::picked_from_pack(turn, actor.who, thing) } else { Ok(Vec::new()) };
    let picked = picked.map_err(|no| money::without_number(turn, thing, no))?;
    let to = resolve::being_here(turn, actor.who, name)?;
    if to == actor.who {
        return Err(Refusal::Because("You pass it from one hand to the other.".into()));
    }
    if !turn.world.characters[to].is_player() {
        return Err(Refusal::Because(format!("{} has no use for it.", naming::name_of(turn, to).text())));
    }
    if hearing::is_ignoring(turn, to, actor.who) {
        let name = &turn.world.characters[to].name;
        return Err(Refusal::Because(format!("{name} takes nothing from you.")));
    }
    if let Some(sum) = sum {
        return money::hand_money(turn, actor.who, to, sum.copper);
    }
    picked.into_iter().try_for_each(|(item, count)| inventory::give_thing(turn, actor.who, item, count, to))
}

fn put(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    let missing = Refusal::Missing("put, a thing, in, and what is to hold it: put lamp in bag");
    let parts = [" into ", " in "].iter().find_map(|word| words.rsplit_once(word));
    let (thing, container) = parts.or_else(|| words.rsplit_once(' ')).ok_or(missing)?;
    let container = pick::container_here(turn, actor.who, container.trim())?;
    let mut picked = pick::picked_from_pack(turn, actor.who, thing)?;
    if matches!(Wish::parse(thing)?, Wish::All(_)) {
        picked.retain(|(item, _)| *item != container);
    }
    picked
        .into_iter()
        .try_for_each(|(item, count)| inventory::put_in(turn, actor.who, item, count, container))
}

fn use_up(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    if words.is_empty() {
        return Err(Refusal::Missing("use and the name of a thing you carry"));
    }
    let pack = pick::pack_of(turn, actor.who);
    let item =
        resolve::item_among(turn, &pack, words).ok_or_else(|| Refusal::NotCarried(words.to_owned()))?;
    consume(turn, actor, item)
}

fn pull(turn: &mut Turn, actor: Actor, words: &str) -> Result<(), Refusal> {
    if let Some(done) = deeds::work(turn, actor.who, Verb::Pull, words) {
        return done;
    }
    if !(words.is_empty() || means_lever(words)) {
        return Err(Refusal::Because("There is nothing like that to pull here.".into()));
    }
    lever::pull_lever(turn, actor.who)
}

/// Uses one of a thing up: it heals, cures, and brings on what it brings on.
fn consume(turn: &mut Turn, actor: Actor, item: ItemId) -> Result<(), Refusal> {
    let who = actor.who;
    let name = grammar::capitalise(&naming::the_thing(turn, item)).into_owned();
    let useless = || Refusal::Because(format!("{name} is not there to be used up."));
    let thing = prototypes::kind_of(turn, item).cloned().ok_or_else(useless)?;
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
    let what = naming::thing_words(turn, item, 1);
    turn.world.lessen_item(item, 1, "used");
    tell::act(turn, Class::Notice, template, who, None, &what);
    let before = body::hp(turn, who);
    if thing.heals > 0 {
        body::heal(turn, who, prototypes::points(thing.heals));
    }
    for key in thing.cures.iter().filter(|key| body::has_affect(turn, who, key)).cloned().collect::<Vec<_>>()
    {
        affects::end_affect(turn, who, &key);
    }
    if let Some(key) = &thing.affect {
        affects::apply_affect(turn, who, key, None);
    }
    let gained = body::hp(turn, who) - before;
    if gained > 0 {
        let points = grammar::counted(gained.unsigned_abs(), "hit point", None);
        tell::tell(turn, who, Class::Notice, format!("It does you good: {points} more."));
    } else if thing.heals > 0 {
        tell::tell(turn, who, Class::Notice, "You were whole already, and feel no different.");
    }
    turn.happen(Happening::Acted { who });
    Ok(())
}
