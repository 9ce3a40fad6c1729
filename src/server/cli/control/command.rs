//! Arguments of `deepwell control`, and the request that each command sends.

use super::absolute;
use super::top::TopArguments;
use crate::server::cli::Failure;
use crate::server::config::parse_span;
use crate::server::control_protocol::{ClusterOrder, Command};
use clap::{Args, Subcommand};
use deepwell_core::base::{BranchId, Span};
use std::path::PathBuf;

/// Command for the running server
#[derive(Subcommand, Clone, Debug)]
pub(super) enum ControlCommand {
    /// Show figures of the running server
    Status,
    /// List the players online
    Who,
    /// Send a message to all players online
    Broadcast {
        /// Text of the message
        #[arg(required = true)]
        text: Vec<String>,
    },
    /// Show connection details of a player
    Netinfo {
        /// Full name of the character
        name: String,
    },
    /// Ban an account, an address or a range: NAME|ADDRESS|RANGE [for TIME] [REASON]
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
    Promote {
        /// Full name of a character of the account
        name: String,
        /// Rank
        #[arg(value_parser = ["player", "helper", "builder", "admin"])]
        rank: String,
    },
    /// Take the rank of an account, or give it a lower one
    Demote {
        /// Full name of a character of the account
        name: String,
        /// Rank
        #[arg(value_parser = ["player", "helper", "builder"], default_value = "player")]
        rank: String,
    },
    /// List the reports of players, show one, or close one
    Reports {
        /// Order about one report; without it, all are listed
        #[command(subcommand)]
        order: Option<ReportsCommand>,
    },
    /// Read what staff and operators did, the newest last; the terms limit it together
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
    Top(TopArguments),
    /// Close logins, accounts or world; without an argument, show what is locked
    Lock {
        /// Logins, accounts or world
        what: Option<String>,
    },
    /// Reopen what was locked
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
    Zone {
        /// Action
        #[arg(value_parser = ["export", "import", "diff"])]
        verb: String,
        /// Zones; several are imported together
        #[arg(required = true)]
        names: Vec<String>,
    },
    /// Print all stored data about a player as JSON
    Export {
        /// Full name of the account or of one of its characters
        name: String,
    },
    /// Print a branch as JSON
    DumpBranch {
        /// Number of the branch
        id: u32,
    },
    /// Show the token with which the owner claims a new world
    OwnerToken,
    /// Create a one-time code, valid for an hour, with which a player (or the owner) can choose a new password
    Recover {
        /// Name of the account or of one of its characters
        #[arg(required_unless_present = "owner")]
        name: Option<String>,
        /// Recover the owner of the world, and show the name of the account
        #[arg(long, conflicts_with = "name")]
        owner: bool,
    },
    /// Show game time and the machine's clock
    Time,
    /// Copy the database to a new file, or make a backup in backup.folder now
    Backup {
        /// File to write; it must not exist
        file: Option<PathBuf>,
    },
    /// Reload settings, content and the TLS certificate, and list the settings that have changed
    Reload,
    /// Restart the host with its present program; gateways keep the clients connected
    Restart,
    /// Show the hosts of the cluster, let this host lead, or forget a host
    #[command(subcommand)]
    Cluster(ClusterCommand),
    /// Stop the server
    Stop {
        /// Delay, such as 30 or 5m; all players online are notified
        #[arg(long = "in", value_name = "SECONDS", default_value = "0", value_parser = parse_span)]
        after: Span,
    },
}

/// Command about the cluster
#[derive(Subcommand, Clone, Debug)]
pub(super) enum ClusterCommand {
    /// Show all hosts: role, entries of the log that are stored and missing, problems
    Status,
    /// Let this standby lead: the leader writes its last changes and makes way
    Promote,
    /// Forget a host that has ended
    Remove {
        /// Name of the host
        host: String,
    },
}

impl ControlCommand {
    /// Returns the requests to send: one, or one for each name.
    pub(super) fn commands(&self) -> Result<Vec<Command>, Failure> {
        let one = match self {
            Self::Status => Command::Status,
            Self::Who => Command::Who,
            Self::Broadcast { text } => Command::Broadcast(text.join(" ")),
            Self::Netinfo { name } => Command::NetInfo(name.clone()),
            Self::Ban { words } => Command::Line(format!("ban {}", words.join(" "))),
            Self::Unban { whom } => return Ok(each("unban", whom)),
            Self::Bans => Command::Line("bans".into()),
            Self::Lock { what } => Command::Line(format!("lock {}", what.as_deref().unwrap_or_default())),
            Self::Unlock { what } => Command::Line(format!("unlock {what}")),
            Self::Kick { name, reason } => line(&["kick", name], reason),
            Self::Mute { name, words } => line(&["mute", name], words),
            Self::Unmute { name } => line(&["unmute", name], &[]),
            Self::Freeze { name, words } => line(&["freeze", name], words),
            Self::Unfreeze { name } => line(&["unfreeze", name], &[]),
            Self::Promote { name, rank } => line(&["promote", name, rank], &[]),
            Self::Demote { name, rank } => line(&["demote", name, rank], &[]),
            Self::Reports { order: None } => line(&["reports"], &[]),
            Self::Reports { order: Some(order) } => order.command(),
            Self::Audit { by, since, until, page, words } => {
                let terms = [("by", by), ("since", since), ("until", until)];
                let terms = terms.into_iter().filter_map(|(term, value)| Some([term, value.as_ref()?]));
                let page = page.to_string();
                let words = terms.flatten().chain(words.iter().map(String::as_str)).chain([page.as_str()]);
                Command::Line(["audit"].into_iter().chain(words).collect::<Vec<_>>().join(" "))
            }
            Self::Account(AccountCommand::List(list)) => list.command(),
            Self::Account(AccountCommand::One(order)) => return Ok(order.commands("account")),
            Self::Character(order) => return Ok(order.commands("character")),
            Self::Top(_) => Command::Load,
            Self::Delete { names } => return Ok(each("delete", names)),
            Self::Zone { verb, names } => Command::Line(format!("zone {verb} {}", names.join(" "))),
            Self::Export { name } => Command::Export(name.clone()),
            Self::DumpBranch { id } => Command::DumpBranch(BranchId(*id)),
            Self::OwnerToken => Command::OwnerToken,
            Self::Recover { name: Some(name), .. } => Command::Recover(name.clone()),
            Self::Recover { name: None, .. } => Command::RecoverOwner,
            Self::Time => Command::Time,
            Self::Backup { file } => Command::Backup(file.as_deref().map(absolute).transpose()?),
            Self::Reload => Command::Reload,
            Self::Restart => Command::Restart,
            Self::Cluster(ClusterCommand::Status) => Command::Cluster(ClusterOrder::Status),
            Self::Cluster(ClusterCommand::Promote) => Command::Cluster(ClusterOrder::Promote),
            Self::Cluster(ClusterCommand::Remove { host }) => {
                Command::Cluster(ClusterOrder::Remove(host.clone()))
            }
            Self::Stop { after } => Command::Stop(*after),
        };
        Ok(vec![one])
    }
}

/// Returns the same order for each name.
fn each(order: &str, names: &[String]) -> Vec<Command> {
    names.iter().map(|name| Command::Line(format!("{order} {name}"))).collect()
}

/// Order about one report
#[derive(Subcommand, Clone, Debug)]
pub(super) enum ReportsCommand {
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

impl ReportsCommand {
    fn command(&self) -> Command {
        match self {
            Self::Show { number } => line(&["reports", "show", &number.to_string()], &[]),
            Self::Close { number, words } => line(&["reports", "close", &number.to_string()], words),
        }
    }
}

/// Order about accounts
#[derive(Subcommand, Clone, Debug)]
pub(super) enum AccountCommand {
    /// List accounts, those seen last first
    List(ListArguments),
    /// One account.
    #[command(flatten)]
    One(PersonCommand),
}

/// Accounts to list
#[derive(Args, Clone, Debug)]
pub(super) struct ListArguments {
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
}

impl ListArguments {
    fn command(&self) -> Command {
        let mut words = vec!["account".to_owned(), "list".to_owned()];
        words.extend(self.new.then(|| "new".to_owned()));
        words.extend(self.staff.then(|| "staff".to_owned()));
        words.extend(self.from.iter().flat_map(|from| ["from".to_owned(), from.clone()]));
        words.extend(self.since.iter().flat_map(|since| ["since".to_owned(), since.clone()]));
        words.push(self.page.to_string());
        Command::Line(words.join(" "))
    }
}

/// Order about an account or a character
#[derive(Subcommand, Clone, Debug)]
pub(super) enum PersonCommand {
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

impl PersonCommand {
    fn commands(&self, what: &str) -> Vec<Command> {
        match self {
            Self::Show { name } => vec![line(&[what, "show", name], &[])],
            Self::Rename { name, new } => vec![line(&[what, "rename", name, new], &[])],
            Self::Delete { names } => each(&format!("{what} delete"), names),
        }
    }
}

/// Joins the words of a staff command.
fn line(words: &[&str], rest: &[String]) -> Command {
    let rest = rest.iter().map(String::as_str);
    Command::Line(words.iter().copied().chain(rest).collect::<Vec<_>>().join(" "))
}
