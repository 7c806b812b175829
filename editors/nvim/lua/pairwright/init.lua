-- The public functions. `:Pairwright` does the same by words; see :help pairwright.
local M = {}

--- Set options, and bring the plugin up where Neovim has not sourced its plugin/ folder.
---@param options? pairwright.Options
function M.setup(options)
  local config = require('pairwright.config')
  local problems = config.problems(options or {})
  if #problems > 0 then
    vim.notify('Pairwright: setup(): ' .. table.concat(problems, '; '), vim.log.levels.WARN)
  end
  config.set(options or {})
  local is_up = vim.g.loaded_pairwright
  require('pairwright.start').once()
  if is_up then
    -- The configuration that was read at start is older than these options.
    vim.lsp.config('pairwright', require('pairwright.client').config())
    if not config.get().enabled then
      vim.lsp.enable('pairwright', false)
    end
    if config.get().keys then
      require('pairwright.keys').set()
    end
  end
end

--- A line for a status line; empty while there is nothing to say.
---@return string
function M.statusline()
  return require('pairwright.status').line()
end

--- Run a subcommand of `:Pairwright`, as `run('accept', { 'all' })`.
---@param name string
---@param words? string[]
function M.run(name, words)
  require('pairwright.commands').run({ fargs = { name, unpack(words or {}) }, range = 0, bang = false })
end

return M
