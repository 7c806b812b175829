import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doing, lacks, ofFile, ofTask, progress, titled } from '../src/taskrows';
import type { Task, TaskFile } from '../src/wire';

function file(path: string, phase: TaskFile['phase'], more: Partial<TaskFile> = {}): TaskFile {
  return { path, action: 'modify', phase, reason: '', tries: 0, proposal: '', ...more };
}

function task(status: Task['status'], files: TaskFile[], more: Partial<Task> = {}): Task {
  const base = { task: 't1', title: 'Carts', request: 'Add carts', reason: '', review: 'end', version: 1, summary: '' } as const;
  return { ...base, status, files, ...more };
}

const SOME = [file('a.py', 'applied'), file('b.py', 'verified'), file('c.py', 'pending'), file('d.py', 'failed')];

test('what is written is counted, also where it waits', () => {
  assert.equal(progress(task('running', [...SOME, file('e.py', 'proposed')])), '3/5 files');
  assert.equal(progress(task('planned', [file('a.py', 'pending')])), '0/1 file');
});

test('a task without a title goes by the first line of what was asked', () => {
  assert.equal(titled(task('planned', [], { title: '', request: '\nAdd carts\nin cents' })), 'Add carts');
  assert.equal(titled(task('planned', [], { title: '', request: ' ' })), 'A task');
});

test('a row of a task says how far it is and why it stands there', () => {
  const told = ofTask(task('stopped', SOME, { reason: 'stopped by you', summary: '2 of 4 files written' }));
  assert.equal(told.description, '2/4 files, stopped');
  assert.equal(told.context, 'task.stopped');
  assert.equal(told.tooltip, 'Add carts\n\n2 of 4 files written\n\nstopped by you');
});

test('a row of a file says what is done with it and what became of it', () => {
  const said = (one: TaskFile): string => ofFile(task('stopped', []), one).description;
  assert.equal(said(file('a.py', 'pending', { action: 'create' })), 'create, to be written');
  assert.equal(said(file('a.py', 'pending', { tries: 2 })), 'to be written, tried 2 times');
  assert.equal(said(file('a.py', 'failed', { tries: 2, reason: 'syntax' })), 'failed, syntax');
  assert.equal(said(file('a.py', 'applied', { action: 'delete' })), 'delete, applied');
});

test('menus see whether the task runs', () => {
  assert.equal(ofFile(task('running', []), file('a.py', 'failed')).context, 'file.failed.busy');
  assert.equal(ofFile(task('done', []), file('a.py', 'failed')).context, 'file.failed.idle');
});

test('every state of a file has an icon of its own', () => {
  const phases = ['pending', 'verified', 'proposed', 'applied', 'failed', 'skipped', 'stale'] as const;
  const icons = phases.map((phase) => ofFile(task('done', []), file('a.py', phase)).icon);
  assert.equal(new Set(icons).size, phases.length);
});

test('the bar says what is done now, or that a choice is waited for', () => {
  assert.equal(doing(task('running', SOME), 'c.py'), '2/4 files, c.py');
  assert.equal(doing(task('running', SOME), ''), '2/4 files');
  const asked = task('running', [file('a.py', 'proposed'), file('b.py', 'pending')], { review: 'file' });
  assert.equal(doing(asked, 'a.py'), '1/2 files, waits for your choice');
});

test('a task lacks what failed, was left out or was changed by others', () => {
  assert.ok(lacks(task('done', SOME)));
  assert.ok(!lacks(task('done', [file('a.py', 'applied'), file('b.py', 'pending')])));
});
