/** Calls the functions of the project with each change of a document, right after the write, in its unit of work. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { withTimeout } from '../../async/timeout.ts';
import type { ChangedEvent, ChangedHandler } from '../../define/changed.ts';
import { internal, neverEnded } from '../../errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { fromModelCode } from '../../models/mongoose/model-code-errors.ts';
import type { Services } from '../../services.ts';
import type { AuthorInUnit, Mutation, Recorder, States } from '../../write/contract.ts';
import type { RecorderParts } from '../feature.ts';
import { type ChangedDocument, changedDocuments } from './changed-documents.ts';
import { eventFor } from './event.ts';
import { handlersByModel } from './handlers.ts';

/** Reactions inside of each other, which those that change documents may cause without end. */
const maxDepth = 10;

/** The reactions that enclose what runs, the outermost first: what each is called for, as the log names it. */
const enclosing = new AsyncLocalStorage<readonly string[]>();

export class Reactions implements Recorder<ChangedDocument> {
  readonly name = 'changed';
  readonly #handlers: ReadonlyMap<ModelEntry, readonly ChangedHandler[]>;
  #services: Services | undefined;
  readonly #limit: number;

  constructor(parts: Pick<RecorderParts, 'settings' | 'config' | 'registry'>) {
    this.#handlers = handlersByModel(parts);
    this.#limit = parts.settings.query_limits.max_time_ms;
  }

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

  needs(mutation: Mutation): boolean {
    // an update that is not published changes nothing that the project knows
    return mutation.kind !== 'update' || mutation.event !== undefined;
  }

  needsBoth(): boolean {
    return true;
  }

  entriesOf(mutation: Mutation, states: States): readonly ChangedDocument[] {
    return changedDocuments(mutation, states);
  }

  async react(changes: readonly ChangedDocument[], author: AuthorInUnit): Promise<void> {
    for (const change of changes) {
      const event = eventFor(this.#services as Services, change, author);
      for (const handler of this.#handlers.get(change.model) ?? []) await this.#call(handler, event, author);
    }
  }

  /** @throws Failure for what the function throws; 500 when it does not end in time, or is called too deep inside of others */
  async #call(handler: ChangedHandler, event: ChangedEvent, { progress }: AuthorInUnit): Promise<void> {
    const chain = [...(enclosing.getStore() ?? []), `${event.model} ${event.event} ${event.id}`];
    if (chain.length > maxDepth)
      throw internal(new Error(`changed is called inside of ${maxDepth} others: ${chain.join(' → ')}`));
    const running = enclosing.run(chain, async () => handler(event));
    const late = (): Error => {
      progress?.end();
      return neverEnded(`changed of ${event.model}`, this.#limit);
    };
    await withTimeout(this.#limit, running, late).catch((error: unknown) => {
      const known = fromModelCode(error);
      throw known instanceof Error ? known : internal(known);
    });
  }
}
