/** What `dossier check` reports, and how faults of many documents are counted. */

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
  const where = model === undefined ? '' : ` ${model}${path === undefined ? '' : `.${path}`}`;
  const text = `${titles[kind]}${where}: ${message}`;
  if (count === undefined) return text;
  return `${text} in ${counted(count, 'document')}, such as ${examples.join(', ')}`;
}

const titles: Readonly<Record<Fault['kind'], string>> = {
  setting: 'Setting',
  model: 'Model file',
  database: 'Database',
  index: 'Index',
  document: 'Document',
  link: 'Link',
};
