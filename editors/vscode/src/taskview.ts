// The view of long tasks: each with its files, how they stand, and what can be done about them.

import * as vscode from 'vscode';
import type { Known, TaskList } from './tasklist';
import { ofFile, ofTask, type Told } from './taskrows';
import { Row } from './tree';
import type { TaskFile } from './wire';

const { Collapsed, Expanded, None } = vscode.TreeItemCollapsibleState;

export class TaskView implements vscode.TreeDataProvider<Row> {
  static readonly view = 'pairwright.tasks';
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;

  constructor(private readonly tasks: TaskList) {
    tasks.onChange(() => this.changed.fire());
  }

  getTreeItem(row: Row): vscode.TreeItem {
    return row.item;
  }

  getChildren(row?: Row): Row[] {
    return row ? row.below : this.tasks.all.map(rowOfTask);
  }
}

function rowOfTask(known: Known, order: number): Row {
  const { task, root } = known;
  const args = { task: task.task, root, open: true };
  const item = made(ofTask(task), 'task', order === 0 || task.status === 'running' ? Expanded : Collapsed);
  item.id = task.task;
  item.command = { title: 'State', command: 'pairwright.task.show', arguments: [args] };
  return new Row(item, args, task.files.map((file) => rowOfFile(known, file)));
}

function rowOfFile(known: Known, file: TaskFile): Row {
  const { task, root } = known;
  const item = made(ofFile(task, file), 'file', None);
  item.id = `${task.task}/${file.path}`;
  const args = { task: task.task, root, path: file.path };
  const waits = file.phase === 'proposed' ? { proposal: file.proposal, files: [file.path] } : {};
  item.command = opening(known, file);
  return new Row(item, { ...args, ...waits });
}

/** A click shows what there is of a file: its proposal, its text, else what is planned for it. */
function opening({ task, root }: Known, file: TaskFile): vscode.Command {
  const { path, proposal, phase, action } = file;
  if (phase === 'proposed') return { title: 'Review', command: 'pairwright.review', arguments: [{ proposal, path }] };
  const isThere = action === 'delete' ? phase !== 'applied' : action === 'modify' || phase === 'applied' || phase === 'stale';
  if (isThere) {
    const uri = vscode.Uri.joinPath(vscode.Uri.parse(root), path);
    return { title: 'Open', command: 'vscode.open', arguments: [uri] };
  }
  return { title: 'Plan', command: 'pairwright.task.open', arguments: [{ task: task.task, root, path }] };
}

function made(told: Told, kind: string, state: vscode.TreeItemCollapsibleState): vscode.TreeItem {
  const item = new vscode.TreeItem(told.label, state);
  item.contextValue = told.context;
  item.description = told.description;
  item.iconPath = new vscode.ThemeIcon(told.icon, told.color ? new vscode.ThemeColor(told.color) : undefined);
  item.accessibilityInformation = { label: `${kind}: ${told.label}, ${told.description}` };
  if (told.tooltip) item.tooltip = told.tooltip;
  return item;
}
