//! Operators' commands that the game carries out, as the lines that staff type.

use crate::server::control::protocol::{AccountCommand, ControlCommand, PersonCommand, ReportsCommand};

/// Returns the line that staff type for the same; `None` for a command that the server carries out itself.
pub(super) fn staff_line(command: &ControlCommand) -> Option<String> {
    let term =
        |name, value: Option<&String>| value.map_or_else(String::new, |value| format!("{name} {value}"));
    let line = match command {
        ControlCommand::Ban { words } => format!("ban {}", words.join(" ")),
        ControlCommand::Unban { whom } => format!("unban {}", whom.join(" ")),
        ControlCommand::Bans => "bans".to_owned(),
        ControlCommand::Kick { name, reason } => format!("kick {name} {}", reason.join(" ")),
        ControlCommand::Mute { name, words } => format!("mute {name} {}", words.join(" ")),
        ControlCommand::Unmute { name } => format!("unmute {name}"),
        ControlCommand::Freeze { name, words } => format!("freeze {name} {}", words.join(" ")),
        ControlCommand::Unfreeze { name } => format!("unfreeze {name}"),
        ControlCommand::Promote { name, rank } => format!("promote {name} {rank}"),
        ControlCommand::Demote { name, rank } => format!("demote {name} {rank}"),
        ControlCommand::Reports { order } => match order {
            None => "reports".to_owned(),
            Some(ReportsCommand::Show { number }) => format!("reports show {number}"),
            Some(ReportsCommand::Close { number, words }) => {
                format!("reports close {number} {}", words.join(" "))
            }
        },
        ControlCommand::Audit { by, since, until, page, words } => {
            let terms = [("by", by), ("since", since), ("until", until)]
                .map(|(name, value)| term(name, value.as_ref()));
            format!("audit {} {} {page}", terms.join(" "), words.join(" "))
        }
        ControlCommand::Account(AccountCommand::List { new, staff, from, since, page }) => {
            let kind = if *new {
                "new"
            } else if *staff {
                "staff"
            } else {
                ""
            };
            let [from, since] =
                [("from", from), ("since", since)].map(|(name, value)| term(name, value.as_ref()));
            format!("account list {kind} {from} {since} {page}")
        }
        ControlCommand::Account(AccountCommand::One(order)) => format!("account {}", about(order)),
        ControlCommand::Character(order) => format!("character {}", about(order)),
        ControlCommand::Lock { what } => format!("lock {}", what.as_deref().unwrap_or_default()),
        ControlCommand::Unlock { what } => format!("unlock {what}"),
        ControlCommand::Delete { names } => format!("delete {}", names.join(" ")),
        ControlCommand::Zone { verb, names } => format!("zone {verb} {}", names.join(" ")),
        _ => return None,
    };
    Some(line.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn about(order: &PersonCommand) -> String {
    match order {
        PersonCommand::Show { name } => format!("show {name}"),
        PersonCommand::Rename { name, new } => format!("rename {name} {new}"),
        PersonCommand::Delete { names } => format!("delete {}", names.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::control::protocol::typed;

    fn lines(arguments: &[&str]) -> String {
        let commands = typed(arguments).unwrap().split();
        commands.iter().map(|command| staff_line(command).unwrap()).collect::<Vec<_>>().join(" | ")
    }

    #[test]
    fn moderation_is_sent_as_the_lines_of_staff() {
        for (arguments, sent) in [
            (&["kick", "Bera", "go", "to", "bed"][..], "kick Bera go to bed"),
            (&["mute", "Bera", "for", "2h", "noise"], "mute Bera for 2h noise"),
            (&["unfreeze", "Bera"], "unfreeze Bera"),
            (&["promote", "Bera", "builder"], "promote Bera builder"),
            (&["demote", "Bera"], "demote Bera player"),
            (&["reports"], "reports"),
            (&["reports", "show", "12"], "reports show 12"),
            (&["reports", "close", "12", "we", "talked"], "reports close 12 we talked"),
            (&["audit"], "audit 1"),
            (
                &["audit", "--by", "ada", "--since", "2d", "--page", "3", "ban", "bera"],
                "audit by ada since 2d ban bera 3",
            ),
            (&["account", "show", "Bera"], "account show Bera"),
            (&["account", "delete", "Bera"], "account delete Bera"),
            (&["account", "delete", "Bera", "Mika"], "account delete Bera | account delete Mika"),
            (&["delete", "Bera", "Mika", "Olad"], "delete Bera | delete Mika | delete Olad"),
            (&["unban", "Bera", "192.0.2.7"], "unban Bera | unban 192.0.2.7"),
            (&["account", "list"], "account list 1"),
            (&["account", "list", "--new", "--since", "2h", "--page", "2"], "account list new since 2h 2"),
            (&["account", "list", "--from", "192.0.2.0/24"], "account list from 192.0.2.0/24 1"),
            (&["character", "rename", "Bera", "Gerda"], "character rename Bera Gerda"),
        ] {
            assert_eq!(lines(arguments), sent, "{arguments:?}");
        }
    }
}
