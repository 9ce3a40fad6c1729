//! What the staff page shows, as data. Each part is there only if the account has the right to it.

use crate::base::{AccountId, BranchId, CharacterId, Right};
use crate::game::access::{permissions, sanctions};
use crate::game::building::branch_dump::branch_dump;
use crate::game::command::staff::report;
use crate::game::staff::{bans, lockdown};
use crate::game::turn::Turn;
use crate::world::Branch;
use serde::Serialize;
use serde_json::Value;

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
    people: Vec<Person>,
    /// Number of players over the limit of the list.
    more_people: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    reports: Option<Vec<ReportLine>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bans: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    locks: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    branches: Option<Vec<BranchLine>>,
    /// Number of branches over the limit of the list.
    more_branches: usize,
}

#[derive(Serialize)]
struct Person {
    name: String,
    rank: &'static str,
    level: u32,
    room: String,
    /// Zone, or the name of the branch.
    area: String,
    branch: Option<BranchId>,
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
    let branches = turn.world.active_branches();
    let may = |right: Right| rights.has(right);
    let more = |count: usize| count.saturating_sub(LISTED);
    Overview {
        name: row.name.clone(),
        at: turn.now.utc(),
        rights: Right::ALL.iter().filter(|right| may(**right)).map(|right| right.name()).collect(),
        people: players.take(LISTED).map(|who| person(turn, who)).collect(),
        more_people: more(turn.world.awake_players().count()),
        reports: may(Right::Reports).then(|| reports(turn, account)),
        bans: may(Right::Bans).then(|| lines(bans::list(turn).text())),
        locks: may(Right::Bans).then(|| lockdown::words(turn)),
        more_branches: if may(Right::Branches) { more(turn.world.active_branches().count()) } else { 0 },
        branches: may(Right::Branches)
            .then(|| branches.take(LISTED).map(|(id, branch)| branch_line(turn, id, branch)).collect()),
    }
}

/// Returns the lines of a text, without its heading.
fn lines(text: &str) -> Vec<String> {
    text.lines().skip(1).map(str::to_owned).collect()
}

fn person(turn: &Turn, who: CharacterId) -> Person {
    let body = &turn.world.characters[who];
    let account = body.account.and_then(|account| turn.world.accounts.get(account));
    let room = &turn.world.rooms[body.room];
    let sentences = account.into_iter().flat_map(|account| &account.sentences);
    Person {
        name: body.name.clone(),
        rank: account.map_or("", |account| account.role.name()),
        level: body.level,
        room: room.name.clone(),
        area: branch_name(turn, body.branch).unwrap_or_else(|| room.area.clone()),
        branch: body.branch,
        is_away: body.link_dead_until.is_some(),
        sanctions: sentences
            .filter(|(_, sentence)| !sentence.is_over(turn.now))
            .map(|(kind, sentence)| sanctions::words(*kind, sentence, turn.now))
            .collect(),
    }
}

fn branch_name(turn: &Turn, branch: Option<BranchId>) -> Option<String> {
    turn.world.active_branch(branch?).map(|branch| branch.name.clone())
}

fn reports(turn: &Turn, account: AccountId) -> Vec<ReportLine> {
    let line = |report: &crate::world::Report| ReportLine {
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
        members: turn.world.members(id).iter().map(name).collect(),
        is_asleep: turn.world.is_asleep(id),
        window: branch.window_open.then(|| window.to_string()),
        expires: branch.ends_at().since(turn.now).to_string(),
    }
}

/// Branch as a map.
#[derive(Serialize)]
pub(super) struct BranchMap {
    dump: Value,
    /// Members with the numbers of their rooms.
    members: Vec<(String, u32)>,
}

/// Returns the map of a branch; `None` if it does not exist or is asleep.
pub(super) fn branch(turn: &Turn, id: BranchId) -> Option<BranchMap> {
    let dump = serde_json::to_value(branch_dump(turn, id)?).ok()?;
    let place = |who: &CharacterId| {
        let body = &turn.world.characters[*who];
        (body.name.clone(), body.room.0)
    };
    Some(BranchMap { dump, members: turn.world.members(id).iter().map(place).collect() })
}
