//! Zone commands: listing, permissions of builders, and files.

use crate::access::sanctions;
use crate::building::zones;
use crate::building::zones::{package, search};
use crate::command::build::drafts;
use crate::command::build::room::exits::require_builder;
use crate::command::parse::site::zone_meant;
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, FromWeb, run};
use crate::command::staff::moderation::account_named;
use crate::effect::files::FilePurpose;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::Right;
use deepwell_core::catalog::draft_key;
use deepwell_core::text::{Markup, Style, grammar};
use std::collections::BTreeSet;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "zone",
    right: Some(Right::Zones),
    aliases: &["zones"],
    syntax: "zone [VERB] [NAME]",
    summary: "Looks after zones, the parts of the world that are kept as files. list tells all, here the one you stand in, show one with its rooms; new NAME makes one, and set NAME lets this room belong to it, as does whatever is dug from here. export, import and diff write its file, take it over into the world, and tell what is different; several that lead into each other come in at once, and now behind the names lets so many rooms come in that undo cannot take them back; with made they do so with all that make has made. pack writes a zone with all that was made for it into one archive, packages/NAME.zip; unpack NAME tells what the archive of that name would bring, and unpack NAME now takes it in; with as PREFIX behind the name it puts PREFIX and _ before each key, so that a world can have it twice. add PLAYER and remove PLAYER say who builds here, give PLAYER makes somebody else its owner. used by NAME lists the definitions made in the game that a zone or a draft uses, and who else uses them. draft copies a zone to where players do not come, invite PLAYER and uninvite PLAYER say who may rehearse it there, publish makes it what everybody sees, and discard takes it away; each tells first what it would do, and does it with now.",
    example: "zone export mill writes zones/mill.toml beside the data of the server.",
    missing: "zone and list, here, show, used by, new, set, export, import, diff, pack, unpack, add, remove, give, draft, publish, discard, invite or uninvite",
    // The others need a client that is told later, or a character in the room.
    from_web: FromWeb::Verbs(&["draft", "publish", "discard"]),
    run: run!(zone),
    ..CommandSpec::BUILDER
}];

/// Maximum number of definitions that `zone used by` lists.
const DEFINITIONS_LISTED: usize = 30;

/// Argument of `zone`.
enum ZoneOrder<'a> {
    List,
    Here,
    Show(&'a str),
    New(String),
    Set(String),
    Export(&'a str),
    Import(Words<'a>, FilePurpose),
    Diff(Words<'a>),
    Pack(&'a str),
    Unpack {
        name: String,
        prefix: Option<String>,
        purpose: FilePurpose,
    },
    Add(Words<'a>),
    Remove(Words<'a>),
    Give(Words<'a>),
    /// Zone or draft whose definitions are listed.
    UsedBy(&'a str),
    Draft(&'a str),
    Publish(Words<'a>),
    Discard(Words<'a>),
    Invite(Words<'a>),
    Uninvite(Words<'a>),
}

impl<'a> Argument<'a> for ZoneOrder<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (verb, rest) = words.keyword();
        let name = || rest.required().map(Words::text);
        Ok(match verb.as_str() {
            "list" => Self::List,
            "" | "here" => Self::Here,
            "show" => Self::Show(rest.text()),
            "new" => Self::New(name()?.to_lowercase()),
            "set" => Self::Set(name()?.to_lowercase()),
            "export" => Self::Export(rest.text()),
            "import" => match rest.last_word() {
                Some((names, word)) if word.text().eq_ignore_ascii_case("now") => {
                    Self::Import(names, FilePurpose::ImportMany)
                }
                _ => Self::Import(rest, FilePurpose::Import),
            },
            "diff" => Self::Diff(rest),
            "pack" => Self::Pack(rest.text()),
            "unpack" => {
                let (name, behind) = rest.required()?.keyword();
                let (prefix, behind) = match behind.keyword() {
                    (word, prefix) if word == "as" => {
                        let (prefix, behind) = prefix.required()?.keyword();
                        (Some(prefix), behind)
                    }
                    _ => (None, behind),
                };
                let purpose = match behind.text() {
                    "" => FilePurpose::Compare,
                    "now" => FilePurpose::Import,
                    _ => return Err(words.missing()),
                };
                Self::Unpack { name, prefix, purpose }
            }
            "add" => Self::Add(rest.required()?),
            "remove" => Self::Remove(rest.required()?),
            "give" => Self::Give(rest.required()?),
            "used" => match rest.first_word() {
                (by, name) if by.text().eq_ignore_ascii_case("by") => Self::UsedBy(name.text()),
                _ => return Err(words.missing()),
            },
            "draft" => Self::Draft(rest.text()),
            "publish" => Self::Publish(rest),
            "discard" => Self::Discard(rest),
            "invite" => Self::Invite(rest.required()?),
            "uninvite" => Self::Uninvite(rest.required()?),
            _ => return Err(words.missing()),
        })
    }
}

/// Returns the named zones, or the zone of the builder's room.
fn zones_meant(turn: &Turn, actor: Actor, names: Words<'_>) -> Result<Vec<String>, Refusal> {
    let (mut meant, mut rest) = (Vec::new(), names);
    while !rest.is_empty() {
        let (name, behind) = rest.keyword();
        meant.push(name);
        rest = behind;
    }
    if meant.is_empty() {
        meant.push(zone_meant(turn, actor.who, "")?);
    }
    Ok(meant)
}

/// Requires the right to definitions if the name of all content created in the game is given in place of zones.
fn require_right_to_made(turn: &Turn, actor: Actor, zones: &[String]) -> Result<(), Refusal> {
    if zones == [zones::MADE] { actor.require(turn, Right::Prototypes) } else { Ok(()) }
}

fn read_files(turn: &mut Turn, actor: Actor, names: Words<'_>, purpose: FilePurpose) -> Result<(), Refusal> {
    let zones = zones_meant(turn, actor, names)?;
    require_right_to_made(turn, actor, &zones)?;
    if purpose == FilePurpose::Compare && zones != [zones::MADE] {
        zones.iter().try_for_each(|zone| zones::require_zone(turn, zone))?;
    }
    zones::files::ask_to_read(turn, actor.session, zones, purpose)
}

fn zone(turn: &mut Turn, actor: Actor, order: ZoneOrder<'_>) -> Result<(), Refusal> {
    match order {
        ZoneOrder::List => {
            let mut page = Markup::styled(Style::Heading, "Zones");
            for line in zones::all(turn).iter().map(|key| zones::line(turn, key)) {
                page.line(Style::Plain, &line);
            }
            actor.answer(turn, page)
        }
        ZoneOrder::Here => show(turn, actor, ""),
        ZoneOrder::Show(name) => show(turn, actor, name),
        ZoneOrder::New(name) => {
            zones::create(turn, Some(actor.account), &[&name])?;
            actor.answer(
                turn,
                format!("The zone {name} is yours. zone set {name} lets the room you stand in belong to it."),
            )
        }
        ZoneOrder::Set(name) => set(turn, actor, &name),
        ZoneOrder::Export(name) => {
            let zone = zone_meant(turn, actor.who, name)?;
            require_right_to_made(turn, actor, std::slice::from_ref(&zone))?;
            zones::files::ask_to_write(turn, actor.session, &zone)
        }
        ZoneOrder::Import(names, purpose) => read_files(turn, actor, names, purpose),
        ZoneOrder::Diff(names) => read_files(turn, actor, names, FilePurpose::Compare),
        ZoneOrder::Pack(name) => {
            let zone = zone_meant(turn, actor.who, name)?;
            zones::files::ask_to_pack(turn, actor.session, &zone)
        }
        ZoneOrder::Unpack { name, prefix, purpose } => {
            actor.require(turn, Right::Prototypes)?;
            actor.require(turn, Right::Scripts)?;
            zones::files::ask_to_unpack(turn, actor.session, &name, prefix, purpose)
        }
        ZoneOrder::Add(name) => appoint(turn, actor, name, Post::Author),
        ZoneOrder::Remove(name) => appoint(turn, actor, name, Post::Nothing),
        ZoneOrder::Give(name) => appoint(turn, actor, name, Post::Owner),
        ZoneOrder::UsedBy(name) => used_by(turn, actor, name),
        ZoneOrder::Draft(name) => {
            let zone = zone_meant(turn, actor.who, name)?;
            drafts::begin(turn, actor, &zone)
        }
        ZoneOrder::Publish(words) => {
            actor.require(turn, Right::Publish)?;
            drafts::publish(turn, actor, words)
        }
        ZoneOrder::Discard(words) => {
            actor.require(turn, Right::Publish)?;
            drafts::discard(turn, actor, words)
        }
        ZoneOrder::Invite(name) => drafts::invite(turn, actor, name, true),
        ZoneOrder::Uninvite(name) => drafts::invite(turn, actor, name, false),
    }
}

fn show(turn: &mut Turn, actor: Actor, name: &str) -> Result<(), Refusal> {
    let zone = zone_meant(turn, actor.who, name)?;
    zones::require_zone(turn, &zone)?;
    let mut page = Markup::styled(Style::Heading, &zones::line(turn, &zone));
    let mut rooms: Vec<_> = zones::rooms(turn, &zone).map(|room| (room.zone_key(), room)).collect();
    rooms.sort_by(|one, other| one.0.cmp(&other.0));
    for (key, room) in rooms {
        page.line(Style::Plain, &format!("{key}: {}, room {}", room.sheet.name, room.id));
    }
    actor.answer(turn, page)
}

/// Lists the definitions made in the game that a zone or a draft uses, each with its uses elsewhere. Those that a draft has
/// changed or made are its own until it is published.
fn used_by(turn: &mut Turn, actor: Actor, name: &str) -> Result<(), Refusal> {
    let zone = zone_meant(turn, actor.who, name)?;
    zones::require_zone(turn, &zone)?;
    let own: BTreeSet<String> = zones::rooms(turn, &zone).map(search::user_room).collect();
    let mut used = package::definitions_of(turn, &zone);
    let of_draft = turn.world.definitions.iter().map(|(_, row)| row).filter(|row| row.is_of_draft(&zone));
    used.extend(of_draft.map(|row| (row.kind, row.key.clone())));
    let mut page = Markup::styled(Style::Heading, &format!("Made in the game and used by {zone}"));
    let count = used.len();
    for (kind, key) in used.into_iter().take(DEFINITIONS_LISTED) {
        turn.world.note_work(turn.world.rooms.built().count());
        let row = turn.world.definitions.find(kind, &key);
        if row.is_some_and(|row| row.draft.is_some()) {
            let what = if draft_key::split(&key).is_some() { "changed" } else { "made" };
            let plain = draft_key::plain(&key);
            page.line(Style::Plain, &format!("The {} {plain}, {what} in the draft alone.", kind.noun()));
            continue;
        }
        let mut users = search::users(turn, kind, &key, search::InWorld::Ignored);
        // Versions in drafts follow what they are versions of.
        let is_version =
            |user: &str| user.rsplit(' ').next().is_some_and(|key| draft_key::split(key).is_some());
        users.retain(|user| !own.contains(user) && !is_version(user));
        let elsewhere = search::listed(users);
        let elsewhere = grammar::or_none(&elsewhere);
        page.line(Style::Plain, &format!("The {} {key}. Uses elsewhere: {elsewhere}.", kind.noun()));
    }
    match count.saturating_sub(DEFINITIONS_LISTED) {
        0 if count == 0 => {
            page.line(Style::Plain, "Nothing: it uses only what the files of the server define.");
        }
        0 if zones::row(turn, &zone).draft.is_some() => page.line(
            Style::Hint,
            "What you change from within the draft is seen there alone, until it is published.",
        ),
        0 => page.line(Style::Hint, "A change of one is seen by all of its users at once."),
        more => page.line(Style::Plain, &format!("And {more} more.")),
    }
    actor.answer(turn, page)
}

fn set(turn: &mut Turn, actor: Actor, name: &str) -> Result<(), Refusal> {
    let name = &name.to_lowercase();
    zones::require_zone(turn, name)?;
    let room = turn.world.characters[actor.who].room;
    require_builder(turn, actor.who, room)?;
    zones::require_author(turn, actor.account, name)?;
    zones::draft::require_closed(turn, room, name)?;
    zones::take_room(turn, room, name);
    actor.answer(turn, format!("This room belongs to the zone {name} now."))
}

/// Position of a builder in a zone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Post {
    Owner,
    Author,
    Nothing,
}

fn appoint(turn: &mut Turn, actor: Actor, name: Words<'_>, post: Post) -> Result<(), Refusal> {
    let zone = zone_meant(turn, actor.who, "")?;
    zones::require_owner(turn, actor.account, &zone)?;
    let (account, name) = account_named(turn, name)?;
    let message = match post {
        Post::Owner => format!("{name} owns the zone {zone} now."),
        Post::Author => format!("{name} builds in the zone {zone} from now on."),
        Post::Nothing => format!("{name} builds in the zone {zone} no longer."),
    };
    if post == Post::Nothing && zones::row(turn, &zone).owner == Some(account) {
        return Err(refuse!(
            "Whoever owns a zone builds in it: zone give NAME makes somebody else its owner."
        ));
    }
    zones::change(turn, &zone, |row| {
        row.authors.remove(&account);
        match post {
            Post::Owner => row.owner = Some(account),
            Post::Author => _ = row.authors.insert(account),
            Post::Nothing => {}
        }
    });
    if account != actor.account {
        let answer = match post {
            Post::Owner => format!("You own the zone {zone} now."),
            Post::Author => format!("You may build in the zone {zone} from now on."),
            Post::Nothing => format!("You may build in the zone {zone} no longer."),
        };
        sanctions::notify_account(turn, account, &answer);
    }
    actor.answer(turn, message)
}
