-- What exists from the start: the command, <Plug> maps, highlight groups, the enabled server. Loads no other part of
-- the plugin but its options.
local M = {}

local HIGHLIGHTS = {
  PairwrightOld = 'DiffDelete',
  PairwrightNew = 'DiffAdd',
  PairwrightStale = 'DiffChange',
  PairwrightHint = 'Comment',
  PairwrightReasoning = 'Comment',
  PairwrightDone = 'DiagnosticOk',
  PairwrightWaits = 'DiagnosticInfo',
  PairwrightLost = 'DiagnosticError',
}

-- A <Plug> map, what it runs, and the modes it exists in.
local PLUGS = {
  { 'ask', 'ask', { 'n', 'x' } },
  { 'edit', 'edit', { 'n', 'x' } },
  { 'chat', 'chat', { 'n' } },
  { 'accept', 'accept', { 'n', 'x' } },
  { 'accept-file', 'accept file', { 'n' } },
  { 'accept-all', 'accept all', { 'n' } },
  { 'reject', 'reject', { 'n', 'x' } },
  { 'reject-file', 'reject file', { 'n' } },
  { 'reject-all', 'reject all', { 'n' } },
  { 'refine', 'refine', { 'n' } },
  { 'next-hunk', 'next', { 'n' } },
  { 'previous-hunk', 'previous', { 'n' } },
  { 'hunks', 'hunks', { 'n' } },
  { 'undo', 'undo', { 'n' } },
  { 'redo', 'redo', { 'n' } },
  { 'map', 'map', { 'n' } },
  { 'stop', 'stop', { 'n' } },
}

local function highlights()
  for name, link in pairs(HIGHLIGHTS) do
    vim.api.nvim_set_hl(0, name, { link = link, default = true })
  end
end

local function plugs()
  for _, plug in ipairs(PLUGS) do
    local name, command, modes = plug[1], plug[2], plug[3]
    for _, mode in ipairs(modes) do
      -- From a selection the command line brings the range '<,'> with it.
      vim.keymap.set(mode, ('<Plug>(pairwright-%s)'):format(name), (':Pairwright %s<CR>'):format(command), {
        silent = true,
        desc = 'Pairwright: ' .. command,
      })
    end
  end
end

--- Once, whoever calls: the file in plugin/ at start, or setup() of a plugin that came later.
function M.once()
  if vim.g.loaded_pairwright then
    return
  end
  vim.g.loaded_pairwright = true
  highlights()
  vim.api.nvim_create_autocmd('ColorScheme', {
    group = vim.api.nvim_create_augroup('pairwright.highlights', {}),
    callback = highlights,
  })
  vim.api.nvim_create_user_command('Pairwright', function(call)
    require('pairwright.commands').run(call)
  end, {
    nargs = '*',
    range = true,
    bang = true,
    desc = 'Pairwright: ask, edit, choose hunks, undo',
    complete = function(lead, line, position)
      return require('pairwright.commands').complete(lead, line, position)
    end,
  })
  plugs()
  local options = require('pairwright.config').get()
  if options.keys then
    require('pairwright.keys').set()
  end
  if options.enabled then
    vim.lsp.enable('pairwright')
  end
end

return M
