//! Zones and rooms as shown in the web builder: all properties that can be built. State that changes in play, such as
//! occupants, is separate and not part of a revision.

use crate::access::draft_names;
use crate::building::zones;
use crate::building::zones::check::Severity;
use crate::command::build::room::setting_table::Takes;
use crate::command::build::room::setting_values::{self, ListedSetting};
use crate::effect::Declined;
use crate::message::naming;
use crate::room::look;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId, Digest, RoomId};
use deepwell_core::catalog::draft_key;
use deepwell_core::world::{Exit, ExitKind, Room, Spawned};
use serde::Serialize;
use std::collections::BTreeSet;

/// All zones, and the creatures and items of the content.
#[derive(Serialize)]
pub(super) struct Zones {
    /// Name of the builder.
    player: String,
    list: Vec<ZoneLine>,
    creatures: Vec<KindView>,
    things: Vec<KindView>,
    /// Maximum length of a text in characters.
    text_chars: u32,
    /// Maximum size of an uploaded package in bytes.
    package_bytes: u32,
}

#[derive(Serialize)]
struct ZoneLine {
    key: String,
    words: String,
    may: bool,
    /// Set if the builder's character is in the zone.
    here: bool,
    /// Key of the zone of which it is a draft.
    #[serde(skip_serializing_if = "Option::is_none")]
    of: Option<String>,
}

#[derive(Serialize)]
struct KindView {
    key: String,
    name: String,
}

/// Zone as a map.
#[derive(Serialize)]
pub(super) struct ZoneView {
    revision: String,
    /// Map; `None` if it has not changed since the last request.
    #[serde(skip_serializing_if = "Option::is_none")]
    map: Option<Map>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remarks: Option<Vec<RemarkView>>,
}

#[derive(Serialize)]
struct Map {
    zone: String,
    may: bool,
    rooms: Vec<RoomOnMap>,
    /// Number of rooms over the limit.
    more: usize,
}

#[derive(Serialize)]
struct RoomOnMap {
    id: RoomId,
    name: String,
    kind: &'static str,
    x: i32,
    y: i32,
    z: i32,
    exits: Vec<MapExitView>,
    /// Kinds of things that builders have put there.
    holds: Vec<&'static str>,
}

#[derive(Serialize)]
struct MapExitView {
    name: String,
    to: Option<RoomId>,
}

#[derive(Serialize)]
struct RemarkView {
    mistake: bool,
    room: RoomId,
    name: String,
    words: String,
}

/// Room with everything built in it.
#[derive(Serialize)]
pub(super) struct RoomView {
    /// Changes with every change to the built properties.
    pub(super) revision: String,
    may: bool,
    here: Here,
    #[serde(flatten)]
    made: BuiltView,
}

/// Built properties of a room.
#[derive(Serialize)]
struct BuiltView {
    id: RoomId,
    zone: String,
    name: String,
    aliases: Vec<String>,
    kind: &'static str,
    description: String,
    settings: Vec<SettingView>,
    tags: Vec<String>,
    details: Vec<Detail>,
    exits: Vec<ExitView>,
    spawns: Vec<SpawnView>,
    triggers: Vec<TriggerView>,
}

/// Setting of a room or an exit.
#[derive(Serialize)]
struct SettingView {
    name: &'static str,
    /// Value as one types it; empty if the default applies.
    value: String,
    /// Values that it takes.
    takes: String,
    default: &'static str,
    about: &'static str,
    /// Set if the value is yes or no, and one of both applies.
    check: bool,
    /// Word that takes the value back.
    unset: Option<&'static str>,
}

#[derive(Serialize)]
struct Detail {
    nouns: String,
    text: String,
}

#[derive(Serialize)]
struct ExitView {
    name: String,
    aliases: Vec<String>,
    branch: bool,
    to: Option<RoomId>,
    to_name: String,
    to_zone: String,
    description: String,
    settings: Vec<SettingView>,
}

#[derive(Serialize)]
struct SpawnView {
    key: String,
    name: String,
    creature: bool,
    /// Count, interval and bounds, in the syntax of `spawn`.
    wish: String,
    patrol: Vec<String>,
    schedule: Vec<String>,
}

#[derive(Serialize)]
struct TriggerView {
    on: String,
    /// Name behind `as`; empty if it has none.
    name: String,
    lines: Vec<String>,
}

/// Present occupants and items of a room.
#[derive(Serialize)]
struct Here {
    players: Vec<String>,
    creatures: Vec<String>,
    things: Vec<String>,
}

/// Returns all zones.
pub(super) fn zones(turn: &Turn, account: AccountId, who: CharacterId) -> Zones {
    let here = &turn.world.rooms[turn.world.characters[who].room];
    let line = |key: String| ZoneLine {
        words: zones::line(turn, &key),
        may: zones::may_build(turn, account, &key),
        here: here.branch.is_none() && here.area == key,
        of: draft_names::zone_of(turn, &key).map(str::to_owned),
        key,
    };
    let kind = |(key, name): (&String, &String)| KindView { key: key.clone(), name: name.clone() };
    let (creatures, items) = (&turn.catalog.creatures, &turn.catalog.items);
    let is_typed = |key: &&String| draft_key::split(key).is_none();
    let lying = items.iter().filter(|(key, item)| item.class.may_be_placed() && is_typed(key));
    let living = creatures.iter().filter(|(key, _)| is_typed(key));
    Zones {
        player: turn.world.characters[who].name.clone(),
        list: zones::all(turn).into_iter().map(line).collect(),
        creatures: living.map(|(key, creature)| kind((key, &creature.name))).collect(),
        things: lying.map(|(key, item)| kind((key, &item.name))).collect(),
        text_chars: turn.config.limits.description_chars,
        package_bytes: package_bytes(turn.config.limits.desk_bytes),
    }
}

/// Returns the size of the largest package, in bytes, that fits into a request in Base64.
const fn package_bytes(request: u32) -> u32 {
    request.saturating_sub(1_024) / 4 * 3
}

/// Returns the map of a zone, omitted if the client already has this revision.
pub(super) fn zone(
    turn: &Turn,
    account: AccountId,
    key: &str,
    known: Option<&str>,
    check: bool,
) -> Result<ZoneView, Declined> {
    zones::require_zone(turn, key)?;
    let most = turn.config.limits.map_rooms as usize;
    let rooms: Vec<RoomOnMap> = zones::rooms(turn, key).take(most).map(|room| place(turn, room)).collect();
    let more = turn.world.rooms.of_zone(key).len().saturating_sub(most);
    let map = Map { zone: key.to_owned(), may: zones::may_build(turn, account, key), rooms, more };
    let revision = revision(&map);
    let map = (known != Some(&revision)).then_some(map);
    Ok(ZoneView { revision, map, remarks: check.then(|| remarks(turn, key)) })
}

fn remarks(turn: &Turn, key: &str) -> Vec<RemarkView> {
    let found = zones::sweep::remarks(turn, BTreeSet::from([key.to_owned()]));
    let most = turn.config.limits.map_rooms as usize;
    let remark = |remark: zones::check::Remark| RemarkView {
        mistake: remark.weight == Severity::Mistake,
        room: remark.room,
        name: turn.world.rooms[remark.room].sheet.name.clone(),
        words: remark.words,
    };
    found.into_iter().take(most).map(remark).collect()
}

fn place(turn: &Turn, room: &Room) -> RoomOnMap {
    let built = |to: &RoomId| turn.world.rooms.get(*to).is_some_and(|room| room.branch.is_none());
    let way = |exit: &Exit| MapExitView { name: exit.name.clone(), to: exit.to.filter(built) };
    RoomOnMap {
        id: room.id,
        name: room.sheet.name.clone(),
        kind: room.sheet.kind.name(),
        x: room.at.x,
        y: room.at.y,
        z: room.z,
        exits: look::exits_in_order(turn, room.id).into_iter().map(way).collect(),
        holds: [
            ("creatures", room.spawns.iter().any(|rule| matches!(rule.what, Spawned::Creature(_)))),
            ("items", room.spawns.iter().any(|rule| matches!(rule.what, Spawned::Item(_)))),
            ("triggers", !room.triggers.is_empty()),
            ("board", room.sheet.board.is_some()),
        ]
        .into_iter()
        .filter(|(_, has)| *has)
        .map(|(word, _)| word)
        .collect(),
    }
}

/// Returns a hand-built room.
pub(super) fn room(turn: &Turn, account: AccountId, id: RoomId) -> RoomView {
    let room = &turn.world.rooms[id];
    let made = made(turn, room);
    RoomView {
        revision: revision(&made),
        may: zones::may_build(turn, account, &room.area),
        here: here(turn, id),
        made,
    }
}

fn made(turn: &Turn, room: &Room) -> BuiltView {
    let detail = |(nouns, text): (&String, &String)| Detail { nouns: nouns.clone(), text: text.clone() };
    let triggers = room.triggers.iter().map(|trigger| TriggerView {
        on: draft_names::typed(turn, room.id, &trigger.on.to_string()),
        name: trigger.name.clone(),
        lines: trigger.lines.iter().map(|line| draft_names::typed(turn, room.id, line)).collect(),
    });
    let exits = look::exits_in_order(turn, room.id).into_iter();
    BuiltView {
        id: room.id,
        zone: room.area.clone(),
        name: room.sheet.name.clone(),
        aliases: room.sheet.aliases.to_value(),
        kind: room.sheet.kind.name(),
        description: room.sheet.description.clone(),
        settings: setting_views(setting_values::of_room(turn, room.id)),
        tags: room.sheet.tags.iter().cloned().collect(),
        details: room.sheet.details.iter().map(detail).collect(),
        exits: exits
            .filter(|exit| !exit.is_gate() && exit.kind != ExitKind::Stairs)
            .map(|exit| exit_view(turn, exit))
            .collect(),
        spawns: room
            .spawns
            .iter()
            .map(|rule| {
                let (name, creature) = match &rule.what {
                    Spawned::Creature(key) => {
                        (turn.catalog.creatures.get(key).map(|creature| creature.name.clone()), true)
                    }
                    Spawned::Item(key) => (turn.catalog.items.get(key).map(|item| item.name.clone()), false),
                };
                let key = draft_key::plain(rule.what.key()).to_owned();
                let name = name.unwrap_or_else(|| key.clone());
                SpawnView {
                    key,
                    name,
                    creature,
                    wish: rule.numbers(),
                    patrol: rule.route.patrol.clone(),
                    schedule: rule.route.schedule.iter().map(ToString::to_string).collect(),
                }
            })
            .collect(),
        triggers: triggers.collect(),
    }
}

fn exit_view(turn: &Turn, exit: &Exit) -> ExitView {
    let built = exit.to.and_then(|to| turn.world.rooms.get(to)).filter(|room| room.branch.is_none());
    ExitView {
        name: exit.name.clone(),
        aliases: exit.all_aliases().map(str::to_owned).collect(),
        branch: exit.kind == ExitKind::Branch,
        to: built.map(|room| room.id),
        to_name: built.map(|room| room.sheet.name.clone()).unwrap_or_default(),
        to_zone: built.map(|room| room.area.clone()).unwrap_or_default(),
        description: exit.description.clone(),
        settings: setting_views(setting_values::of_exit(turn, exit.id)),
    }
}

fn setting_views(values: Vec<ListedSetting>) -> Vec<SettingView> {
    let view = |(setting, value): ListedSetting| SettingView {
        check: setting.takes == Takes::YesNo && !value.is_empty(),
        takes: setting.takes.to_string(),
        unset: setting.unset(),
        name: setting.name,
        value,
        default: setting.default,
        about: setting.about,
    };
    values.into_iter().map(view).collect()
}

fn here(turn: &Turn, room: RoomId) -> Here {
    let (mut players, mut creatures) = (Vec::new(), Vec::new());
    for who in turn.world.occupants(room) {
        let body = &turn.world.characters[*who];
        let list = if body.is_player() { &mut players } else { &mut creatures };
        list.push(body.name.clone());
    }
    let grouped = naming::grouped(turn, turn.world.ground(room));
    Here { players, creatures, things: grouped.into_iter().map(|(name, _)| name).collect() }
}

fn revision(made: &impl Serialize) -> String {
    Digest::of_text(&serde_json::to_string(made).unwrap_or_default()).to_string()
}
