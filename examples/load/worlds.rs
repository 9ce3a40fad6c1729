//! Worlds that are built in process, and stored before a server starts.

use crate::client::name;
use crate::explored::new_game;
use crate::profile::PASSWORD;
use crate::server::state_folder;
use anyhow::Context as _;
use argon2::Argon2;
use argon2::password_hash::PasswordHasher as _;
use deepwell::base::{GameTime, RoomId, SessionId, Span};
use deepwell::game::{Effects, Game, Input};
use deepwell::store::Store;
use deepwell::world::Changes;
use std::path::Path;

/// Number of the owner of a built world; higher than that of any player.
pub(crate) const OWNER: u32 = 99_999;
/// Number of ways from a room towards the cells; a built room has at most 24 exits.
const WAYS: u32 = 22;
/// Rooms of a row of the maze.
const ROW: u32 = 100;
/// Description of each built room; with it, a `look` takes about 450 bytes.
const DESCRIPTION: &str = "A square cell of dressed stone, dry and swept. A bench runs along the far wall, and above it \
    a row of iron hooks has been driven into the joints. Light falls through a slit under the ceiling and moves over \
    the floor as the day goes on. Earlier guests have scratched their names into the plaster beside the door, in \
    letters large and small. The door itself has no lock.";

/// Number of steps between two cuts. The work of some steps grows with the number of rows changed since the last cut,
/// which a server takes after each batch.
const BATCH: usize = 1_000;

/// A world in which the owner builds.
struct Site {
    game: Box<Game>,
    now: GameTime,
    effects: Effects,
    steps: usize,
    /// Changes of the batches that are complete.
    batches: Vec<Changes>,
}

impl Site {
    const SESSION: SessionId = SessionId(1);

    fn open() -> anyhow::Result<Self> {
        let mut site = Self {
            game: Box::new(new_game()),
            now: GameTime(1),
            effects: Effects::new(),
            steps: 0,
            batches: Vec::new(),
        };
        let hash = Argon2::default().hash_password_with_salt(PASSWORD.as_bytes(), b"salt of the owner");
        let credential = hash.context("the password of the owner")?.to_string();
        let create = Input::Create {
            session: Self::SESSION,
            name: name(OWNER),
            credential,
            pre_login: Box::default(),
        };
        site.step(create);
        site.step(Input::OwnerToken { token: "token".to_owned() });
        site.types("claim token");
        Ok(site)
    }

    fn step(&mut self, input: Input) {
        self.now = self.now + Span::millis(100);
        self.game.step(self.now, input, &mut self.effects);
        self.effects.clear();
        self.steps += 1;
        if self.steps.is_multiple_of(BATCH) {
            self.batches.push(self.game.cut());
        }
    }

    /// Returns everything that the database of this world must hold, as batches.
    fn close(mut self) -> Vec<Changes> {
        self.batches.push(self.game.cut());
        self.batches
    }

    fn types(&mut self, line: &str) {
        self.step(Input::Command { session: Self::SESSION, line: line.to_owned() });
    }

    /// Walks through an exit, and makes it and the room behind it if it is missing.
    fn enters(&mut self, exit: &str) {
        let room = self.room();
        self.types(exit);
        if self.room() == room {
            self.types(&format!("dig {exit} = {exit}, out"));
            self.types(exit);
        }
    }

    fn room(&self) -> Option<RoomId> {
        let world = self.game.world();
        world.character_by_name(&name(OWNER)).map(|owner| world.characters[owner].room)
    }

    fn built(&self) -> usize {
        self.game.world().rooms.built_count()
    }
}

/// Creates a world with a cell for each player: the square leads to a hall, the hall to towers, each tower to
/// wings, and each wing to cells.
pub(crate) fn world_of_cells(cells: u32) -> anyhow::Result<Vec<Changes>> {
    let mut site = Site::open()?;
    let (before, wings) = (site.built(), cells.div_ceil(WAYS));
    site.enters("hall");
    for wing in 0..wings {
        let (tower, wing) = (format!("tower{:02}", wing / WAYS), format!("wing{:02}", wing % WAYS));
        site.enters(&tower);
        site.enters(&wing);
        for cell in 0..WAYS {
            site.enters(&format!("cell{cell:02}"));
            site.types(&format!("describe here = {DESCRIPTION}"));
            site.types("out");
        }
        site.types("out");
        site.types("out");
    }
    let (built, wanted) = (site.built() - before, 1 + wings.div_ceil(WAYS) + wings + wings * WAYS);
    anyhow::ensure!(built == wanted as usize, "{built} of {wanted} rooms have been built");
    Ok(site.close())
}

/// Returns the lines that lead a player from the square to its cell.
pub(crate) fn way_to_cell(n: u32) -> String {
    let (wing, cell) = (n / WAYS, n % WAYS);
    format!("hall\r\ntower{:02}\r\nwing{:02}\r\ncell{cell:02}\r\n", wing / WAYS, wing % WAYS)
}

/// Creates a world with this many described rooms, built by walking back and forth in rows of a hundred.
pub(crate) fn built_world(rooms: u32) -> anyhow::Result<Vec<Changes>> {
    let mut site = Site::open()?;
    site.enters("maze");
    site.types(&format!("describe here = {DESCRIPTION}"));
    site.types("dig -walk here");
    let before = site.built();
    for n in 1..rooms {
        let way = match (n % ROW, n / ROW % 2) {
            (0, _) => "north",
            (_, 0) => "east",
            _ => "west",
        };
        site.types(way);
    }
    let built = site.built() + 1 - before;
    anyhow::ensure!(built == rooms as usize, "{built} of {rooms} rooms have been built");
    Ok(site.close())
}

/// Creates a world with accounts whose players have left.
pub(crate) fn populated_world(accounts: u32) -> anyhow::Result<Vec<Changes>> {
    let mut site = Site::open()?;
    site.types("quit");
    for n in 0..accounts {
        let (credential, pre_login) = ("none".to_owned(), Box::default());
        site.step(Input::Create { session: Site::SESSION, name: name(OWNER + 1 + n), credential, pre_login });
        site.types("quit");
    }
    let made = site.game.world().accounts.len();
    anyhow::ensure!(made == accounts as usize + 1, "{made} accounts have been made");
    Ok(site.close())
}

/// Stores a world in the folder of a server. Returns the size of the database in bytes.
pub(crate) async fn store(batches: &[Changes], folder: &Path) -> anyhow::Result<u64> {
    let state = state_folder(folder);
    std::fs::create_dir_all(&state)?;
    let path = state.join("deepwell.db");
    // Boxed, because the futures of the store are large.
    Box::pin(async {
        let mut store = Store::open(&path).await?;
        for batch in batches {
            store.commit(batch).await?;
        }
        store.close().await
    })
    .await?;
    Ok(std::fs::metadata(path)?.len())
}

/// Returns a new folder with a stored world.
pub(crate) async fn stored(batches: &[Changes]) -> anyhow::Result<tempfile::TempDir> {
    let folder = tempfile::tempdir()?;
    store(batches, folder.path()).await?;
    Ok(folder)
}

/// Returns a new folder with a world of cells.
pub(crate) async fn stored_cells(cells: u32) -> anyhow::Result<tempfile::TempDir> {
    stored(&world_of_cells(cells)?).await
}
