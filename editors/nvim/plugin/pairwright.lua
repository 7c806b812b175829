-- Sourced by Neovim at start: the command, the maps and the server, with nothing loaded before it is used.
if vim.g.loaded_pairwright then
  return
end
if vim.fn.has('nvim-0.11') == 0 then
  vim.g.loaded_pairwright = true
  vim.notify('Pairwright needs Neovim 0.11 or newer.', vim.log.levels.ERROR)
  return
end
require('pairwright.start').once()
