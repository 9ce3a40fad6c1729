//! Sentences that tell a builder the consequences of publishing or discarding a draft.

use super::definitions::{self, Publication};
use super::{as_published, moves_rooms};
use crate::building::zones::followers::{Followers, Names};
use crate::building::zones::outcome::shown;
use crate::building::zones::{rooms, row, text};
use crate::message::naming;
use crate::turn::Turn;
use deepwell_core::catalog::DefinitionKind;
use deepwell_core::catalog::area::zone_file;
use deepwell_core::text::grammar;
use deepwell_core::world::{Room, Spawned, ZoneDraft};

/// Returns the differences between a draft and the published zone, one sentence each.
pub(crate) fn differences(turn: &Turn, key: &str, draft: &ZoneDraft) -> Vec<String> {
    let mut lines =
        zone_file::differences(&text::area(turn, &draft.of), &as_published(turn, key, draft), "draft");
    lines.extend(lines_of_definitions(turn, key, draft));
    let names = Names::of(turn, key, draft);
    let mut followers = Followers::default();
    turn.world.rooms.built().for_each(|id| followers.note_room(&names, id));
    lines.extend(followers.lines(key, &draft.of));
    if !moves_rooms(turn, draft) {
        lines.extend(rooms(turn, key).flat_map(|room| lost_in(turn, room)));
    }
    lines
}

/// Tells of the definitions that change when a draft is published.
pub(crate) fn lines_of_definitions(turn: &Turn, key: &str, draft: &ZoneDraft) -> Vec<String> {
    let mut lines = Publication::of(turn, key, draft).lines(turn, &draft.of);
    lines.extend(Followers::definitions_of(turn, key, draft).lines(key, &draft.of));
    lines
}

/// Tells the consequences of publishing a draft, whose differences are known.
pub(crate) fn publishing(
    turn: &Turn,
    key: &str,
    draft: &ZoneDraft,
    differences: &[String],
    has_board: bool,
    is_outdated: bool,
) -> Vec<String> {
    let mut lines = vec![format!("What publishing {key} would do")];
    lines.extend(shown(differences));
    if differences.is_empty() {
        lines.push(format!("Nothing: it is as {} is.", draft.of));
    } else {
        lines.extend(kept(turn, key, draft, has_board));
    }
    lines.extend(Publication::of(turn, key, draft).conflicts().iter().cloned());
    if is_outdated {
        lines.push(format!(
            "{} itself has changed since the draft was made; publishing undoes that.",
            draft.of
        ));
    }
    lines.extend([&draft.of, key].into_iter().filter_map(|zone| present(turn, zone)));
    lines
}

/// Names the players in a zone.
fn present(turn: &Turn, zone: &str) -> Option<String> {
    let bodies = turn.seated.keys().map(|who| &turn.world.characters[*who]);
    let inside = bodies.filter(|body| turn.world.rooms[body.room].area == zone);
    let names = grammar::list(inside.map(|body| &body.name));
    (!names.is_empty()).then(|| format!("In {zone} just now: {names}."))
}

/// Tells the consequences of discarding a draft, whose differences from its zone are known.
pub(crate) fn discarding(turn: &Turn, key: &str, draft: &ZoneDraft, differences: &[String]) -> Vec<String> {
    let rooms = grammar::counted(turn.world.rooms.of_zone(key).len(), "room");
    let mut lines = vec![format!("What discarding {key} would do")];
    lines.push(format!(
        "The draft and {rooms} of it are gone, with what is in them. {} stays as it is.",
        draft.of
    ));
    if differences.is_empty() {
        lines.push(format!("No change is lost: the draft is as {} is.", draft.of));
    } else {
        lines.push("These changes are lost:".to_owned());
        lines.extend(shown(differences));
    }
    lines.extend(definitions::lost_instances(turn, key));
    lines.extend(present(turn, key));
    lines
}

/// Tells what publishing a draft keeps, and what ends with the draft.
fn kept(turn: &Turn, key: &str, draft: &ZoneDraft, has_board: bool) -> Vec<String> {
    let of = &draft.of;
    let mut lines = vec![if moves_rooms(turn, draft) {
        format!(
            "The rooms of the draft become those of {of}. They keep their numbers, their journal, and all that is in them."
        )
    } else {
        format!(
            "Rooms of {of} that are in the draft by their key keep their numbers, their journal, and all that is in them. \
             The journal of the rooms of the draft ends."
        )
    }];
    if has_board || !row(turn, key).variables.is_empty() {
        lines.push("Not kept: values that variables have in the draft, and notes on its boards.".to_owned());
    }
    let versions = turn.world.definitions.iter().map(|(_, row)| row).filter(|row| row.is_of_draft(key));
    if versions.filter(|row| row.version().is_some()).any(|row| row.kind == DefinitionKind::Quest) {
        lines.push("Not kept: what players who tried the draft have done of its quests.".to_owned());
    }
    lines
}

/// Tells of the single creatures and items in a room of a draft, which no rule of `spawn` brings to the published zone.
pub(in crate::building::zones) fn lost_in(turn: &Turn, room: &Room) -> Vec<String> {
    let has_rule = |what: &Spawned| room.spawns.iter().any(|rule| rule.what == *what);
    let bodies = turn.world.occupants(room.id).iter().filter(|who| {
        let body = &turn.world.characters[**who];
        let of_rule =
            body.prototype.as_ref().is_some_and(|creature| has_rule(&Spawned::Creature(creature.clone())));
        !body.is_player() && (!of_rule || !body.triggers.is_empty())
    });
    let bodies = bodies.map(|who| naming::the(turn, *who));
    let items = turn.world.ground(room.id).iter().filter(|item| {
        let item = &turn.world.items[**item];
        !has_rule(&Spawned::Item(item.prototype.clone())) || !item.triggers.is_empty()
    });
    let items = items.map(|item| naming::the_item(turn, *item));
    let names = bodies.chain(items);
    names
        .map(|name| format!("Not kept: {name} in {}, for no rule of spawn brings it there.", room.sheet.name))
        .collect()
}
