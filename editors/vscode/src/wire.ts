// What goes over the wire beside LSP: the shapes of docs/protocol.md.

export interface Position {
  line: number;
  character: number;
}

export interface Range {
  start: Position;
  end: Position;
}

/** A part of a proposal. `range`: the lines it replaces in the text of the moment, absent where the file is not there. */
export interface Hunk {
  id: string;
  state: string;
  old: string;
  new: string;
  approximate: boolean;
  range?: Range;
  stale?: boolean;
}

export interface ProposedFile {
  path: string;
  kind: 'modify' | 'create' | 'delete' | 'move';
  movedFrom: string | null;
  hunks: Hunk[];
  uri?: string;
}

export interface Proposal {
  id: string;
  request: string;
  state: string;
  created: number;
  missing: string[];
  files: ProposedFile[];
}

export interface Delta {
  id: string;
  seq: number;
  kind: 'text' | 'reasoning';
  text: string;
}

export interface TurnEvent {
  id: string;
  seq: number;
  kind: string;
  [field: string]: unknown;
}

export interface TurnEnd {
  id: string;
  text: string;
  outcome: 'done' | 'stop';
  proposal?: string | null;
  shell?: string[];
  missing?: string[];
  findings?: string[];
  refine?: boolean;
  accepted?: Taken | null;
  /** A long task that was planned or carried out. */
  task?: Task | null;
  reason?: string;
  message?: string;
}

/** A file of a task's plan, and what became of it. */
export interface TaskFile {
  path: string;
  action: 'create' | 'modify' | 'delete';
  phase: 'pending' | 'verified' | 'proposed' | 'applied' | 'failed' | 'skipped' | 'stale';
  reason: string;
  tries: number;
  proposal: string;
}

/** A long task. `version`: of its plan. */
export interface Task {
  task: string;
  title: string;
  request: string;
  status: 'planned' | 'running' | 'waiting' | 'stopped' | 'done' | 'undone';
  reason: string;
  review: 'file' | 'task' | 'end';
  version: number;
  summary: string;
  files: TaskFile[];
}

/** What came of an accept, a reject or an undo. `save`: paths or URIs of documents to be saved. */
export interface Taken {
  state: string;
  message: string;
  warning?: string;
  save?: string[];
  conflicts?: { path: string; line: number; reason: string }[];
  restore?: Record<string, unknown>;
}

export interface Health {
  health: 'ok' | 'warning' | 'error';
  quiescent: boolean;
  message: string;
}

export interface ChatFiles {
  session: string;
  editable: string[];
  read: string[];
  refused: unknown[];
  text: string;
}

export const PROTOCOL = 1;

/** The commands the server carries out; a test holds them equal to docs/protocol.md. */
export const SERVED = [
  'accept', 'apply', 'architect', 'ask', 'blast', 'cancel', 'changes', 'chat', 'checkpoints', 'commit', 'context',
  'doctor', 'edit', 'help', 'instruct', 'instructions', 'map', 'proposals', 'records.show', 'redo', 'reference.add',
  'reference.list', 'reference.remove', 'reference.search', 'refine', 'reject', 'rescan', 'restore', 'run', 'send',
  'sent', 'sessions', 'show', 'status', 'task.list', 'task.plan', 'task.redo', 'task.resume', 'task.run', 'task.show',
  'task.skip', 'task.stop', 'task.undo', 'tokens', 'undo',
] as const;

export type Served = (typeof SERVED)[number];
