//! Item commands: get, drop, put, use, and levers.

use crate::character::{affects, stats};
use crate::combat::props;
use crate::command::parse::coins_argument::Holding;
use crate::command::parse::pick::Wish;
use crate::command::parse::resolve::means_lever;
use crate::command::parse::{
    Actor, Argument, ArgumentForm, Carried, Container, InReach, NameArgument, Packed, Words, pick,
};
use crate::command::play::give;
use crate::command::spec::{CommandSpec, run};
use crate::creature::script::hooks;
use crate::effect::Class;
use crate::item::{inventory, lid, light, money};
use crate::message::{naming, tell};
use crate::quest;
use crate::quest::QuestDeed;
use crate::refusal::{Refusal, refuse};
use crate::room::features::lever;
use crate::room::puzzle::deeds;
use crate::state::event::GameEvent;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId, RuleLimit};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::catalog::{ItemClass, ItemEvent, ItemPrototype};
use deepwell_core::puzzle::Verb;
use deepwell_core::text::act::Template;
use deepwell_core::text::grammar;
use deepwell_core::world::TriggerEvent;

const DRINK: Template = Template::new("{actor} {drinks|drink} {object}.");

const LAY_ON: Template = Template::new("{actor} {applies|apply} {object}.");

const EAT: Template = Template::new("{actor} {eats|eat} {object}.");

const USE: Template = Template::new("{actor} {uses|use} {object}.");

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "get",
        aliases: &["take"],
        syntax: "get [NUMBER] THING, get all, get all.THING, or any of them with from CONTAINER",
        summary: "Picks up a thing that lies here or is in something, or several. Coins go into your purse.",
        example: "get all from corpse: you carry what the corpse held.",
        missing: "get and the name of a thing, or get all",
        teaches: Some(Lesson::GotItem),
        run: run!(get),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "drop",
        syntax: "drop [NUMBER] THING, drop all, drop all.THING, or drop NUMBER COIN",
        summary: "Puts down a thing you carry, or several, or coins. In a branch it is lost when the branch collapses.",
        example: "drop 30 copper: thirty copper coins lie here.",
        missing: "drop and the name of a thing, or drop all",
        run: run!(drop),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "give",
        syntax: "give [NUMBER] THING to NAME, or give NUMBER COIN to NAME",
        summary: "Hands a thing you carry, or several, or money to somebody here.",
        example: "give 5 gold to bera: Bera has five gold more.",
        missing: "give, a thing, to, and a name: give lamp to bera",
        run: run!(give::give),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "put",
        syntax: "put [NUMBER] THING in CONTAINER, or put all in CONTAINER",
        summary: "Puts a thing you carry, or several, into something that holds things.",
        example: "put lamp in bag: the lamp is in the bag.",
        missing: "put, a thing, in, and what is to hold it: put lamp in bag",
        run: run!(put),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "use",
        summary: "Drinks a potion, eats food, or uses whatever else can be used up; in a fight also what the room has, such as a ledge.",
        example: "use ledge: you climb up, and come down on what fights you.",
        missing: "use and the name of a thing you carry",
        yields_to_room: true,
        run: run!(use_up),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "drink",
        aliases: &["quaff", "eat"],
        summary: "Drinks a potion, eats food, or uses up another thing you carry. It takes nothing of the room.",
        example: "quaff potion: you drink it, and it closes some of your wounds.",
        missing: "drink and the name of a thing you carry",
        yields_to_room: true,
        run: run!(|turn, actor, meal: Meal<'_>| use_up(turn, actor, meal.0)),
        ..CommandSpec::GUEST
    },
    CommandSpec {
        name: "extinguish",
        aliases: &["douse", "snuff"],
        summary: "Puts out a lamp or a torch that you carry. What is left in it stays.",
        example: "extinguish lamp: you put out the clay lamp.",
        missing: "extinguish and the name of a light",
        yields_to_room: true,
        run: run!(|turn, actor, item: Carried| light::put_out(turn, actor.who, item.0)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "pick",
        summary: "Tries to open the lock of a chest or box without its key. Some locks cannot be picked.",
        example: "pick chest: you work at the lock of the chest, and it gives.",
        missing: "pick and the name of a locked chest or box",
        yields_to_room: true,
        run: run!(|turn, actor, locked: LockedContainer| lid::pick(turn, actor.who, locked.0)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "pull",
        syntax: "pull lever",
        summary: "Pulls a lever, where there is one.",
        example: "pull lever: the portcullis rises by a hand.",
        yields_to_room: true,
        run: run!(pull),
        ..CommandSpec::GUEST
    },
];

/// Items to take, and the container to take them from, if any.
#[derive(Clone, Copy)]
struct Taking<'a> {
    what: Wish<'a>,
    from: Option<ItemId>,
}

impl<'a> Argument<'a> for Taking<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (what, from) = match words.around("from") {
            Some((what, container)) => (what, Some(Container::read(turn, actor, container)?.0)),
            None => (words, None),
        };
        Ok(Self { what: Wish::read(turn, actor, what)?, from })
    }
}

fn get(turn: &mut Turn, actor: Actor, Taking { what, from }: Taking<'_>) -> Result<(), Refusal> {
    if let Some(container) = from {
        lid::require_open(turn, container)?;
        let among = turn.world.contents(container).to_vec();
        let picked = pick::picked(turn, &among, what)?;
        let name = naming::the_item(turn, container);
        return match (picked.is_empty(), what) {
            (false, _) => take_each(turn, actor, picked),
            (true, Wish::All(kind)) => Err(refuse!("There is nothing{} in {name}.", pick::like(kind))),
            (true, _) => Err(refuse!("There is no \"{}\" in {name}.", what.name())),
        };
    }
    light::require_sight(turn, actor.who)?;
    let among = turn.world.ground(turn.world.characters[actor.who].room).to_vec();
    let mut picked = pick::picked(turn, &among, what)?;
    if matches!(what, Wish::All(_)) {
        picked.retain(|(item, _)| inventory::is_movable(turn, *item));
    }
    match (picked.is_empty(), what) {
        (false, _) => take_each(turn, actor, picked),
        (true, Wish::All(kind)) => Err(refuse!("Nothing{} lies here.", pick::like(kind))),
        (true, _) => Err(Refusal::NotHere(what.name().to_owned())),
    }
}

/// Takes every item that can be taken; returns the first error.
fn take_each(turn: &mut Turn, actor: Actor, picked: Vec<(ItemId, u32)>) -> Result<(), Refusal> {
    let mut no = Ok(());
    for (item, count) in picked {
        match inventory::take(turn, actor.who, item, count) {
            Err(full @ Refusal::AtLimit(RuleLimit::ItemsCarried | RuleLimit::ItemsNested, _)) => {
                return Err(full);
            }
            Err(other) if no.is_ok() => no = Err(other),
            _ => {}
        }
    }
    no
}

fn drop(turn: &mut Turn, actor: Actor, what: Holding) -> Result<(), Refusal> {
    match what {
        Holding::Coins(sum) => return money::lay_down(turn, actor.who, &sum),
        Holding::Items(items) => {
            for (item, count) in items {
                inventory::put_down(turn, actor.who, item, count);
            }
        }
    }
    Ok(())
}

/// Container whose lock is to be picked.
#[derive(Clone, Copy)]
struct LockedContainer(ItemId);

impl Argument<'_> for LockedContainer {
    const SLOT: ArgumentForm = InReach::SLOT;

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        if words.first_word().0.text() == "up" {
            return Err(refuse!("get picks things up: get lamp, or get all. pick opens locks."));
        }
        InReach::read(turn, actor, words).map(|InReach(item)| Self(item))
    }
}

/// Items to put, and the container.
struct Stowing {
    items: Vec<(ItemId, u32)>,
    container: ItemId,
}

impl Argument<'_> for Stowing {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let parts = ["into", "in"].iter().find_map(|word| words.around(word));
        let (what, container) = parts.or_else(|| words.last_word()).ok_or_else(|| words.missing())?;
        let container = Container::read(turn, actor, container)?.0;
        let Packed { wish, mut items } = Packed::read(turn, actor, what)?;
        if matches!(wish, Wish::All(_)) {
            items.retain(|(item, _)| *item != container);
        }
        Ok(Self { items, container })
    }
}

fn put(turn: &mut Turn, actor: Actor, stowing: Stowing) -> Result<(), Refusal> {
    let Stowing { items, container } = stowing;
    lid::require_open(turn, container)?;
    items.into_iter().try_for_each(|(item, count)| inventory::put_in(turn, actor.who, item, count, container))
}

/// Target of `use`: a fixture of the room with a trigger, a prop of the room in a fight, or a carried item.
#[derive(Clone, Copy)]
enum UseTarget<'a> {
    /// Word known to a trigger of the room.
    Fixture(&'a str),
    /// Word for a prop, in a fight.
    Prop(&'a str),
    /// Carried item.
    Item(ItemId),
}

impl<'a> Argument<'a> for UseTarget<'a> {
    const SLOT: ArgumentForm = Carried::SLOT;

    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let name = words.required()?.bare();
        let carried = Carried::read(turn, actor, words);
        if is_fixture(turn, actor, name, carried.as_ref().ok()) {
            return Ok(Self::Fixture(name));
        }
        let obeys = hooks::is_custom_command(turn, turn.world.characters[actor.who].room, "use");
        if !(obeys && carried.is_err()) && props::is_meant(turn, actor.who, name, carried.is_ok()) {
            return Ok(Self::Prop(name));
        }
        carried.map(|carried| Self::Item(carried.0))
    }
}

/// Returns `true` if a word means a fixture of the room with a trigger, rather than a carried item.
fn is_fixture(turn: &Turn, actor: Actor, word: &str, carried: Option<&Carried>) -> bool {
    let key = carried.map(|carried| turn.world.items[carried.0].prototype.as_str());
    let triggers = &turn.world.rooms[turn.world.characters[actor.who].room].triggers;
    let is_used = |word: &str| {
        triggers
            .iter()
            .any(|trigger| matches!(&trigger.on, TriggerEvent::Use(names) if hooks::is_named(names, word)))
    };
    is_used(word) && !key.is_some_and(is_used)
}

/// Target of `drink`: as that of `use`, but never a prop: a thirsty player loses no round.
struct Meal<'a>(UseTarget<'a>);

impl<'a> Argument<'a> for Meal<'a> {
    const SLOT: ArgumentForm = Carried::SLOT;

    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let name = words.required()?.bare();
        let carried = Carried::read(turn, actor, words);
        if is_fixture(turn, actor, name, carried.as_ref().ok()) {
            return Ok(Self(UseTarget::Fixture(name)));
        }
        let room = turn.world.characters[actor.who].room;
        let obeys = ["drink", "quaff", "eat"].iter().any(|verb| hooks::is_custom_command(turn, room, verb));
        match props::noun_of(turn, room, name).filter(|_| carried.is_err() && !obeys) {
            Some(noun) => Err(refuse!("You neither drink nor eat the {noun}. In a fight, type use {noun}.")),
            None => carried.map(|carried| Self(UseTarget::Item(carried.0))),
        }
    }
}

fn use_up(turn: &mut Turn, actor: Actor, used: UseTarget<'_>) -> Result<(), Refusal> {
    let key =
        if let UseTarget::Item(item) = used { Some(turn.world.items[item].prototype.clone()) } else { None };
    use_on(turn, actor, used)?;
    if let Some(key) = key {
        quest::note(turn, actor.who, QuestDeed::Used(&key));
    }
    Ok(())
}

fn use_on(turn: &mut Turn, actor: Actor, used: UseTarget<'_>) -> Result<(), Refusal> {
    let word = match used {
        UseTarget::Fixture(word) | UseTarget::Prop(word) => word.to_owned(),
        UseTarget::Item(item) => turn.world.items[item].prototype.clone(),
    };
    let room = turn.world.characters[actor.who].room;
    let is_meant =
        |on: &TriggerEvent| matches!(on, TriggerEvent::Use(names) if hooks::is_named(names, &word));
    match used {
        UseTarget::Prop(word) => props::use_prop(turn, actor.who, word),
        _ if hooks::run_triggers(turn, room, Some(actor.who), &word, is_meant) => Ok(()),
        UseTarget::Item(item) if hooks::run_item_triggers(turn, actor.who, item, ItemEvent::Use) => Ok(()),
        UseTarget::Item(item) => consume(turn, actor, item),
        UseTarget::Fixture(word) => Err(Refusal::NotCarried(word.to_owned())),
    }
}

fn pull(turn: &mut Turn, actor: Actor, what: Option<NameArgument<'_>>) -> Result<(), Refusal> {
    let name = NameArgument::or_nothing(what);
    if let Some(done) = deeds::work(turn, actor.who, Verb::Pull, name) {
        return done;
    }
    if !(name.is_empty() || means_lever(name)) {
        return Err(lever::nothing_to_pull());
    }
    lever::pull_lever(turn, actor.who)
}

/// Returns a refusal if consuming an item would have no effect: food or pure healing at full hit points.
fn would_be_wasted(turn: &Turn, who: CharacterId, prototype: &ItemPrototype) -> Option<Refusal> {
    let whole = stats::hp(turn, who) >= stats::max_hp_of(turn, who);
    let cures = prototype.cures.iter().any(|key| stats::has_affect(turn, who, key));
    let brings = prototype.affect.is_some() && prototype.class != ItemClass::Food;
    let wasted = prototype.heals > 0 && whole && !cures && !brings;
    wasted.then(|| {
        refuse!(
            "You are whole: {} would be wasted on you.",
            grammar::definite(&prototype.name, &prototype.with_article)
        )
    })
}

/// Consumes one of an item: applies its healing, cures and affects.
fn consume(turn: &mut Turn, actor: Actor, item: ItemId) -> Result<(), Refusal> {
    let who = actor.who;
    let name = grammar::capitalise(&naming::the_item(turn, item)).into_owned();
    let useless = || refuse!("{name} is not there to be used up.");
    let prototype = prototypes::kind_of(turn, item).cloned().ok_or_else(useless)?;
    if prototype.slot.is_some() && prototype.heals == 0 {
        return Err(refuse!("{name} is there to be worn or wielded."));
    }
    if let Some(no) = would_be_wasted(turn, who, &prototype) {
        return Err(no);
    }
    let works = prototype.heals > 0 || prototype.affect.is_some() || !prototype.cures.is_empty();
    if !works && !matches!(prototype.class, ItemClass::Potion | ItemClass::Food) {
        return Err(useless());
    }
    let template = match prototype.class {
        _ if prototype.laid_on => &LAY_ON,
        ItemClass::Potion => &DRINK,
        ItemClass::Food => &EAT,
        _ => &USE,
    };
    let what = naming::stack_words(turn, item, 1);
    turn.world.remove_from_stack(item, 1, "used");
    tell::act(turn, Class::Notice, template, who, None, &what);
    let before = stats::hp(turn, who);
    if prototype.heals > 0 {
        stats::heal(turn, who, prototypes::points(prototype.heals));
    }
    for key in
        prototype.cures.iter().filter(|key| stats::has_affect(turn, who, key)).cloned().collect::<Vec<_>>()
    {
        affects::end_affect(turn, who, &key);
    }
    if let Some(key) = &prototype.affect {
        affects::apply_affect(turn, who, key, None);
    }
    let gained = stats::hp(turn, who) - before;
    if gained > 0 {
        let points = grammar::counted(gained.unsigned_abs(), "hit point");
        tell::tell(turn, who, Class::Notice, format!("It does you good: {points} more."));
    }
    turn.emit_event(GameEvent::Acted { who });
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::character::{spawn, stats};
    use crate::table::{CATALOG, Table, seeded};
    use deepwell_core::catalog::ItemClass;
    use deepwell_core::world::Place;

    /// Creates a player who carries an item and lacks the given number of hit points.
    fn bearer(key: &str, hurt: i32) -> Table {
        let mut play = Table::new(seeded(3));
        play.sit("Olad");
        let who = play.id("Olad");
        let turn = &mut play.game.turn;
        spawn::spawn_item(turn, key, Place::Holder(who), "test").expect("a thing");
        let hp = stats::max_hp_of(turn, who) - hurt;
        turn.world.characters.change(who, |body| body.hp = hp);
        play
    }

    /// Pure healing items are kept at full hit points and used when hurt.
    #[test]
    fn healing_items_are_kept_at_full_hit_points() {
        for (key, line) in [("bread_crust", "eat bread"), ("health_potion", "quaff potion")] {
            let mut play = bearer(key, 0);
            let read = play.types("Olad", line);
            assert!(
                read.starts_with("You are whole: the ") && read.ends_with(" would be wasted on you."),
                "{read}"
            );
            assert_eq!(play.world().carried(play.id("Olad")).len(), 1);
            let mut play = bearer(key, 5);
            assert!(play.types("Olad", line).contains(" more."), "{key}");
            assert!(play.world().carried(play.id("Olad")).is_empty(), "{key}");
        }
    }

    /// An item that is applied is neither drunk nor described as a draught.
    #[test]
    fn bandage_is_applied_not_drunk() {
        let mut play = bearer("linen_bandage", 5);
        assert!(play.types("Olad", "examine bandage").contains("For wounds: use it, and it is gone."));
        let read = play.types("Olad", "use bandage");
        assert!(read.starts_with("You apply a linen bandage."), "{read}");
        let laid_on = CATALOG.items.values().filter(|item| item.laid_on);
        assert!(laid_on.into_iter().all(|item| item.class == ItemClass::Potion));
    }
}
