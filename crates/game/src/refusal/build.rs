//! Refusals to builders of rooms and exits, and to managers of branches.

use deepwell_core::base::BranchId;
use deepwell_core::catalog::route::InvalidAppointment;
use deepwell_core::catalog::script::{RoomName, ScriptMistake};
use deepwell_core::catalog::shop::ShopMistake;
use deepwell_core::catalog::spawn_bounds::CONDITIONS;
use deepwell_core::data::Nearest;
use deepwell_core::text::grammar;
use thiserror::Error;

/// Reason why a build command is refused. Texts are words as typed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum BuildRefusal {
    #[error("Your last commands were much work for the server. Try again in a moment.")]
    TooMuchWork,
    #[error("The files that you asked for last are not done yet. Try again in a moment.")]
    FilesInWork,
    #[error("This room belongs to a branch of the dungeon; nothing can be built here.")]
    InBranch,
    #[error("That room belongs to a branch; exits into a branch are the dungeon's.")]
    LeadsIntoBranch,
    #[error("Steps dig in the game; on this page nobody takes one.")]
    NoStepsAtDesk,
    #[error("There is no exit \"{0}\" here.")]
    NoExit(String),
    #[error("There is no exit kind \"{0}\"; there are exit and branch.")]
    NoExitKind(String),
    #[error("There is no room kind \"{word}\"; there are {}.", grammar::list(known))]
    NoRoomKind { word: String, known: Vec<String> },
    #[error(
        "There is no theme and no level type \"{name}\".{} There are {}.",
        meant.as_ref().map_or_else(String::new, |meant| format!(" Did you mean {meant}?")),
        grammar::list(known)
    )]
    NoBranchOf { name: String, meant: Option<String>, known: Vec<String> },
    #[error("A branch exit leads north, east, south or west, or has a name that is no direction.")]
    BranchOffPlane,
    #[error("Branch exits belong into a start room: dig one with dig NAME:start.")]
    NoStartRoom,
    #[error("There are {0} rooms built by hand, as many as there may be.")]
    TooManyRooms(u32),
    #[error("This room has as many exits as a room may have.")]
    TooManyExits,
    #[error(
        "There is an exit \"{0}\" here already. Give another name, as in hatch, or build from another room."
    )]
    ExitTaken(String),
    #[error("A branch exit finds its own way; unlink lets it forget an open branch.")]
    BranchExitLinked,
    #[error("That exit leads to no open branch.")]
    NoOpenBranch,
    #[error("An ordinary exit always leads somewhere: link it elsewhere, or destroy it.")]
    ExitNeedsRoom,
    #[error("People are in a branch of that exit; collapse it first, or wait.")]
    BranchInUse,
    #[error("{} {} in it or in a branch behind it: nobody may be there when it goes.", grammar::list(.0),
        if .0.len() == 1 { "is" } else { "are" })]
    StartRoomInUse(Vec<String>),
    #[error("Nobody could walk down to the dungeon any more: build another way first.")]
    LastWayBelow,
    #[error("That is where everybody begins; it stays.")]
    TownStays,
    #[error("The room that yours were to be like is gone: type dig -walk and another one, or dig -walk off.")]
    TemplateGone,
    #[error("A preview shows 1 to {0} rooms of a branch.")]
    BadRooms(u32),
    #[error("A window has {} to {} columns.", .0.start(), .0.end())]
    BadColumns(std::ops::RangeInclusive<u16>),
    #[error("The key of a board is one word of small letters, figures and _, in a room that was built.")]
    NoBoardKey,
    #[error("A text has at most {0} lines; a dot alone ends it.")]
    TooManyLines(u32),
    #[error(
        "With that line the text would be longer than {0} letters; it was not taken. A dot alone ends the text."
    )]
    TextTooLong(u32),
    #[error("{name} is writing this text, since {since}. Wait until that is ended, or ask.")]
    TextTaken { name: String, since: String },
    #[error("There is no line {at}; it has {lines} so far. .list shows them.")]
    NoTextLine { at: usize, lines: usize },
    #[error("Nothing is written yet. Type cancel if nothing is to be.")]
    TextEmpty,
    #[error(
        "{}",
        match .0 {
            Some(room) => format!("You began this in {room}: go back there, as in /goto, or type cancel."),
            None => "The room that you began this in is gone. Type cancel to throw it away.".into(),
        }
    )]
    TextElsewhere(Option<String>),
    #[error(
        "There is no exit and no creature \"{0}\" here. The room is here, another one its number, as in #12."
    )]
    NoSuchSite(String),
    #[error("A creature that somebody plays is called what it is called.")]
    NotYours,
    #[error("A room has at most {0} words behind which something is found; undetail takes one away.")]
    TooManyDetails(u32),
    #[error("There is no detail \"{0}\" here.")]
    NoDetail(String),
    #[error("There is no event \"{word}\"; there are {known}.")]
    NoEvent { word: String, known: &'static str },
    #[error(
        "The word {0} means something everywhere. Only a word that means nothing yet can be a command of a room."
    )]
    IsCommand(String),
    #[error("{0} needs a word behind it, as in trigger {0} bell = room The bell rings.")]
    EventNeedsWord(String),
    #[error("A timer takes a number of seconds from {least} to {most}, as in trigger timer 60.")]
    TimerOutOfRange { least: u32, most: u32 },
    #[error("Nothing happens here at {0}.")]
    NoTrigger(String),
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Script(Vec<ScriptRefusal>),
    #[error("A room has at most {0} triggers.")]
    TooManyTriggers(u32),
    #[error(
        "The content has no creature and no thing \"{word}\"{}.",
        nearest.as_ref().map_or(String::new(), |near| format!("; the nearest is {near}"))
    )]
    NoPrototype { word: String, nearest: Option<String> },
    #[error(
        "{0} is money, and money is no thing to lay out or sell. A script pays it: trigger enter = give {0}."
    )]
    CoinsAreMoney(String),
    #[error("There is no space here for one more.")]
    RoomFull,
    #[error(
        "Say how many, at most {most}, and after how many seconds they come again, from {least_secs} to {most_secs}: \
         spawn rat = 2 every 120, or spawn rat = 2 every 120 zone 6 world 20 if night."
    )]
    SpawnUnclear { most: u32, least_secs: u32, most_secs: u32 },
    #[error("It cannot come if \"{0}\": there are {CONDITIONS}.")]
    NoSpawnCondition(String),
    #[error(
        "There are several triggers for {event}: {}. trigger NAME = none takes one of them away.",
        grammar::list(names)
    )]
    SeveralTriggers { event: String, names: Vec<String> },
    #[error("A trigger is called by small letters, figures and _, forty at most.")]
    BadTriggerName,
    #[error("At most {0} kinds of creatures and things come to one room by themselves.")]
    TooManySpawns(u32),
    #[error("Things do not walk: only a creature has a patrol or a schedule.")]
    ItemsStay,
    #[error("A patrol or a schedule has at most {0} parts.")]
    RouteTooLong(usize),
    #[error("{0}.")]
    Appointment(InvalidAppointment),
    #[error("Only an ordinary room becomes a shop.")]
    NoShopThere,
    #[error("A shop sells at most {0} kinds of things.")]
    TooManyWares(u32),
    #[error("A shop names at most {0} things that it buys.")]
    TooManyBids(u32),
    #[error("{0} is a setting of a shop: shop here = THING, THING makes one.")]
    NoShopYet(String),
    #[error("{0}")]
    Shop(ShopMistake),
    #[error("A door is in an exit that leads to a room built by hand.")]
    NoDoorThere,
    #[error("There is no door there: set EXIT door = NAME makes one.")]
    NoDoor,
    #[error("Creatures may be fought only in an ordinary room.")]
    FightsUnclear,
    #[error("A room has at most {0} tags.")]
    TooManyTags(u32),
    #[error("{0}")]
    NothingFound(String),
    #[error("A branch exit is called by its direction.")]
    BranchExitNamed,
    #[error("environment takes one word, such as street or clay.")]
    NoEnvironment,
    #[error(
        "A room has no setting \"{setting}\"{}: set here takes {known}; a start room (dig NAME:start) \
         takes those of its branches too, as in set here theme = cave.",
        nearest.map_or(String::new(), |near| format!("; the nearest is {near}"))
    )]
    NoRoomSetting { setting: String, nearest: Option<&'static str>, known: String },
    #[error(
        "An exit has no setting \"{setting}\": set EXIT takes {known}; a branch exit (open north:branch) takes those of \
         its branches, as in set north theme = cave."
    )]
    NoExitSetting { setting: String, known: String },
    #[error("{0} takes yes or no.")]
    FlagUnclear(String),
    #[error("A branch exit cannot be hidden.")]
    BranchExitHidden,
    #[error("A key has only the letters a to z, digits and underscores, and begins with a letter.")]
    BadRoomKey,
    #[error("Another room of this zone has the key {0}.")]
    RoomKeyTaken(String),
    #[error("One creature has no setting \"{0}\": set creature KEY {0} = VALUE changes its kind.")]
    NoCreatureSetting(String),
    #[error("{setting} takes a number from {least} to {most}, or default.")]
    SettingOutOfRange { setting: String, least: u32, most: u32 },
    #[error(
        "{setting} takes a time from {least} to {most}, in seconds or with a unit, as in 90, 12s, 5m or 2h, or default."
    )]
    TimeOutOfRange { setting: String, least: String, most: String },
    #[error("{setting} takes one of: {}, or default.", .known.join(", "))]
    SettingNoneOf { setting: String, known: Vec<String> },
    #[error("finishable takes yes, no or default.")]
    FinishableUnclear,
    #[error(
        "There is no setting \"{0}\"; there are theme, generator, max_unexplored_exits, \
         max_new_exits_per_room, finishable, window, reset_chance, max_life, \
         reset_interval and check_interval, and of the room footer, collapse, collapse_end and collapse_seen."
    )]
    NoSetting(String),
    #[error("No branch is open.")]
    NoBranches,
    #[error("There is no branch {0}.")]
    NoBranch(BranchId),
    #[error("The exit that it hangs on is gone: all one can do is collapse it.")]
    StartExitGone,
    #[error("Nobody is in it, and nobody could enter it.")]
    BranchUnreachable,
}

/// Error in a typed script.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub(crate) enum ScriptRefusal {
    #[error("{0}")]
    Mistake(ScriptMistake),
    #[error("There is no {what} \"{key}\"{nearest}{}", if nearest.0.is_some() { "" } else { "." })]
    UnknownName { what: &'static str, key: String, nearest: Nearest },
    #[error("There is no door in \"{0}\": set {0} door = NAME makes one.")]
    NoDoor(String),
    #[error("There is no room {0} built by hand.")]
    NoRoom(RoomName),
    #[error("No zone declares the variable {name}{nearest}{} variable new {name} = number declares it.",
        if nearest.0.is_some() { "" } else { "." })]
    UndeclaredVariable { name: String, nearest: Nearest },
    #[error("The variable {name} {wrong}.")]
    UnfitVariable { name: String, wrong: String },
}
