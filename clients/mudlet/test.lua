-- Runs deepwell.lua with a stand-in for Mudlet and the messages of a file, then prints the map that came out:
--   lua5.1 clients/mudlet/test.lua MESSAGES
-- MESSAGES is Lua: a list of { "Package.Name", body }. The map is one room a line, in the order of their numbers.

local rooms, areas, handlers, centre = {}, {}, {}, nil
local next_area = 0

gmcp = { Room = {}, Char = {}, Party = {} }

function getAreaTable()
  local names = {}
  for id, name in pairs(areas) do names[name] = id end
  return names
end
function addAreaName(name) next_area = next_area + 1; areas[next_area] = name; return next_area end
function deleteArea(id)
  assert(areas[id], "an area that is not there")
  areas[id] = nil
  for num, room in pairs(rooms) do if room.area == id then rooms[num] = nil end end
end
function roomExists(num) return rooms[num] ~= nil end
function addRoom(num) assert(not rooms[num], "a room twice"); rooms[num] = { exits = {}, stubs = {} } end
function setRoomArea(num, area) assert(areas[area], "no such area"); rooms[num].area = area end
function setRoomName(num, name) rooms[num].name = name end
function setRoomCoordinates(num, x, y, z) rooms[num].at = x .. "," .. y .. "," .. z end
function setCustomEnvColor() end
function setRoomEnv() end
function setRoomChar(num, letter) rooms[num].letter = letter end
function setExit(from, to, direction) assert(rooms[from] and rooms[to]); rooms[from].exits[direction] = to end
function setExitStub(num, direction, on) rooms[num].stubs[direction] = on or nil end
function lockExit() end
function addSpecialExit(from, to, command) rooms[from].exits[command] = to end
function centerview(num) assert(rooms[num], "the centre is no room"); centre = num end
function registerAnonymousEventHandler(event, name) handlers[event] = name; return event end
function killAnonymousEventHandler(event) handlers[event] = nil end

local widget = {}
widget.__index = function(_, key) return widget[key] or function() end end
function widget.new() return setmetatable({}, widget) end
function widget.setValue(_, value, most, words) assert(value <= most and words:find("%d"), words) end
Adjustable = { Container = widget }
Geyser = { Mapper = widget, Gauge = widget, MiniConsole = widget }

local here = arg[0]:gsub("test%.lua$", "")
dofile(here .. "deepwell.lua")
dofile(here .. "deepwell.lua") -- Installing it again changes nothing.

for _, message in ipairs(dofile(arg[1])) do
  local package, body = message[1], message[2]
  local family, name = package:match("^(%a+)%.(%a+)$")
  gmcp[family][name] = body
  local handler = handlers["gmcp." .. package]
  if handler then
    local from, what = handler:match("^(%a+)%.([%a_]+)$")
    _G[from][what]()
  end
end

local function sorted(from)
  local keys = {}
  for key in pairs(from) do table.insert(keys, key) end
  table.sort(keys)
  return keys
end

for _, num in ipairs(sorted(rooms)) do
  local room = rooms[num]
  local line = string.format("%d %s [%s] at %s%s:", num, room.name, areas[room.area], room.at, room.letter ~= "" and " " .. room.letter or "")
  for _, direction in ipairs(sorted(room.exits)) do line = line .. string.format(" %s=%d", direction, room.exits[direction]) end
  for _, direction in ipairs(sorted(room.stubs)) do line = line .. string.format(" %s=?", direction) end
  print(line)
end
print("here: " .. tostring(centre))
