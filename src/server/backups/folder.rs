//! Files in the folder for backups. Their names contain the time in UTC, so that they sort by age.

use deepwell_core::base::GameTime;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Parts of a name before and after the time.
const AROUND: (&str, &str) = ("deepwell-", ".db");

/// A backup in the folder.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::server) struct BackupFile {
    /// Time at which it was begun, by the machine's clock.
    pub(in crate::server) at: GameTime,
    /// Path.
    pub(in crate::server) path: PathBuf,
    /// Size.
    pub(in crate::server) bytes: u64,
}

/// Returns the name of a backup that is begun at a moment.
pub(super) fn file_name(at: GameTime) -> String {
    format!("{}{}{}", AROUND.0, at.stamp(), AROUND.1)
}

/// Returns the time in a name; `None` for a name that [`file_name`] does not make.
pub(super) fn time_of(name: &str) -> Option<GameTime> {
    let stamp = name.strip_prefix(AROUND.0)?.strip_suffix(AROUND.1)?;
    GameTime::from_stamp(stamp)
}

/// Returns the backups in a folder, oldest first. Other files, links and folders are left out.
pub(in crate::server) fn list(folder: &Path) -> io::Result<Vec<BackupFile>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Some(at) = entry.file_name().to_str().and_then(time_of) else { continue };
        let found = entry.path().symlink_metadata()?;
        if found.is_file() {
            files.push(BackupFile { at, path: entry.path(), bytes: found.len() });
        }
    }
    files.sort_by_key(|file| file.at);
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn names_tell_the_time_in_utc() {
        let at = GameTime(1_800_000_000_042);
        assert_eq!(file_name(at), "deepwell-2027-01-15T080000.042Z.db");
        assert_eq!(time_of("deepwell-2027-01-15T080000.042Z.db"), Some(at));
        for other in [
            "deepwell.db",
            "deepwell-2027-01-15T080000.042Z.db-wal",
            "deepwell-2027-01-15T080000.042Z.db.deepwell-part-1",
            "deepwell-2027-1-15T080000.042Z.db",
            "deepwell-2027-01-15T080000Z.db",
            "deepwell-2027-13-15T080000.042Z.db",
            "deepwell-2027-01-15T08:00:00.042Z.db",
            "deepwell-ÄÄÄÄÄÄÄÄÄÄ.db",
            "monday.db",
        ] {
            assert_eq!(time_of(other), None, "{other}");
        }
    }

    #[test]
    fn only_the_servers_own_files_are_listed() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        for name in ["monday.db", "deepwell-2027-01-16T080000.000Z.db", "deepwell-2027-01-15T080000.000Z.db"]
        {
            fs::write(path(name), "rows").unwrap();
        }
        fs::create_dir(path("deepwell-2027-01-14T080000.000Z.db")).unwrap();
        std::os::unix::fs::symlink(path("monday.db"), path("deepwell-2027-01-13T080000.000Z.db")).unwrap();
        let found: Vec<_> =
            list(folder.path()).unwrap().into_iter().map(|file| (file.path, file.bytes)).collect();
        assert_eq!(
            found,
            [
                (path("deepwell-2027-01-15T080000.000Z.db"), 4),
                (path("deepwell-2027-01-16T080000.000Z.db"), 4)
            ]
        );
    }

    proptest! {
        #[test]
        fn names_sort_by_time(one in 0_i64..4_000_000_000_000, other in 0_i64..4_000_000_000_000) {
            let [first, second] = [GameTime(one), GameTime(other)].map(file_name);
            prop_assert_eq!(first.cmp(&second), one.cmp(&other));
            prop_assert_eq!(time_of(&first), Some(GameTime(one)));
        }
    }
}
