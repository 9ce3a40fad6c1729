//! `deepwell check`: reports everything that would prevent a start, or deactivate builder-made definitions, without
//! changing anything.

use super::{CliFailure, SettingArguments, show, wait_for};
use crate::net::clock;
use crate::server::bridges::Bridges;
use crate::server::config::{Config, ConfigSources};
use crate::server::content::{self, located};
use crate::server::start::certificate::Certificate;
use crate::server::start::listeners::page_of;
use crate::store::{self, LogPosition, StoreError};
use deepwell_core::catalog::{Catalog, Theme};
use deepwell_core::data::CatalogError;
use deepwell_core::world::Snapshot;
use deepwell_game::Game;
use deepwell_game::command::dead_words;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Reports all mistakes in settings, content, certificate and database.
///
/// If some settings are invalid, content and database are still checked with the valid ones.
pub(super) fn check(settings: &SettingArguments, out: &mut dyn Write) -> Result<(), CliFailure> {
    let sources = settings.sources()?;
    let (config, mut mistakes) = settings_of(&sources);
    let mut content = None;
    match content::load(&config.server) {
        Ok(catalog) => {
            mistakes.extend(located(&config.server.content_dir, &dead_words(&catalog)));
            mistakes.extend(located(&config.server.content_dir, &unfit_puzzles(&catalog)));
            content = Some(catalog);
        }
        Err(error) => mistakes.extend(error.lines()),
    }
    let mut warning = None;
    match Certificate::load(config.tls.files()) {
        Ok(certificate) => warning = certificate.warning(clock::wall()),
        Err(error) => mistakes.push(error.to_string()),
    }
    let files = [Bridges::of(&config).map(drop), page_of(&config).map(drop)];
    mistakes.extend(files.into_iter().filter_map(Result::err).map(|error| format!("{error:#}")));
    let path = config.server.database();
    let mut database = "none yet".to_owned();
    let mut unread = None;
    match wait_for(read_database(&path))? {
        Ok((mut found, schema)) => {
            if let Some(content) = content.filter(|_| found.is_empty()) {
                found = set_aside(content, &config, wait_for(store::read(&path))??);
            }
            mistakes.extend(found.iter().map(|mistake| format!("{}: {mistake}", path.display())));
            database = format!("{}{schema}", path.display());
        }
        // The next start creates it.
        Err(StoreError::File { source, .. }) if source.kind() == io::ErrorKind::NotFound => {}
        Err(error) if error.is_mistake() => mistakes.push(error.to_string()),
        Err(error) => unread = Some(error),
    }
    // A start serves such a certificate.
    let warning = warning.map_or_else(String::new, |warning| format!("warning: {warning}\n"));
    show(out, &warning)?;
    if let Some(error) = unread {
        show(out, &mistakes.iter().map(|mistake| mistake.clone() + "\n").collect::<String>())?;
        return Err(error.into());
    }
    if mistakes.is_empty() {
        let file = sources.file.map_or_else(|| "built-in".to_owned(), |(name, _)| name);
        return show(out, &format!("no mistakes: settings {file}, content, database {database}\n"));
    }
    show(out, &(mistakes.join("\n") + "\n"))?;
    Err(CliFailure::Found(mistakes.len()))
}

/// Returns the puzzles of themes that a start accepts and no branch contains, because they reject their settings.
fn unfit_puzzles(catalog: &Catalog) -> Vec<CatalogError> {
    let unfit = catalog.themes.values().flat_map(Theme::unfit_puzzles);
    let expected = "settings that `puzzle info` lists";
    unfit.map(|(entry, mistake)| CatalogError::new(&entry.place, mistake, expected)).collect()
}

/// Returns the mistakes in a database, and a note about an outdated schema and its position in the log of a cluster.
async fn read_database(path: &Path) -> Result<(Vec<String>, String), StoreError> {
    let mistakes = store::check(path).await?;
    let upgrade = store::upgrade_of(path).await?;
    let mut notes: Vec<String> = upgrade.iter().map(ToString::to_string).collect();
    if upgrade.is_none()
        && let Some(LogPosition { sequence, history, .. }) = store::position_of(path).await?
    {
        notes.push(format!("entry {sequence} of the log of its cluster, history {history}"));
    }
    let note = if notes.is_empty() { String::new() } else { format!(" ({})", notes.join(", ")) };
    Ok((mistakes, note))
}

/// Returns the builder-made definitions that a start would deactivate because they do not match the content files.
fn set_aside(content: Catalog, config: &Config, stored: Snapshot) -> Vec<String> {
    match Game::load(Arc::new(content), config.game.clone(), stored) {
        Ok(game) => game.set_aside(),
        Err(mistakes) => vec![mistakes.to_string()],
    }
}

fn settings_of(sources: &ConfigSources) -> (Config, Vec<String>) {
    let (effective, mistakes) = sources.check_all();
    (effective.config, mistakes.iter().map(ToString::to_string).collect())
}
