/** What `dossier check` reports, and how faults of many documents are counted. */

import type { StartWarning } from '../../models/loading/start-warnings.ts';
import { projectFaults } from '../../start/faults.ts';
import { countText } from '../terminal.ts';

/**
 * A fault of the project or of its data, or a notice, which does not fail a check: unknown paths and missing defaults of documents, and what
 * a start warns of.
 */
export interface Fault {
  readonly kind: 'setting' | 'model' | 'database' | 'index' | Counted | Warned;
  /** Which of several notices of its kind it is. */
  readonly code?: string;
  /** What is wrong and where, in a sentence. */
  readonly message: string;
  readonly model?: string;
  readonly path?: string;
  /** How many documents have the fault. */
  readonly count?: number;
  /** Ids of some of them. */
  readonly examples?: readonly string[];
}

/** What is counted over the documents of a model. */
type Counted = 'document' | 'link' | 'unknown' | 'default';

/** What the start warns of: `jxp` is where the preload narrows what a file gives. */
type Warned = StartWarning['kind'] | 'jxp';

const notices: ReadonlySet<Fault['kind']> = new Set<Counted>(['unknown', 'default']);

/** Whether what was found in documents does not fail a check. */
export const isNotice = ({ kind }: Fault): boolean => notices.has(kind);

/** The faults of an error that stops a start, one for each line; undefined for other errors. @param ofSettings the kind of its settings */
export function startFaults(
  error: unknown,
  ofSettings: 'setting' | 'database' = 'setting',
): readonly Fault[] | undefined {
  const found = projectFaults(error);
  return (
    found && [
      ...found.settings.map((message) => ({ kind: ofSettings, message })),
      ...found.models.map((message) => ({ kind: 'model' as const, message })),
    ]
  );
}

const maxExamples = 3;

/** The paths and reasons of each kind that are counted one by one; documents may have any number of unknown paths. */
const maxCounted = 100;

/** Characters of a path that a result repeats. */
const maxPath = 200;

interface Count extends Fault {
  count: number;
  readonly examples: string[];
  last: string;
}

/**
 * The faults of one model's documents, one for each path and reason, counted by documents. Its size depends neither on the number of
 * documents nor on that of their paths: where a kind has too many, the documents with others are counted together.
 */
export class Tally {
  readonly #model: string;
  readonly #counts = new Map<Counted, Map<string, Count>>();
  readonly #others = new Map<Counted, Count>();

  constructor(model: string) {
    this.#model = model;
  }

  /**
   * @param found where, and a sentence without values of the document, so that equal faults are counted together. A function is called for
   *   the first document only, where the sentence depends on nothing but the path
   */
  add(kind: Counted, found: { readonly path: string; readonly message: string | (() => string) }, id: string): void {
    const { message } = found;
    const path = printable(found.path);
    const key = typeof message === 'string' ? `${path} ${message}` : path;
    const ofKind = this.#counts.get(kind) ?? new Map<string, Count>();
    this.#counts.set(kind, ofKind);
    const known = ofKind.get(key) ?? (ofKind.size < maxCounted ? undefined : this.#others.get(kind));
    if (known !== undefined) return countOnce(known, id);
    const counted = { kind, model: this.#model, count: 1, examples: [id], last: id };
    if (ofKind.size < maxCounted)
      ofKind.set(key, { ...counted, path, message: typeof message === 'string' ? message : message() });
    else this.#others.set(kind, { ...counted, message: `more than ${maxCounted} paths and reasons; there are others` });
  }

  get faults(): readonly Fault[] {
    const listed = [...this.#counts.values()].flatMap((ofKind) => [...ofKind.values()]);
    return [...listed, ...this.#others.values()].map(({ last: _, ...fault }) => fault);
  }
}

/** Counts a document once, however many of its nested documents have the fault. */
function countOnce(known: Count, id: string): void {
  if (known.last === id) return;
  known.last = id;
  known.count += 1;
  if (known.examples.length < maxExamples) known.examples.push(id);
}

/** A path of a document, which may be long and have characters that a terminal acts on. */
function printable(path: string): string {
  const short = path.length > maxPath ? `${path.slice(0, maxPath)}…` : path;
  return short.replace(/\p{C}/gu, '\u{FFFD}');
}

/** A fault as a line. */
export function lineOf({ kind, model, path, message, count, examples = [] }: Fault): string {
  const text = model === undefined ? `${titles[kind]} ${message}` : `${titles[kind]} ${model}${at(path)}: ${message}`;
  if (count === undefined) return text;
  return `${text} in ${countText(count, 'document')}, such as ${examples.join(', ')}`;
}

const at = (path: string | undefined): string => (path === undefined ? '' : `.${path}`);

const titles: Readonly<Record<Fault['kind'], string>> = {
  setting: 'Setting',
  model: 'Model file',
  database: 'Database',
  index: 'Index',
  document: 'Document',
  link: 'Link',
  unknown: 'Unknown path',
  default: 'Missing default',
  folder: 'Folder',
  file: 'File',
  right: 'Right',
  rule: 'Rule',
  hidden: 'Middleware',
  json: 'toJSON',
  middleware: 'Middleware',
  search: 'Search',
  populate: 'Populate',
  language: 'Text index',
  repeated: 'Index',
  collection: 'Collection',
  jxp: 'JXP',
};
