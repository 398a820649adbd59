/** What `dossier check` reports, and how faults of many documents are counted. */

import { projectFaults } from '../../start/faults.ts';
import { counted } from '../counted.ts';

/** A fault of the project or of its data. */
export interface Fault {
  readonly kind: 'setting' | 'model' | 'database' | 'index' | 'document' | 'link';
  /** What is wrong and where, in a sentence. */
  readonly message: string;
  readonly model?: string;
  readonly path?: string;
  /** How many documents have the fault. */
  readonly count?: number;
  /** Ids of some of them. */
  readonly examples?: readonly string[];
}

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

/** The faults of one model's documents, one for each path and reason. Its size does not depend on the number of documents. */
export class Tally {
  readonly #model: string;
  readonly #faults = new Map<string, Fault & { count: number; examples: string[] }>();

  constructor(model: string) {
    this.#model = model;
  }

  /** @param message a sentence without values of the document, so that equal faults are counted together */
  add(kind: 'document' | 'link', path: string, message: string, id: string): void {
    const key = `${kind} ${path} ${message}`;
    const known = this.#faults.get(key);
    if (known === undefined) {
      this.#faults.set(key, { kind, model: this.#model, path, message, count: 1, examples: [id] });
      return;
    }
    known.count += 1;
    if (known.examples.length < maxExamples) known.examples.push(id);
  }

  get faults(): readonly Fault[] {
    return [...this.#faults.values()];
  }
}

/** A fault as a line. */
export function lineOf({ kind, model, path, message, count, examples = [] }: Fault): string {
  const text = model === undefined ? `${titles[kind]} ${message}` : `${titles[kind]} ${model}${at(path)}: ${message}`;
  if (count === undefined) return text;
  return `${text} in ${counted(count, 'document')}, such as ${examples.join(', ')}`;
}

const at = (path: string | undefined): string => (path === undefined ? '' : `.${path}`);

const titles: Readonly<Record<Fault['kind'], string>> = {
  setting: 'Setting',
  model: 'Model file',
  database: 'Database',
  index: 'Index',
  document: 'Document',
  link: 'Link',
};
