/** The index builds of a collection that run beside other commands. Each learns which documents change meanwhile. */
import { StoreError } from 'dossier-language/errors';
import { sameSignature } from './index-signature.ts';
import type { IndexSpec } from './index-spec.ts';

/** Whether a collection cannot have both indexes. */
const excludeEachOther = (one: IndexSpec, other: IndexSpec): boolean =>
  one.name === other.name || sameSignature(one, other) || (one.kind === 'text' && other.kind === 'text');

/** The build of the indexes of one command. */
export class RunningBuild {
  readonly specs: readonly IndexSpec[];
  readonly #onEnd = new Set<() => void>();
  #changed = new Set<number>();
  #abortion: StoreError | undefined;

  constructor(specs: readonly IndexSpec[]) {
    this.specs = specs;
  }

  /** The names of its indexes. */
  get names(): readonly string[] {
    return this.specs.map(({ name }) => name);
  }

  /** Notes that a document was added, changed or removed. */
  note(sequence: number): void {
    this.#changed.add(sequence);
  }

  /** Number of documents that have changed since they were last taken. */
  get changes(): number {
    return this.#changed.size;
  }

  /** The sequences of the documents that have changed since they were last taken, first change first. */
  takeChanged(): ReadonlySet<number> {
    const changed = this.#changed;
    this.#changed = new Set();
    return changed;
  }

  /** Whether it builds an index that excludes another. */
  excludes(other: IndexSpec): boolean {
    return this.specs.some((spec) => excludeEachOther(spec, other));
  }

  /** Makes its command fail. @param reason a clause, such as `its collection was dropped` */
  abort(reason: string): void {
    this.#abortion ??= new StoreError(276, `Index build aborted: ${this.names.join(', ')}: ${reason}`);
  }

  /** @throws StoreError 276 if it was aborted */
  check(): void {
    if (this.#abortion !== undefined) throw this.#abortion;
  }

  /** Calls back at its end. The returned function unsubscribes. */
  onEnd(callback: () => void): () => void {
    this.#onEnd.add(callback);
    return () => this.#onEnd.delete(callback);
  }

  end(): void {
    for (const callback of this.#onEnd) callback();
    this.#onEnd.clear();
  }
}

/** The running builds of one collection. */
export class RunningBuilds {
  readonly #running = new Set<RunningBuild>();

  get all(): readonly RunningBuild[] {
    return [...this.#running];
  }

  /** Number of indexes that are being built. */
  get indexes(): number {
    return this.all.reduce((sum, { specs }) => sum + specs.length, 0);
  }

  begin(specs: readonly IndexSpec[]): RunningBuild {
    const build = new RunningBuild(specs);
    this.#running.add(build);
    return build;
  }

  end(build: RunningBuild): void {
    this.#running.delete(build);
    build.end();
  }

  /** Notes that a document was added, changed or removed. */
  note(sequence: number): void {
    for (const build of this.#running) build.note(sequence);
  }

  /** Aborts builds: all of them, if none are named. */
  abort(reason: string, builds: readonly RunningBuild[] = this.all): void {
    for (const build of builds) {
      build.abort(reason);
      this.end(build);
    }
  }
}
