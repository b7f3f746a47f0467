-- Exercises the interpreter: its output must not depend on the compiler that built it.
local function sieve(n)
  local composite, primes = {}, {}
  for i = 2, n do
    if not composite[i] then
      primes[#primes + 1] = i
      for j = i * i, n, i do composite[j] = true end
    end
  end
  return primes
end
local primes = sieve(20000)
print(#primes, primes[#primes], table.concat(primes, ",", 1, 12))

local words = {}
for word in ("the cat sat on the mat and the dog sat on the log"):gmatch("%a+") do words[word] = (words[word] or 0) + 1 end
local names = {}
for name in pairs(words) do names[#names + 1] = name end
table.sort(names, function(a, b) return words[a] > words[b] or words[a] == words[b] and a < b end)
for _, name in ipairs(names) do io.write(name, "=", words[name], " ") end
print()

local function queens(n, row, columns, up, down)
  if row > n then return 1 end
  local found = 0
  for c = 1, n do
    if not (columns[c] or up[row + c] or down[row - c]) then
      columns[c], up[row + c], down[row - c] = true, true, true
      found = found + queens(n, row + 1, columns, up, down)
      columns[c], up[row + c], down[row - c] = nil, nil, nil
    end
  end
  return found
end
print("queens", queens(7, 1, {}, {}, {}))

local account = setmetatable({}, { __index = function(_, k) return k .. "?" end, __call = function(_, a, b) return a // b, a % b end })
print(account.name, account(-7, 3), account(7.5, -2))
local producer = coroutine.wrap(function() for i = 1, 5 do coroutine.yield(i, i ^ 2) end return "done" end)
for _ = 1, 6 do print(producer()) end
print(pcall(function() error({ code = 42 }) end), select("#", 1, nil, nil), (pcall(error)))
print(string.format("%q %5.2f %x %g %s", "a\nb\0c", math.pi, 255, 1e100, { 1 } ~= { 1 }), ("abc"):rep(3, "-"), ("%d"):format(3.0))
print(1 << 62, 1 << 63, 5 // 0.0, -5 // 0.0, 0 / 0 ~= 0 / 0, math.maxinteger + 1 == math.mininteger, 7 // -2, 7 % -2, 2 ^ 53)
print(("x"):byte(), #"\u{10FFFF}", utf8.char(228, 8364, 128512), utf8.len("äöü"), ("hello world"):gsub("o", { o = "0" }))
print(string.pack("<i4d", 7, 0.5):byte(1, -1))
print(string.unpack("<i4d", string.pack("<i4d", -7, 2.25)))
local t = table.pack(table.unpack({ 1, 2, 3, nil, 5 }, 1, 5))
print(t.n, table.concat(table.move({ 1, 2, 3 }, 1, 3, 2), " "), next({}), rawlen({ 1, 2 }), math.type(1), math.type(1.0), tostring(1e15), 10 // 3)
for i = 1, 3 do
  for j = 1, 3 do
    if j == 2 then goto continue end
    io.write(i, ":", j, " ")
    ::continue::
  end
end
print()
local chunk = string.dump(function(a, b) local c <const> = a * b return c + 1 end)
print(load(chunk, "chunk", "b")(6, 7), load("return 1 +", "bad"))
local parts = {}
for i = 1, 30000 do parts[i] = tostring(i * i % 977) end
local text = table.concat(parts)
local hash = 0
for i = 1, #text do hash = (hash * 31 + text:byte(i)) & 0xffffffff end
collectgarbage()
print(#text, hash, collectgarbage("count") > 10)
print(os.time({ year = 2020, month = 1, day = 1, hour = 12 }) - os.time({ year = 2019, month = 12, day = 31, hour = 12 }))
