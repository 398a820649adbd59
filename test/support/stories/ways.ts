/** Every way of writing, with random values. */
import { Readable } from 'node:stream';
import { importSources } from '../../../src/transfer/import/import.ts';
import { sourcesOf } from '../../../src/transfer/import/source.ts';
import { rootBasic } from '../fixtures/people.ts';
import { callAt } from '../mcp.ts';
import type { TestServer } from '../server.ts';
import {
  type BodyParts,
  bulkOperationOf,
  codeOf,
  documentOf,
  type Json,
  jsonPatchOf,
  operatorsOf,
  pathsOf,
} from './bodies.ts';

/**
 * How often a write may change one document: once, or several times. Several changes in one unit of work are one event; each unit has its
 * own otherwise.
 */
type Steps = 'one' | 'one unit' | 'several units';

export interface Written {
  /** The request, as a failure shows it. */
  readonly request: string;
  readonly status: number;
  readonly text: string;
  readonly steps: Steps;
  /** How many changes of one document there are at most: each operation changes it once. */
  readonly maxSteps?: number;
  /** Whether what comes before a failure stays. */
  readonly keepsSome?: boolean;
  /** Whether any of its parts has failed, so that some of it may have been rolled back. */
  readonly hasFailed: boolean;
  /** Sends no events. */
  readonly isSilent?: boolean;
  /** Does not call `changed`. */
  readonly skipsChanged?: boolean;
}

export interface WayParts extends BodyParts {
  readonly server: TestServer;
  /** A folder for the lists of refused records. */
  readonly folder: string;
  /** Headers of a user who may only read. */
  readonly reader: Readonly<Record<string, string>>;
  readonly hasTransactions: boolean;
  /** Documents of the model that are deleted softly. */
  readonly deleted: readonly string[];
  /** The number of entries in the history of a document. */
  readonly revisions: (id: string) => number;
}

type Way = (parts: WayParts) => Promise<Written>;
type Sending = Omit<Written, 'status' | 'text' | 'request' | 'hasFailed'>;

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const once: Sending = { steps: 'one' };

/** Sends a request as an admin, unless its headers are of another. */
async function send(
  { server }: WayParts,
  { method, path, body, headers = {} }: Request,
  how: Sending = once,
): Promise<Written> {
  const sent = { headers: { ...rootBasic, ...headers }, ...(body === undefined ? {} : { body }) };
  const { status, text } = await server.send(method, path, sent);
  const other = Object.keys(headers).length === 0 ? '' : ` ${JSON.stringify(headers)}`;
  // the operations of a batch have statuses of their own
  const hasFailed = status >= 400 || /"status":[45]\d\d/.test(text);
  return { request: `${method} ${path} ${JSON.stringify(body ?? '')}${other}`, status, text, hasFailed, ...how };
}

/** The path of a document, mostly of one that is not deleted, or of none where there is no document. */
function oneOf({ random, plan, ids, deleted }: WayParts, prefix = '/api', prefersDeleted = false): string {
  const all = ids[plan.name] ?? [];
  const preferred = all.filter((id) => deleted.includes(id) === prefersDeleted);
  const some = random.once(5) || preferred.length === 0 ? all : preferred;
  return `${prefix}/${plan.name}/${some.length === 0 ? '0'.repeat(24) : random.oneOf(some)}`;
}
const idOf = (path: string): string => path.split('/').at(-1) ?? '';
const pathOf = ({ plan }: WayParts): string => `/api/${plan.name}`;

const patch =
  (type: string, bodyOf: (parts: WayParts) => unknown): Way =>
  (parts) =>
    send(parts, {
      method: 'PATCH',
      path: oneOf(parts),
      body: bodyOf(parts),
      headers: { 'content-type': `application/${type}` },
    });

/** Fields of a merge patch: some of them removed. */
const merged = (parts: WayParts): Json =>
  Object.fromEntries(
    Object.entries(documentOf(parts)).map(([name, value]) => [name, parts.random.once(5) ? null : value]),
  );

/** A document that has lost several links has changed several times. */
const cascade: Sending = { steps: 'one unit' };

const deletion =
  (query: string, how = once): Way =>
  (parts) =>
    send(parts, { method: 'DELETE', path: `${oneOf(parts)}${query}` }, how);

async function bulk(parts: WayParts): Promise<Written> {
  const { random, plan } = parts;
  const operations = [bulkOperationOf(parts), ...random.list(5, () => bulkOperationOf(parts))];
  const query = random.once(4) ? '?_permaDelete=1' : '';
  const maxSteps = operations.length;
  return send(
    parts,
    { method: 'POST', path: `/bulkwrite/${plan.name}${query}`, body: operations },
    { steps: 'several units', maxSteps, keepsSome: true },
  );
}

async function batch(parts: WayParts): Promise<Written> {
  const { random, hasTransactions } = parts;
  const path = oneOf(parts);
  const operation = (): Json =>
    random.oneOf<() => Json>([
      () => ({ method: 'POST', path: pathOf(parts), body: documentOf(parts) }),
      () => ({ method: 'PUT', path: `${pathOf(parts)}?on=code`, body: { ...documentOf(parts), code: codeOf(random) } }),
      () => ({ method: 'PUT', path, body: pathsOf(parts) }),
      () => ({ method: 'PATCH', path, body: operatorsOf(parts) }),
      () => ({ method: 'PUT', path: path.replace('/api', '/update'), body: pathsOf(parts) }),
      () => ({ method: 'DELETE', path: `${path}${random.once(3) ? '?_permaDelete=1' : ''}` }),
    ])();
  const operations = [operation(), operation(), ...random.list(2, operation)];
  const atomic = hasTransactions && !random.once(3);
  const maxSteps = operations.length;
  const how: Sending = atomic ? { steps: 'one unit', maxSteps } : { steps: 'several units', maxSteps, keepsSome: true };
  return send(parts, { method: 'POST', path: '/batch', body: { atomic, operations } }, how);
}

async function call(parts: WayParts): Promise<Written> {
  const { random, plan, hasTransactions } = parts;
  if (random.once(2)) {
    const path = `/call/${plan.name}/${idOf(oneOf(parts))}/stir`;
    return send(parts, { method: 'POST', path, body: pathsOf(parts) }, { steps: 'several units', keepsSome: true });
  }
  const isTogether = hasTransactions && random.once(2);
  const body = { values: { ...documentOf(parts), isRemoved: random.once(3) }, isTogether };
  const how: Sending = isTogether ? { steps: 'one unit' } : { steps: 'several units', keepsSome: true };
  return send(parts, { method: 'POST', path: `/call/${plan.name}/pour`, body }, how);
}

/** Imports as `dossier import` does beside the database. */
async function imported(parts: WayParts): Promise<Written> {
  const { random, plan, server, folder, ids } = parts;
  const on = random.once(2) ? ['code'] : [];
  const all = ids[plan.name] ?? [];
  const record = (): Json => {
    const document = { ...documentOf(parts), ...(on.length === 0 ? {} : { code: codeOf(random) }) };
    return on.length === 0 && all.length > 0 && random.once(3)
      ? { ...document, _id: { $oid: random.oneOf(all) } }
      : document;
  };
  const documents = [record(), ...random.list(2, record)];
  const lines = documents.map((document) => Buffer.from(`${JSON.stringify(document)}\n`));
  const sources = await sourcesOf({ path: '-', model: plan.name, input: Readable.from(lines) });
  const callsChanged = random.once(2);
  const options = { on, raw: false, strict: random.once(3), callsChanged, folder, onProgress: () => undefined };
  const { refused } = await importSources(server.dossier.services, sources, options);
  return {
    request: `import ${plan.name} --on=${on.join()} ${callsChanged ? '--changed ' : ''}${JSON.stringify(documents)}`,
    ...{ status: refused === 0 ? 200 : 400, text: `${refused} refused`, hasFailed: refused > 0 },
    ...{ steps: 'several units', maxSteps: documents.length, keepsSome: true, skipsChanged: !callsChanged },
  };
}

const setUp: Way = (parts) => {
  const { random, plan } = parts;
  const skipsChanged = random.once(2);
  return send(
    parts,
    {
      method: 'POST',
      path: `/setup/data${skipsChanged ? '' : '?changed=true'}`,
      body: { [plan.name]: [documentOf(parts), documentOf(parts)] },
    },
    { steps: 'one', skipsChanged },
  );
};

/** A tool of agents. */
async function tool(parts: WayParts): Promise<Written> {
  const { random, plan, server } = parts;
  const [model, id] = [plan.name, idOf(oneOf(parts))];
  const [name, given] = random.oneOf<() => readonly [string, Json]>([
    () => ['create', { model, document: documentOf(parts) }],
    () => ['update', { model, id, fields: pathsOf(parts) }],
    () => ['delete', { model, id, permanent: random.once(2) }],
  ])();
  const { isError, content, error } = await callAt(server, name, given, rootBasic);
  const text = error?.message ?? content[0]?.text ?? '';
  const status = isError === true || error !== undefined ? 400 : 200;
  return { request: `mcp ${name} ${JSON.stringify(given)}`, status, text, steps: 'one', hasFailed: status === 400 };
}

const revert: Way = (parts) => {
  const path = oneOf(parts, '/history');
  const body = { rev: 1 + parts.random.below(Math.max(1, parts.revisions(idOf(path)))) };
  return send(parts, { method: 'POST', path: `${path}/revert`, body });
};

/** The ways, those of most requests more than once. */
const ways: readonly (readonly [number, Way])[] = [
  [5, (parts) => send(parts, { method: 'POST', path: pathOf(parts), body: documentOf(parts) })],
  [4, (parts) => send(parts, { method: 'PUT', path: oneOf(parts), body: pathsOf(parts) })],
  [2, (parts) => send(parts, { method: 'PUT', path: oneOf(parts, '/update'), body: pathsOf(parts) })],
  [2, patch('json', pathsOf)],
  [2, patch('merge-patch+json', merged)],
  [2, patch('json-patch+json', jsonPatchOf)],
  [4, patch('json', operatorsOf)],
  [
    3,
    (parts) => {
      const body = { ...documentOf(parts), code: codeOf(parts.random) };
      return send(parts, { method: 'PUT', path: `${pathOf(parts)}?on=code`, body });
    },
  ],
  [8, bulk],
  [4, batch],
  [2, deletion('')],
  [3, deletion('?_cascade=1', cascade)],
  [2, deletion('?_permaDelete=1')],
  [3, deletion('?_cascade=1&_permaDelete=1', cascade)],
  [
    3,
    (parts) =>
      send(
        parts,
        { method: 'PUT', path: `${oneOf(parts, '/api', true)}?_cascade=1`, body: { _deleted: false } },
        cascade,
      ),
  ],
  [
    2,
    (parts) =>
      send(
        parts,
        { method: 'PUT', path: oneOf(parts, '/api', true), body: { ...pathsOf(parts), _deleted: false } },
        cascade,
      ),
  ],
  [3, revert],
  [3, call],
  [3, setUp],
  [3, imported],
  [3, tool],
  // what must be refused
  [1, (parts) => send(parts, { method: 'PUT', path: oneOf(parts), body: { name: { $gt: '' } } })],
  [1, (parts) => send(parts, { method: 'PUT', path: oneOf(parts), body: pathsOf(parts), headers: parts.reader })],
  [1, (parts) => send(parts, { method: 'DELETE', path: oneOf(parts), headers: { 'if-match': '"9999"' } })],
  [
    1,
    (parts) =>
      send(parts, { method: 'PUT', path: oneOf(parts), body: pathsOf(parts), headers: { 'if-match': '"9999"' } }),
  ],
  // what sends no events
  [
    1,
    (parts) =>
      send(
        parts,
        { method: 'PUT', path: `${oneOf(parts)}?_silence=true`, body: pathsOf(parts) },
        { steps: 'one', isSilent: true },
      ),
  ],
];
const weighted = ways.flatMap(([weight, way]) => Array.from({ length: weight }, () => way));

/** Writes by a random way. */
export const writeSomehow: Way = (parts) => parts.random.oneOf(weighted)(parts);
