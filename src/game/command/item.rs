//! Things: picking up, putting down, handing over, and levers.

use super::Refusal;
use super::resolve::means_lever;
use super::spec::{Actor, CommandSpec, Touches};
use crate::base::ItemId;
use crate::game::{Class, Game};
use crate::text::act::Template;
use crate::world::{Place, Role};

const TAKE: Template = Template::new("{actor} {takes|take} {object}.");
const PUT_DOWN: Template = Template::new("{actor} {puts|put} down {object}.");
const GIVE: Template = Template::new("{actor} {gives|give} {target} {object}.");

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "get",
        aliases: &["take"],
        role: Role::Player,
        touches: Touches::World,
        syntax: "get THING, get all, or get all.THING",
        summary: "Picks up a thing that lies here, or several.",
        example: "get lamp: you carry the clay lamp.",
        run: get,
    },
    CommandSpec {
        name: "drop",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "drop THING, drop all, or drop all.THING",
        summary: "Puts down a thing you carry, or several. In a branch it is lost when the branch collapses.",
        example: "drop rope: the rope lies here.",
        run: drop,
    },
    CommandSpec {
        name: "give",
        aliases: &[],
        role: Role::Player,
        touches: Touches::World,
        syntax: "give THING to NAME",
        summary: "Hands a thing you carry to somebody here.",
        example: "give lamp to bera: Bera carries the lamp.",
        run: give,
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
    let room = game.world.characters[actor.who].room;
    if words.is_empty() {
        return Err(Refusal::Missing("get and the name of a thing, or get all"));
    }
    if let Some(kind) = all_of(words) {
        let things = game.items_meant(game.world.floor(room), kind);
        if things.is_empty() {
            return Err(Refusal::Because(format!("Nothing{} lies here.", like(kind))));
        }
        return things.into_iter().try_for_each(|item| game.pick_up(actor, item));
    }
    let item = game.item_here(room, words)?;
    game.pick_up(actor, item)
}

/// What "all" or "all.lamp" asks for: everything, or everything called so.
fn all_of(words: &str) -> Option<&str> {
    let rest = words.get(..3).filter(|all| all.eq_ignore_ascii_case("all")).map(|_| &words[3..])?;
    if rest.is_empty() { Some("") } else { rest.strip_prefix('.') }
}

/// " like that" for a kind of things, nothing for things of every kind.
const fn like(kind: &str) -> &'static str {
    if kind.is_empty() { "" } else { " like that" }
}

fn drop(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    if words.is_empty() {
        return Err(Refusal::Missing("drop and the name of a thing, or drop all"));
    }
    if let Some(kind) = all_of(words) {
        let things = game.items_meant(game.world.carried(actor.who), kind);
        if things.is_empty() {
            return Err(Refusal::Because(format!("You carry nothing{}.", like(kind))));
        }
        for item in things {
            game.put_down(actor, item);
        }
        return Ok(());
    }
    let item = game.item_carried(actor.who, words)?;
    game.put_down(actor, item);
    Ok(())
}

fn give(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let missing = Refusal::Missing("give, a thing, to, and a name: give lamp to bera");
    let (thing, name) = words.rsplit_once(" to ").or_else(|| words.rsplit_once(' ')).ok_or(missing)?;
    let item = game.item_carried(actor.who, thing)?;
    let to = game.being_here(actor.who, name)?;
    if to == actor.who {
        return Err(Refusal::Because("You pass it from one hand to the other.".into()));
    }
    if !game.world.characters[to].is_player() {
        return Err(Refusal::Because(format!("{} has no use for it.", game.name_of(to).text())));
    }
    if game.world.carried(to).len() >= game.config.limits.items_carried as usize {
        return Err(Refusal::Because(format!("{} cannot carry any more.", game.world.characters[to].name)));
    }
    let what = game.item_words(&game.world.items[item].prototype, 1);
    game.world.move_item(item, Place::Holder(to));
    game.act(Class::Notice, &GIVE, actor.who, Some(to), &what);
    Ok(())
}

fn pull(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    if !(words.is_empty() || means_lever(words)) {
        return Err(Refusal::Because("There is nothing like that to pull here.".into()));
    }
    game.pull_lever(actor.who)
}

impl Game {
    fn pick_up(&mut self, actor: Actor, item: ItemId) -> Result<(), Refusal> {
        if self.world.carried(actor.who).len() >= self.config.limits.items_carried as usize {
            return Err(Refusal::HandsFull);
        }
        let what = self.item_words(&self.world.items[item].prototype, 1);
        self.world.move_item(item, Place::Holder(actor.who));
        self.act(Class::Notice, &TAKE, actor.who, None, &what);
        Ok(())
    }

    /// Puts a thing on the floor; the oldest of too many crumbles (A8).
    fn put_down(&mut self, actor: Actor, item: ItemId) {
        let what = self.item_words(&self.world.items[item].prototype, 1);
        let room = self.world.characters[actor.who].room;
        self.world.move_item(item, Place::Room(room));
        self.act(Class::Notice, &PUT_DOWN, actor.who, None, &what);
        if self.world.floor(room).len() > self.config.limits.items_in_room as usize
            && let Some(oldest) = self.world.floor(room).first().copied()
        {
            let lost = self.item_words(&self.world.items[oldest].prototype, 1);
            self.world.remove_item(oldest, "trodden");
            self.tell_room(
                room,
                &[],
                Class::Notice,
                format!("The heap is too high: {lost} is trodden to pieces."),
            );
        }
    }
}
