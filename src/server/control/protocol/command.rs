//! The commands of an operator, each declared once: `deepwell control` parses them from its command line and sends them
//! over the control socket, and the server carries them out. Doc comments are the help texts of the command line; the
//! comments below them describe the answers.

#![allow(rustdoc::broken_intra_doc_links, reason = "help texts have optional words in brackets")]

use crate::server::config::parse_span;
use crate::server::control::protocol::{LONG_WORK, QUERY_TIME};
use clap::builder::{PathBufValueParser, TypedValueParser as _};
use clap::{Args, Subcommand};
use deepwell_core::base::Span;
use serde::{Deserialize, Serialize};
use std::mem;
use std::path::{self, PathBuf};
use std::time::Duration;

/// Command for the running server
#[derive(Subcommand, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "cmd", content = "args", rename_all = "kebab-case")]
pub enum ControlCommand {
    /// Show figures of the running server
    // Result: an object of names and values.
    Status,
    /// List the players online
    // Result: a list of names.
    Who,
    /// Send a message to all players online
    // Result: null.
    Broadcast {
        /// Text of the message
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Show connection details of a player
    // Result: a list of lines.
    Netinfo {
        /// Full name of the character
        name: String,
    },
    /// Ban an account, an address or a range: NAME|ADDRESS|RANGE [for TIME] [REASON]
    // Result of this command and the others of staff: a list of lines for reading, one that confirms the change unless told
    // otherwise; a refusal has the text of the game. The audit log names the operator.
    Ban {
        /// Target, duration and reason
        #[arg(required = true)]
        words: Vec<String>,
    },
    /// Lift the ban of an account, an address or a range
    Unban {
        /// Banned accounts, addresses or ranges
        #[arg(required = true)]
        whom: Vec<String>,
    },
    /// List all bans
    // Result: the number of bans, then a line for each.
    Bans,
    /// End the connections of a player, who may come back
    Kick {
        /// Full name of a character of the account
        name: String,
        /// Reason, told to the player
        reason: Vec<String>,
    },
    /// Keep a player from being heard: NAME [for TIME] [REASON]
    Mute {
        /// Full name of a character of the account
        name: String,
        /// Duration and reason, such as: for 2h shouting
        words: Vec<String>,
    },
    /// Let a player be heard again
    Unmute {
        /// Full name of a character of the account
        name: String,
    },
    /// Keep a player from doing anything but look, help, report and quit: NAME [for TIME] [REASON]
    Freeze {
        /// Full name of a character of the account
        name: String,
        /// Duration and reason, such as: for 10m we have to talk
        words: Vec<String>,
    },
    /// Let a player act again
    Unfreeze {
        /// Full name of a character of the account
        name: String,
    },
    /// Give an account a rank
    // Result: a line with the rank.
    Promote {
        /// Full name of a character of the account
        name: String,
        /// Rank
        #[arg(value_parser = ["player", "helper", "builder", "admin"])]
        rank: String,
    },
    /// Take the rank of an account, or give it a lower one
    // Result: a line with the rank.
    Demote {
        /// Full name of a character of the account
        name: String,
        /// Rank
        #[arg(value_parser = ["player", "helper", "builder"], default_value = "player")]
        rank: String,
    },
    /// List the reports of players, show one, or close one
    // Result of a list or a report: the number of open reports, then a line for each shown, newest first, and of one
    // report also the lines that the reporter had read.
    Reports {
        /// Order about one report; without it, all are listed
        #[command(subcommand)]
        order: Option<ReportsCommand>,
    },
    /// Read what staff and operators did, the newest last; the terms limit it together
    // Result: a heading, then a line for each entry: time, name, deed; at the end the line for the next page, if there is
    // one.
    Audit {
        /// Only deeds of this account, also under former names; `operator` for yours
        #[arg(long, value_name = "NAME")]
        by: Option<String>,
        /// Only deeds since then: a time ago such as 2h, or a day such as 2027-01-15
        #[arg(long, value_name = "TIME")]
        since: Option<String>,
        /// Only deeds until then
        #[arg(long, value_name = "TIME")]
        until: Option<String>,
        /// Page; the first has the newest entries
        #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
        page: u32,
        /// Only deeds with these words, such as: ban bera
        words: Vec<String>,
    },
    /// List accounts; show, rename or delete one
    #[command(subcommand)]
    Account(AccountCommand),
    /// Show, rename or delete a character
    #[command(subcommand)]
    Character(PersonCommand),
    /// Watch the load: the commands, inputs and timers that take most time, refreshed until Ctrl-C
    // Result: an object with `up_secs`, `players`, `connections`, `requests_waiting`, `commits_waiting`, `rooms`,
    // `branches` and `causes`, a list of objects with `cause` (a command, input or timer), `steps` and `seconds` since the
    // start, and `longest_seconds` and `largest_work` (rows) of the last minutes; and `busy_rooms`, a list of objects with
    // `room`, `name`, `area`, `steps`, `seconds` and `work` (rows) of the last minutes.
    Top(TopArguments),
    /// Close logins, accounts or world; without an argument, show what is locked
    // Result: a line that tells what is locked.
    Lock {
        /// Logins, accounts or world
        what: Option<String>,
    },
    /// Reopen what was locked
    // Result: a line that tells what is locked.
    Unlock {
        /// Logins, accounts or world
        what: String,
    },
    /// Delete accounts with all their characters and belongings
    Delete {
        /// Full names of the accounts or of characters
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Write a zone to its file, import zone files into the world, or show the differences
    // Result: what was written, read or differs.
    Zone {
        /// Action
        #[arg(value_parser = ["export", "import", "diff"])]
        verb: String,
        /// Zones; several are imported together
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Print all stored data about a player as JSON
    // Result: an object of tables, each a list of rows.
    Export {
        /// Full name of the account or of one of its characters
        name: String,
    },
    /// Print a branch as JSON
    // Result: the object of a branch dump.
    DumpBranch {
        /// Number of the branch
        id: u32,
    },
    /// Show the token with which the owner claims a new world
    // Result: text; refused if the world has an owner.
    OwnerToken,
    /// Create a one-time code, valid for an hour, with which a player (or the owner) can choose a new password
    // Result: text; for the owner, whose name may be forgotten, too, an object with `name` and `code`.
    Recover {
        /// Name of the account or of one of its characters
        #[arg(required_unless_present = "owner")]
        name: Option<String>,
        /// Recover the owner of the world, and show the name of the account
        #[arg(long, conflicts_with = "name")]
        owner: bool,
    },
    /// Show game time and the machine's clock
    // Result: an object with `game` and `machine`, dates in UTC, and `ahead_secs`, by which the machine is ahead; negative
    // if it is behind.
    Time,
    /// Copy the database to a new file, or make a backup in backup.folder now
    // Result: null; of a backup in the folder, an object with its `file`.
    Backup {
        /// File to write; it must not exist
        #[arg(value_parser = PathBufValueParser::new().try_map(path::absolute))]
        file: Option<PathBuf>,
    },
    /// Reload settings, content and the TLS certificate, and list the settings that have changed
    // Result: an object with `content`, a description of what is in use, and `settings`, which have changed. Refused with
    // all mistakes; settings, content or certificate with mistakes are not replaced.
    Reload,
    /// Restart the host with its present program; gateways keep the clients connected
    // Result: null, sent before the restart begins; the connection ends with the old process. Refused, with all mistakes,
    // if the next start would fail.
    Restart,
    /// Show the hosts of the cluster, let this host lead, or forget a host
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// Stop the server
    // Result: null, sent before the stop begins.
    Stop {
        /// Delay, such as 30 or 5m; all players online are notified
        #[arg(long = "in", value_name = "SECONDS", default_value = "0", value_parser = parse_span)]
        after: Span,
    },
    /// Variables that MUD crawlers read by MSSP, for `deepwell listing`.
    // Result: a list of objects with `name` and `values`, in order.
    #[command(skip)]
    Listing,
    /// Settings as read at the start and at reloads, for `deepwell config diff`.
    // Result: an object of names such as `game.round` and values in TOML.
    #[command(skip)]
    Settings,
}

impl ControlCommand {
    /// Returns the maximum time for the answer of a process that works. A process that is stopped accepts the request and
    /// never answers.
    pub const fn answer_time(&self) -> Duration {
        match self {
            Self::Status
            | Self::Who
            | Self::Netinfo { .. }
            | Self::Top(_)
            | Self::Listing
            | Self::Settings
            | Self::DumpBranch { .. }
            | Self::Time
            | Self::Cluster(_)
            | Self::Stop { .. } => QUERY_TIME,
            _ => LONG_WORK,
        }
    }

    /// Splits an order about several names into one about each, because a refusal must not stop the rest.
    pub fn split(mut self) -> Vec<Self> {
        let Some(names) = self.names_mut().map(mem::take) else { return vec![self] };
        let about = |name| {
            let mut one = self.clone();
            one.names_mut().into_iter().for_each(|names| names.push(String::clone(&name)));
            one
        };
        names.into_iter().map(about).collect()
    }

    const fn names_mut(&mut self) -> Option<&mut Vec<String>> {
        match self {
            Self::Unban { whom: names }
            | Self::Delete { names }
            | Self::Account(AccountCommand::One(PersonCommand::Delete { names }))
            | Self::Character(PersonCommand::Delete { names }) => Some(names),
            _ => None,
        }
    }
}

/// Command about the cluster
#[derive(Subcommand, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClusterCommand {
    /// Show all hosts: role, entries of the log that are stored and missing, problems
    // Result: a list of objects.
    Status,
    /// Let this standby lead: the leader writes its last changes and makes way
    // Result: null, sent before that.
    Promote,
    /// Forget a host that has ended
    // Result: null.
    Remove {
        /// Name of the host
        host: String,
    },
}

/// Order about one report
#[derive(Subcommand, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ReportsCommand {
    /// Show a report with the lines that go along
    Show {
        /// Number of the report
        number: u32,
    },
    /// Close a report
    Close {
        /// Number of the report
        number: u32,
        /// Words to its author
        words: Vec<String>,
    },
}

/// Order about accounts
#[derive(Subcommand, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AccountCommand {
    /// List accounts, those seen last first
    List {
        /// The newest first
        #[arg(long, group = "kind")]
        new: bool,
        /// Only those with a rank
        #[arg(long, group = "kind")]
        staff: bool,
        /// Only those that are connected from an address or a range
        #[arg(long, group = "kind", value_name = "ADDRESS")]
        from: Option<String>,
        /// Only those seen (or with --new: made) since then: a time ago such as 2h, or a day such as 2027-01-15
        #[arg(long, value_name = "TIME")]
        since: Option<String>,
        /// Page
        #[arg(long, default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
        page: u32,
    },
    /// One account.
    #[command(flatten)]
    One(PersonCommand),
}

/// Order about an account or a character
#[derive(Subcommand, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonCommand {
    /// Show what is known, a fact a line
    Show {
        /// Full name
        name: String,
    },
    /// Give it another name, which mails, notes, friends and reports then show
    Rename {
        /// Full name
        name: String,
        /// New name
        new: String,
    },
    /// Delete it for good, with all that belongs to it; several may be named
    Delete {
        /// Full names
        #[arg(required = true)]
        names: Vec<String>,
    },
}

/// Refreshes and rows
#[derive(Args, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TopArguments {
    /// Number of refreshes [default: until Ctrl-C]
    #[arg(long, value_name = "N")]
    pub count: Option<u32>,
    /// Time between two refreshes, such as 3 or 500ms
    #[arg(long, value_name = "TIME", default_value = "3", value_parser = parse_span)]
    pub every: Span,
    /// Number of commands, inputs and timers shown
    #[arg(long, value_name = "N", default_value = "15")]
    pub rows: usize,
    /// Number of rooms shown: those with the most work in the last five to ten minutes, at most 50
    #[arg(long, value_name = "N", default_value = "5")]
    pub rooms: usize,
}
