-- Draws Mudlet's map from the server's room data. Room numbers are those of the server.

deepwell = deepwell or {}

-- Maximum number of stored maps of branches. Branches collapse, and their rooms never return.
local BRANCHES_KEPT = 5

local LONG = {
  n = "north", e = "east", s = "south", w = "west", u = "up", d = "down",
  ne = "northeast", nw = "northwest", se = "southeast", sw = "southwest", ["in"] = "in", out = "out",
}

-- Approximate width of a new map in rooms, small enough for the letters to be readable.
local ZOOM = 8

local STEPS = {
  n = { 0, 1, 0 }, e = { 1, 0, 0 }, s = { 0, -1, 0 }, w = { -1, 0, 0 }, u = { 0, 0, 1 }, d = { 0, 0, -1 },
  ne = { 1, 1, 0 }, se = { 1, -1, 0 }, sw = { -1, -1, 0 }, nw = { -1, 1, 0 },
}

local BACK = { n = "s", e = "w", s = "n", w = "e", u = "d", d = "u", ne = "sw", sw = "ne", nw = "se", se = "nw" }

-- Mudlet's door states; a locked exit is drawn as a red bar.
local OPEN, LOCKED = 0, 3

-- Appearance of rooms on the map. The letter has the same meaning as the colour. For any other keyword of a room's
-- details, its first letter is drawn.
local MARKS = {
  { detail = "unclear", letter = "!", text = "not clear", env = 301, rgb = { 170, 70, 60 } },
  { detail = "puzzle", letter = "?", text = "a puzzle", env = 302, rgb = { 150, 110, 190 } },
  { detail = "stairs", letter = ">", text = "stairs down", env = 303, rgb = { 70, 120, 160 } },
  { detail = "portal", letter = "O", text = "a portal", env = 305, rgb = { 90, 150, 150 } },
  { detail = "web", letter = "#", text = "webs", env = 304, rgb = { 110, 110, 110 } },
}
-- Letters for contents of puzzle rooms, the most important first. An enemy shows its power, other contents their first
-- letter.
local HELD = {
  { kind = "finish", letter = "F", text = "the finish" },
  { kind = "portal", letter = "O", text = "a portal" },
  { kind = "glyph", letter = "*", text = "a glyph" },
}
local PLAIN = { letter = "", text = "", env = 300, rgb = { 80, 120, 100 } }

-- Returns the letter for the contents of a puzzle room, then the sign and the text that explain it; nil outside
-- puzzles.
local function letter_of(num)
  local contents = deepwell.contents[num]
  if not contents then return nil end
  for _, one in ipairs(contents) do
    if one.kind == "enemy" then return tostring(one.power or "?"), "number", "the power of an enemy" end
  end
  for _, held in ipairs(HELD) do
    for _, one in ipairs(contents) do
      if one.kind == held.kind then return held.letter, held.letter, held.text end
    end
  end
  local name = contents[1] and contents[1].name:gsub("^[Aa]n? ", ""):gsub("^[Tt]he ", "")
  local letter = name and name:sub(1, 1):upper()
  return letter, letter, name
end

local function mark_of(info)
  for _, mark in ipairs(MARKS) do
    if table.contains(info.details or {}, mark.detail) then return mark end
  end
  local word = (info.details or {})[1]
  return word and { letter = word:sub(1, 1):upper(), text = word, env = PLAIN.env, rgb = PLAIN.rgb } or PLAIN
end

-- Texts of Mudlet on the map. They would cover its upper rooms.
local MAP_INFO = { "Short", "Full" }

-- Returns the names of Mudlet's texts that are shown on the map.
function deepwell.map_info()
  -- Older versions of Mudlet do not tell; "Short" is their default.
  local states = getMapInfo and getMapInfo() or { Short = true }
  local shown = {}
  for _, name in ipairs(MAP_INFO) do if states[name] then table.insert(shown, name) end end
  return shown
end

function deepwell.hide_map_info(names) for _, name in ipairs(names) do disableMapInfo(name) end end

function deepwell.show_map_info(names) for _, name in ipairs(names) do enableMapInfo(name) end end

-- Adds a sign to the legend of the map. Two kinds of rooms may share a letter.
local function explain(letter, text)
  local known = deepwell.signs[letter]
  if letter == "" or known and (" or " .. known .. " or "):find(" or " .. text .. " or ", 1, true) then return end
  deepwell.signs[letter] = known and known .. " or " .. text or text
  deepwell.legend_changed = true
end

-- Writes the legend: the signs of the rooms drawn in this area.
function deepwell.show_legend()
  deepwell.build()
  local ui, texts = deepwell.ui, { "stub: an unseen exit", "bar: a shut one" }
  for _, letter in ipairs(ui.sorted(deepwell.signs)) do table.insert(texts, letter .. " " .. deepwell.signs[letter]) end
  deepwell.legend:clear()
  ui.head(deepwell.legend, "Map")
  ui.plain(deepwell.legend, table.concat(texts, ", "))
  deepwell.legend_changed = false
end

-- Begins the legend of another area.
local function enter_area(name)
  if deepwell.area == name then return end
  deepwell.area, deepwell.signs, deepwell.legend_changed = name, {}, true
end

-- Deletes the maps of the oldest branches beyond the limit. Branch numbers increase with time.
local function forget_branches()
  local branches = {}
  for name, area in pairs(getAreaTable()) do
    local number = tonumber(name:match("/branch (%d+)$"))
    if number then table.insert(branches, { number = number, area = area }) end
  end
  table.sort(branches, function(one, other) return one.number > other.number end)
  for at = BRANCHES_KEPT + 1, #branches do deleteArea(branches[at].area) end
end

-- Returns the area of a name; creates it if necessary.
local function area_of(name)
  local area = getAreaTable()[name]
  if not area then
    area = addAreaName(name)
    pcall(setMapZoom, ZOOM, area)
    forget_branches()
  end
  return area
end

-- Draws one exit of a room: an exit if its destination is known, a stub if it is unexplored, a bar if it is locked.
local function draw_exit(num, key, exit, clear)
  local direction = LONG[key]
  local unexplored = (exit.num or -1) < 1
  if not unexplored and roomExists(exit.num) then
    if direction then
      setExitStub(num, direction, false)
      setExit(num, exit.num, direction)
    else
      addSpecialExit(num, exit.num, exit.cmd or key)
    end
  elseif direction then
    setExitStub(num, direction, true)
  end
  if direction then
    local shut = exit.state == "locked" or unexplored and not clear
    setDoor(num, key, shut and LOCKED or OPEN)
    lockExit(num, direction, exit.state == "locked")
  end
end

-- Draws a room without its exits.
local function draw_room(room, area)
  local num, mark = room.num, mark_of(room)
  if not roomExists(num) then addRoom(num) end
  setRoomArea(num, area)
  setRoomName(num, room.name)
  setRoomCoordinates(num, room.coord.x, room.coord.y, room.coord.z)
  setCustomEnvColor(mark.env, mark.rgb[1], mark.rgb[2], mark.rgb[3], 255)
  setRoomEnv(num, mark.env)
  local letter, sign, text = letter_of(num)
  setRoomChar(num, letter or mark.letter)
  explain(sign or mark.letter, text or mark.text)
end

-- Sets the letters of all rooms of a puzzle by their contents; an emptied room gets the sign of a puzzle.
function deepwell.furnish()
  local before = deepwell.contents
  deepwell.contents = {}
  for _, room in ipairs(gmcp.Room.Puzzle.List) do deepwell.contents[room.num] = room.contents end
  for num in pairs(before) do
    if roomExists(num) and not deepwell.contents[num] then setRoomChar(num, "?") end
  end
  for num in pairs(deepwell.contents) do
    if roomExists(num) then
      local letter, sign, text = letter_of(num)
      setRoomChar(num, letter or "?")
      if sign then explain(sign, text) end
    end
  end
  if deepwell.legend_changed then deepwell.show_legend() end
  updateMap()
end

-- Draws the exits of a room that lead to drawn rooms.
local function draw_exits(room)
  for key, exit in pairs(room.exitsv2 or {}) do draw_exit(room.num, key, exit, room.clear) end
end

-- Returns true if an exit of one room leads to another, judged by position or by an exit back. Stairs may end at
-- another position on their level.
local function leads(from, key, to)
  local step, back = STEPS[key], (to.exitsv2 or {})[BACK[key] or ""]
  if back and back.num == from.num then return true end
  local here, there = from.coord, to.coord
  return step and here.x + step[1] == there.x and here.y + step[2] == there.y and here.z + step[3] == there.z
end

-- Draws the current room, and the exits between it and its neighbours.
function deepwell.room()
  local info = gmcp.Room.Info
  if not info or not info.num or info.num < 1 then return end
  enter_area(info.area)
  draw_room(info, area_of(info.area))
  draw_exits(info)
  -- The previous room had only a stub in this direction, and the server does not send that room again.
  local last = deepwell.last
  if last and last.num ~= info.num and roomExists(last.num) then
    for key, exit in pairs(last.exitsv2) do
      local taken = (exit.num or -1) < 1 and last.area == info.area and leads(last, key, info)
      if taken or exit.num == info.num then
        draw_exit(last.num, key, { num = info.num, state = taken and "open" or exit.state, cmd = exit.cmd }, true)
      end
    end
  end
  deepwell.last = { num = info.num, area = info.area, coord = info.coord, exitsv2 = info.exitsv2 or {} }
  if deepwell.legend_changed then deepwell.show_legend() end
  centerview(info.num)
end

-- Draws the known rooms of an area. They arrive in several parts; exits are drawn after the last part.
function deepwell.remember()
  local map = gmcp.Room.Map
  if map.part == 1 then deepwell.remembered = {} end
  enter_area(map.area)
  local area = area_of(map.area)
  for _, room in ipairs(map.rooms) do
    draw_room(room, area)
    table.insert(deepwell.remembered, room)
  end
  if map.part < map.parts then return end
  for _, room in ipairs(deepwell.remembered) do draw_exits(room) end
  deepwell.remembered = {}
  if deepwell.legend_changed then deepwell.show_legend() end
  updateMap()
end

-- Called by Mudlet when a room on the map is double-clicked, with the path in speedWalkDir.
function doSpeedWalk()
  for _, direction in ipairs(speedWalkDir) do
    send(LONG[direction] or direction)
  end
end
