//! Builder searches: rooms by name, text, tag or number, content by name and by use, and unused content.

use crate::building::zones::search::SearchResult;
use crate::building::zones::{search, sweep};
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, Needs, run};
use crate::refusal::Refusal;
use crate::state::sweeps::{Finds, Page, SearchTarget, Sweep};
use crate::turn::Turn;
use deepwell_core::base::Right;
use deepwell_core::catalog::room_kind::RoomOrigin;
use deepwell_core::catalog::{Referent, RoomKind};
use deepwell_core::text::{Markup, Style};

/// Results per page.
const PAGE: usize = 30;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "find",
    right: Some(Right::Look),
    needs: Needs::Nothing,
    syntax: "find WORDS|tag WORD|kind KIND|uses KEY|creature WORDS|item WORDS|dialogue WORDS|quest WORDS|script WORDS|orphans|unlinked|exits|unused [page NUMBER]",
    summary: "Lists the rooms built by hand that have such a name, alias, tag, area or words in their text; those with a tag, of a kind, or in which a creature, an item or an affect is used, by its key, and where content uses it; creatures, items, dialogues, quests and scripts by name. orphans are rooms that no exit leads to, or none out of, unlinked those that nobody can walk to from the town; exits are those that lead nowhere or not back; unused tells which creatures, items, dialogues, quests and scripts come nowhere, and of which details no text speaks.",
    example: "find uses brass_ring: every room where it is sold, comes by itself, opens a door or stands in a script.",
    missing: "find and words to look for",
    run: run!(find),
    ..CommandSpec::BUILDER
}];

/// Search criterion and page.
struct FindOrder<'a> {
    what: What<'a>,
    page: usize,
}

/// Search criterion.
enum What<'a> {
    Words(&'a str),
    Tag(String),
    Kind(RoomKind),
    Uses(String),
    Prototypes(Referent, &'a str),
    Orphans,
    Unlinked,
    Exits,
    Unused,
}

impl<'a> Argument<'a> for FindOrder<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (words, page) = words.split_page();
        let words = words.required()?;
        let (verb, rest) = words.keyword();
        let (name, more) = rest.keyword();
        let kinds = RoomKind::made_by(&[RoomOrigin::Builders, RoomOrigin::Areas]);
        let kind = kinds.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
        // Anything else beginning with such a keyword is searched as text.
        let what = match (verb.as_str(), name.is_empty(), more.is_empty(), kind) {
            ("orphans", true, ..) => What::Orphans,
            ("unlinked", true, ..) => What::Unlinked,
            ("exits", true, ..) => What::Exits,
            ("unused", true, ..) => What::Unused,
            ("tag", false, ..) => What::Tag(rest.text().to_lowercase()),
            ("kind", _, true, Some(kind)) => What::Kind(kind),
            ("uses", false, true, _) => What::Uses(name),
            ("creature", false, ..) => What::Prototypes(Referent::Creature, rest.text()),
            ("item" | "thing", false, ..) => What::Prototypes(Referent::Item, rest.text()),
            ("dialogue", false, ..) => What::Prototypes(Referent::Dialogue, rest.text()),
            ("quest", false, ..) => What::Prototypes(Referent::Quest, rest.text()),
            ("script", false, ..) => What::Prototypes(Referent::Script, rest.text()),
            _ => What::Words(words.text()),
        };
        Ok(Self { what, page })
    }
}

fn find(turn: &mut Turn, actor: Actor, FindOrder { what, page }: FindOrder<'_>) -> Result<Markup, Refusal> {
    let sought = match what {
        What::Words(phrase) => SearchTarget::Words(phrase.to_owned()),
        What::Tag(tag) => SearchTarget::Tag(tag),
        What::Kind(kind) => SearchTarget::Kind(kind),
        What::Uses(key) => SearchTarget::Uses(key),
        What::Prototypes(of, phrase) => SearchTarget::Prototypes(of, phrase.to_owned()),
        What::Orphans => SearchTarget::Orphans,
        What::Unlinked => SearchTarget::Unlinked,
        What::Exits => SearchTarget::Exits,
        What::Unused => SearchTarget::Unused,
    };
    let ended = sweep::begin(turn, actor.session, actor.who, sought, Page { number: page, size: PAGE });
    ended.map_or_else(|| Ok(LATER.into()), |ended| report(turn, ended))
}

/// Answer to a search whose result is sent in a later step.
pub(crate) const LATER: &str = "There are many rooms to look at; the answer comes in a moment.";

/// Formats the result of a finished search.
pub(crate) fn report(turn: &Turn, sweep: Sweep) -> Result<Markup, Refusal> {
    let (sought, page) = (sweep.sought.clone(), sweep.page);
    let found = search::finish(turn, sweep);
    if found.count == 0 {
        return Err(Refusal::Said(nothing_found(turn, &sought).into()));
    }
    Ok(list(turn, &found, page))
}

fn nothing_found(turn: &Turn, sought: &SearchTarget) -> String {
    match sought {
        SearchTarget::Words(phrase) => format!("Nothing is called, tagged or described so: \"{phrase}\"."),
        SearchTarget::Tag(tag) => format!("No room has the tag {tag}."),
        SearchTarget::Kind(kind) => format!("No room is of the kind {}.", kind.name()),
        SearchTarget::Uses(key) => {
            let meant = search::nearest_key(turn, key);
            let meant = meant.map_or_else(String::new, |meant| format!(" Did you mean {meant}?"));
            format!("Nothing has to do with {key}.{meant}")
        }
        SearchTarget::Prototypes(of, phrase) => format!("No {} is called \"{phrase}\".", of.name()),
        SearchTarget::Orphans => "Some exit leads to every room, and out of every room.".to_owned(),
        SearchTarget::Unlinked => "One can walk to every room from the town.".to_owned(),
        SearchTarget::Exits => "Every exit leads somewhere, and a way leads back.".to_owned(),
        SearchTarget::Unused => {
            "Every creature and every item comes somewhere, and texts speak of all details.".to_owned()
        }
        SearchTarget::Mistakes { name, .. } => format!("There is nothing to say against {name}."),
    }
}

/// Lists one page of results, one per line, and the number omitted.
fn list(turn: &Turn, found: &Finds, page: Page) -> Markup {
    let mut list = Markup::new();
    for SearchResult { room, words } in found.kept.iter().skip(page.start()).take(page.size) {
        match room.map(|room| &turn.world.rooms[room]) {
            Some(room) => {
                list.line(Style::RoomName, &room.sheet.name);
                let behind = if words.is_empty() { String::new() } else { format!(": {words}.") };
                list.push(Style::Plain, &format!(", room {}, in {}{behind}", room.id, room.area));
            }
            None => list.line(Style::Plain, &format!("{words}.")),
        }
    }
    let pages = found.count.div_ceil(page.size);
    if page.number > pages {
        list.line(Style::Plain, &format!("There are no more pages than {pages}."));
    } else if page.number < pages {
        let more = found.count - page.end();
        list.line(
            Style::Plain,
            &format!("And {more} more: put page {} behind it, or say it with more words.", page.number + 1),
        );
    }
    list
}
