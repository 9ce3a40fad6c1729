//! `deepwell import-area`: area files of other servers become a zone and prototypes, in a folder of their own from where
//! somebody takes them over. What becomes of what is the business of `tools::circle`.

use super::{Failure, SettingArguments, show};
use crate::catalog::Catalog;
use crate::server::content;
use crate::tools::circle::{AreaFile, ENDINGS, Kind, Plan, import};
use clap::Args;
use std::fs;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

/// Bytes of one file at most; nobody writes as much by hand.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// What ends the name of a file of scripts, which are told and not read.
const SCRIPTS: &str = "trg";
/// Letters of the key of a zone at most.
const KEY_CHARS_MAX: usize = 40;
/// The file that says what became of what.
const REPORT: &str = "report.txt";

/// What is imported, and where it goes.
#[derive(Args, Clone, Debug)]
pub struct ImportArguments {
    /// Files of one area (.wld .mob .obj .zon .shp), or folders with such files
    #[arg(required = true, value_name = "FILE-OR-FOLDER")]
    from: Vec<PathBuf>,
    /// Key of the zone that it becomes: small letters, figures and _
    #[arg(long, value_name = "NAME")]
    zone: String,
    /// Folder that is made for what comes out; it must be empty, if it is there
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// Reads area files, writes what becomes of them, and tells it.
pub(super) fn import_area(
    settings: &SettingArguments,
    arguments: &ImportArguments,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let ImportArguments { from, zone, out: folder } = arguments;
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if zone.is_empty() || zone.len() > KEY_CHARS_MAX || !zone.chars().all(fits) {
        return Err(Failure::Usage(format!(
            "{zone} is no key of a zone, expected at most {KEY_CHARS_MAX} small letters, figures and _"
        )));
    }
    let config = settings.effective()?.config;
    let present = content::files(&config.server)?;
    let catalog = content::load(&config.server)?;
    let mut paths = Vec::new();
    for path in from {
        gather(path, true, &mut paths)?;
    }
    if paths.is_empty() {
        let ends = ENDINGS.map(|ending| format!(".{ending}")).join(" ");
        return Err(Failure::Usage(format!("no area files there, expected files that end with {ends}")));
    }
    require_empty(folder)?;
    let files = paths.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let made = import(&files, Plan { zone, catalog: &catalog, limits: &config.game.limits });
    for (path, text) in made.files.iter().chain([&(REPORT.to_owned(), made.report.to_string())]) {
        write(&folder.join(path), text)?;
    }
    show(out, &format!("made {} in {}\n", made.report.made(), folder.display()))?;
    for kind in Kind::ALL.into_iter().filter(|kind| made.report.count(*kind) > 0) {
        show(out, &format!("{}: {}\n", kind.name(), made.report.count(kind)))?;
    }
    show(out, &format!("all of it is told in {}\n", folder.join(REPORT).display()))?;
    check(&present, &made.files, zone, out)?;
    match made.report.count(Kind::Mistake) as usize {
        0 => Ok(()),
        mistakes => Err(Failure::Found(mistakes)),
    }
}

/// Reads what was written as a start reads it, beside what there is.
fn check(
    present: &[(String, String)],
    made: &[(String, String)],
    zone: &str,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let area = format!("areas/{zone}.toml");
    let made = made.iter().map(|(path, text)| {
        let path = path.strip_prefix("content/").map_or_else(|| area.clone(), str::to_owned);
        (path, text.clone())
    });
    let mut files: Vec<(String, String)> = made.collect();
    let of_before = present.iter().filter(|(path, _)| !files.iter().any(|(own, _)| own == path));
    let of_before: Vec<_> = of_before.cloned().collect();
    files.extend(of_before);
    files.sort();
    let Err(mistakes) = Catalog::load(&files) else { return Ok(()) };
    for mistake in &mistakes {
        show(out, &format!("{mistake}\n"))?;
    }
    Err(Failure::Found(mistakes.len()))
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> Failure {
    let path = path.display().to_string();
    move |error| Failure::Io(path, error)
}

/// The files that are meant: each that is named, and those of folders that look like it, in the order of their paths.
fn gather(path: &Path, is_named: bool, paths: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if path.is_dir() {
        let entries =
            fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(failed(path))?;
        let mut inside: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
        inside.sort();
        return inside.iter().try_for_each(|path| gather(path, false, paths));
    }
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    let is_read = ending.is_some_and(|ending| ending == SCRIPTS || ENDINGS.contains(&ending.as_str()));
    if is_named || is_read {
        paths.push(path.to_owned());
    }
    Ok(())
}

fn read(path: &Path) -> Result<AreaFile, Failure> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(failed(path))?;
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed(path))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(failed(path)(io::Error::other(format!("more than {FILE_BYTES_MAX} bytes"))));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(AreaFile { name, bytes })
}

fn require_empty(folder: &Path) -> Result<(), Failure> {
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(failed(folder)(io::Error::other("something is in it already"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed(folder)(error)),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed(path))?;
    fs::write(path, text).map_err(failed(path))
}
