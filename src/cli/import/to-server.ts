/** Sends the records of an import to a server that runs, which writes each as a request of its own, by all its rules. */
import { type BatchAnswer, type BatchOperation, type Client, createClient, DossierError } from 'dossier-client';
import { badValue } from '../../errors/errors.ts';
import type { ModelEntry } from '../../models/entry.ts';
import { hasObjectIds } from '../../models/fields/document-id.ts';
import { jsonValue } from '../../models/fields/values/bson-types.ts';
import type { Row } from '../../models/mongoose.ts';
import { isPasswordHash } from '../../models/password-hashes.ts';
import { nestedFields } from '../../models/plain-object.ts';
import type { Registry } from '../../models/registry.ts';
import { isSecretName } from '../../models/secrets.ts';
import type { Item, RefusedLine } from '../../transfer/import/batch.ts';
import { type ImportOptions, indexOf, modelFor, type Receiver } from '../../transfer/import/import.ts';
import { idKey } from '../../transfer/import/record.ts';
import type { Source } from '../../transfer/import/source.ts';
import { fieldsToChange, newId } from '../../transfer/import/values.ts';

/** A server that takes records, and who sends them. */
export interface Server {
  readonly url: string;
  readonly client: Client;
  /** Whether the sender is an admin, who alone gives documents their ObjectIds. */
  readonly isAdmin: boolean;
}

/** @param key the API key of the sender; undefined for one who has not signed in @throws Error for a key that is not valid */
export async function serverAt(url: string, key: string | undefined): Promise<Server> {
  const client = createClient({ url: url.replace(/\/+$/, ''), apikey: key });
  if (key === undefined) return { url, client, isAdmin: false };
  const answer = await client.request('/me').catch((error: unknown) => {
    throw unanswered(url, error);
  });
  const { data } = (await answer.json()) as { readonly data: { readonly user: { readonly admin: boolean } } };
  return { url, client, isAdmin: data.user.admin };
}

/** Operations of a batch, and characters far below the limits of a body and of an answer that is kept for its repetition. */
const maxBatch = { records: 100, characters: 100_000 };
/** Nothing after a refused record is to be stored, and the server carries out all operations of a batch. */
const oneByOne = { ...maxBatch, records: 1 };

/**
 * @param registry the models by which cells are read and ids are made
 * @throws Error for a model that does not exist, and for the files of an export, which the rules of a server would change
 */
export function serverReceiver(
  server: Server,
  registry: Registry,
  { on, strict }: Pick<ImportOptions, 'on' | 'strict'>,
): (source: Source) => Receiver {
  return (source) => {
    const model = modelFor(registry, source);
    const { file, isExport } = source;
    if (isExport)
      throw new Error(
        `${file} is part of an export, which is stored as it is, and a server does not do that: stop it and leave out --url, or import the file by itself`,
      );
    const index = indexOf(model, on);
    const mayGiveId = server.isAdmin || !hasObjectIds(model);
    return {
      model,
      index,
      maxBatch: strict ? oneByOne : maxBatch,
      idOf(given, line, text) {
        // the server would give the document another one, and each import would create it again
        if (given !== undefined && !mayGiveId)
          throw badValue('_id', 'admin', 'may be given by admins only: leave it out, or find documents by --on');
        return given !== undefined || !mayGiveId || index !== undefined ? given : newId(model, line, text);
      },
      keyOf: (id, line) => (id === undefined ? { line } : idKey(model, id, false)),
      write: (items) => write(server, model, { items, on: index === undefined ? [] : on }),
    };
  };
}

interface Sending {
  readonly items: readonly Item[];
  /** The fields that find existing documents; empty for ids. */
  readonly on: readonly string[];
}

async function write(server: Server, model: ModelEntry, { items, on }: Sending): Promise<RefusedLine[]> {
  const answers = await send(
    server,
    items.map(({ given }) => operationFor(model, given, on)),
  );
  // documents that exist are changed
  const found = items.filter((_, at) => on.length === 0 && hasTakenId(answers[at]));
  const changes = await send(
    server,
    found.map(({ given, key }) => changeOf(model, given, key['_id'])),
  );
  return items.flatMap((item, at) => {
    const second = found.indexOf(item);
    const answer = second === -1 ? answers[at] : changes[second];
    return refusalOf(item, answer);
  });
}

function refusalOf({ line }: Item, answer: BatchAnswer | undefined): readonly RefusedLine[] {
  if (answer === undefined) throw new Error('the server has not answered for each record');
  const { status, body } = answer;
  if (status < 400) return [];
  const { err, message, errors } = body as unknown as RefusalBody;
  const reason = err ?? message ?? `the server answers ${status}`;
  if (status >= 500 || status === 429) throw new Error(`line ${line}: ${reason}`);
  return [{ line, path: errors?.[0]?.path ?? '', reason }];
}

interface RefusalBody {
  readonly err?: string;
  readonly message?: string;
  readonly errors?: readonly { readonly path: string }[];
}

const hasTakenId = (answer: BatchAnswer | undefined): boolean =>
  answer?.status === 409 && (answer.body as unknown as RefusalBody).errors?.[0]?.path === '_id';

/** @returns the answers, in the order of the operations @throws Error where the server takes none */
async function send(server: Server, operations: readonly BatchOperation[]): Promise<readonly BatchAnswer[]> {
  if (operations.length === 0) return [];
  try {
    return await server.client.batch(operations, { atomic: false });
  } catch (error) {
    if (!isOfBody(error)) throw unanswered(server.url, error);
    if (operations.length === 1) return [{ status: error.status, body: error.body } as BatchAnswer];
    // one of them makes the whole body one that the server does not read
    const half = Math.ceil(operations.length / 2);
    const first = await send(server, operations.slice(0, half));
    return [...first, ...(await send(server, operations.slice(half)))];
  }
}

const isOfBody = (error: unknown): error is DossierError =>
  error instanceof DossierError && (error.status === 400 || error.status === 413);

/** The reason for operators, which names the address where no server answers. */
function unanswered(url: string, error: unknown): unknown {
  if (!(error instanceof DossierError)) return error;
  return new Error(error.status === 0 ? `${url} does not answer` : error.err, { cause: error });
}

function operationFor(model: ModelEntry, given: Row, on: readonly string[]): BatchOperation {
  const parameters = new URLSearchParams(on.length === 0 ? {} : { on: on.join(',') });
  const path = pathOf(`/api/${model.name}`, given, parameters);
  // a change by paths leaves the rest of nested documents as it is
  return on.length === 0
    ? { method: 'POST', path, body: bodyOf(nestedFields(given)) }
    : { method: 'PUT', path, body: bodyOf(given) };
}

const changeOf = (model: ModelEntry, given: Row, id: unknown): BatchOperation => ({
  method: 'PUT',
  path: pathOf(`/api/${model.name}/${encodeURIComponent(String(jsonOf(id)))}`, given, new URLSearchParams()),
  body: bodyOf(fieldsToChange(given)),
});

/** The path with its parameters, and with that which stores hashes as they are. */
function pathOf(path: string, given: Row, parameters: URLSearchParams): string {
  if (hasHash(given, false)) parameters.set('password_override', '1');
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}

/** Whether a value has the hash of a password in a field of that name. */
function hasHash(value: unknown, isSecret: boolean): boolean {
  if (typeof value !== 'object' || value === null) return isSecret && isPasswordHash(value);
  return Object.entries(value).some(([name, inner]) => hasHash(inner, isSecret || name.split('.').some(isSecretName)));
}

const bodyOf = (given: Row): Record<string, unknown> => jsonOf(given) as Record<string, unknown>;

/** A value as JSON has it. In a batch, a text that begins with `$` would be a reference. */
function jsonOf(value: unknown): unknown {
  if (typeof value === 'string') return value.startsWith('$') ? `$${value}` : value;
  // JSON has no such numbers, which would be null
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'bigint') return jsonValue(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(jsonOf);
  const json = jsonValue(value);
  if (json !== value) return jsonOf(json);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, jsonOf(inner)]));
}
