/** What reports the writes of documents: histories, webhooks, `changed`, the audit log and events, read after each write. */
import { decodeImages } from '../../../src/features/webhooks/images.ts';
import type { ChangedEvent } from '../../../src/index.ts';
import { BSON, type ObjectId } from '../../../src/models/object-id.ts';
import { connect, type Connection as Socket } from '../connection.ts';
import { rootBasic } from '../fixtures/people.ts';
import type { TestServer } from '../server.ts';
import type { Json } from './bodies.ts';
import { type Difference, type Operation, operationOf, type Step } from './differences.ts';
import type { ModelPlan } from './models.ts';

/** Changes by document, as `model id`, in order. */
export type ByDocument<T> = ReadonlyMap<string, readonly T[]>;

export interface Call extends Step {
  readonly paths: readonly string[];
}
export interface HistoryEntry {
  readonly op: Operation;
  readonly rev: number;
  readonly changes: readonly Difference[];
  /** The document after the entry as answers have it, without `id`; undefined for a removal. */
  readonly after: Json | undefined;
}
export interface AuditRecord {
  readonly op: string;
  readonly paths: readonly string[];
}
export interface Event {
  readonly event: string;
  readonly item: Json;
}

/** What has been reported since the last reading. */
export interface Reports {
  readonly history: ByDocument<HistoryEntry>;
  readonly webhook: ByDocument<Step>;
  /** All calls of `changed`, also those of what was rolled back. */
  readonly calls: ByDocument<Call>;
  /** Those that were stored with the writes. */
  readonly storedCalls: ByDocument<Call>;
  readonly audit: ByDocument<AuditRecord>;
  readonly events: ByDocument<Event>;
  /** The changes that the writers have published, as text that differs for each change. */
  readonly published: ByDocument<string>;
}

export const keyOf = (model: string, id: unknown): string => `${model} ${String(id)}`;

function grouped<T>(all: readonly (readonly [key: string, value: T])[]): ByDocument<T> {
  const groups = new Map<string, T[]>();
  for (const [key, value] of all) groups.set(key, [...(groups.get(key) ?? []), value]);
  return groups;
}

/** What `changed` is called with, in the form in which it is stored. */
const { EJSON } = BSON;

/** Reads what a server reports. */
export class Reporters {
  #calls: (readonly [string, Call])[] = [];
  #published: (readonly [string, string])[] = [];
  #seq = 0;
  #marks = 0;
  #received = 0;
  #lastDelivery: ObjectId | undefined;
  #lastRecord: ObjectId | undefined;
  readonly #revisions = new Map<string, number>();

  private constructor(
    private readonly server: TestServer,
    private readonly plans: readonly ModelPlan[],
    private readonly socket: Socket,
  ) {
    Object.assign(globalThis, { noteChanged: (event: ChangedEvent) => this.#note(event) });
    server.dossier.services.bus.subscribe((changes) => {
      for (const { origin, model, id, event, before, after, version } of changes)
        if (origin === undefined && plans.some(({ name }) => name === model.name))
          this.#published.push([keyOf(model.name, id), EJSON.stringify({ event, before, after, version })]);
    });
  }

  /** Subscribes to the events of the models, and makes a webhook for those that have one. */
  static async open(server: TestServer, plans: readonly ModelPlan[]): Promise<Reporters> {
    const socket = await connect(server.url, rootBasic);
    for (const model of [...plans.map(({ name }) => name), 'mark']) {
      const { status, message } = await socket.ask('subscribe', { model });
      if (status !== 'okay') throw new Error(String(message));
    }
    const models = plans.filter(({ hasWebhook }) => hasWebhook).map(({ name }) => name);
    if (models.length > 0) {
      // nothing listens there: each delivery waits for its second try, and keeps its images
      const made = await server.post('/webhooks', { url: 'http://127.0.0.1:9/', models }, { headers: rootBasic });
      if (made.status !== 201) throw new Error(made.text);
    }
    return new Reporters(server, plans, socket);
  }

  close(): void {
    this.socket.socket.close();
  }

  /** The number of entries in the history of a document. */
  revisionsOf(model: string, id: string): number {
    return this.#revisions.get(keyOf(model, id)) ?? 0;
  }

  /** What is reported of the writes since the last reading, when all of it has arrived. @param since the time before them */
  async read(since: Date): Promise<Reports> {
    const events = await this.#events();
    const calls = grouped(this.#calls);
    const published = grouped(this.#published);
    this.#calls = [];
    this.#published = [];
    return {
      ...{ events, calls, published },
      storedCalls: await this.#storedCalls(),
      history: await this.#history(since),
      webhook: await this.#deliveries(),
      audit: await this.#records(),
    };
  }

  async #note({ event: op, model, id, before, after, paths, api }: ChangedEvent): Promise<void> {
    const call: Call = { op, before, after, paths };
    this.#calls.push([keyOf(model, id), call]);
    if (this.plans.find(({ name }) => name === model)?.changed === 'documents') {
      const text = EJSON.stringify({ id, ...call }, { relaxed: false });
      await api.as('system').model('note').create({ seq: ++this.#seq, model, text });
    }
    if (after?.['name'] === 'refused')
      throw Object.assign(new Error('that is refused'), { statusCode: 422, expose: true });
  }

  async #storedCalls(): Promise<ByDocument<Call>> {
    const notes = this.#collection('notes');
    const rows = await notes.find().sort({ seq: 1 }).toArray();
    await notes.deleteMany({});
    return grouped(
      rows.map((row) => {
        const { id, op, paths, before, after } = EJSON.parse(String(row['text'])) as Call & { readonly id: string };
        return [
          keyOf(String(row['model']), id),
          { op, paths, before: before ?? undefined, after: after ?? undefined },
        ] as const;
      }),
    );
  }

  /** Events arrive in the order of the changes: those of earlier writes before that of a mark. */
  async #events(): Promise<ByDocument<Event>> {
    const n = ++this.#marks;
    await this.server.post('/api/mark', { n }, { headers: rootBasic });
    const isMark = ({ data }: Json): boolean => (data as Json | undefined)?.['modelname'] === 'mark';
    await this.socket.when(() => this.socket.received.filter(isMark).length >= n);
    const received = this.socket.received.slice(this.#received) as { data?: Event & { modelname: string } }[];
    this.#received += received.length;
    return grouped(
      received.flatMap(({ data }) =>
        data === undefined || data.modelname === 'mark'
          ? []
          : [[keyOf(data.modelname, data.item['_id']), data] as const],
      ),
    );
  }

  async #history(since: Date): Promise<ByDocument<HistoryEntry>> {
    const found: (readonly [string, HistoryEntry])[] = [];
    for (const { name } of this.plans.filter(({ hasHistory }) => hasHistory)) {
      const entries = await this.#entriesOf(name, since);
      for (const { id, rev, op, changes } of entries.sort((one, other) => one.rev - other.rev)) {
        const key = keyOf(name, id);
        if (rev <= (this.#revisions.get(key) ?? 0)) continue;
        this.#revisions.set(key, rev);
        const { document } =
          op === 'remove' ? { document: undefined } : await this.#get(`/history/${name}/${id}/${rev}`);
        const { id: _, ...after } = document ?? {};
        found.push([key, { op, rev, changes, after: document && after }]);
      }
    }
    return grouped(found);
  }

  async #entriesOf(name: string, since: Date): Promise<(HistoryEntry & { id: string })[]> {
    const all: (HistoryEntry & { id: string })[] = [];
    for (let after = ''; ;) {
      const { body } = await this.#get(`/history/${name}?limit=100&since=${since.toISOString()}${after}`);
      all.push(...(body['data'] as typeof all));
      if (body['next_cursor'] === undefined) return all;
      after = `&after=${String(body['next_cursor'])}`;
    }
  }

  async #deliveries(): Promise<ByDocument<Step>> {
    const rows = await this.#newRows('_dossier_outbox', { kind: 'webhook' }, this.#lastDelivery);
    this.#lastDelivery = (rows.at(-1)?.['_id'] as ObjectId | undefined) ?? this.#lastDelivery;
    return grouped(
      rows.map(({ data }) => {
        const { model, document, op, images } = data as {
          model: string;
          document: string;
          op: Operation;
          images: unknown;
        };
        const { before, after } = decodeImages(images);
        return [keyOf(model, document), { op, before, after }] as const;
      }),
    );
  }

  async #records(): Promise<ByDocument<AuditRecord>> {
    const rows = await this.#newRows('_dossier_audit', { what: /^document\.(?!removed)/ }, this.#lastRecord);
    this.#lastRecord = (rows.at(-1)?.['_id'] as ObjectId | undefined) ?? this.#lastRecord;
    return grouped(
      rows.map(({ model, document, what, paths }) => [
        keyOf(String(model), document),
        { op: String(what).slice('document.'.length), paths: paths as string[] },
      ]),
    );
  }

  /** The rows of a collection after one, in the order of their insertion. */
  #newRows(collection: string, filter: Json, last: ObjectId | undefined): Promise<Json[]> {
    const after = last === undefined ? {} : { _id: { $gt: last } };
    return this.#collection(collection)
      .find({ ...filter, ...after })
      .sort({ _id: 1 })
      .toArray();
  }

  #get(path: string) {
    return this.server.get(path, { headers: rootBasic });
  }

  #collection(name: string) {
    return this.server.dossier.services.connection.collection(name);
  }
}

/** The step between two states of a document. */
export const stepOf = (before: Json | undefined, after: Json | undefined): Step => ({
  ...{ op: operationOf(before, after), before, after },
});
