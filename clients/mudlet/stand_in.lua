-- A stand-in for Mudlet: the functions that the package calls, on a map, consoles, handlers, timers and keys that tests
-- can read. It refuses what Mudlet refuses, such as a room that is created twice.

local fake = {
  rooms = {}, areas = {}, centre = nil, handlers = {}, timers = {}, keys = {}, consoles = {}, clicks = {}, links = {},
  packages = { "generic_mapper", "deepwell" }, sent = {}, gmcp_sent = {}, clock = 1000, files = {}, printed = "",
  map_info = { Short = true, Full = false },
}
local next_area, next_timer = 0, 0
local rooms, areas, consoles = fake.rooms, fake.areas, fake.consoles

gmcp = {}
unpack = unpack or table.unpack

function table.contains(list, item)
  for _, one in pairs(list) do if one == item then return true end end
  return false
end

-- Mudlet.
function getPackages() return fake.packages end
function uninstallPackage(name)
  for at, one in ipairs(fake.packages) do if one == name then table.remove(fake.packages, at) end end
end
function tempTimer(seconds, work, repeats)
  next_timer = next_timer + 1
  fake.timers[next_timer] = { due = fake.clock + seconds, work = work, every = repeats and seconds }
  return next_timer
end
function killTimer(timer) fake.timers[timer] = nil end
function getEpoch() return fake.clock end
function send(command) table.insert(fake.sent, command) end
function printCmdLine(text) fake.line = text end
function sendGMCP(message) table.insert(fake.gmcp_sent, message) end
function echo(text) fake.printed = fake.printed .. text end
function echoLink(text, command)
  fake.links[text] = assert(loadstring(command), command)
  echo("[" .. text .. "]")
end
function registerAnonymousEventHandler(event, work)
  assert(not fake.handlers[event], "two handlers for " .. event)
  fake.handlers[event] = work
  return event
end
function killAnonymousEventHandler(event) fake.handlers[event] = nil end
mudlet = { keymodifier = { Alt = 0x08000000 } }
function tempKey(modifier, key, work)
  local id = modifier + key
  assert(not fake.keys[id], "two bindings of a key")
  fake.keys[id] = work
  return id
end
function killKey(id) fake.keys[id] = nil end
function getBackgroundColor() return 0, 0, 0 end
for _, name in ipairs({ "getWindowWrap", "setWindowWrap", "getColumnCount", "wrapLine" }) do _G[name] = function() end end
function getLineCount() return 2 end
function getMudletHomeDir() return "/profile" end
function io.exists(path) return fake.files[path] ~= nil end
function table.save(path, content)
  fake.files[path] = {}
  for key, value in pairs(content) do fake.files[path][key] = value end
end
function table.load(path, into) for key, value in pairs(fake.files[path]) do into[key] = value end end

-- The map.
function getMapInfo() return fake.map_info end
function enableMapInfo(name) assert(fake.map_info[name] ~= nil); fake.map_info[name] = true end
function disableMapInfo(name) assert(fake.map_info[name] ~= nil); fake.map_info[name] = false end
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
function centerview(num) assert(rooms[num], "the centre is no room"); fake.centre = num end

-- The window: widgets that accept any call, and store their text by name while they are shown.
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
function widget:hide() consoles[self.name] = nil end
function widget:echo(text) written(self.name, text) end
function widget:echoLink(text, command)
  assert(loadstring(command), command)
  written(self.name, "[" .. text .. "]")
end
-- Unlike a console, a label replaces its text.
local button = setmetatable({}, { __index = widget })
button.__index = function(_, key) return rawget(button, key) or widget.__index(nil, key) end
function button.new(_, options) return setmetatable({ name = options.name }, button) end
function button:echo(text) consoles[self.name] = text end
function button:setClickCallback(work) fake.clicks[self.name] = work end
for _, name in ipairs({ "setFgColor", "setBgColor", "setUnderline" }) do _G[name] = function() end end
widget.all = {}
Adjustable = { Container = widget }
Geyser = { Mapper = widget, Gauge = widget, MiniConsole = widget, Label = button }

-- Lets time pass.
function fake.elapse(seconds)
  local stop = fake.clock + seconds
  while true do
    local soonest
    for id, timer in pairs(fake.timers) do
      if timer.due <= stop and (not soonest or timer.due < fake.timers[soonest].due) then soonest = id end
    end
    if not soonest then break end
    local timer = fake.timers[soonest]
    fake.clock = timer.due
    if timer.every then timer.due = timer.due + timer.every else fake.timers[soonest] = nil end
    timer.work()
  end
  fake.clock = stop
end

-- Loads the package, as Mudlet does when it installs it or opens the profile.
local here = arg[0]:gsub("[^/]*$", "")
function fake.load()
  for _, script in ipairs({ "fields", "atlas", "panel", "state", "fight", "deepwell" }) do
    dofile(here .. script .. ".lua")
  end
  fake.elapse(0)
end

function fake.raise(event, ...) if fake.handlers[event] then fake.handlers[event](event, ...) end end

-- Installs the package from a file, or uninstalls it.
function fake.install(file)
  fake.load()
  fake.raise("sysInstallPackage", "deepwell", file)
  fake.elapse(1)
end
function fake.uninstall() fake.raise("sysUninstallPackage", "deepwell") end

-- Stores a body where Mudlet does, `gmcp.Char.Items.List`, and raises its event.
function fake.receive(package, body)
  local at, last = gmcp, nil
  for part in package:gmatch("[^.]+") do
    if last then
      at[last] = at[last] or {}
      at = at[last]
    end
    last = part
  end
  at[last] = body
  fake.raise("gmcp." .. package)
end

function fake.sorted(from)
  local keys = {}
  for key in pairs(from) do table.insert(keys, key) end
  table.sort(keys)
  return keys
end

return fake
