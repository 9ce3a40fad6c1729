//! Data of the staff page. A part is present only if the account has the right to it.

use crate::access::{permissions, sanctions};
use crate::command::staff::general::may_see_address;
use crate::command::staff::report;
use crate::staff::{bans, lockdown};
use crate::turn::Turn;
use deepwell_core::base::{AccountId, BranchId, CharacterId, Point, Right, RoomId};
use deepwell_core::world::Branch;
use serde::Serialize;

/// Maximum number of players, and of branches, that are listed.
const LISTED: usize = 200;

/// Overview for a member of staff.
#[derive(Serialize)]
pub(super) struct Overview {
    /// Name of the account.
    name: String,
    /// Date and time of the game, UTC.
    at: String,
    /// Names of the account's rights.
    rights: Vec<&'static str>,
    /// Number of players.
    players: usize,
    /// The first of them.
    people: Vec<PersonView>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reports: Option<Vec<ReportLine>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bans: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    locks: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    branches: Option<Vec<BranchLine>>,
    /// Number of branches, of which the first are listed.
    #[serde(skip_serializing_if = "Option::is_none")]
    open_branches: Option<usize>,
}

#[derive(Serialize)]
struct PersonView {
    name: String,
    rank: &'static str,
    level: u32,
    room: String,
    /// Zone, or the name of the branch.
    area: String,
    branch: Option<BranchId>,
    /// Time since the player took its seat; `None` if the client has disconnected.
    since: Option<String>,
    /// Time since the last line.
    idle: Option<String>,
    /// Address, if the account may see it.
    address: Option<String>,
    /// Set if the client has disconnected and the body waits.
    is_away: bool,
    /// Sanctions in force, as sentences.
    sanctions: Vec<String>,
}

#[derive(Serialize)]
struct ReportLine {
    id: u32,
    kind: &'static str,
    name: String,
    about: Option<String>,
    text: String,
    ago: String,
}

#[derive(Serialize)]
struct BranchLine {
    id: BranchId,
    name: String,
    theme: String,
    rooms: u32,
    deepest: u32,
    members: Vec<String>,
    /// Name of the expedition that it belongs to.
    expedition: Option<String>,
    is_asleep: bool,
    /// Time until the window closes; `None` if it is closed.
    window: Option<String>,
    /// Time until it expires if nothing happens in it.
    expires: String,
}

/// Returns the overview for an account.
pub(super) fn overview(turn: &Turn, account: AccountId) -> Overview {
    let rights = permissions::of(turn, account);
    let row = &turn.world.accounts[account];
    let players = turn.world.awake_players();
    let branches = turn.world.branches.iter_active();
    let may = |right: Right| rights.has(right);
    Overview {
        name: row.name.clone(),
        at: turn.now.utc(),
        rights: Right::ALL.iter().filter(|right| may(**right)).map(|right| right.name()).collect(),
        players: turn.world.awake_player_count(),
        people: players.take(LISTED).map(|who| person(turn, account, who)).collect(),
        reports: may(Right::Reports).then(|| reports(turn, account)),
        bans: may(Right::Bans).then(|| lines(bans::list(turn).text())),
        locks: may(Right::Bans).then(|| lockdown::words(turn)),
        open_branches: may(Right::Branches).then(|| turn.world.branches.active_count()),
        branches: may(Right::Branches)
            .then(|| branches.take(LISTED).map(|(id, branch)| branch_line(turn, id, branch)).collect()),
    }
}

/// Returns the lines of a text, without its heading.
fn lines(text: &str) -> Vec<String> {
    text.lines().skip(1).map(str::to_owned).collect()
}

fn person(turn: &Turn, viewer: AccountId, who: CharacterId) -> PersonView {
    let body = &turn.world.characters[who];
    let session = turn.seated.get(&who);
    let seat = session.map(|session| &turn.seats[session]);
    let is_told = session.is_some_and(|session| may_see_address(turn, viewer, *session));
    let account = body.account.and_then(|account| turn.world.accounts.get(account));
    let room = &turn.world.rooms[body.room];
    let sentences = account.into_iter().flat_map(|account| &account.sentences);
    PersonView {
        name: body.name.clone(),
        rank: account.map_or("", |account| account.role.name()),
        level: body.level,
        room: room.sheet.name.clone(),
        area: branch_name(turn, body.branch).unwrap_or_else(|| room.area.clone()),
        branch: body.branch,
        since: seat.map(|seat| turn.now.since(seat.since).to_string()),
        idle: seat.map(|seat| turn.now.since(seat.typed_at).to_string()),
        address: seat.and_then(|seat| seat.address).filter(|_| is_told).map(|address| address.to_string()),
        is_away: body.link_dead_until.is_some(),
        sanctions: sentences
            .filter(|(_, sentence)| !sentence.is_over(turn.now))
            .map(|(kind, sentence)| sanctions::words(*kind, sentence, turn.now))
            .collect(),
    }
}

fn branch_name(turn: &Turn, branch: Option<BranchId>) -> Option<String> {
    turn.world.branches.active(branch?).map(|branch| branch.name.clone())
}

fn reports(turn: &Turn, account: AccountId) -> Vec<ReportLine> {
    let line = |report: &deepwell_core::world::Report| ReportLine {
        id: report.id.0,
        kind: report.kind.name(),
        name: report.name.clone(),
        about: report.about.as_ref().map(|(_, name)| name.clone()),
        text: report.text.clone(),
        ago: turn.now.since(report.at).to_string(),
    };
    report::readable(turn, Some(account)).map(line).collect()
}

fn branch_line(turn: &Turn, id: BranchId, branch: &Branch) -> BranchLine {
    let name = |who: &CharacterId| turn.world.characters[*who].name.clone();
    let window = branch.window_ends_at.since(turn.now);
    BranchLine {
        id,
        name: branch.name.clone(),
        theme: branch.theme.clone(),
        rooms: branch.rooms_made,
        deepest: branch.greatest_depth,
        members: turn.world.branches.members(id).iter().map(name).collect(),
        expedition: turn.world.expeditions.get(id).map(|row| row.name.clone()),
        is_asleep: turn.world.asleep.has(id),
        window: branch.window_open.then(|| window.to_string()),
        expires: branch.ends_at().since(turn.now).to_string(),
    }
}

/// Floor of a branch as a map.
#[derive(Serialize)]
pub(super) struct FloorMap {
    /// Numbers of the floors that exist.
    floors: Vec<u32>,
    floor: u32,
    rooms: Vec<MapRoomView>,
    /// Set if the floor has more rooms than are shown.
    is_cut: bool,
}

#[derive(Serialize)]
struct MapRoomView {
    num: RoomId,
    x: i32,
    y: i32,
    name: String,
    clear: bool,
    /// Rooms to which its exits lead.
    to: Vec<RoomId>,
    /// Players in it.
    players: Vec<String>,
}

/// Returns the map of a floor, by default the first; `None` if it does not exist, or the branch is asleep.
pub(super) fn floor(turn: &Turn, branch: BranchId, floor: Option<u32>) -> Option<FloorMap> {
    turn.world.branches.active(branch).filter(|_| !turn.world.asleep.has(branch))?;
    let index = turn.world.branches.index_of(branch)?;
    let floors: Vec<u32> = index.frontiers.keys().copied().take(LISTED).collect();
    let floor = floor.or_else(|| floors.first().copied())?;
    let most = turn.config.limits.map_rooms as usize;
    let [first, last] = [i32::MIN, i32::MAX].map(|end| (floor, Point::new(end, end)));
    let here = index.rooms.range(first..=last).map(|(_, room)| *room);
    let mut rooms: Vec<MapRoomView> = here.take(most + 1).map(|room| map_room(turn, room)).collect();
    let is_cut = rooms.len() > most;
    rooms.truncate(most);
    Some(FloorMap { floors, floor, rooms, is_cut })
}

fn map_room(turn: &Turn, id: RoomId) -> MapRoomView {
    let room = &turn.world.rooms[id];
    let bodies = turn.world.occupants(id).iter().map(|who| &turn.world.characters[*who]);
    MapRoomView {
        num: id,
        x: room.at.x,
        y: room.at.y,
        name: room.sheet.name.clone(),
        clear: room.clear,
        to: turn.world.exits.of(id).filter_map(|exit| exit.to).collect(),
        players: bodies.filter(|body| body.is_player()).map(|body| body.name.clone()).collect(),
    }
}
