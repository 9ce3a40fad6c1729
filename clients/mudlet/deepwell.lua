-- Deepwell in Mudlet: the map, the gauges and the party, all of it from GMCP (Room.Info, Char.Vitals, Party.Info).
-- Nothing here reads the text of the game, and nothing answers the server but the commands that you walk by.

deepwell = deepwell or {}

-- Maps of branches that are kept. Branches collapse, and no room of theirs comes back.
local BRANCHES_KEPT = 5

local LONG = {
  n = "north", e = "east", s = "south", w = "west", u = "up", d = "down",
  ne = "northeast", nw = "northwest", se = "southeast", sw = "southwest", ["in"] = "in", out = "out",
}

-- What a room looks like on the map. The letter says the same as the colour. Any other word that the server says of a
-- room is drawn as its first letter.
local MARKS = {
  { detail = "unclear", letter = "!", env = 301, rgb = { 170, 70, 60 } },
  { detail = "puzzle", letter = "?", env = 302, rgb = { 150, 110, 190 } },
  { detail = "stairs", letter = ">", env = 303, rgb = { 90, 150, 190 } },
  { detail = "web", letter = "#", env = 304, rgb = { 130, 130, 130 } },
}
local PLAIN = { letter = "", env = 300, rgb = { 90, 130, 110 } }

local function has(list, word)
  for _, item in ipairs(list or {}) do
    if item == word then return true end
  end
  return false
end

local function mark_of(info)
  for _, mark in ipairs(MARKS) do
    if has(info.details, mark.detail) then return mark end
  end
  local word = (info.details or {})[1]
  return word and { letter = word:sub(1, 1):upper(), env = PLAIN.env, rgb = PLAIN.rgb } or PLAIN
end

-- The area of a room, made when it is new. The oldest maps of branches go when there are too many.
local function area_of(info)
  local known = getAreaTable()[info.area]
  if known then return known end
  local area = addAreaName(info.area)
  if info.ephemeral then
    deepwell.branches = deepwell.branches or {}
    table.insert(deepwell.branches, area)
    while #deepwell.branches > BRANCHES_KEPT do
      deleteArea(table.remove(deepwell.branches, 1))
    end
  end
  return area
end

-- One exit of the room: a way where its room is known, a stub where nobody has been, a lock where it is shut.
local function draw_exit(num, key, exit)
  local direction = LONG[key]
  if exit.num and exit.num > 0 and roomExists(exit.num) then
    if direction then
      setExitStub(num, direction, false)
      setExit(num, exit.num, direction)
      lockExit(num, direction, exit.state == "locked")
    else
      addSpecialExit(num, exit.num, exit.cmd or key)
    end
  elseif direction then
    setExitStub(num, direction, true)
  end
end

-- Draws the room one stands in, and the ways between it and the rooms around.
function deepwell.room()
  local info = gmcp.Room.Info
  if not info or not info.num or info.num < 1 then return end
  local num, mark = info.num, mark_of(info)
  if not roomExists(num) then addRoom(num) end
  setRoomArea(num, area_of(info))
  setRoomName(num, info.name)
  setRoomCoordinates(num, info.coord.x, info.coord.y, info.coord.z)
  setCustomEnvColor(mark.env, mark.rgb[1], mark.rgb[2], mark.rgb[3], 255)
  setRoomEnv(num, mark.env)
  setRoomChar(num, mark.letter)
  for key, exit in pairs(info.exitsv2 or {}) do
    draw_exit(num, key, exit)
  end
  -- The room one came from had only a stub towards this one.
  local last = deepwell.last
  if last and last ~= num and roomExists(last.num) then
    for key, exit in pairs(last.exitsv2) do
      if exit.num == num then draw_exit(last.num, key, exit) end
    end
  end
  deepwell.last = { num = num, exitsv2 = info.exitsv2 or {} }
  centerview(num)
end

-- Mudlet calls this when a room on the map is double-clicked, with the way in speedWalkDir.
function doSpeedWalk()
  for _, direction in ipairs(speedWalkDir) do
    send(LONG[direction] or direction)
  end
end

-- The window at the right: hit points, experience, the party.
local function build()
  if deepwell.window then return end
  deepwell.window = Adjustable.Container:new({ name = "deepwell", x = "-30%", y = 0, width = "30%", height = "100%", titleText = "Deepwell" })
  deepwell.map = Geyser.Mapper:new({ name = "deepwell.map", x = 0, y = 0, width = "100%", height = "60%" }, deepwell.window)
  deepwell.hp = Geyser.Gauge:new({ name = "deepwell.hp", x = 0, y = "61%", width = "100%", height = 24 }, deepwell.window)
  deepwell.hp:setColor(150, 60, 55)
  deepwell.xp = Geyser.Gauge:new({ name = "deepwell.xp", x = 0, y = "66%", width = "100%", height = 24 }, deepwell.window)
  deepwell.xp:setColor(70, 110, 150)
  deepwell.party = Geyser.MiniConsole:new({ name = "deepwell.party", x = 0, y = "72%", width = "100%", height = "28%", fontSize = 10 }, deepwell.window)
end

-- The gauges say their numbers, so that nothing is told by length alone.
function deepwell.vitals()
  local vitals = gmcp.Char.Vitals
  build()
  deepwell.hp:setValue(math.max(vitals.hp, 0), math.max(vitals.maxhp, 1), string.format("Hit points %d of %d", vitals.hp, vitals.maxhp))
  deepwell.xp:setValue(math.min(vitals.xp, vitals.nextxp), math.max(vitals.nextxp, 1), string.format("Level %d, experience %d of %d", vitals.level, vitals.xp, vitals.nextxp))
end

-- One member of the party a line.
function deepwell.show_party()
  build()
  deepwell.party:clear()
  for _, member in ipairs(deepwell.members or {}) do
    deepwell.party:echo(string.format("%s: %d of %d, %s, %s\n", member.name, member.hp, member.maxhp, member.state, member.place))
  end
end

function deepwell.party_info()
  deepwell.members = gmcp.Party.Info.members or {}
  deepwell.show_party()
end

function deepwell.party_update()
  local update = gmcp.Party.Update
  for at, member in ipairs(deepwell.members or {}) do
    if member.name == update.name then deepwell.members[at] = update end
  end
  deepwell.show_party()
end

-- Loading the package again must not run everything twice.
for _, handler in ipairs(deepwell.handlers or {}) do killAnonymousEventHandler(handler) end
deepwell.handlers = {
  registerAnonymousEventHandler("gmcp.Room.Info", "deepwell.room"),
  registerAnonymousEventHandler("gmcp.Char.Vitals", "deepwell.vitals"),
  registerAnonymousEventHandler("gmcp.Party.Info", "deepwell.party_info"),
  registerAnonymousEventHandler("gmcp.Party.Update", "deepwell.party_update"),
}
