/**
 * The bus of a server with several workers: what one worker publishes reaches the listeners of all. Where the database has change
 * streams, workers that need changes get them; the streams give the order of events. Elsewhere the primary gives it.
 */
import { randomUUID } from 'node:crypto';
import type { ModelEntry } from '../../models/entry.ts';
import { mongo, type Row } from '../../models/mongoose.ts';
import type { Registry } from '../../models/registry.ts';
import type { Log } from '../../ports/log.ts';
import type { ChangeMessage, ChangesMessage } from '../../shared/contract.ts';
import type { FeedStart, Peers } from '../../workers/contract.ts';
import { type Listeners, makeListeners } from './bus.ts';
import type { Bus, Change } from './contract.ts';
import { versionOf } from './stream-change.ts';

/** Milliseconds for which documents of a model are sent at least, so that a subscription can begin meanwhile. */
const minNeedMs = 60_000;

interface SpanParts {
  readonly peers: Peers;
  readonly log: Log;
  /** Whether the database has change streams. */
  readonly replicated: boolean;
}

/** Changes with their position in a feed: the number of the first one that is not silent. */
export interface OrderedChanges {
  readonly changes: readonly Change[];
  readonly first: number;
}

export class SpanningBus implements Bus {
  readonly subscribe: Bus['subscribe'];
  readonly onInvalidated: Bus['onInvalidated'];
  readonly #models = new Map<string, ModelEntry>();
  readonly #ordered: Listeners<OrderedChanges>;
  readonly #name = randomUUID();
  /** What this worker has published in order, until it comes back. */
  readonly #sent: (readonly Change[])[] = [];
  /** When the documents of a model were needed last. */
  readonly #documents = new Map<ModelEntry, number>();
  #needsAny = false;
  #declared: Promise<void> = Promise.resolve();

  /** @param bus the listeners of this worker */
  constructor(
    private readonly bus: Bus,
    private readonly parts: SpanParts,
  ) {
    this.subscribe = (...given) => bus.subscribe(...given);
    this.onInvalidated = (listener) => bus.onInvalidated(listener);
    this.#ordered = makeListeners(parts.log, 'a listener of ordered changes failed');
  }

  /** Begins to listen to the other workers. */
  begin(registry: Registry): void {
    const { peers } = this.parts;
    for (const model of registry.all) this.#models.set(model.name, model);
    peers.onMessage('changes', (message) => this.#receive(message));
    peers.onMessage('invalidated', (name) => {
      const model = this.#models.get(name);
      if (model !== undefined) this.bus.invalidate(model);
    });
  }

  publish(changes: readonly Change[]): void {
    this.bus.publish(changes);
    if (this.parts.replicated) this.#broadcast(changes);
    else this.#broadcastInOrder(changes);
  }

  wantsBefore(model: ModelEntry): boolean {
    return this.bus.wantsBefore(model) || this.parts.peers.needed.documents.includes(model.name);
  }

  invalidate(model: ModelEntry): void {
    this.bus.invalidate(model);
    void this.parts.peers.broadcast('invalidated', model.name);
  }

  ensureDelivered(model?: ModelEntry): Promise<void> {
    const isKnown = this.#needsAny && (model === undefined || this.#documents.has(model));
    this.#needsAny = true;
    if (model !== undefined) this.#documents.set(model, performance.now());
    if (!isKnown) this.#declare();
    return this.#declared;
  }

  /** Begins the feed that the primary orders. */
  beginFeed(): Promise<FeedStart> {
    return this.parts.peers.beginFeed();
  }

  onOrdered(listener: (ordered: OrderedChanges) => void): () => void {
    return this.#ordered.add(listener);
  }

  /** What the database reports reaches each worker by its own change stream. */
  #broadcast(changes: readonly Change[]): void {
    const { peers } = this.parts;
    const own = changes.filter(({ origin }) => origin === undefined);
    const { all, documents } = peers.needed;
    if (!all || own.length === 0) return;
    const messages = joinChanges(own).map((change) => messageOf(change, documents.includes(change.model.name)));
    void peers.broadcast('changes', { by: this.#name, changes: messages });
  }

  #broadcastInOrder(changes: readonly Change[]): void {
    this.#sent.push(changes);
    const message = { by: this.#name, changes: changes.map((change) => messageOf(change, true)) };
    void this.parts.peers.broadcastInOrder(message, changes.filter(({ silent }) => !silent).length);
  }

  #receive({ by, changes: messages, first }: ChangesMessage): void {
    const own = by === this.#name ? this.#sent.shift() : undefined;
    const changes = own ?? messages.flatMap((one) => changeFrom(one, (name) => this.#models.get(name)) ?? []);
    if (own === undefined) this.bus.publish(changes);
    if (first !== undefined) this.#ordered.notify({ changes, first });
    this.#needLess(changes);
  }

  /** Documents of models without subscribers are no longer needed. */
  #needLess(changes: readonly Change[]): void {
    const before = performance.now() - minNeedMs;
    const unneeded = changes.filter(
      ({ model }) => (this.#documents.get(model) ?? Infinity) < before && !this.bus.wantsBefore(model),
    );
    for (const { model } of unneeded) this.#documents.delete(model);
    if (unneeded.length > 0) this.#declare();
  }

  #declare(): void {
    const documents = [...this.#documents.keys()].map(({ name }) => name);
    this.#declared = this.parts.peers.declare({ all: this.#needsAny, documents });
    // a primary that has ended takes its workers with it
    this.#declared.catch(() => undefined);
  }
}

/** @param withDocuments whether the documents are sent, or their revisions only */
function messageOf(change: Change, withDocuments: boolean): ChangeMessage {
  const { event, model, id, user, silent, joined, before, after } = change;
  const version = versionOf(after) ?? change.version;
  const message = { event, model: model.name, id, user, silent, joined, version };
  if (!withDocuments) return { ...message, before: before && bytesOf({ __v: before['__v'] }) };
  return { ...message, before: before && bytesOf(before), after: after && bytesOf(after) };
}

/** @param model the model by its name @returns undefined for a change of an unknown model */
function changeFrom(
  { model: name, before, after, ...message }: ChangeMessage,
  model: (name: string) => ModelEntry | undefined,
): Change | undefined {
  const found = model(name);
  if (found === undefined) return undefined;
  return { ...message, model: found, before: rowOf(before), after: rowOf(after), origin: 'worker' };
}

const bytesOf = (row: Readonly<Row>): Uint8Array => mongo.BSON.serialize(row);
const rowOf = (bytes: Uint8Array | undefined): Row | undefined =>
  bytes === undefined ? undefined : mongo.BSON.deserialize(bytes);

export function joinChanges(changes: readonly Change[]): readonly Change[] {
  if (changes.length < 2) return changes;
  const byDocument = new Map<string, Change[]>();
  for (const change of changes) {
    const key = `${change.model.name} ${change.id}`;
    const steps = byDocument.get(key);
    if (steps === undefined) byDocument.set(key, [change]);
    else steps.push(change);
  }
  return byDocument.size === changes.length ? changes : [...byDocument.values()].map(joined);
}

function joined(steps: readonly Change[]): Change {
  const [first] = steps;
  const last = steps.at(-1);
  if (first === undefined || last === undefined || first === last) return first as Change;
  const wasThere = first.event !== 'post';
  const isThere = steps.reduce((there, { event }) => (event === 'put' ? there : event === 'post'), wasThere);
  const event = isThere ? (wasThere ? 'put' : 'post') : 'del';
  // a document that was created and deleted again is no change
  const silent = steps.every((step) => step.silent) || (!wasThere && !isThere);
  const { __v } = last.before ?? {};
  const version = last.after === undefined && typeof __v === 'number' ? __v + 1 : undefined;
  return { ...last, event, before: first.before, silent, joined: true, version };
}
