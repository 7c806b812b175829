// The manifest, the commands and the protocol page say the same.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SERVED } from '../src/wire';

interface Manifest {
  contributes: {
    commands: { command: string; title: string; category: string }[];
    keybindings: { key: string; command: string }[];
    menus: Record<string, { command: string }[]>;
  };
}

const root = process.cwd();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest;
const { commands, keybindings, menus } = manifest.contributes;
const declared = new Set(commands.map(({ command }) => command));

test('every command of the protocol can be run under its own name', () => {
  const page = readFileSync(join(root, '../../docs/protocol.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `pairwright\.([\w.]+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual([...SERVED].sort(), [...new Set(rows)].sort());
});

test('keys and menus name commands that are in the palette, each key once', () => {
  const named = [...keybindings, ...Object.values(menus).flat()].map(({ command }) => command);
  assert.deepEqual(named.filter((name) => !declared.has(name)), []);
  assert.equal(new Set(keybindings.map(({ key }) => key)).size, keybindings.length);
});

test('every command of the palette is one that is registered', () => {
  const source = readFileSync(join(root, 'src/commands.ts'), 'utf8');
  const own = [...source.matchAll(/^ {4}'?([\w.]+)'?(?::|,$)/gm)].map(([, name]) => `pairwright.${name}`);
  const known = new Set([...own, ...SERVED.map((name) => `pairwright.${name}`)]);
  assert.deepEqual([...declared].filter((name) => !known.has(name)), []);
});

test('what is loaded at run time is what the package holds', () => {
  const kept = readFileSync(join(root, '.vscodeignore'), 'utf8');
  assert.match(kept, /!media\/\*\*/);
  assert.ok(readdirSync(join(root, 'media')).includes('chat.css'));
});
