-- The options of the plugin: defaults, what the user said by vim.g.pairwright or setup(), and what is wrong with it.
local M = {}

---@class pairwright.Options
---@field cmd? string[] the server's command line
---@field enabled? boolean start the server for every file with a file type
---@field filetypes? string[] only these; by default all
---@field root_markers? string[] a folder that holds one of these is a workspace folder
---@field settings? pairwright.Settings settings of the server; see settings.lua
---@field keys? boolean set the suggested maps of |pairwright-keys|
---@field chat? pairwright.ChatOptions
---@field preview? boolean draw waiting hunks into their buffers

---@class pairwright.ChatOptions
---@field position? 'right'|'left'|'bottom' where the chat opens
---@field size? integer its columns, or lines at the bottom

local DEFAULTS = {
  cmd = { 'pairwright', 'serve' },
  enabled = true,
  filetypes = nil,
  root_markers = { '.git', '.hg', '.jj', 'pyproject.toml', 'package.json', 'Cargo.toml', 'go.mod' },
  settings = {},
  keys = false,
  chat = { position = 'right', size = 80 },
  preview = true,
}

local KINDS = {
  cmd = 'table',
  enabled = 'boolean',
  filetypes = 'table',
  root_markers = 'table',
  settings = 'table',
  keys = 'boolean',
  chat = 'table',
  preview = 'boolean',
}

local given = {} ---@type pairwright.Options

--- What is wrong with `options`, a line each.
---@param options table
---@return string[]
function M.problems(options)
  local found = {}
  for name, value in pairs(options) do
    if not KINDS[name] then
      found[#found + 1] = ('there is no option %q'):format(tostring(name))
    elseif type(value) ~= KINDS[name] then
      found[#found + 1] = ('%s is a %s, not a %s'):format(name, KINDS[name], type(value))
    end
  end
  table.sort(found)
  return found
end

--- Keep what setup() was given.
---@param options pairwright.Options
function M.set(options)
  given = options
end

--- The options that hold now. What cannot hold is left out, and :checkhealth names it.
---@return pairwright.Options
function M.get()
  local said = vim.tbl_deep_extend('force', type(vim.g.pairwright) == 'table' and vim.g.pairwright or {}, given)
  local good = {}
  for name, value in pairs(said) do
    if KINDS[name] and type(value) == KINDS[name] then
      good[name] = value
    end
  end
  local options = vim.tbl_deep_extend('force', DEFAULTS, good)
  -- Lists replace each other whole.
  for _, name in ipairs({ 'cmd', 'filetypes', 'root_markers' }) do
    options[name] = good[name] or DEFAULTS[name]
  end
  return options
end

--- What the user said, as it is, for :checkhealth.
---@return table
function M.said()
  return vim.tbl_deep_extend('force', type(vim.g.pairwright) == 'table' and vim.g.pairwright or {}, given)
end

return M
