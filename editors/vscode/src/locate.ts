// Which program is the server, and the environment of its own that the extension makes. Knows no editor.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Wishes {
  /** `pairwright.server.command`: program and arguments; empty: not set. */
  command: string[];
  /** `pairwright.server.python`: an interpreter that has Pairwright installed; empty: not set. */
  python: string;
  trusted: boolean;
}

export type Choice = { argv: string[] } | { own: true };

/** What is to be started. An interpreter of the workspace counts only where the workspace is trusted. */
export function choose(wishes: Wishes): Choice {
  if (wishes.command.length > 0) return { argv: wishes.command };
  if (wishes.python !== '' && wishes.trusted) return { argv: [wishes.python, '-m', 'pairwright', 'serve'] };
  return { own: true };
}

export function pythonOf(folder: string, platform: NodeJS.Platform = process.platform): string {
  return platform === 'win32' ? join(folder, 'Scripts', 'python.exe') : join(folder, 'bin', 'python');
}

/** The steps that make the environment: uv where there is one, else the interpreter's own venv and pip. */
export function steps(folder: string, what: string, uv: boolean, python: string): string[][] {
  const inside = pythonOf(folder);
  if (uv) {
    return [
      ['uv', 'venv', '--python', '>=3.11', folder],
      ['uv', 'pip', 'install', '--python', inside, what],
    ];
  }
  return [
    [python, '-m', 'venv', folder],
    [inside, '-m', 'pip', 'install', '--disable-pip-version-check', '--progress-bar', 'off', what],
  ];
}

/** The command of the environment in `folder`, which is made or renewed when it does not hold one of `wishes` yet: the
 * first that can be installed. */
export async function ownServer(
  folder: string,
  wishes: string[],
  tell: (line: string) => void,
  stop: AbortSignal,
): Promise<string[]> {
  const mark = join(folder, 'installed.txt');
  const python = pythonOf(folder);
  const held = existsSync(python) ? await readFile(mark, 'utf8').catch(() => '') : '';
  if (!wishes.includes(held)) {
    const uv = await works(['uv', '--version']);
    const base = uv ? '' : await interpreter();
    let what = '';
    for (const [at, wish] of wishes.entries()) {
      try {
        await rm(folder, { recursive: true, force: true });
        await mkdir(join(folder, '..'), { recursive: true });
        for (const step of steps(folder, wish, uv, base)) await run(step, tell, stop);
        what = wish;
        break;
      } catch (error) {
        if (stop.aborted || at === wishes.length - 1) throw error;
        tell(String(error));
      }
    }
    await writeFile(mark, what);
  }
  return [python, '-m', 'pairwright', 'serve'];
}

async function interpreter(): Promise<string> {
  const check = 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))';
  for (const name of ['python3', 'python', 'python3.13', 'python3.12', 'python3.11']) {
    if (await works([name, '-c', check])) return name;
  }
  throw new Error('neither uv nor a Python 3.11 or newer with venv was found. Install one, or set pairwright.server.command.');
}

async function works(argv: string[]): Promise<boolean> {
  return run(argv, () => undefined).then(
    () => true,
    () => false,
  );
}

/** Run a program to its end; rejects with the end of what it printed when it fails. */
export function run(argv: string[], tell: (line: string) => void, stop?: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    const [program, ...rest] = argv as [string, ...string[]];
    const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], ...(stop ? { signal: stop } : {}) });
    let tail = '';
    const heard = (chunk: Buffer): void => {
      tail = (tail + chunk.toString()).slice(-2000);
      tell(chunk.toString().trimEnd());
    };
    child.stdout.on('data', heard);
    child.stderr.on('data', heard);
    child.on('error', failed);
    child.on('close', (code) => {
      if (code === 0) done();
      else failed(new Error(`${argv.join(' ')} ended with ${code}: ${tail.trim()}`));
    });
  });
}
