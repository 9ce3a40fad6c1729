//! Guards of a theme, and checks that a theme has what its kinds of rooms need.

use crate::catalog::room_kind::RoomKind;
use crate::catalog::theme::Theme;
use crate::catalog::theme::peril::PerilKind;
use crate::catalog::{Catalog, CreaturePrototype};
use crate::data::CatalogError;

/// Returns the guards of a theme that may appear at a difficulty.
pub fn guards_at<'c>(
    theme: &'c Theme,
    catalog: &'c Catalog,
    difficulty: u32,
) -> impl Iterator<Item = &'c CreaturePrototype> {
    let known = theme.creatures.iter().filter_map(|key| catalog.creatures.get(key));
    known.filter(move |creature| creature.guards() && creature.appears_at(difficulty))
}

/// Records missing content for the kinds of rooms that a theme has weights for, and budgets too small for any guard.
pub(in crate::catalog) fn check(
    theme: &Theme,
    catalog: &Catalog,
    deepest: u32,
    mistakes: &mut Vec<CatalogError>,
) {
    let mut report_mistake = |what: String, expected: &str| {
        mistakes.push(CatalogError::new(&theme.place, what, expected));
    };
    let needed = [
        (RoomKind::Riddle, "riddles", theme.riddles.is_empty()),
        (RoomKind::Riddle, "faces", theme.sentences_about(RoomKind::Riddle).is_empty()),
        (RoomKind::Shrine, "shrines", theme.shrines.is_empty()),
        (RoomKind::Rescue, "captives", theme.captives.is_empty()),
        (RoomKind::Grave, "clues.toml", catalog.clues.names.is_empty()),
        (RoomKind::Coffer, "clues.toml", catalog.clues.names.is_empty()),
    ];
    for (kind, list, missing) in needed {
        if missing && theme.offers(PerilKind::Room(kind)) {
            let name = kind.name();
            report_mistake(
                format!("theme `{}` has rooms of the kind `{name}`, but no `{list}`", theme.key),
                "at least one",
            );
        }
    }
    if theme.out_of_depth.permille > 0 && theme.out_of_depth.omens.is_empty() {
        report_mistake(
            format!("theme `{}` has exits with a sign, but no `omens`", theme.key),
            "at least one",
        );
    }
    for peril in &theme.perils {
        let (PerilKind::Room(kind), Some(before)) = (peril.kind, peril.after) else { continue };
        if [kind, before].iter().any(|kind| !theme.limit_of(*kind).is_set()) {
            let (kind, before) = (kind.name(), before.name());
            report_mistake(
                format!("in theme `{}` `{kind}` comes after `{before}`, and nobody counts them", theme.key),
                "`per_floor` or `per_branch` for both",
            );
        }
    }
    for depth in 1..=deepest {
        if theme.offers(PerilKind::Room(RoomKind::Landmark))
            && !theme.landmarks.iter().any(|mark| mark.appears_at(depth))
        {
            report_mistake(
                format!("theme `{}` has no landmark for depth {depth}", theme.key),
                "one that may be there",
            );
        }
    }
    let hardest = deepest.saturating_add(theme.out_of_depth.difficulty);
    for difficulty in 1..=hardest {
        let cheapest = guards_at(theme, catalog, difficulty).map(|creature| creature.threat).min();
        let (_, greatest) = theme.threat.budget(difficulty);
        match cheapest {
            None => report_mistake(
                format!("theme `{}` has no guard for difficulty {difficulty}", theme.key),
                "a creature that may appear there",
            ),
            Some(cheapest) if cheapest > greatest => report_mistake(
                format!("the threat of theme `{}` at difficulty {difficulty} buys no guard", theme.key),
                &format!("at least {cheapest}, not {greatest}"),
            ),
            Some(_) => {}
        }
    }
    for captive in &theme.captives {
        if catalog.creatures.get(&captive.creature).is_some_and(CreaturePrototype::guards) {
            let what = format!("captive `{}` would guard its own room", captive.creature);
            mistakes.push(CatalogError::new(&captive.place, what, "a creature without the part `guard`"));
        }
    }
}
