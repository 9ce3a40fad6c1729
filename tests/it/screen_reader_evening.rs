//! An evening of two players in screen-reader mode. Both are real sessions over a real game in virtual time. They
//! create characters, follow the guide, form a party, clear rooms, solve a puzzle, take the stairs, are incapacitated
//! and rescued, and return home, using only the text sent to them. The test picks the first world seed with all of
//! these events. Olad's transcript is stored in `docs/play/screen-reader-transcript.txt`.

use crate::company::{Company, create_account};
use crate::generated;
use crate::host::Host;
use crate::listener::{ExitSeen, PlayerMap, between};
use deepwell::base::Seed;
use deepwell::game::{CloseReason, GameConfig};
use deepwell::server::config::Config;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Maximum number of turns before a world is skipped.
const MAX_TURNS: u32 = 160;

/// Introduction of the transcript file.
const HEAD: &str = "\
This is one evening of Deepwell as somebody gets it who has text read aloud: every line that was heard, and every line
that was typed, behind the prompt or, where none was due, behind a > of this page. Both players are programs that know
nothing but these words. A test plays the evening again at every change and writes this page.

";

/// Event that the evening must include.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Milestone {
    Guided,
    Together,
    ThreeRoomsCleared,
    PuzzleSolved,
    Descended,
    WentDown,
    HelpedOrLost,
    Home,
}

const ALL: usize = 8;

/// State of the evening.
struct Evening {
    /// Olad leads, Bera follows.
    company: Company,
    guided: bool,
    home: bool,
}

/// The text in screen-reader mode is sufficient to play.
#[test]
fn t1_t2_t10_t12_screen_reader_text_is_enough_to_play() {
    let mut other_evenings = String::new();
    let result = (0..40).find_map(|seed| {
        let mut evening = Evening::begin(seed);
        let page = evening.play_evening();
        let _ = writeln!(other_evenings, "world seed {seed}: {:?}", evening.reached());
        page
    });
    let page = result.unwrap_or_else(|| panic!("in no world all of it happens:\n{other_evenings}"));
    let stands = generated::is_up_to_date("docs/play/screen-reader-transcript.txt", &page);
    assert!(stands, "the evening has changed; {}:\n{page}", generated::HOW);
}

impl Evening {
    /// Connects both players, who create characters at the login prompt.
    fn begin(seed: u64) -> Self {
        let config = GameConfig { seed: Seed(seed), ..GameConfig::default() };
        let mut host = Host::new(config, Config::default().world.welcome.trim_end());
        let bera = create_account(&mut host, "Bera");
        let olad = create_account(&mut host, "Olad");
        Self { company: Company::new(host, olad, vec![bera]), guided: false, home: false }
    }

    /// Returns the milestones reached.
    fn reached(&self) -> BTreeSet<Milestone> {
        let has_heard = |phrase| self.company.has_heard(phrase);
        let all = [
            (Milestone::Guided, self.guided),
            (Milestone::Together, has_heard("Bera joins the party")),
            (Milestone::ThreeRoomsCleared, self.company.heard.matches("The room is clear").count() >= 3),
            (Milestone::PuzzleSolved, self.company.has_solved()),
            (Milestone::Descended, has_heard("Dungeon level 2")),
            (Milestone::WentDown, has_heard("You fall.")),
            (Milestone::HelpedOrLost, has_heard("you up from the floor") || self.company.is_lost()),
            (Milestone::Home, self.home),
        ];
        all.into_iter().filter(|(_, is_so)| *is_so).map(|(milestone, _)| milestone).collect()
    }

    /// Plays the evening; returns Olad's transcript, or `None` if a milestone was not reached.
    fn play_evening(&mut self) -> Option<String> {
        self.follow_guide();
        self.form_party();
        self.company.enters_a_branch(Some("north"))?;
        for _ in 0..MAX_TURNS {
            if self.reached().len() == ALL - 1 {
                break;
            }
            self.turn()?;
        }
        (self.reached().len() == ALL - 1).then_some(())?;
        self.go_home();
        self.company.says("quit");
        assert_eq!(self.company.host.closed(self.company.first.id), Some(CloseReason::Quit));
        assert_eq!(self.reached().len(), ALL);
        Some(format!("{HEAD}{}\n", self.company.first.page.trim_end()))
    }

    /// Types the guide's instructions until it leads into the first room below ground.
    fn follow_guide(&mut self) {
        let mut heard = self.company.says("guide");
        for _ in 0..20 {
            if heard.contains("step 9 of") {
                self.company.says("guide off");
                self.guided = true;
                return;
            }
            let typed = between(&heard, "Type: ", "\n").expect("each step says what to type").to_owned();
            for line in typed.split(", then ") {
                heard = self.company.says(line);
            }
            if !heard.contains("Type: ") {
                heard = self.company.says("guide");
            }
        }
        panic!("the guide does not lead down:\n{}", self.company.first.page);
    }

    /// The players meet at the bottom of the well and form a party.
    fn form_party(&mut self) {
        self.company.others_say("guide off");
        self.company.others_say("down");
        let room = self.company.says("look");
        assert!(room.contains("Bera is here."), "{room}");
        self.company.says("help parties");
        self.company.says("party invite Bera");
        assert!(self.reached().contains(&Milestone::Together), "{}", self.company.first.page);
    }

    /// Plays one turn carefully, or daringly once all other milestones are reached.
    fn turn(&mut self) -> Option<()> {
        if self.company.is_lost() {
            return self.reached().contains(&Milestone::WentDown).then_some(());
        }
        let daring = self.reached().len() >= ALL - 3 && self.reached().contains(&Milestone::Descended);
        let (now, most) = self.company.first.health;
        if now * 2 < most && !daring && !self.company.first.fighting {
            return self.company.rests();
        }
        if self.company.first.fighting {
            self.company.fights();
            return Some(());
        }
        let has_solved = self.company.has_solved();
        let stairs = |sheet: &PlayerMap| {
            let has = |spot| {
                sheet
                    .rooms
                    .get(&spot)
                    .is_some_and(|ways| ways.values().any(|way| *way == ExitSeen::StairsDown))
            };
            sheet.way_to(has).filter(|_| has_solved)
        };
        let steps = match stairs(self.company.sheet()) {
            Some(steps) if steps.is_empty() => return self.company.descends(),
            Some(steps) => steps,
            None => self.company.sheet().way_on()?,
        };
        let first = steps.first()?.clone();
        self.company.goes(&first)
    }

    /// Returns to the town by `path`, without leaving a member behind.
    fn go_home(&mut self) {
        self.company.says("config brief on");
        for _ in 0..60 {
            if self.company.first.fighting || self.company.first.down {
                self.company.fights();
                continue;
            }
            let answer = self.company.says("path start");
            let Some(steps) = between(&answer, "The way: ", ".").map(str::to_owned) else {
                self.company.says("up");
                break;
            };
            for step in steps.split(", then ") {
                if !self.company.says(step).contains("Exits: ") || self.company.first.fighting {
                    break;
                }
            }
        }
        self.company.others_say("recall");
        let room = self.company.says("look");
        assert!(room.starts_with("Well Square"), "{}", self.company.first.page);
        assert!(room.contains("Bera is here."), "{}", self.company.first.page);
        self.company.says("score");
        self.home = true;
    }
}
