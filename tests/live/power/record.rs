//! Recording made by `tap.c` of a server's life, as events.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Recording library, and the file it writes to.
pub(super) struct Tap {
    library: PathBuf,
    log: PathBuf,
}

impl Tap {
    /// Builds the library in a folder; `None` if there is no C compiler.
    pub(super) fn build(folder: &Path) -> Option<Self> {
        let (source, library) = (folder.join("tap.c"), folder.join("tap.so"));
        fs::write(&source, include_str!("tap.c")).unwrap();
        let built = Command::new("cc")
            .args(["-shared", "-fPIC", "-O2", "-o"])
            .args([&library, &source])
            .arg("-ldl")
            .output()
            .ok()?;
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        Some(Self { library, log: folder.join("record") })
    }

    /// Returns the environment variables for a process whose operations in a folder are to be recorded.
    pub(super) fn environment(&self, folder: &Path) -> Vec<(&'static str, PathBuf)> {
        vec![
            ("LD_PRELOAD", self.library.clone()),
            ("DEEPWELL_TAP_LOG", self.log.clone()),
            ("DEEPWELL_TAP_FOLDER", folder.to_owned()),
        ]
    }

    /// Returns the data recorded since the last call.
    pub(super) fn take(&self) -> Vec<u8> {
        let bytes =
            fs::read(&self.log).expect("nothing was recorded: does the program go through the C library?");
        fs::remove_file(&self.log).unwrap();
        bytes
    }
}

/// Recorded operation. Files are identified by descriptor and path.
#[derive(Clone, Debug)]
pub(super) enum Event<'a> {
    Opened {
        fd: i32,
        flags: i64,
        path: &'a str,
    },
    Closed {
        fd: i32,
    },
    Wrote {
        fd: i32,
        at: usize,
        bytes: &'a [u8],
    },
    Truncated {
        fd: i32,
        length: usize,
    },
    /// All changes to the file, or all names in the folder, are on the disk.
    Synced {
        fd: i32,
    },
    Renamed {
        from: &'a str,
        to: &'a str,
    },
    Linked {
        from: &'a str,
        to: &'a str,
    },
    Removed {
        path: &'a str,
    },
    FolderMade {
        path: &'a str,
    },
    /// Connection of a client, identified by its port.
    Accepted {
        fd: i32,
        port: u16,
    },
    Sent {
        fd: i32,
        bytes: &'a [u8],
    },
}

/// Size of a record's header: `struct head`.
const HEAD: usize = 24;

/// Parses a recording, up to a record truncated by a kill.
pub(super) fn events(mut record: &[u8]) -> Vec<Event<'_>> {
    let mut events = Vec::new();
    while let Some((head, rest)) = record.split_at_checked(HEAD) {
        let int = |at: usize| i32::from_ne_bytes(head[at..at + 4].try_into().unwrap());
        let long = |at: usize| i64::from_ne_bytes(head[at..at + 8].try_into().unwrap());
        let Some((bytes, rest)) = rest.split_at_checked(size(long(16))) else { break };
        events.push(event(u8::try_from(int(0)).unwrap(), int(4), long(8), bytes));
        record = rest;
    }
    events
}

fn event(kind: u8, fd: i32, at: i64, bytes: &[u8]) -> Event<'_> {
    let text = || std::str::from_utf8(bytes).expect("paths of tests are UTF-8");
    let paths = || text().trim_end_matches('\0').split_once('\0').expect("two paths");
    match kind {
        b'o' => Event::Opened { fd, flags: at, path: text() },
        b'c' => Event::Closed { fd },
        b'w' => Event::Wrote { fd, at: size(at), bytes },
        b't' => Event::Truncated { fd, length: size(at) },
        b's' => Event::Synced { fd },
        b'r' => Event::Renamed { from: paths().0, to: paths().1 },
        b'l' => Event::Linked { from: paths().0, to: paths().1 },
        b'u' => Event::Removed { path: paths().0 },
        b'm' => Event::FolderMade { path: paths().0 },
        b'a' => Event::Accepted { fd, port: u16::try_from(at).unwrap() },
        b'p' => Event::Sent { fd, bytes },
        other => panic!("a record of kind {other}"),
    }
}

fn size(length: i64) -> usize {
    usize::try_from(length).expect("lengths are not negative")
}
