-- Runs the package with a stand-in for Mudlet and the messages of a file, then prints the map and the contents of the
-- window.
--
-- lua5.1 clients/mudlet/test.lua MESSAGES
--
-- MESSAGES is Lua: a list of { "Package.Name", body }. The map has one room per line, in order of room number.

local fake = dofile((arg[0]:gsub("[^/]*$", "")) .. "stand_in.lua")

fake.load()
fake.load() -- Loading the package again changes nothing.
assert(table.concat(fake.packages, " ") == "deepwell", "the mapper that reads text is still there")

for _, message in ipairs(dofile(arg[1])) do fake.receive(message[1], message[2]) end

for _, num in ipairs(fake.sorted(fake.rooms)) do
  local room = fake.rooms[num]
  local letter = room.letter ~= "" and " " .. room.letter or ""
  local line = string.format("%d %s [%s] at %s%s:", num, room.name, fake.areas[room.area], room.at, letter)
  for _, direction in ipairs(fake.sorted(room.exits)) do line = line .. string.format(" %s=%d", direction, room.exits[direction]) end
  for _, direction in ipairs(fake.sorted(room.stubs)) do line = line .. string.format(" %s=?", direction) end
  for _, key in ipairs(fake.sorted(room.shut)) do line = line .. string.format(" %s shut", key) end
  print(line)
end
for _, name in ipairs(fake.sorted(fake.consoles)) do print(name .. ": " .. fake.consoles[name]:gsub("%s*\n%s*", " / ")) end
print("here: " .. tostring(fake.centre))
