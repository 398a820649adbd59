/** Films → the server, through its API: what exists stays unchanged, what is missing is sent in batches. */
import type { Client } from './client.ts';
import { type Film, keyOf } from './films.ts';

export interface Filled {
  readonly model: string;
  readonly added: number;
  readonly present: number;
}

export interface FillOptions {
  /** Documents in one request. */
  readonly batch: number;
  /** Requests under way at once. */
  readonly concurrency: number;
  /** Called after each request with the number of documents so far and of all. */
  readonly progress: (model: string, done: number, total: number) => void;
}

interface Document {
  readonly _id: string;
  readonly name?: string;
  readonly title?: string;
  readonly year?: number;
}

type Item = readonly [key: string, body: object];

/** Adds the films with their people and tags. Run again, it adds nothing. */
export async function fill(client: Client, films: readonly Film[], options: FillOptions): Promise<readonly Filled[]> {
  const names = new Set(films.flatMap(({ director }) => director ?? []));
  const people = await add(
    client,
    'person',
    [...names].map((name) => [name, { name }]),
    byName,
    options,
  );
  const kinds = new Map(films.flatMap(({ tags }) => tags).map((tag) => [tag.name, tag]));
  const tags = await add(client, 'tag', [...kinds], byName, options);
  const linked = films.map(({ key, director, tags: wanted, fields }): Item => {
    const id = director === undefined ? undefined : people.ids.get(director);
    const tag_id = wanted.map(({ name }) => tags.ids.get(name));
    return [key, { ...fields, ...(id === undefined ? {} : { director_id: id }), tag_id }];
  });
  const added = await add(client, 'film', linked, ({ title = '', year }) => keyOf(title, year), options);
  return [people.filled, tags.filled, added.filled];
}

const byName = ({ name = '' }: Document): string => name;

/** Adds the items whose key no document has, deleted ones included: what was deleted stays deleted. */
async function add(
  client: Client,
  model: string,
  items: readonly Item[],
  key: (document: Document) => string,
  options: FillOptions,
): Promise<{ readonly filled: Filled; readonly ids: ReadonlyMap<string, string> }> {
  const ids = new Map((await all(client, model)).map((document) => [key(document), document._id]));
  const missing = items.filter(([name]) => !ids.has(name));
  const present = items.length - missing.length;
  let done = present;
  options.progress(model, done, items.length);
  await inBatches(missing, options, async (batch) => {
    const sent = await insert(
      client,
      model,
      batch.map(([, body]) => body),
    );
    batch.forEach(([name], at) => ids.set(name, sent[String(at)] ?? ''));
    options.progress(model, (done += batch.length), items.length);
  });
  return { filled: { model, added: missing.length, present }, ids };
}

async function insert(client: Client, model: string, documents: readonly object[]): Promise<Record<string, string>> {
  const { results } = await client.post<{ results: Record<string, { insertedIds: Record<string, string> }> }>(
    '/setup/data',
    { [model]: documents },
  );
  return results[model]?.insertedIds ?? {};
}

/** All documents of a model, page by page, with the fields that make a key. */
async function all(client: Client, model: string): Promise<Document[]> {
  const found: Document[] = [];
  const fields = model === 'film' ? 'title,year' : 'name';
  for (let page = 1; ; page++) {
    const path = `/api/${model}?fields=${fields}&showDeleted=true&limit=1000&page=${page}&sort=_id`;
    const { data, next } = await client.get<{ data: Document[]; next?: string }>(path);
    found.push(...data);
    if (next === undefined) return found;
  }
}

/** Works on a few batches at a time. */
async function inBatches<T>(
  items: readonly T[],
  { batch, concurrency }: FillOptions,
  work: (batch: readonly T[]) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length) {
      const from = next;
      next += batch;
      await work(items.slice(from, from + batch));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
