//! Building by the bot that owns the world: it claims the world, digs, opens exits, destroys, undoes, and collapses
//! branches. It destroys only rooms that it dug, so that the town and the well remain.

use super::{furnisher, moderator};
use deepwell_core::base::{Dice, Rng};

/// Owner token with which the first bot claims the world.
pub(super) const TOKEN: &str = "sesame-of-the-simulation";

/// State of a building bot.
#[derive(Debug, Default)]
pub(super) struct BuilderBot {
    claimed: bool,
    /// Numbers of the rooms it dug.
    dug: Vec<u32>,
    /// Lines to type, the next line last.
    next: Vec<String>,
}

impl BuilderBot {
    /// Returns a builder command, or `None` to act as a player. `branch` is the branch it is in, as far as it knows.
    pub(super) fn line(&mut self, dice: &mut Rng, branch: Option<u32>) -> Option<String> {
        if !self.claimed {
            self.claimed = true;
            return Some(format!("claim {TOKEN}"));
        }
        if let Some(line) = self.next.pop() {
            return Some(line);
        }
        if !dice.percent(40) {
            return None;
        }
        if dice.percent(30) {
            let room = dice.pick(&self.dug).map(|number| format!("#{number}"));
            self.next = furnisher::lines(dice, room.as_deref());
            self.next.reverse();
            return self.next.pop();
        }
        let room =
            |dice: &mut Rng, dug: &[u32]| dice.pick(dug).map_or_else(|| "yard".into(), |n| format!("#{n}"));
        Some(match dice.up_to(25) {
            0 => "goto lodge".into(),
            1 => "goto bottom".into(),
            2 => format!("goto {}", room(dice, &self.dug)),
            3 => "dig Cistern;cistern:start = hatch, ladder".into(),
            4 => format!("tunnel {} = Cellar", way(dice)),
            5 => format!("dig Room = gate{}, out", dice.up_to(9)),
            6 => format!("open {}:branch", way(dice)),
            7 => format!("open gate{} = {}", dice.up_to(9), room(dice, &self.dug)),
            8 => format!("destroy gate{}", dice.up_to(9)),
            9 => self.destroy(dice),
            10 => "describe here = Somebody has swept here, and stopped halfway.".into(),
            11 => "name here = Swept Room;swept".into(),
            12 => format!("branch collapse {}", branch.unwrap_or_else(|| dice.up_to(40))),
            13 => format!("branch reset {}", branch.unwrap_or_else(|| dice.up_to(40))),
            14 => "branch list".into(),
            15 => format!("unlink {}", way(dice)),
            16 => format!("set {} max_unexplored_exits = {}", way(dice), dice.between(1, 6)),
            17 => format!("link gate{} = {}", dice.up_to(9), room(dice, &self.dug)),
            18 => "examine here".into(),
            19 => "announce mind the gap".into(),
            20 | 21 => "undo".into(),
            22 => "redo".into(),
            23 => "journal here".into(),
            _ => moderator::line(dice),
        })
    }

    fn destroy(&mut self, dice: &mut Rng) -> String {
        if self.dug.is_empty() {
            return "destroy gate1".into();
        }
        let last = u32::try_from(self.dug.len() - 1).unwrap_or(0);
        format!("destroy #{}", self.dug.swap_remove(dice.up_to(last) as usize))
    }

    /// Records the number of a room it dug from the reply.
    pub(super) fn hear(&mut self, reply: &str) {
        let number = reply.strip_prefix("You dig ").and_then(|rest| rest.split_once(", room "));
        let digits =
            number.map(|(_, rest)| rest.chars().take_while(char::is_ascii_digit).collect::<String>());
        self.dug.extend(digits.and_then(|digits| digits.parse::<u32>().ok()));
    }

    /// Returns `true` if a line may change rows that only builders may change.
    pub(super) fn builds(line: &str) -> bool {
        ["destroy", "undo", "redo", "unlink", "branch collapse", "branch reset", "zone", "make"]
            .iter()
            .any(|verb| line.starts_with(verb))
    }
}

fn way(dice: &mut Rng) -> &'static str {
    dice.pick(&["north", "east", "south", "west"]).copied().unwrap_or("north")
}
