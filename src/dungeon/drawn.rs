//! Rooms of branches that a script draws in the place of ordinary ones.

use super::describe::Scene;
use super::recent::Said;
use super::{Memory, RoomPlan};
use crate::base::{Dice, Direction};
use crate::catalog::drawn_room::Spot;
use crate::catalog::{Catalog, DrawnRoom, RoomContent, RoomKind};
use crate::level::Limit;

/// What an ordinary room becomes instead, if a script draws one there. What it says was not said for as long as the branch
/// remembers; where a script fails, the room stays as it is.
pub(super) fn draw(
    plan: &RoomPlan,
    scene: Scene<'_>,
    (catalog, level_type): (&Catalog, &str),
    memory: &mut Memory,
    said: &Said,
) -> Option<RoomContent> {
    let ordinary = plan.kind == RoomKind::Dungeon && plan.fixture.feature.is_none() && !plan.out_of_depth;
    // What betrays a trap is one of the theme's details.
    if !ordinary || !plan.traps.is_empty() || memory.rooms_made == 0 || catalog.drawn_rooms.is_empty() {
        return None;
    }
    let index = memory.rooms_made;
    let mut dice = scene.spec.stream("drawn", index);
    for (key, room) in catalog.drawn_rooms.iter() {
        let Some(rule) = room.rule(level_type).filter(|rule| rule.is_for(plan.depth)) else { continue };
        let counted_as = DrawnRoom::counted_as(key);
        if !dice.percent(rule.percent) || memory.used.count(&counted_as) >= rule.most as usize {
            continue;
        }
        let exits: Vec<Direction> =
            plan.new_exits.iter().chain(&plan.met).copied().chain([scene.back]).collect();
        let spot = Spot { level_type, depth: plan.depth, difficulty: plan.difficulty, exits: &exits };
        let seed = scene.spec.seed.named(&counted_as).numbered(index.into());
        let Ok(Some(content)) = room.draw(spot, seed, catalog) else { continue };
        if !said.is_new(&content.description) || memory.recent.has_name(&content.name) {
            continue;
        }
        let limit = Limit { per_floor: None, per_branch: Some(rule.most) };
        memory.used.note_room(&counted_as, limit, scene.floor);
        return Some(content);
    }
    None
}
