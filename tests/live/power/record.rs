//! What `tap.c` has recorded of a server's life, event by event.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The library that records, and the file that it records to.
pub(super) struct Tap {
    library: PathBuf,
    log: PathBuf,
}

impl Tap {
    /// Builds the library in a folder; none where nothing builds C.
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

    /// What a process needs in its environment for all to be recorded that it does in a folder.
    pub(super) fn environment(&self, folder: &Path) -> Vec<(&'static str, PathBuf)> {
        vec![
            ("LD_PRELOAD", self.library.clone()),
            ("DEEPWELL_TAP_LOG", self.log.clone()),
            ("DEEPWELL_TAP_FOLDER", folder.to_owned()),
        ]
    }

    /// What was recorded since the last time.
    pub(super) fn take(&self) -> Vec<u8> {
        let bytes =
            fs::read(&self.log).expect("nothing was recorded: does the program go through the C library?");
        fs::remove_file(&self.log).unwrap();
        bytes
    }
}

/// One thing that the server did. Files are told by the number under which they are open, and by their paths.
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
    /// All that was done to the file is on the disk, or all names of the folder are.
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
    /// A client, by the port that it calls from.
    Accepted {
        fd: i32,
        port: u16,
    },
    Sent {
        fd: i32,
        bytes: &'a [u8],
    },
}

/// Bytes of a record before what it carries: `struct head`.
const HEAD: usize = 24;

/// Reads a record. One that a kill has cut short ends it.
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
