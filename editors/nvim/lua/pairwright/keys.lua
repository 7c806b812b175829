-- The suggested maps, set only where the user asks for them and has no map of their own.
local M = {}

M.SUGGESTED = {
  { 'n', ']h', 'next-hunk' },
  { 'n', '[h', 'previous-hunk' },
  { 'n', '<leader>pa', 'accept' },
  { 'x', '<leader>pa', 'accept' },
  { 'n', '<leader>pA', 'accept-all' },
  { 'n', '<leader>pr', 'reject' },
  { 'x', '<leader>pr', 'reject' },
  { 'n', '<leader>pR', 'reject-all' },
  { 'n', '<leader>pf', 'refine' },
  { 'n', '<leader>pe', 'edit' },
  { 'x', '<leader>pe', 'edit' },
  { 'n', '<leader>pq', 'ask' },
  { 'x', '<leader>pq', 'ask' },
  { 'n', '<leader>pc', 'chat' },
  { 'n', '<leader>ph', 'hunks' },
  { 'n', '<leader>pu', 'undo' },
  { 'n', '<leader>pm', 'map' },
  { 'n', '<leader>ps', 'stop' },
}

--- Map the suggested keys; a key that is taken keeps what it does.
function M.set()
  for _, key in ipairs(M.SUGGESTED) do
    local mode, lhs, plug = key[1], key[2], key[3]
    if vim.fn.maparg(lhs, mode) == '' then
      vim.keymap.set(mode, lhs, ('<Plug>(pairwright-%s)'):format(plug), { remap = true, desc = 'Pairwright: ' .. plug })
    end
  end
end

return M
