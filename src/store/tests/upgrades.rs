//! Upgrades: this release opens a played world of every earlier schema, also after interruptions.

use super::*;
use crate::store::schema::{MIGRATIONS, known_schema};
use deepwell_core::world::tables::for_each_table;
use deepwell_core::world::{Account, Banned, Sanction};
use flate2::read::GzDecoder;
use sqlx::migrate::Migrate;
use std::collections::BTreeSet;
use std::io::Read as _;

/// Played worlds by schema; the README beside the files tells how they were created.
const WORLDS: &[(i64, &[u8])] = &[
    (1, include_bytes!("../../../tests/data/worlds/schema-1.db.gz")),
    (2, include_bytes!("../../../tests/data/worlds/schema-2.db.gz")),
    (3, include_bytes!("../../../tests/data/worlds/schema-3.db.gz")),
    (4, include_bytes!("../../../tests/data/worlds/schema-4.db.gz")),
    (5, include_bytes!("../../../tests/data/worlds/schema-5.db.gz")),
    (6, include_bytes!("../../../tests/data/worlds/schema-6.db.gz")),
    (7, include_bytes!("../../../tests/data/worlds/schema-7.db.gz")),
    (8, include_bytes!("../../../tests/data/worlds/schema-8.db.gz")),
    (9, include_bytes!("../../../tests/data/worlds/schema-9.db.gz")),
    (10, include_bytes!("../../../tests/data/worlds/schema-10.db.gz")),
    (11, include_bytes!("../../../tests/data/worlds/schema-11.db.gz")),
    (12, include_bytes!("../../../tests/data/worlds/schema-12.db.gz")),
    (13, include_bytes!("../../../tests/data/worlds/schema-13.db.gz")),
    (14, include_bytes!("../../../tests/data/worlds/schema-14.db.gz")),
    (15, include_bytes!("../../../tests/data/worlds/schema-15.db.gz")),
    (16, include_bytes!("../../../tests/data/worlds/schema-16.db.gz")),
    (17, include_bytes!("../../../tests/data/worlds/schema-17.db.gz")),
    (18, include_bytes!("../../../tests/data/worlds/schema-18.db.gz")),
];

/// Unpacks the world of a schema into a folder.
pub(super) fn lay_out(folder: &TempDir, schema: i64) -> PathBuf {
    let (_, packed) = WORLDS.iter().find(|(found, _)| *found == schema).unwrap();
    let mut bytes = Vec::new();
    GzDecoder::new(*packed).read_to_end(&mut bytes).unwrap();
    let path = folder.path().join(format!("world-{schema}.db"));
    fs::write(&path, bytes).unwrap();
    path
}

/// A player's character in any schema: id, account, name, room id and room name.
type CharacterPosition = (i64, i64, String, i64, String);

async fn character_positions(path: &Path) -> Vec<CharacterPosition> {
    let sql = "select c.id, c.data ->> 'account' as account, c.data ->> 'name' as name, r.id as room, \
               r.data ->> 'name' as room_name from characters c join rooms r on r.id = c.data ->> 'room' \
               where c.data ->> 'account' is not null order by c.id";
    let mut db = options(path).read_only(true).connect().await.unwrap();
    let stands = sqlx::query_as(sql).fetch_all(&mut db).await.unwrap();
    db.close().await.unwrap();
    stands
}

/// Returns every file of a folder with its bytes, except those that SQLite creates for any reader: the log index and an
/// empty log. A dropped reader removes them asynchronously.
fn files(folder: &TempDir) -> Vec<(PathBuf, Vec<u8>)> {
    let paths = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let lasting = |(path, bytes): &(PathBuf, Vec<u8>)| {
        let name = path.to_string_lossy();
        !name.ends_with("-shm") && (!name.ends_with("-wal") || !bytes.is_empty())
    };
    let read = |path: PathBuf| match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        read => Some((path, read.unwrap())),
    };
    let mut files: Vec<_> = paths.filter_map(read).filter(lasting).collect();
    files.sort();
    files
}

/// Logs all characters in, checks that each is in its old room, and checks that the result is stored in this release's
/// form.
async fn play_on(store: &mut Store, stands: &[CharacterPosition]) {
    let stored = store.load().await.unwrap();
    let now = stored.meta.as_ref().unwrap().time;
    let mut game = Game::load(Arc::new(Catalog::builtin()), GameConfig::default(), stored).unwrap();
    for (session, (id, account, name, room, room_name)) in (1..).map(SessionId).zip(stands) {
        let account = deepwell_core::base::AccountId(u32::try_from(*account).unwrap());
        let login =
            Input::Login { session, account, name: name.clone(), pre_login: Box::default(), goes_on: false };
        game.step(now, login, &mut Vec::new());
        let world = game.world();
        let body = &world.characters[world.character_by_name(name).unwrap()];
        assert!(body.awake, "{name} does not wake");
        assert_eq!(body.id.0, u64::try_from(*id).unwrap());
        assert_eq!(i64::from(body.room.0), *room, "{name} does not stand where it stood");
        assert_eq!(world.rooms[body.room].sheet.name, *room_name);
        game.step(now, Input::Command { session, line: "look".into() }, &mut Vec::new());
        assert_eq!(game.check(), Vec::<String>::new());
    }
    store.commit(&game.cut()).await.unwrap();
    assert!(store.load().await.unwrap() == game.world().snapshot(), "load(save(world)) differs");
}

/// O6, D6: each world is copied, upgraded and sound, and every character is in its old room.
#[tokio::test]
async fn world_of_every_schema_upgrades_and_plays() {
    assert_eq!(WORLDS.last().map(|(schema, _)| *schema), Some(known_schema()), "a schema without a fixture");
    let mut absent = 0;
    for &(schema, _) in WORLDS {
        let folder = tempfile::tempdir().unwrap();
        let path = lay_out(&folder, schema);
        let before = character_positions(&path).await;
        assert!(before.len() >= 6, "schema {schema}: {before:?}");
        assert_eq!(check(&path).await.unwrap(), Vec::<String>::new(), "schema {schema}, not upgraded");
        let found = read(&path).await.unwrap();
        let mut store = Store::open(&path).await.unwrap();
        assert_eq!(store.load().await.unwrap(), found, "schema {schema}, read without upgrading the file");
        store.leave_asleep(true, true);
        let awake = store.load().await.unwrap();
        assert!(awake == found.awake_part(true, true), "schema {schema}, parts that may sleep");
        absent += awake.asleep.absent.len();
        store.leave_asleep(false, false);
        let copy = beside(&path, &format!(".schema-{schema}-1"));
        assert_eq!(copy.exists(), schema < known_schema(), "schema {schema}");
        if copy.exists() {
            assert_eq!(character_positions(&copy).await, before);
            assert_eq!(check(&copy).await.unwrap(), Vec::<String>::new(), "the copy of schema {schema}");
            let sentence = format!("schema {schema}, which the next start upgrades to {}", known_schema());
            assert_eq!(upgrade_of(&copy).await.unwrap().unwrap().to_string(), sentence);
        }
        assert_eq!(upgrade_of(&path).await.unwrap(), None);
        assert_eq!(check(&path).await.unwrap(), Vec::<String>::new(), "upgraded from schema {schema}");
        play_on(&mut store, &before).await;
        assert_eq!(check(&path).await.unwrap(), Vec::<String>::new(), "played on from schema {schema}");
        store.close().await.unwrap();
    }
    assert!(absent > 0, "no character was absent");
}

/// O6: the newest fixture contains everything that a world of this schema can contain, for the tests of later releases.
#[tokio::test]
async fn newest_fixture_fills_every_table() {
    let folder = tempfile::tempdir().unwrap();
    let found = read(&lay_out(&folder, known_schema())).await.unwrap();
    macro_rules! is_filled {
        ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {
            $(assert!(!found.$table.is_empty(), "no {}", stringify!($table));)*
        };
    }
    for_each_table!(is_filled);
    let kinds: BTreeSet<_> = found.reports.values().map(|report| report.kind.name()).collect();
    assert!(kinds.len() >= 3, "{kinds:?}");
    let networks = found.bans.values().filter(|ban| matches!(ban.banned, Banned::Network(_))).count();
    assert!(networks > 0 && networks < found.bans.len(), "bans of addresses and of accounts");
    let endless = found.bans.values().filter(|ban| ban.sentence.until.is_none()).count();
    assert!(endless > 0 && endless < found.bans.len(), "bans with and without an end");
    let laid_on = |account: &Account| account.sentences.keys().copied().collect::<Vec<_>>();
    let restraints: BTreeSet<_> = found.accounts.values().flat_map(laid_on).collect();
    assert_eq!(restraints, BTreeSet::from([Sanction::Mute, Sanction::Freeze]));
    assert!(found.accounts.values().any(|account| !account.ignored.is_empty()), "nobody ignores anybody");
}

/// O5, O6: a check changes no file, even if it tries the upgrade.
#[tokio::test]
async fn check_of_older_world_changes_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = lay_out(&folder, 1);
    let before = files(&folder);
    assert_eq!(check(&path).await.unwrap(), Vec::<String>::new());
    assert!(files(&folder) == before);
}

/// O6: a start killed during the copy, or between the copy and the first migration, is continued by the next start.
#[tokio::test]
async fn upgrade_killed_before_first_migration_continues() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let path = lay_out(&folder, 1);
    let before = character_positions(&path).await;
    fs::copy(&path, beside(&path, ".schema-1-1")).unwrap();
    fs::write(beside(&path, ".schema-1-2.part-1"), "somebody's").unwrap();
    let left = beside(&path, ".schema-1-2.deepwell-part-1");
    fs::write(&left, [0; 512]).unwrap();
    fs::set_permissions(&left, fs::Permissions::from_mode(0o600)).unwrap();
    Store::open(&path).await.unwrap().close().await.unwrap();
    assert_eq!(character_positions(&beside(&path, ".schema-1-2")).await, before);
    assert!(!left.exists() && beside(&path, ".schema-1-2.part-1").exists());
    assert_eq!(check(&path).await.unwrap(), Vec::<String>::new());
}

/// O6: repeated starts that fail after the copy do not fill the folder with identical copies.
#[tokio::test]
async fn identical_upgrade_copy_is_kept_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = lay_out(&folder, 1);
    let before = fs::read(&path).unwrap();
    for _ in 0..3 {
        fs::write(&path, &before).unwrap();
        Store::open(&path).await.unwrap().close().await.unwrap();
    }
    assert!(beside(&path, ".schema-1-1").exists() && !beside(&path, ".schema-1-2").exists());
    fs::write(&path, &before).unwrap();
    let mut db = connect(&path).await.unwrap();
    sqlx::raw_sql("insert into audit (at, account, action) values (1, 1, 'another')")
        .execute(&mut db)
        .await
        .unwrap();
    db.close().await.unwrap();
    Store::open(&path).await.unwrap().close().await.unwrap();
    assert!(beside(&path, ".schema-1-2").exists(), "another world is another copy");
}

/// O6, D13: an upgrade killed between two migrations continues after the last one, from a new copy.
#[tokio::test]
async fn upgrade_killed_between_migrations_continues() {
    for last in 2..known_schema() {
        let folder = tempfile::tempdir().unwrap();
        let path = lay_out(&folder, 1);
        let before = character_positions(&path).await;
        let mut db = connect(&path).await.unwrap();
        for step in MIGRATIONS.iter().filter(|step| (2..=last).contains(&step.version)) {
            db.apply(&MIGRATIONS.table_name, step).await.unwrap();
        }
        db.close().await.unwrap();
        let mut store = Store::open(&path).await.unwrap();
        assert!(beside(&path, &format!(".schema-{last}-1")).exists());
        assert_eq!(check(&path).await.unwrap(), Vec::<String>::new(), "cut off after step {last}");
        play_on(&mut store, &before).await;
    }
}

/// O3, O6: if the copy cannot be written, nothing is upgraded and no file is left behind.
#[tokio::test]
async fn upgrade_without_copy_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    // The name is short enough for the database and its log, but not for a copy beside it.
    let path = folder.path().join("w".repeat(250));
    fs::rename(lay_out(&folder, 1), &path).unwrap();
    let before = files(&folder);
    assert!(Store::open(&path).await.is_err());
    assert!(files(&folder) == before, "something changed");
}

/// D6, O6: for an older world that would not load after the upgrade, the error names the row; the file stays unchanged.
#[tokio::test]
async fn inconsistent_world_is_not_upgraded() {
    let folder = tempfile::tempdir().unwrap();
    let path = lay_out(&folder, 2);
    let mut db = connect(&path).await.unwrap();
    let spoil = "update characters set data = json_set(data, '$.hp', -5) where name = 'tove'";
    sqlx::raw_sql(spoil).execute(&mut db).await.unwrap();
    db.close().await.unwrap();
    let before = files(&folder);
    let mistakes = check(&path).await.unwrap();
    let beginning = format!("upgraded to schema {}: characters ", known_schema());
    assert!(mistakes.iter().any(|line| line.starts_with(&beginning) && line.contains("-5/")), "{mistakes:?}");
    let error = Store::open(&path).await.unwrap_err();
    assert!(matches!(&error, StoreError::Unsound(message) if message.contains("-5/")), "{error}");
    assert!(files(&folder) == before, "something changed");
}

/// O5, O6: an older copy can be restored and is upgraded by the next start; a newer copy is refused with a message.
#[tokio::test]
async fn older_copy_is_restored_and_newer_copy_is_refused() {
    let mut played = Played::begin().await;
    played.type_line("down").await;
    let database = played.store.path.clone();
    played.store.close().await.unwrap();
    let copy = lay_out(&played.folder, 1);
    let before = character_positions(&copy).await;
    assert!(restore(&copy, &database).await.unwrap().unwrap().exists());
    assert_eq!(upgrade_of(&database).await.unwrap(), upgrade_of(&copy).await.unwrap());
    let mut store = Store::open(&database).await.unwrap();
    play_on(&mut store, &before).await;
    store.close().await.unwrap();

    let newer = lay_out(&played.folder, 4);
    let mut db = connect(&newer).await.unwrap();
    let later = "insert into _sqlx_migrations (version, description, success, checksum, execution_time) \
                 values (9999, 'later', true, x'00', 0)";
    sqlx::raw_sql(later).execute(&mut db).await.unwrap();
    db.close().await.unwrap();
    let refusal = format!(
        "{}: written by a later release (schema 9999; this release supports up to {}); run the later release",
        newer.display(),
        known_schema()
    );
    let there = files(&played.folder);
    assert_eq!(restore(&newer, &database).await.unwrap_err().to_string(), refusal);
    assert_eq!(check(&newer).await.unwrap_err().to_string(), refusal);
    assert_eq!(upgrade_of(&newer).await.unwrap_err().to_string(), refusal);
    assert_eq!(Store::open(&newer).await.unwrap_err().to_string(), refusal);
    assert!(files(&played.folder) == there, "something changed");
}

/// D2: an upgrade removes deleted rows that a release without `secure_delete` left in free pages.
#[tokio::test]
async fn d2_upgrade_removes_previously_deleted_content() {
    const SECRET: &str = "$argon2id$of-somebody-who-is-gone";
    let folder = tempfile::tempdir().unwrap();
    let path = lay_out(&folder, 7);
    let holds_secret =
        || fs::read(&path).unwrap().windows(SECRET.len()).any(|part| part == SECRET.as_bytes());
    let mut db = options(&path).pragma("secure_delete", "off").connect().await.unwrap();
    let sql = format!("create table gone (secret); insert into gone values ('{SECRET}'); drop table gone");
    sqlx::raw_sql(sqlx::AssertSqlSafe(sql)).execute(&mut db).await.unwrap();
    db.close().await.unwrap();
    assert!(holds_secret(), "the test leaves something");
    Store::open(&path).await.unwrap().close().await.unwrap();
    assert!(!holds_secret());
    let copies = files(&folder);
    assert!(
        copies.iter().all(|(_, bytes)| !bytes.windows(SECRET.len()).any(|part| part == SECRET.as_bytes()))
    );
}
