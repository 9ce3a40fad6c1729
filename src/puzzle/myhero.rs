//! MyHero: sections of a maze that are entered one after the other, each in one direction only, with enemies that give
//! their power to whoever beats them and power-ups for better or worse (H7 to H18). The order of the sections decides.

use crate::base::Seed;

use super::{Config, Feature, Goal, Layout, Param, ParamKind, Puzzle, Verdict};

/// The puzzle `myhero`.
#[derive(Clone, Copy, Debug, Default)]
pub struct MyHero;

impl Puzzle for MyHero {
    fn name(&self) -> &'static str {
        "myhero"
    }

    fn about(&self) -> &'static str {
        "Beat every enemy of a maze of one-way sections; the order of the sections decides."
    }

    fn features(&self) -> &'static [Feature] {
        &[Feature::Finish, Feature::Portal, Feature::OneWay, Feature::Might, Feature::ManyRooms]
    }

    fn goals(&self) -> &'static [Goal] {
        &[Goal::KillAll]
    }

    fn params(&self) -> &'static [Param] {
        &[Param {
            name: "size_x",
            kind: ParamKind::Number { least: 3, most: 15, default: 5 },
            about: "cells from west to east",
        }]
    }

    fn accepts(&self, config: &Config) -> Result<(), String> {
        config.char_power.map(|_| ()).ok_or_else(|| "`char_power` is missing".into())
    }

    fn generate(&self, _seed: Seed, _config: &Config) -> Layout {
        Layout::default()
    }

    fn solve(&self, _layout: &Layout, _config: &Config) -> Verdict {
        Verdict::default()
    }
}
