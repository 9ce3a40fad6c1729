//! MyHero: sections of a maze that are entered one after the other, each in one direction only. Enemies give their
//! power to the player who beats them, and power-ups raise or lower might. The order of the sections decides.
//!
//! ```text
//! gallery  slot1 slot2 slot3 portal
//!  [G5] -> [ a ]-[ b ]-[ c ]-[P]     P returns to G5
//!   |
//!  [G4]
//!   |
//!  [G3] -> [ d ]-[ e ]-[ f ]-[P]     the entrance joins G3 from the west
//!   |
//!  [G2]
//!   |
//!  [G1] -> [ g ]-[ h ]-[ i ]-[P]     the finish joins G1 from the west
//! ```

mod area;
mod build;

#[cfg(test)]
mod tests;

use crate::base::{Dice, Rng, Seed};
use crate::data::CatalogError;
use crate::puzzle::prose::{Prose, ProseFile};
use crate::puzzle::shipped::myhero::area::{
    AreaVerdict, SECTIONS_MAX, SectionSlots, SlotContent, enemies, run, survey,
};
use crate::puzzle::shipped::myhero::build::AreaBoardBuilder;
use crate::puzzle::{
    Board, BoardError, Description, Feature, Goal, Op, Param, Puzzle, PuzzleConfig, SettingError, Verdict,
};
use std::sync::Arc;

/// Text decks of the puzzle.
pub(in crate::puzzle) const WORDS: ProseFile = ProseFile {
    path: "puzzles/myhero.toml",
    shipped: include_str!("../../../../../../content/puzzles/myhero.toml"),
    decks: &[("foes", 1), ("empty", 1), ("held", 1), ("arches", 1), ("gallery", 1), ("portals", 1)],
};

/// The puzzle `myhero`.
#[derive(Clone, Debug)]
pub struct MyHero {
    words: Prose,
}

impl MyHero {
    /// Creates the puzzle with its built-in texts.
    pub fn shipped() -> Self {
        Self { words: WORDS.shipped() }
    }
}

/// Number of times that an area of several is redrawn before any is accepted.
const AREA_TRIES: u64 = 64;

const PARAMS: &[Param] = &[
    Param::number(
        "size_x",
        3..=15,
        5,
        "cells of an area from west to east; an even number becomes the next odd one",
    ),
    Param::number(
        "size_y",
        3..=15,
        5,
        "cells of an area from north to south; an even number becomes the next odd one",
    ),
    Param::number("rooms", 1..=9, 1, "1, 4 or 9 areas, one after the other"),
    Param::number("least_enemies", 0..=40, 3, "enemies of an area at least"),
    Param::number("enemy_least", 1..=100_000, 10, "least power of an enemy"),
    Param::number("enemy_most", 1..=100_000, 50, "greatest power of an enemy, not below `enemy_least`"),
    Param::texts(
        "map",
        "a ready-made area: a text for each section from north to south, such as \"divide by 3, empty, enemy 14\"; \
         from 2 to 8 sections of 1 to 13 slots",
    ),
];

impl Puzzle for MyHero {
    fn description(&self) -> Description<'static> {
        Description {
            name: "myhero",
            about: "Beat every enemy of a maze of one-way sections. Their power becomes yours, so the order decides.",
            features: &[
                Feature::Finish,
                Feature::Portal,
                Feature::OneWay,
                Feature::Might,
                Feature::ManyRooms,
            ],
            goals: &[Goal::KillAll],
            params: PARAMS,
            ..Description::DEFAULT
        }
    }

    fn check_param(&self, name: &str, config: &PuzzleConfig) -> Result<(), SettingError> {
        match name {
            "rooms" if !matches!(config.number("rooms"), 1 | 4 | 9) => {
                Err(SettingError::new("is not 1, 4 or 9"))
            }
            "enemy_most" if config.number("enemy_most") < config.number("enemy_least") => {
                Err(SettingError::new("is below `enemy_least`"))
            }
            "map" => {
                let sections = ready_made(config.texts("map"))?;
                let might = config.char_power.filter(|_| !sections.is_empty());
                let hopeless = might.is_some_and(|might| AreaVerdict::of(&sections, might).best.is_none());
                if hopeless { Err(SettingError::new("has no order of sections that wins")) } else { Ok(()) }
            }
            _ => Ok(()),
        }
    }

    fn with_file(&self, path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Arc<dyn Puzzle>> {
        Some(Arc::new(Self { words: WORDS.find(path, text, mistakes)? }))
    }

    fn check_config(&self, config: &PuzzleConfig) -> Result<(), SettingError> {
        match config.char_power {
            Some(power) if power > 0 => {
                PARAMS.iter().try_for_each(|param| self.check_param(&param.name, config))
            }
            Some(_) => Err(SettingError::new("`char_power` is not above zero")),
            None => Err(SettingError::new("`char_power` is missing")),
        }
    }

    fn generate(&self, seed: Seed, config: &PuzzleConfig) -> Board {
        let might = config.char_power.unwrap_or(1);
        let ready = ready_made(config.texts("map")).ok().filter(|sections| !sections.is_empty());
        let areas = match ready {
            Some(sections) => vec![sections],
            None => (0..u64::from(config.number("rooms").max(1)))
                .map(|number| drawn_area(seed.named("area").numbered(number), config, might))
                .collect(),
        };
        AreaBoardBuilder::new(&self.words, might, seed.named("words").rng()).build(&areas)
    }

    fn solve(&self, board: &Board, _config: &PuzzleConfig) -> Verdict {
        let mut verdict = Verdict::default();
        let (mut steps, mut might) = (Vec::new(), board.might.unwrap_or(0));
        let mut solved = true;
        for area in survey(board) {
            let AreaVerdict { best, losable, states } = AreaVerdict::of(&area.sections, might);
            verdict.states += states;
            verdict.losable |= losable;
            let Some((order, best)) = best else {
                solved = false;
                break;
            };
            area.walk(&order, &mut steps);
            // Mechanisms between two areas are met exactly once.
            might = run(&area.passed, best).unwrap_or(0);
        }
        verdict.solution = solved.then_some(steps);
        verdict
    }

    fn check_board(&self, board: &Board, verdict: &Verdict, config: &PuzzleConfig) -> Result<(), BoardError> {
        verdict.check(config)?;
        let least = config.number("least_enemies");
        let few = survey(board).iter().any(|area| enemies(&area.sections) < least);
        // The author of a map decides its contents.
        if few && config.texts("map").is_empty() {
            return Err(BoardError::Unsuited(format!("an area has fewer than {least} enemies")));
        }
        Ok(())
    }
}

/// Generates an area that meets the requirements, if there are several areas; a single area is redrawn with the board.
/// Each area starts with the initial might, so that it can be judged on its own.
fn drawn_area(seed: Seed, config: &PuzzleConfig, might: i64) -> Vec<SectionSlots> {
    let draw = |number| raw_area(config, &mut seed.numbered(number).rng());
    if config.number("rooms") <= 1 {
        return draw(0);
    }
    let fits = |sections: &Vec<SectionSlots>| {
        let verdict = AreaVerdict::of(sections, might);
        verdict.best.is_some()
            && enemies(sections) >= config.number("least_enemies")
            && (verdict.losable || !config.require_choice)
    };
    (0..AREA_TRIES).map(draw).find(fits).unwrap_or_else(|| draw(AREA_TRIES))
}

/// Generates an area without checks: sizes are odd and at least 3, with a section on every second row.
fn raw_area(config: &PuzzleConfig, dice: &mut Rng) -> Vec<SectionSlots> {
    let size = |name| config.number(name).max(3) | 1;
    let sections = size("size_y").div_ceil(2);
    // The last slot of each section is its portal, and the left column is the gallery.
    let slots = size("size_x") - 2;
    (0..sections).map(|_| (0..slots).map(|_| raw_slot(config, dice)).collect()).collect()
}

/// Returns an enemy, a power-up or an empty slot, with probability 1/3 each. All power-ups are equally likely.
fn raw_slot(config: &PuzzleConfig, dice: &mut Rng) -> SlotContent {
    match dice.up_to(2) {
        0 => {
            let power = dice.between(config.number("enemy_least"), config.number("enemy_most"));
            SlotContent::Enemy(power.into())
        }
        1 => {
            let (op, factors) = match dice.up_to(3) {
                0 => (Op::Multiply, [2, 3]),
                1 => (Op::Divide, [2, 3]),
                2 => (Op::Plus, [50, 100]),
                _ => (Op::Minus, [50, 100]),
            };
            SlotContent::PowerUp(op, if dice.up_to(1) == 0 { factors[0] } else { factors[1] })
        }
        _ => SlotContent::Empty,
    }
}

/// Parses the sections of a ready-made map; empty if there is no map.
fn ready_made(lines: &[String]) -> Result<Vec<SectionSlots>, SettingError> {
    if lines.is_empty() {
        return Ok(Vec::new());
    }
    let mut sections: Vec<SectionSlots> = Vec::new();
    for line in lines {
        sections.push(line.split(',').map(ready_slot).collect::<Result<_, _>>()?);
    }
    let widest = sections.iter().map(Vec::len).max().unwrap_or(0);
    if !(2..=SECTIONS_MAX).contains(&sections.len()) || widest > 13 {
        return Err(SettingError::new("has too few or too many sections or slots"));
    }
    for section in &mut sections {
        section.resize(widest, SlotContent::Empty);
    }
    if enemies(&sections) == 0 {
        return Err(SettingError::new("has no enemy"));
    }
    Ok(sections)
}

fn ready_slot(text: &str) -> Result<SlotContent, SettingError> {
    let error = || SettingError::new(format!("has a slot `{}` that means nothing", text.trim()));
    let words: Vec<&str> = text.split_whitespace().filter(|word| *word != "by").collect();
    let [what, number] = words[..] else {
        return if words == ["empty"] { Ok(SlotContent::Empty) } else { Err(error()) };
    };
    let number = number.parse::<u32>().ok().filter(|number| (1..=100_000).contains(number));
    let number = i64::from(number.ok_or_else(error)?);
    match what {
        "enemy" => Ok(SlotContent::Enemy(number)),
        "multiply" => Ok(SlotContent::PowerUp(Op::Multiply, number)),
        "divide" => Ok(SlotContent::PowerUp(Op::Divide, number)),
        "plus" => Ok(SlotContent::PowerUp(Op::Plus, number)),
        "minus" => Ok(SlotContent::PowerUp(Op::Minus, number)),
        _ => Err(error()),
    }
}
