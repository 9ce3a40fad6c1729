-- Runs the package with a stand-in for Mudlet and the messages of a file, then prints the map and the contents of the
-- window.
--
-- lua5.1 clients/mudlet/test.lua MESSAGES
--
-- MESSAGES is Lua: a list of { "Package.Name", body }. The map has one room per line, in order of room number.

local rooms, areas, handlers, centre = {}, {}, {}, nil
local next_area, packages, sent = 0, { "generic_mapper", "deepwell" }, {}

gmcp = {}
unpack = unpack or table.unpack

function table.contains(list, item)
  for _, one in pairs(list) do if one == item then return true end end
  return false
end

-- Mudlet.
function getPackages() return packages end
function uninstallPackage(name)
  for at, one in ipairs(packages) do if one == name then table.remove(packages, at) end end
end
function tempTimer(_, work) work() end
function sendGMCP(message) table.insert(sent, message) end
function registerAnonymousEventHandler(event, work)
  assert(not handlers[event], "two handlers for " .. event)
  handlers[event] = work
  return event
end
function killAnonymousEventHandler(event) handlers[event] = nil end
function getBackgroundColor() return 0, 0, 0 end

-- The map.
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
function setMapZoom(_, area) assert(areas[area]) end
function roomExists(num) return rooms[num] ~= nil end
function addRoom(num) assert(not rooms[num], "a room twice"); rooms[num] = { exits = {}, stubs = {}, shut = {} } end
function setRoomArea(num, area) assert(areas[area], "no such area"); rooms[num].area = area end
function setRoomName(num, name) rooms[num].name = name end
function setRoomCoordinates(num, x, y, z) rooms[num].at = x .. "," .. y .. "," .. z end
function setCustomEnvColor() end
function setRoomEnv() end
function setRoomChar(num, letter) rooms[num].letter = letter end
function setExit(from, to, direction) assert(rooms[from] and rooms[to]); rooms[from].exits[direction] = to end
function setExitStub(num, direction, on) rooms[num].stubs[direction] = on or nil end
function setDoor(num, key, state) rooms[num].shut[key] = state > 0 or nil end
function lockExit() end
function addSpecialExit(from, to, command) rooms[from].exits[command] = to end
function updateMap() end
function centerview(num) assert(rooms[num], "the centre is no room"); centre = num end

-- The window: labels that accept any call, and consoles that store their text by name.
local consoles = {}
local label = setmetatable({}, { __index = function() return function() end end })
local function written(name, text) consoles[name] = (consoles[name] or "") .. text end
local widget = {}
widget.__index = function(_, key) return rawget(widget, key) or function() end end
function widget.new(_, options)
  local made = { name = options.name, adjLabel = label, front = label, back = label, text = label }
  if options.attached then written("attached", options.attached) end
  return setmetatable(made, widget)
end
function widget:setValue(value, most, words)
  assert(value <= most, words)
  consoles[self.name] = words
end
function widget:clear() consoles[self.name] = nil end
function widget:echo(text) written(self.name, text) end
function widget:echoLink(text, command)
  assert(loadstring(command), command)
  written(self.name, "[" .. text .. "]")
end
for _, name in ipairs({ "setFgColor", "setBgColor", "setUnderline" }) do _G[name] = function() end end
widget.all = {}
Adjustable = { Container = widget }
Geyser = { Mapper = widget, Gauge = widget, MiniConsole = widget }

local here = arg[0]:gsub("test%.lua$", "")
for _ = 1, 2 do -- Installing the package again changes nothing.
  for _, script in ipairs({ "atlas", "panel", "deepwell" }) do dofile(here .. script .. ".lua") end
end
assert(table.concat(packages, " ") == "deepwell", "the mapper that reads text is still there")

-- Stores a body where Mudlet does: `gmcp.Char.Items.List`.
local function place(package, body)
  local at, last = gmcp, nil
  for part in package:gmatch("[^.]+") do
    if last then
      at[last] = at[last] or {}
      at = at[last]
    end
    last = part
  end
  at[last] = body
end

for _, message in ipairs(dofile(arg[1])) do
  local package, body = message[1], message[2]
  place(package, body)
  local handler = handlers["gmcp." .. package]
  if handler then handler("gmcp." .. package) end
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
  for _, key in ipairs(sorted(room.shut)) do line = line .. string.format(" %s shut", key) end
  print(line)
end
for _, name in ipairs(sorted(consoles)) do print(name .. ": " .. consoles[name]:gsub("%s*\n%s*", " / ")) end
print("here: " .. tostring(centre))

-- Uninstalling the package removes everything.
handlers.sysUninstallPackage("sysUninstallPackage", "deepwell")
assert(next(handlers) == nil and deepwell == nil, "something of it is left")
