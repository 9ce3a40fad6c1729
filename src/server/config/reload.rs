//! Changed settings: those that take effect at a reload are copied into the settings in force, the others are listed.

use super::Config;
use super::field::{ConfigField, Raw};
use super::hidden::without_passwords;
use super::source::unquoted;
use super::table::{ConfigSetting, SETTINGS};
use std::collections::BTreeMap;

/// Differences between the settings in force and those read again. Each is a line such as `limits.guests = 2, was 10`.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ConfigChanges {
    /// Settings that take effect at the reload.
    pub in_force: Vec<String>,
    /// Settings that take effect at the next start.
    pub need_restart: Vec<String>,
}

impl Config {
    /// Returns the names and values of all settings, the values in TOML and without passwords.
    pub fn values(&self) -> Vec<(String, String)> {
        let mut config = self.clone();
        let value = |setting: &ConfigSetting| without_passwords(&setting.field(&mut config).toml);
        SETTINGS.iter().map(value).zip(SETTINGS.iter()).map(|(value, it)| (it.name(), value)).collect()
    }

    /// Returns the settings that differ from values such as [`values`](Self::values) returns, and whether a reload applies
    /// them. A setting without a value there is unknown to an older server and needs a restart.
    pub fn differences(&self, values: &BTreeMap<String, String>) -> ConfigChanges {
        let mut config = self.clone();
        let mut changes = ConfigChanges::default();
        for setting in SETTINGS.iter() {
            let name = setting.name();
            let wanted = without_passwords(&setting.field(&mut config).toml);
            match values.get(&name) {
                Some(was) if *was == wanted => {}
                Some(was) if !setting.needs_restart => {
                    changes.in_force.push(format!("{name} = {wanted}, was {was}"));
                }
                was => {
                    let was = was.map_or("unknown", String::as_str);
                    changes.need_restart.push(format!("{name} = {wanted}, was {was}"));
                }
            }
        }
        changes
    }

    /// Copies the settings of `new` that take effect at a reload. Returns all settings that differ.
    pub fn update(&mut self, new: &Self) -> ConfigChanges {
        let mut new = new.clone();
        let mut changes = ConfigChanges::default();
        for setting in SETTINGS.iter() {
            let wanted = setting.field(&mut new).toml;
            let ConfigField { toml: was, read } = setting.field(self);
            if wanted == was {
                continue;
            }
            let change = without_passwords(&format!("{} = {wanted}, was {was}", setting.name()));
            if setting.needs_restart {
                changes.need_restart.push(change);
                continue;
            }
            // A printed value can be read back.
            let _ = read(&Raw::Typed(unquoted(&wanted)), &setting.range);
            changes.in_force.push(change);
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::config::{ConfigSources, LogLevel};

    fn read(text: &str) -> Config {
        let sources =
            ConfigSources { file: Some(("config.toml".into(), text.into())), ..ConfigSources::default() };
        sources.check().unwrap().config
    }

    #[test]
    fn changed_setting_takes_effect_or_is_listed_for_a_restart() {
        let mut config = Config::default();
        let new = read(
            "[telnet]\nlisten = \"127.0.0.1:4001\"\n[log]\nlevel = \"debug\"\n[world]\nwelcome = \"Hello.\\n\"\n\
             [dungeon]\nfinishable = true\n[limits]\nguests = 2\n",
        );
        let changes = config.update(&new);
        assert_eq!(changes.need_restart, ["telnet.listen = \"127.0.0.1:4001\", was \"127.0.0.1:4000\""]);
        let names: Vec<_> = changes.in_force.iter().map(|line| line.split(' ').next().unwrap()).collect();
        assert_eq!(names, ["world.welcome", "dungeon.finishable", "log.level", "limits.guests"]);
        assert_eq!(changes.in_force[3], "limits.guests = 2, was 10");
        assert_eq!(config.telnet, Config::default().telnet);
        assert_eq!((config.log.level, config.game.limits.guests), (LogLevel::Debug, 2));
        assert_eq!((config.world.welcome.as_str(), config.game.dungeon.finishable), ("Hello.\n", Some(true)));
        let again = config.update(&new);
        assert_eq!(again, ConfigChanges { in_force: Vec::new(), ..changes }, "a restart is still needed");
    }

    #[test]
    fn differences_are_those_that_a_reload_would_report() {
        let old = Config::default();
        let new = read("[telnet]\nlisten = \"127.0.0.1:4001\"\n[limits]\nguests = 2\n");
        let mut values: BTreeMap<_, _> = old.values().into_iter().collect();
        assert_eq!(old.differences(&values), ConfigChanges::default());
        assert_eq!(new.differences(&values), old.clone().update(&new));
        values.remove("game.round");
        assert_eq!(old.differences(&values).need_restart, ["game.round = \"3s\", was unknown"]);
    }

    /// A reload leaves no difference except in settings that need a restart.
    #[test]
    fn every_setting_that_needs_no_restart_is_copied() {
        let mut new = read(
            "[world]\nwelcome = \"Hi \\\"you\\\".\"\n[game]\nround = \"3s\"\n[media]\nurl = \
             \"https://x.example/\"\n[dungeon]\nreset_chance = 0.25\nrope = \"free\"\nmax_unexplored_exits = 9\n\
             [log]\nfilter = \"deepwell=debug\"\n[mssp]\nextra = \"HIRING BUILDERS=1\"\ncontact = \"a@b.example\"\n",
        );
        for limit in deepwell_core::base::limits::Limits::TABLE {
            match (limit.field)(&mut new.game.limits) {
                deepwell_core::base::limits::Bound::Number(number) => *number += 1,
                deepwell_core::base::limits::Bound::Time(time) => time.0 += 1_000,
            }
        }
        let mut config = Config::default();
        let changes = config.update(&new);
        assert!(changes.need_restart.iter().all(|line| line.starts_with("limits.")), "{changes:?}");
        assert!(changes.need_restart.iter().any(|line| line.starts_with("limits.connections = ")));
        assert!(config.update(&new).in_force.is_empty());
        new.game.limits = config.game.limits.clone();
        assert_eq!(config, new);
    }
}
