//! The map of hand-built rooms that clients download.

use crate::table::{Table, seeded};

/// protocols 6.6: the map lists every hand-built room once, with the coordinates and number of its `Room.Info`, and no
/// room of a branch.
#[test]
fn map_lists_every_hand_built_room_once() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.types("Olad", "down");
    let well = table.body("Olad").room;
    let before = table.game().atlas();
    table.types("Olad", "north");
    assert!(table.body("Olad").branch.is_some());
    assert_eq!(table.game().atlas(), before, "branches come and go; the map stays");
    let lasting = table.world().rooms.iter().filter(|(_, room)| room.branch.is_none()).count();
    assert_eq!(before.matches("<room id=").count(), lasting);
    let line = format!("<room id=\"{well}\" area=");
    assert_eq!(before.matches(&line).count(), 1);
    assert!(before.contains("title=\"Bottom of the Well\""));
    let square = table.world().exits.of(well).find_map(|exit| exit.to).expect("the way up");
    assert!(before.contains(&format!("<exit direction=\"up\" target=\"{square}\"/>")));
}

/// Text written by builders is escaped in the file.
#[test]
fn room_names_are_escaped_in_the_map() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.make_owner("Olad");
    let answer = table.types("Olad", "dig Salt & \"Pepper\" <Yard> = ladder");
    assert!(answer.contains("Yard"), "{answer}");
    let map = table.game().atlas();
    assert!(map.contains("title=\"Salt &amp; &quot;Pepper&quot; &lt;Yard&gt;\""), "{map}");
}
