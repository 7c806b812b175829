// The view of waiting changes: proposals, their files, their hunks, each to be looked at, accepted or rejected.

import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { Hunks } from './hunks';
import { asDiff, waits } from './standing';
import type { Hunk, Proposal, ProposedFile } from './wire';

/** A row of the tree; `args` say what accept and reject are about. */
export class Row {
  constructor(
    readonly item: vscode.TreeItem,
    readonly args: Record<string, unknown>,
    readonly below: Row[] = [],
  ) {}
}

export class Waiting implements vscode.TreeDataProvider<Row> {
  static readonly view = 'pairwright.waiting';
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly hunks: Hunks) {
    hunks.onRefresh(() => this.changed.fire());
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return row.item;
  }

  getChildren(row?: Row): Row[] {
    return row ? row.below : this.hunks.proposals.map(ofProposal);
  }
}

function ofProposal(proposal: Proposal): Row {
  const files = proposal.files.filter((file) => file.hunks.some(waits));
  const item = made(proposal.request.split('\n')[0] || 'A change', 'proposal', counted(files.length, 'file'));
  item.iconPath = new vscode.ThemeIcon('git-pull-request');
  if (proposal.missing.length > 0) item.tooltip = `Not placed: ${proposal.missing.join('; ')}`;
  item.command = command('Review', 'pairwright.review', { proposal: proposal.id });
  return new Row(item, { proposal: proposal.id }, files.map((file) => ofFile(proposal, file)));
}

function ofFile(proposal: Proposal, file: ProposedFile): Row {
  const hunks = file.hunks.filter(waits);
  const folder = posix.dirname(file.path);
  const what = { modify: '', create: 'new', delete: 'deleted', move: `moved from ${file.movedFrom}` }[file.kind];
  const said = [folder === '.' ? '' : folder, what, counted(hunks.length, 'hunk')].filter((one) => one !== '');
  const item = made(posix.basename(file.path), 'file', said.join(', '));
  if (file.uri !== undefined) item.resourceUri = vscode.Uri.parse(file.uri);
  item.iconPath = vscode.ThemeIcon.File;
  item.command = command('Review', 'pairwright.review', { proposal: proposal.id, path: file.path });
  const args = { proposal: proposal.id, files: [file.path] };
  return new Row(item, args, hunks.map((hunk) => ofHunk(proposal, file, hunk)));
}

function ofHunk(proposal: Proposal, file: ProposedFile, hunk: Hunk): Row {
  const line = hunk.range ? `line ${hunk.range.start.line + 1}` : '';
  const words = (hunk.new || hunk.old).trim().split('\n')[0]?.trim() || 'empty lines';
  const notes = [line, hunk.stale ? 'its lines were changed since' : '', hunk.approximate ? 'a guess' : ''];
  const item = made(words, 'hunk', notes.filter((one) => one !== '').join(', '));
  item.collapsibleState = vscode.TreeItemCollapsibleState.None;
  item.iconPath = new vscode.ThemeIcon(hunk.new === '' ? 'diff-removed' : hunk.old === '' ? 'diff-added' : 'diff-modified');
  item.tooltip = new vscode.MarkdownString().appendCodeblock(asDiff(hunk), 'diff');
  if (file.uri !== undefined && hunk.range !== undefined) {
    const where = new vscode.Range(hunk.range.start.line, 0, hunk.range.start.line, 0);
    item.command = { title: 'Open', command: 'vscode.open', arguments: [vscode.Uri.parse(file.uri), { selection: where }] };
  } else {
    item.command = command('Review', 'pairwright.review', { proposal: proposal.id, path: file.path });
  }
  return new Row(item, { proposal: proposal.id, hunks: [hunk.id] });
}

function made(label: string, kind: string, description: string): vscode.TreeItem {
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Expanded);
  item.contextValue = kind;
  item.description = description;
  item.accessibilityInformation = { label: `${kind}: ${label}, ${description}` };
  return item;
}

function command(title: string, name: string, args: object): vscode.Command {
  return { title, command: name, arguments: [args] };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
