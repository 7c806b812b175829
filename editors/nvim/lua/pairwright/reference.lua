-- Repositories to look things up in: `:Pairwright reference`. What a search finds goes to the quickfix list.
local client = require('pairwright.client')

local M = {}

local TITLE = 'Pairwright references'
local OPTIONS = {
  add = { name = 'text', revision = 'text', megabytes = 'number', site = 'folder' },
  search = { ['in'] = 'names', limit = 'number' },
}

local function warn(text)
  client.say(text, vim.log.levels.WARN)
end

--- A folder as the server can find it, whose own folder may be another.
local function folder(word)
  local path = vim.fn.expand(word)
  return vim.fn.isdirectory(path) == 1 and vim.fs.normalize(vim.fn.fnamemodify(path, ':p')):gsub('(.)/$', '%1') or word
end

--- Words that are `key=value` with a key of `verb`, and the rest.
---@param verb 'add'|'search'
---@param words string[]
---@return table<string, string|integer|string[]>, string[]
local function read(verb, words)
  local options, rest = {}, {}
  for _, word in ipairs(words) do
    local key, value = word:match('^(%a+)=(.+)$')
    local kind = key and OPTIONS[verb][key]
    if kind == 'number' then
      options[key] = tonumber(value) or value
    elseif kind == 'names' then
      options[key] = vim.split(value, ',')
    elseif kind then
      options[key] = kind == 'folder' and folder(value) or value
    else
      rest[#rest + 1] = word
    end
  end
  return options, rest
end

--- One reference in a line.
local function line_of(one)
  local revision = one.kind == 'git' and one.revision:sub(1, 12) or one.revision
  return ('%s: %s, %s, %s, licence %s'):format(one.name, one.kind, one.source, revision, one.licence)
end

local function add(words)
  local args, rest = read('add', words)
  local function go(source)
    if not source or source == '' then
      return
    end
    args.source = folder(source)
    client.command('reference.add', args, function(result)
      client.say('added ' .. line_of(result))
    end)
  end
  if #rest > 0 then
    return go(table.concat(rest, ' '))
  end
  vim.ui.input({ prompt = 'Folder, package or git URL: ', completion = 'dir' }, go)
end

local function list()
  client.command('reference.list', {}, function(result)
    if #result.references == 0 then
      return client.say('there is no reference yet; :Pairwright reference add')
    end
    local rows = table.concat(vim.tbl_map(line_of, result.references), '\n')
    require('pairwright.documents').show_text('references', rows, 'text')
  end)
end

local function remove(words)
  if #words == 0 then
    return warn('name a reference; :Pairwright reference list')
  end
  client.command('reference.remove', { reference = words[1] }, function(result)
    client.say('removed ' .. result.removed)
  end)
end

--- What was found as entries of the quickfix list: a place, and the lines of its text below.
local function entries(found, roots)
  local items = {}
  for _, one in ipairs(found) do
    local revision = #one.revision > 20 and one.revision:sub(1, 12) or one.revision
    local about = ('%s %s: %s, %s, licence %s'):format(one.kind, one.name, one.reference, revision, one.licence)
    items[#items + 1] = {
      filename = vim.fs.joinpath(roots[one.reference] or one.reference, one.path),
      lnum = one.first,
      end_lnum = one.last,
      text = one.why ~= '' and ('%s (%s)'):format(about, one.why) or about,
      valid = roots[one.reference] and 1 or 0,
    }
    local text = one.text ~= '' and one.text or one.signature
    for _, row in ipairs(vim.split(text:gsub('\n$', ''), '\n')) do
      items[#items + 1] = { text = row, valid = 0 }
    end
  end
  return items
end

local function search(words)
  local options, rest = read('search', words)
  local connection = client.get()
  local function go(text)
    if not text or text == '' then
      return
    end
    local args = { text = text, names = options['in'], limit = options.limit }
    client.command('reference.search', args, function(result)
      if #result.found == 0 then
        return client.say('no match in the references.')
      end
      client.command('reference.list', {}, function(listed)
        local roots = {}
        for _, one in ipairs(listed.references) do
          roots[one.name] = one.path
        end
        vim.fn.setqflist({}, ' ', { title = ('%s: %s'):format(TITLE, text), items = entries(result.found, roots) })
        vim.cmd('copen')
      end, { client = connection })
    end, { client = connection })
  end
  if #rest > 0 then
    return go(table.concat(rest, ' '))
  end
  vim.ui.input({ prompt = 'Look for: ' }, go)
end

local VERBS = { add = add, list = list, remove = remove, search = search }

--- Run `:Pairwright reference WORDS`; without words the list is shown.
---@param call table as nvim_create_user_command gives it
function M.run(call)
  local words = vim.list_slice(call.fargs, 2)
  local verb = table.remove(words, 1) or 'list'
  if not VERBS[verb] then
    return warn(('there is no :Pairwright reference %s; there are add, list, remove, search'):format(verb))
  end
  VERBS[verb](words)
end

local function names()
  local answer = client.now('reference.list', {})
  return vim.tbl_map(function(one)
    return one.name
  end, answer and answer.references or {})
end

--- What may follow on a command line.
---@param before string[] words behind `reference`, without the one that is being typed
---@param lead string
---@return string[]
function M.complete(before, lead)
  local verb = before[1]
  if not verb then
    return { 'add', 'list', 'remove', 'search' }
  elseif verb == 'remove' then
    return names()
  elseif verb == 'search' then
    local found = vim.tbl_map(function(name)
      return 'in=' .. name
    end, names())
    found[#found + 1] = 'limit='
    return found
  elseif verb ~= 'add' then
    return {}
  end
  local site = lead:match('^site=(.*)$')
  if site then
    return vim.tbl_map(function(one)
      return 'site=' .. one
    end, vim.fn.getcompletion(site, 'dir'))
  end
  local found = #before == 1 and vim.fn.getcompletion(lead, 'dir') or {}
  return vim.list_extend(found, { 'name=', 'revision=', 'megabytes=', 'site=' })
end

return M
