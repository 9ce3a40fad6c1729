//! Words for a room out of its theme's grammar (E39): a name of the depth's family and a few sentences that
//! fit the room's exits. It only draws and joins; what can be said stands in `content/themes/`.

use crate::base::{Dice, Direction, RoomKind};
use crate::catalog::Theme;
use crate::catalog::theme::{Pattern, Piece};
use crate::dungeon::RoomPlan;

/// Gives a room its name, description and environment.
pub(super) fn put_in_words(plan: &mut RoomPlan, theme: &Theme, dice: &mut impl Dice) {
    let band = theme.band(plan.depth);
    plan.environment.clone_from(&band.environment);
    plan.name.clone_from(dice.pick(&band.names).unwrap_or(&band.family));

    let landmark = theme.landmarks.iter().find(|landmark| {
        plan.kind == RoomKind::Landmark && plan.fixture.key.as_ref() == Some(&landmark.name)
    });
    let mut patterns: Vec<&Pattern> = Vec::new();
    if landmark.is_none() {
        patterns.extend(dice.pick(&band.openings));
    }
    let mut details: Vec<&Pattern> = band.details.iter().collect();
    dice.shuffle(&mut details);
    let number = if landmark.is_some() { 1 } else { dice.between(1, 2) as usize };
    patterns.extend(details.into_iter().take(number));
    if plan.kind == RoomKind::Hint {
        patterns.extend(dice.pick(&theme.hints));
    }
    // Where the only way on is down, the stairs speak for themselves.
    match (plan.new_exits.is_empty(), plan.stairs) {
        (true, true) => {}
        (true, false) => patterns.extend(dice.pick(&band.dead_ends)),
        (false, _) => patterns.extend(dice.pick(&band.ways_on)),
    }

    let mut sentences: Vec<String> = Vec::new();
    if let Some(landmark) = landmark {
        plan.name = format!("{}: {}", plan.name, landmark.name);
        sentences.push(landmark.description.clone());
    }
    let exits = &plan.new_exits;
    sentences.extend(patterns.into_iter().map(|pattern| words(pattern, exits, plan.depth, theme, dice)));
    plan.description = sentences.join(" ");
}

/// Fills the slots of a pattern and begins it with a capital letter. `{exit}` is one of the exits.
pub(super) fn words(
    pattern: &Pattern,
    exits: &[Direction],
    depth: u32,
    theme: &Theme,
    dice: &mut impl Dice,
) -> String {
    let mut text = String::new();
    for piece in &pattern.0 {
        match piece {
            Piece::Text(words) => text.push_str(words),
            Piece::Slot(slot) if slot == Pattern::EXIT => {
                text.push_str(dice.pick(exits).map_or("", |exit| exit.name()));
            }
            Piece::Slot(slot) => {
                let words = dice.pick(theme.words_for(depth, slot));
                text.push_str(words.map_or("", String::as_str));
            }
        }
    }
    let mut letters = text.chars();
    match letters.next() {
        Some(first) => first.to_ascii_uppercase().to_string() + letters.as_str(),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Direction, Point, Seed};
    use crate::catalog::Catalog;
    use crate::dungeon::Challenge;
    use std::collections::BTreeSet;

    fn room_at(depth: u32, new_exits: &[Direction]) -> RoomPlan {
        RoomPlan {
            at: Point::new(0, i32::try_from(depth).unwrap()),
            depth,
            difficulty: depth,
            kind: RoomKind::Dungeon,
            name: String::new(),
            description: String::new(),
            environment: String::new(),
            new_exits: new_exits.to_vec(),
            omens: std::collections::BTreeMap::new(),
            joined: Vec::new(),
            challenge: Challenge::default(),
            fixture: crate::dungeon::Fixture::default(),
            out_of_depth: false,
            clear: true,
            stairs: false,
        }
    }

    /// E39: the family of each depth, dark beyond ten; hundreds of texts each; whole sentences in ASCII.
    #[test]
    fn each_depth_has_its_family_and_hundreds_of_texts() {
        let theme = &Catalog::builtin().themes["well"];
        let families = [
            "Water-logged passage",
            "Passage with roots",
            "Hardened clay passage",
            "Clay with stones",
            "Stone passage",
            "Stone hallway",
            "Stone rooms",
            "Granite hall",
            "Marble passages",
            "Furnished rooms",
            "Dark rooms",
            "Dark rooms",
        ];
        for (depth, family) in (1..).zip(families) {
            let mut texts = BTreeSet::new();
            let mut names = BTreeSet::new();
            for seed in 0..600 {
                let exits: &[Direction] = if seed % 3 == 0 { &[] } else { &[Direction::East] };
                let mut room = room_at(depth, exits);
                put_in_words(&mut room, theme, &mut Seed(seed).named("words").rng());
                assert!(room.name.to_lowercase().contains(&family.to_lowercase()), "{}", room.name);
                let text = &room.description;
                assert!(text.is_ascii() && text.starts_with(|c: char| c.is_ascii_uppercase()), "{text}");
                assert!(text.ends_with(['.', '\'']) && !text.contains(['{', '}']), "{text}");
                assert!(!text.contains("  ") && !text.contains(" ."), "{text}");
                assert!(!exits.is_empty() || !text.contains(" east"), "{text}");
                texts.insert(room.description);
                names.insert(room.name);
            }
            assert!(texts.len() >= 500, "depth {depth}: {} texts of 600", texts.len());
            assert!(names.len() >= 3, "depth {depth}: {names:?}");
        }
    }
}
