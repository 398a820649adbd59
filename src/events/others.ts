/**
 * Changes that did not go through this server's writers: other servers on the same database, and functions of models. They are
 * heard by a change stream, where the database has them, from the first time that somebody needs them.
 */
import { setTimeout as later } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { ModelEntry } from '../registry/entry.ts';
import type { ChangeStream, ChangeStreamDocument, Connection, Row } from '../registry/mongoose.ts';
import type { Registry } from '../registry/registry.ts';
import type { Bus, Change, Others } from '../services.ts';

/** How long an event waits for the writer of this server to say that it is its own. */
const ownWithin = 100;
/** How long this server's own changes are remembered. */
const rememberedFor = 60_000;
const tryAgainAfter = 1000;

export interface OthersParts {
  readonly connection: Connection;
  readonly registry: Registry;
  readonly bus: Bus;
  readonly log: Log;
  /** The database has change streams. */
  readonly supported: boolean;
}

export function makeOthers({
  connection,
  registry,
  bus,
  log,
  supported,
}: OthersParts): Others & { close(): Promise<void> } {
  const models = new Map(registry.served.map((model) => [model.collection, model]));
  const own = makeMemory(rememberedFor);
  const forget = bus.subscribe((changes) => {
    if (stream !== undefined) for (const change of changes) if (change.origin !== 'elsewhere') own.add(keyOf(change));
  });
  let stream: ChangeStream | undefined;
  let opened: Promise<void> | undefined;
  let token: unknown;
  let closed = false;

  const hear = (event: ChangeStreamDocument): void => {
    token = event._id;
    const change = changeFrom(event, models);
    if (change === undefined) return;
    setTimeout(() => {
      if (!closed && !own.has(keyOf(change))) bus.publish([change]);
    }, ownWithin).unref();
  };
  const follow = async (begun: () => void): Promise<void> => {
    if (connection.db === undefined) return begun();
    const resume = token === undefined ? {} : { resumeAfter: token };
    const pipeline = [{ $match: { 'ns.coll': { $in: [...models.keys()] } } }];
    stream = connection.db.watch(pipeline, { fullDocument: 'updateLookup', ...resume });
    const first = await stream.tryNext();
    begun();
    if (first !== null) hear(first);
    while (!closed) hear(await stream.next());
  };
  /** Follows until the server closes, and begins again where the stream breaks. */
  const followOn = async (begun: () => void): Promise<void> => {
    while (!closed) {
      try {
        await follow(begun);
      } catch (error) {
        begun();
        if (closed) return;
        log.error('the change stream broke', error);
        // the history may not reach back far enough: what was missed is unknown, so nothing that is kept may rely on it
        if ((error as { code?: unknown }).code === 286) token = undefined;
        for (const model of models.values()) bus.touched(model);
        await stream?.close().catch(() => undefined);
        await later(tryAgainAfter);
      }
    }
  };
  return {
    supported,
    need() {
      if (supported) opened ??= new Promise((begun) => void followOn(begun));
      return opened ?? Promise.resolve();
    },
    async close() {
      closed = true;
      forget();
      await stream?.close().catch(() => undefined);
    },
  };
}

/** One state of one document: what a writer tells and what the stream tells of the same change have the same key. */
const keyOf = ({ model, id, event, after }: Change): string =>
  `${model.name}:${id}:${event === 'del' ? 'del' : String(after?.['__v'] ?? '')}`;

function changeFrom(event: ChangeStreamDocument, models: ReadonlyMap<string, ModelEntry>): Change | undefined {
  if (!('documentKey' in event) || !('ns' in event)) return undefined;
  const model = 'coll' in event.ns && typeof event.ns.coll === 'string' ? models.get(event.ns.coll) : undefined;
  if (model === undefined) return undefined;
  const after = 'fullDocument' in event ? ((event.fullDocument ?? undefined) as Row | undefined) : undefined;
  const kind = kindOf(event, after);
  if (kind === undefined) return undefined;
  const user = after?.['_updated_by_id'] ?? after?.['_owner_id'];
  return {
    event: kind,
    model,
    id: String(event.documentKey._id),
    after,
    user: user === undefined || user === null ? undefined : String(user),
    silent: false,
    origin: 'elsewhere',
  };
}

function kindOf(event: ChangeStreamDocument, after: Row | undefined): Change['event'] | undefined {
  if (event.operationType === 'insert') return 'post';
  if (event.operationType === 'delete') return 'del';
  if (event.operationType !== 'update' && event.operationType !== 'replace') return undefined;
  const fields = event.operationType === 'update' ? (event.updateDescription.updatedFields as Row | undefined) : after;
  if (fields?.['_deleted'] === true) return 'del';
  return event.operationType === 'update' && fields?.['_deleted'] === false ? 'post' : 'put';
}

interface Memory {
  add(key: string): void;
  has(key: string): boolean;
}

/** Remembers texts for a while, in two halves that take turns. */
function makeMemory(milliseconds: number): Memory {
  let [young, old] = [new Set<string>(), new Set<string>()];
  let turned = performance.now();
  return {
    add(key) {
      if (performance.now() - turned > milliseconds / 2) {
        [young, old] = [new Set(), young];
        turned = performance.now();
      }
      young.add(key);
    },
    has: (key) => young.has(key) || old.has(key),
  };
}
