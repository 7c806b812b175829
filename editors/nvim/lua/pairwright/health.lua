-- :checkhealth pairwright.
local M = {}

local function check_neovim()
  if vim.fn.has('nvim-0.11') == 1 then
    vim.health.ok('Neovim ' .. tostring(vim.version()))
  else
    vim.health.error('Neovim 0.11 or newer is needed')
  end
end

local function check_options()
  local config = require('pairwright.config')
  local problems = config.problems(config.said())
  for _, problem in ipairs(problems) do
    vim.health.error('option: ' .. problem, { 'see :help pairwright-options' })
  end
  if #problems == 0 then
    vim.health.ok('the options are known')
  end
end

local function check_server()
  local command = require('pairwright.config').get().cmd
  local path = vim.fn.exepath(command[1])
  if path == '' then
    vim.health.error(('%s is not on the PATH'):format(command[1]), {
      'install it: pipx install pairwright',
      "or name it: vim.g.pairwright = { cmd = { '/path/to/pairwright', 'serve' } }",
    })
    return false
  end
  vim.health.ok(('server: %s'):format(path))
  if vim.fn.executable('git') == 0 then
    vim.health.warn('git is not on the PATH: commits and histories need it')
  end
  return true
end

local LEVELS = { ok = 'ok', warning = 'warn', error = 'error' }

local function check_client(connection)
  local ours = vim.tbl_get(connection.server_capabilities or {}, 'experimental', 'pairwright') or {}
  local version = vim.tbl_get(connection, 'server_info', 'version') or '?'
  vim.health.ok(('running, version %s, protocol %s'):format(version, ours.protocol or 'none'))
  vim.health.info('folder: ' .. (connection.root_dir or 'none'))
  vim.health.info(('%d buffers attached'):format(vim.tbl_count(connection.attached_buffers)))
  local params = { command = 'pairwright.doctor', arguments = { { version = 1 } } }
  local answer = connection:request_sync('workspace/executeCommand', params, 20000)
  if not answer or answer.err then
    vim.health.error('the server does not answer: ' .. (answer and answer.err.message or 'timeout'))
    return
  end
  for _, check in ipairs(require('pairwright.client').plain(answer.result).checks) do
    vim.health[LEVELS[check.state] or 'info'](('%s: %s'):format(check.name, check.detail))
  end
end

--- Called by :checkhealth.
function M.check()
  vim.health.start('Pairwright')
  check_neovim()
  check_options()
  local found = check_server()
  local clients = vim.lsp.get_clients({ name = 'pairwright' })
  for _, connection in ipairs(clients) do
    vim.health.start('Pairwright server ' .. connection.id)
    check_client(connection)
  end
  if found and #clients == 0 then
    vim.health.warn('no server is running', {
      'open a file of a project',
      'read the log: ' .. vim.lsp.log.get_filename(),
    })
  end
  vim.health.info('log of the client: ' .. vim.lsp.log.get_filename())
end

return M
