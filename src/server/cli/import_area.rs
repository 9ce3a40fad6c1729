//! `deepwell import-area`: converts area files of other servers to a zone and prototypes, in a new folder from which
//! the builder takes them. The conversion is in `tools::circle`.

use super::{CliFailure, SettingArguments, show};
use crate::server::content;
use clap::Args;
use deepwell_core::base::RuleLimit;
use deepwell_core::catalog::{Area, Catalog};
use deepwell_tools::circle::{AreaFile, Around, ENDINGS, ImportPlan, ImportReport, NoteKind, import};
use std::fs;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

/// Maximum size of one file.
const FILE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Maximum number of neighbouring room files, which are read to resolve exits that lead there.
const NEIGHBOURS_MAX: usize = 1_000;
/// Extension of room files.
const ROOMS: &str = "wld";
/// Extension of area files of Merc and its descendants; the import mentions them but does not read them.
const MERC: &str = "are";
/// Maximum number of reasons shown if no file could be read.
const REASONS_MAX: usize = 5;
/// Maximum length of a zone key.
const KEY_CHARS_MAX: usize = 40;
/// File name of the conversion report.
const REPORT: &str = "report.txt";

/// Files to import, and the target folder
#[derive(Args, Clone, Debug)]
pub struct ImportArguments {
    /// Files of one area (.wld .mob .obj .zon .shp .trg .qst), or folders with such files
    #[arg(required = true, value_name = "FILE-OR-FOLDER")]
    from: Vec<PathBuf>,
    /// Key of the new zone: lower-case letters, digits and _
    #[arg(long, value_name = "NAME")]
    zone: String,
    /// Create a zone `NAME_FILE` from each room file, with the exits between them
    #[arg(long)]
    each: bool,
    /// Zone of another room file in the same folder, for exits that lead there, such as 30=midtown
    #[arg(long, value_name = "FILE=ZONE")]
    neighbour: Vec<String>,
    /// Folder to create for the result; it must be empty if it exists
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// Converts area files, writes the results and prints a summary.
pub(super) fn import_area(
    settings: &SettingArguments,
    arguments: &ImportArguments,
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let ImportArguments { from, zone, out: folder, each, neighbour } = arguments;
    require_key(zone)?;
    let named = neighbour.iter().map(|text| named_neighbour(text)).collect::<Result<Vec<_>, _>>()?;
    let config = settings.effective()?.config;
    let present = content::files(&config.server)?;
    let catalog = content::load(&config.server)?;
    let mut paths = Vec::new();
    for path in from {
        gather(path, true, &mut paths)?;
    }
    if paths.is_empty() {
        let ends = ENDINGS.map(|ending| format!(".{ending}")).join(" ");
        return Err(CliFailure::Usage(format!("no area files found, expected files that end with {ends}")));
    }
    require_empty(folder)?;
    let files = paths.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?;
    let around = neighbours(&paths, zone, *each, &named)?;
    let limits = &config.game.limits;
    let made =
        import(&files, ImportPlan { zone, is_split: *each, around: &around, catalog: &catalog, limits });
    require_content(&made.report)?;
    for (path, text) in made.files.iter().chain([&(REPORT.to_owned(), made.report.to_string())]) {
        write(&folder.join(path), text)?;
    }
    show(out, &format!("made {} in {}\n", made.report.made(), folder.display()))?;
    let zones: Vec<&str> = made.files.iter().filter_map(|(path, _)| zone_of(path)).collect();
    if zones.len() > 1 {
        show(out, &format!("zones, to be imported together: {}\n", zones.join(" ")))?;
        let (at_once, setting) = (limits.zones_at_once, RuleLimit::ZonesAtOnce.setting());
        if zones.len() > at_once as usize {
            let report = format!(
                "{setting} of the server is {at_once}: set it to {} for the import of all zones together\n",
                zones.len()
            );
            show(out, &report)?;
        }
    }
    for kind in NoteKind::ALL.into_iter().filter(|kind| made.report.count(*kind) > 0) {
        show(out, &format!("{}: {}\n", kind.name(), made.report.count(kind)))?;
    }
    show(out, &format!("details are in {}\n", folder.join(REPORT).display()))?;
    check(&present, &made.files, out)?;
    match made.report.count(NoteKind::Mistake) as usize {
        0 => Ok(()),
        mistakes => Err(CliFailure::Found(mistakes)),
    }
}

fn require_key(zone: &str) -> Result<(), CliFailure> {
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if zone.is_empty() || zone.len() > KEY_CHARS_MAX || !zone.chars().all(fits) {
        return Err(CliFailure::Usage(format!(
            "{zone} is not a zone key, expected at most {KEY_CHARS_MAX} lower-case letters, digits and _"
        )));
    }
    Ok(())
}

/// Rejects an import without any result, and lists the reasons.
fn require_content(report: &ImportReport) -> Result<(), CliFailure> {
    let [rooms, creatures, items, ..] = report.counts;
    if rooms + creatures + items > 0 {
        return Ok(());
    }
    let reasons = report.first(NoteKind::Mistake, REASONS_MAX);
    let reasons = if reasons.is_empty() {
        "the files contain no room, creature or item".to_owned()
    } else {
        reasons.join("\n")
    };
    Err(CliFailure::Usage(format!("nothing could be read, and nothing was written:\n{reasons}")))
}

/// Parses `FILE=ZONE`. The extension of the file is optional.
fn named_neighbour(text: &str) -> Result<(&str, &str), CliFailure> {
    let mistake = || {
        CliFailure::Usage(format!("{text} is not a file and zone, expected FILE=ZONE, such as 30=midtown"))
    };
    let (file, zone) = text.split_once('=').filter(|(file, _)| !file.is_empty()).ok_or_else(mistake)?;
    require_key(zone)?;
    Ok((file.strip_suffix(".wld").unwrap_or(file), zone))
}

/// Returns the room files that are in the same folders as the imported ones but are not imported.
///
/// If the key of the zone ends with its file name, the keys of the neighbouring zones are derived in the same way.
fn neighbours(
    paths: &[PathBuf],
    zone: &str,
    is_split: bool,
    named: &[(&str, &str)],
) -> Result<Vec<Around>, CliFailure> {
    let own: Vec<&PathBuf> = paths.iter().filter(|path| ending(path) == ROOMS).collect();
    let begin = match *own.as_slice() {
        _ if is_split => Some(format!("{zone}_")),
        [one] => zone.strip_suffix(stem(one).as_str()).map(str::to_owned),
        _ => None,
    };
    let mut folders: Vec<&Path> = own.iter().filter_map(|path| path.parent()).collect();
    folders.sort_unstable();
    folders.dedup();
    let mut around = Vec::new();
    for folder in folders {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let entries =
            fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(failed(folder))?;
        let mut beside: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
        beside.retain(|path| ending(path) == ROOMS && path.is_file());
        beside.retain(|path| !own.iter().any(|own| own.file_name() == path.file_name()));
        beside.sort();
        for path in beside {
            let stem = stem(&path);
            let derived = begin.as_ref().map(|begin| format!("{begin}{stem}"));
            let derived = derived.filter(|zone| require_key(zone).is_ok());
            let called = named.iter().find(|(file, _)| *file == stem).map(|(_, zone)| (*zone).to_owned());
            // Exits to an unreadable file remain unresolved.
            if let Ok(file) = read(&path) {
                around.push(Around { file, zone: called.or(derived) });
            }
        }
    }
    around.truncate(NEIGHBOURS_MAX);
    Ok(around)
}

fn ending(path: &Path) -> String {
    path.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase()).unwrap_or_default()
}

fn stem(path: &Path) -> String {
    path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
}

/// Returns the zone key of a zone file.
fn zone_of(path: &str) -> Option<&str> {
    path.strip_prefix("zones/")?.strip_suffix(".toml")
}

/// Validates the results as a start and `zone import` would, together with the present content.
fn check(
    present: &[(String, String)],
    made: &[(String, String)],
    out: &mut dyn Write,
) -> Result<(), CliFailure> {
    let content =
        made.iter().filter_map(|(path, text)| Some((path.strip_prefix("content/")?, text.as_str())));
    let mut files: Vec<(&str, &str)> = content.collect();
    let written = files.len();
    for (path, text) in present {
        if !files.iter().take(written).any(|(own, _)| own == path) {
            files.push((path, text));
        }
    }
    files.sort_unstable();
    let mut mistakes = Vec::new();
    match Catalog::load(&files) {
        Ok(catalog) => {
            for (path, text) in made.iter().filter(|(path, _)| zone_of(path).is_some()) {
                if let Some(area) = Area::parse(path, text, &mut mistakes) {
                    area.check(&catalog, &mut mistakes);
                }
            }
        }
        Err(errors) => mistakes = errors,
    }
    if mistakes.is_empty() {
        return Ok(());
    }
    for mistake in &mistakes {
        show(out, &format!("{mistake}\n"))?;
    }
    Err(CliFailure::Found(mistakes.len()))
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> CliFailure {
    let path = path.display().to_string();
    move |error| CliFailure::Io(path, error)
}

/// Collects the files to import: each named file, and the area files in named folders, sorted by path.
fn gather(path: &Path, is_named: bool, paths: &mut Vec<PathBuf>) -> Result<(), CliFailure> {
    if path.is_dir() {
        let entries =
            fs::read_dir(path).and_then(Iterator::collect::<Result<Vec<_>, _>>).map_err(failed(path))?;
        let mut inside: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
        inside.sort();
        return inside.iter().try_for_each(|path| gather(path, false, paths));
    }
    let ending = ending(path);
    let is_read = ending == MERC || ENDINGS.contains(&ending.as_str());
    if is_named || is_read {
        paths.push(path.to_owned());
    }
    Ok(())
}

fn read(path: &Path) -> Result<AreaFile, CliFailure> {
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(failed(path))?;
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed(path))?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(failed(path)(io::Error::other(format!("more than {FILE_BYTES_MAX} bytes"))));
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(AreaFile { name, bytes })
}

fn require_empty(folder: &Path) -> Result<(), CliFailure> {
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(failed(folder)(io::Error::other("the folder is not empty"))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(failed(folder)(error)),
    }
}

fn write(path: &Path, text: &str) -> Result<(), CliFailure> {
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed(path))?;
    fs::write(path, text).map_err(failed(path))
}
