/** Calls the functions of the project with each change of a document, right after the write, in its unit of work. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { runForWrite, type WriteUse } from '../../api/for-write.ts';
import {
  type Author,
  type ModelEntry,
  operator,
  type Recorder,
  type RecorderParts,
  type Row,
  type Services,
  type States,
} from '../../core.ts';
import type { ChangedEvent, ChangedHandler } from '../../define/changed.ts';
import { internal } from '../../errors/errors.ts';
import { BSON } from '../../models/object-id.ts';
import { writeCallerOf } from '../../policy/principal.ts';
import { deepFreeze } from '../../settings/freeze.ts';
import type { AuthorInUnit } from '../../write/contract.ts';
import { type ChangedDocument, changedDocuments } from './changed-documents.ts';
import { handlersByModel } from './handlers.ts';

/** Reactions inside of each other, which those that change documents may cause without end. */
const maxDepth = 10;

/** The reactions that enclose what runs, the outermost first: what each is called for, as the log names it. */
const enclosing = new AsyncLocalStorage<readonly string[]>();

export class Reactions implements Recorder<ChangedDocument> {
  readonly name = 'changed';
  readonly #handlers: ReadonlyMap<ModelEntry, readonly ChangedHandler[]>;
  #services: Services | undefined;

  constructor(parts: Pick<RecorderParts, 'config' | 'registry'>) {
    this.#handlers = handlersByModel(parts);
  }

  /** Functions are called from now on: what a server writes before it has begun is no change that they know. */
  begin(services: Services): void {
    this.#services = services;
    if (services.isReplicaSet || this.#handlers.size === 0) return;
    const names = [...this.#handlers.keys()].map(({ name }) => name).join(', ');
    services.log.warn(
      `changed of ${names}: this database has no transactions, so it runs right after each write, and only what can be undone of a write that it refuses is`,
    );
  }

  mayNeed(model: ModelEntry): boolean {
    return this.#handlers.has(model);
  }

  needs(): boolean {
    return this.#services !== undefined;
  }

  needsBoth(): boolean {
    return true;
  }

  entriesOf(model: ModelEntry, states: States): readonly ChangedDocument[] {
    return changedDocuments(model, states);
  }

  async react(changes: readonly ChangedDocument[], author: AuthorInUnit): Promise<void> {
    for (const change of changes) {
      const eventOf = eventFor(change, author);
      for (const handler of this.#handlers.get(change.model) ?? [])
        await this.#call(change, author, (use) => handler(eventOf(use)));
    }
  }

  /** @throws Failure for what the function throws; 500 when it does not end in time, or is called too deep inside of others */
  async #call(
    { model, id, event }: ChangedDocument,
    author: AuthorInUnit,
    call: Parameters<typeof runForWrite>[3],
  ): Promise<void> {
    const chain = [...(enclosing.getStore() ?? []), `${model.name} ${event} ${id}`];
    if (chain.length > maxDepth)
      throw internal(new Error(`changed is called inside of ${maxDepth} others: ${chain.join(' → ')}`));
    const run = (): Promise<void> => runForWrite(this.#services as Services, author, `changed of ${model.name}`, call);
    await enclosing.run(chain, run);
  }
}

/** @returns what a function of the change receives, for what that may use: the copies of the documents are made once, when one reads them */
function eventFor(
  { model, id, event, paths, ...images }: ChangedDocument,
  { cause, origin }: Author,
): (use: WriteUse) => ChangedEvent {
  const caller = writeCallerOf(cause?.principal ?? operator);
  let [before, after]: [Row?, Row?] = [];
  return (use) => ({
    ...{ event, model: model.name, id, paths, caller, via: origin?.via },
    get before() {
      return (before ??= frozenCopy(images.before));
    },
    get after() {
      return (after ??= frozenCopy(images.after));
    },
    get api() {
      return use.api;
    },
    get log() {
      return use.log;
    },
    get signal() {
      return use.signal;
    },
  });
}

/** A copy with values as the driver reads them, which nothing can change. */
const frozenCopy = (row: Row | undefined): Row | undefined => row && deepFreeze(BSON.deserialize(BSON.serialize(row)));
