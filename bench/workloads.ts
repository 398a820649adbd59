/** What is measured: one row each. Both sides of a row get the same requests and must give the same data. */
import { itemBody, itemCount, itemId } from './data.ts';

/** One request. */
export interface Sent {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  readonly path: string;
  readonly body?: unknown;
  /** The media type of the body, if it is not JSON. */
  readonly type?: string;
}

/**
 * The hand-written server, Dossier, and Dossier with its cache on, with models that have a history beside those without, with `METRICS=on`,
 * with `SHED_AFTER_MS=0`, and as another commit has it.
 */
export type ServerName = 'limit' | 'dossier' | 'cached' | 'history' | 'metered' | 'unshed' | 'other commit';
export type Credential = 'bearer' | 'api key' | 'Basic';

/** The server that answers, and what the requests contain. */
export interface Side {
  readonly server: ServerName;
  readonly credential?: Credential;
  /** Takes the place of `item` in the path. */
  readonly model?: 'ruled';
  /** Takes the place of the request of the row; then the answers are not compared. */
  readonly request?: Workload['request'];
  /** The number of the other side's requests that one request replaces; 1 by default. */
  readonly worth?: number;
  /** The requested page of the list, by the cursor of the page before. */
  readonly page?: number;
}

export interface Workload {
  readonly name: string;
  /** The request of this number. */
  readonly request: (number: number) => Sent;
  readonly side: Side;
  /** The side to compare with. */
  readonly against: Side;
  /** 32 by default. */
  readonly connections?: number;
  /** What is written is read again, or writes depend on what is stored. */
  readonly needsEngine?: boolean;
}

const anyItem = (number: number): string => itemId((number * 2_654_435_761) % itemCount);
const one = (number: number): Sent => ({ method: 'GET', path: `/api/item/${anyItem(number)}` });
const list20 = (number: number): Sent => ({
  method: 'GET',
  path: `/api/item?filter[kind]=kind%20${number % 50}&filter[stock]=$gte:100&sort=-price&limit=20`,
});
const list100 = (): Sent => ({ method: 'GET', path: '/api/item?limit=100' });
const list100Linked = (): Sent => ({ method: 'GET', path: '/api/item?limit=100&populate=maker' });
/** A maker with its 100 items. */
const reverse100 = (number: number): Sent => ({
  method: 'GET',
  path: `/api/maker?filter[name]=Maker%20${number % 50}&limit=1&populate=items`,
});
const query = (number: number): Sent => ({
  method: 'POST',
  path: '/query/item?sort=-price&limit=20',
  body: { query: { kind: `kind ${number % 50}`, stock: { $gte: 100 } } },
});
const aggregate = (filter: object, group: string): Sent => ({
  method: 'POST',
  path: '/aggregate/item',
  body: [
    { $match: filter },
    { $group: { _id: group, count: { $sum: 1 }, price: { $avg: '$price' } } },
    { $sort: { _id: 1 } },
  ],
});
/** About 90 documents, found by an index. */
const aggregateSome = (number: number): Sent =>
  aggregate({ kind: `kind ${number % 50}`, stock: { $gte: 100 } }, '$active');
/** About 4,500 documents. */
const aggregateMost = (number: number): Sent => aggregate({ stock: { $gte: 100 + (number % 5) } }, '$kind');
const insertMany = (number: number): Sent => ({
  method: 'POST',
  path: '/bulkwrite/draft',
  body: Array.from({ length: 1000 }, (_, at) => ({ insertOne: { document: itemBody(number * 1000 + at) } })),
});

/** Against the hand-written server. */
const row = (name: string, request: Workload['request'], credential?: Credential, connections = 32): Workload => {
  const sent = credential === undefined ? {} : { credential };
  return { name, request, connections, side: { server: 'dossier', ...sent }, against: { server: 'limit', ...sent } };
};
/** Dossier against itself without credentials. */
const identified = (credential: Credential): Workload => ({
  name: `list 20, ${credential}`,
  request: list20,
  side: { server: 'dossier', credential },
  against: { server: 'dossier' },
});
/** Dossier with its cache against itself without. */
const cached = (name: string, request: Workload['request']): Workload => ({
  name,
  request,
  side: { server: 'cached' },
  against: { server: 'dossier' },
});

/** What it costs to measure requests, and to give each a place. */
const operated = (name: string, request: Workload['request']): readonly Workload[] => [
  {
    name: `metrics: ${name} ÷ without`,
    request,
    side: { server: 'metered' },
    against: { server: 'dossier' },
  },
  {
    name: `shedding: ${name} ÷ without`,
    request,
    side: { server: 'dossier' },
    against: { server: 'unshed' },
  },
];

/** Bytes of an answer to `list20`. */
const list20Bytes = 12_300;
/** A cache hit against the hand-written server with as many bytes that need no work, which no cache hit can beat. */
const cachedLimit: Workload = {
  name: 'list 20, from the cache ÷ as many bytes',
  request: list20,
  side: { server: 'cached' },
  against: { server: 'limit', request: () => ({ method: 'GET', path: `/bytes/${list20Bytes}` }) },
};

/** Reading with row rules and field letters against reading without. */
const ruled = (name: string, request: Workload['request']): Workload => ({
  name: `${name}, with rules`,
  request,
  side: { server: 'dossier', credential: 'bearer', model: 'ruled' },
  against: { server: 'dossier', credential: 'bearer' },
});

/** 100 documents by a reverse link against 100 with their link. */
const reversed: Workload = {
  name: 'reverse link 100 ÷ list 100 + link',
  request: reverse100,
  side: { server: 'dossier' },
  against: { server: 'dossier', request: list100Linked },
};

const create = (number: number): Sent => ({ method: 'POST', path: '/api/draft', body: itemBody(number) });

/** Creates in batches against as many requests. */
const batched = (count: number): Workload => ({
  name: `batch of ${count} creates`,
  request: create,
  side: {
    server: 'dossier',
    credential: 'bearer',
    worth: count,
    request: (number) => ({
      method: 'POST',
      path: '/batch',
      body: { operations: Array.from({ length: count }, (_, at) => create(number * count + at)) },
    }),
  },
  against: { server: 'dossier', credential: 'bearer' },
  connections: 4,
  needsEngine: true,
});

/** A late page of 100,000 documents by its cursor against the first one. */
const latePage = (name: string, path: string): Workload => ({
  name,
  request: () => ({ method: 'GET', path }),
  side: { server: 'dossier', page: 5000 },
  against: { server: 'dossier' },
});

const update = (n: number): Sent => ({ method: 'PUT', path: `/api/item/${anyItem(n)}`, body: { stock: n % 997 } });
/** PATCH against PUT of the same field. */
const patched = (name: string, type: string, body: (stock: number) => unknown): Workload => ({
  name: `update, ${name}`,
  request: update,
  side: {
    server: 'dossier',
    credential: 'bearer',
    request: (n) => ({ method: 'PATCH', path: `/api/item/${anyItem(n)}`, type, body: body(n % 997) }),
  },
  against: { server: 'dossier', credential: 'bearer' },
});

/** Writes of a model with history against those of the same model without, and these against a server that has no history at all. */
const traced = (name: string, request: Workload['request'], withHistory: Workload['request']): readonly Workload[] => [
  {
    name: `history: ${name} ÷ without`,
    request,
    side: { server: 'history', credential: 'bearer', request: withHistory },
    against: { server: 'history', credential: 'bearer' },
    needsEngine: true,
  },
  {
    name: `history: ${name} beside such a model ÷ alone`,
    request,
    side: { server: 'history', credential: 'bearer' },
    against: { server: 'dossier', credential: 'bearer' },
    needsEngine: true,
  },
];
const inModel =
  (model: string, request: Workload['request']): Workload['request'] =>
  (number) => {
    const sent = request(number);
    return { ...sent, path: sent.path.replace(/(?<=\/api\/)\w+/, model) };
  };

export const workloads: readonly Workload[] = [
  row('get one', one),
  row('get one, bearer', one, 'bearer'),
  row('list 100', list100),
  row('list 20, filter + sort', list20),
  row('list 100 + link', list100Linked),
  row('query 20, filter + sort', query),
  row('aggregate 90, match + group', aggregateSome),
  row('aggregate 4,500, match + group', aggregateMost, undefined, 4),
  row('CSV of 1,000', () => ({ method: 'GET', path: '/csv/item?limit=1000' }), undefined, 4),
  row('create', create, 'bearer'),
  batched(10),
  row('update', update, 'bearer'),
  patched('PATCH', 'application/json', (stock) => ({ $set: { stock } })),
  patched('merge patch', 'application/merge-patch+json', (stock) => ({ stock })),
  patched('JSON Patch', 'application/json-patch+json', (value) => [{ op: 'replace', path: '/stock', value }]),
  row('bulk insert of 1,000', insertMany, 'bearer', 2),
  cached('list 20, from the cache', list20),
  cached('list 100, from the cache', list100),
  cached('list 100 + link, from the cache', list100Linked),
  cachedLimit,
  ...operated('get one', one),
  ...operated('list 20', list20),
  identified('bearer'),
  identified('api key'),
  identified('Basic'),
  ruled('get one', one),
  ruled('list 20', list20),
  ruled('list 100', list100),
  reversed,
  ...traced('create', create, inModel('traced_draft', create)),
  ...traced('update', update, inModel('traced', update)),
  latePage('page 5,000 by cursor', '/api/leaf?limit=20'),
  latePage('page 5,000 by cursor, sorted', '/api/leaf?limit=20&sort=-n'),
];

/** The rows against the hand-written server, each against another commit instead. */
export const commitWorkloads: readonly Workload[] = workloads
  .filter(({ against }) => against.server === 'limit' && against.request === undefined)
  .map((workload) => ({ ...workload, against: { ...workload.against, server: 'other commit' } }));
