// Bundles the extension (Node), the chat view (browser) and, with --tests, the unit tests.
import { build } from 'esbuild';
import { readdirSync } from 'node:fs';

const common = { bundle: true, minify: true, sourcemap: false, logLevel: 'warning', legalComments: 'none' };

await build({
  ...common,
  entryPoints: ['src/extension.ts'],
  outfile: 'dist/extension.js',
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  external: ['vscode'],
});
await build({
  ...common,
  entryPoints: ['webview/main.ts'],
  outfile: 'dist/chat.js',
  platform: 'browser',
  target: 'chrome120',
  format: 'iife',
});
if (process.argv.includes('--tests')) {
  await build({
    ...common,
    minify: false,
    entryPoints: readdirSync('test').filter((name) => name.endsWith('.test.ts')).map((name) => `test/${name}`),
    outdir: 'dist/test',
    outExtension: { '.js': '.cjs' },
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // There is no editor around unit tests.
    alias: { vscode: './test/editor.ts' },
  });
}
