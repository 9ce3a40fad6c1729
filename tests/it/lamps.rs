//! Lamps: a row of rooms with a lamp and a cord each. A cord toggles its own lamp and a later one; the door at the end
//! is open while all lamps burn.

use deepwell::base::{Dice, Direction, Point, Seed};
use deepwell::puzzle::{
    Board, BoardError, Cell, CellId, CellKind, Description, Feature, Gate, Goal, Lock, Mechanism, Opening,
    Outcome, Param, Puzzle, PuzzleConfig, SettingError, SwitchId, Thing, Verdict, search,
};

/// The puzzle.
#[derive(Debug)]
pub(crate) struct Lamps;

impl Puzzle for Lamps {
    fn description(&self) -> Description<'static> {
        Description {
            name: "lamps",
            about: "Light every lamp",
            features: &[Feature::Levers, Feature::Finish],
            goals: &[Goal::Solve],
            params: const { &[Param::number("lamps", 2..=5, 3, "how many lamps there are")] },
            ..Description::DEFAULT
        }
    }

    fn check_config(&self, config: &PuzzleConfig) -> Result<(), SettingError> {
        if config.require_choice {
            Err(SettingError::new("there is no way to lose among lamps"))
        } else {
            Ok(())
        }
    }

    fn generate(&self, seed: Seed, config: &PuzzleConfig) -> Board {
        let mut dice = seed.named("lamps").rng();
        let lamps = u16::try_from(config.number("lamps")).unwrap_or(2);
        let solved = (0..lamps).map(SwitchId).collect();
        let mut board = Board { goal: Goal::Solve, solved, players: 1, ..Board::default() };
        for lamp in 0..lamps {
            let kind = if lamp == 0 { CellKind::Entrance } else { CellKind::Chamber };
            let mut room = Cell::new(
                Point::new(lamp.into(), 0),
                kind,
                &format!("Lamp room {}", lamp + 1),
                "A lamp of blue glass hangs here, and the walls are black with its soot.",
            );
            // The cord toggles this lamp and possibly a later one, so pulling in order always solves the puzzle.
            let mut does = vec![Outcome::Toggle(SwitchId(lamp))];
            let mut tag = format!("A silk cord hangs down, and a tag on it says: 'Lamp {}", lamp + 1);
            let other = lamp + u16::try_from(dice.between(1, 2)).unwrap_or(1);
            if other < lamps {
                does.push(Outcome::Toggle(SwitchId(other)));
                tag = format!("{tag} and lamp {}", other + 1);
            }
            let told = "You pull the silk cord. Something fizzes.".to_owned();
            let thing = Thing { name: "silk cord".into(), seen: format!("{tag}.'"), told };
            room.mechanisms.push(Mechanism::Lever { thing, does });
            let here = board.add(room);
            if lamp > 0 {
                board.join(CellId(lamp - 1), Direction::East, here, Lock::Open);
            }
        }
        let door = board.add_gate(Gate {
            name: "glass door".into(),
            shut: "The glass door is shut. It will not open in the dark.".into(),
            told: "All lamps burn, and the glass door slides open.".into(),
            opening: Opening::Goal,
        });
        let mut end = Cell::new(
            Point::new(lamps.into(), 0),
            CellKind::Finish,
            "The bright room",
            "Light falls in through the door and lies down on the floor like a cat.",
        );
        end.mechanisms.push(Mechanism::Finish);
        let end = board.add(end);
        board.join(CellId(lamps - 1), Direction::East, end, Lock::Gate(door));
        board
    }

    fn solve(&self, board: &Board, _config: &PuzzleConfig) -> Verdict {
        search(board, 1, 10_000)
    }

    fn check_board(
        &self,
        _board: &Board,
        verdict: &Verdict,
        config: &PuzzleConfig,
    ) -> Result<(), BoardError> {
        verdict.check(config)?;
        match &verdict.solution {
            Some(steps) if steps.len() < 4 => {
                Err(BoardError::Unsuited(format!("{} steps are too few", steps.len())))
            }
            _ => Ok(()),
        }
    }
}
