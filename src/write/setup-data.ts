/** POST /setup/data: inserts documents of several models, all or none. Everything is checked before anything is written. */
import type { Schema } from 'mongoose';
import { makeYielder } from '../async/yield.ts';
import type { Context, ModelContext } from '../context.ts';
import { badBody, Failure, type PathFault } from '../errors.ts';
import { castId } from '../models/cast.ts';
import { fromDatabase } from '../models/database-errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Row } from '../models/mongoose.ts';
import { typeAt } from '../models/path-type.ts';
import { withLinkIds } from '../models/shown-links.ts';
import { grantPerOperation } from '../policy/grants.ts';
import { signInOf } from '../policy/principal.ts';
import { modelSuggestion } from '../policy/served-models.ts';
import { checkKeys } from './body.ts';
import { commit, transaction } from './commit.ts';
import { newRow } from './document.ts';
import type { DeleteMany } from './mutation.ts';
import { hashPasswords } from './passwords.ts';
import { record } from './record.ts';
import { groupFaults } from './user-rules.ts';
import { writerOf } from './writer.ts';

export interface Inserted {
  readonly insertedCount: number;
  readonly insertedIds: Readonly<Record<string, string>>;
}

interface Batch {
  readonly model: ModelEntry;
  readonly rows: readonly Row[];
}

const maxDocuments = 10_000;

/**
 * @param guarded runs the insertion if it is still allowed, because hashing passwords may have taken long
 * @returns the inserted ids by model name
 * @throws 400 for an unknown model or an invalid document, 409 for a duplicate value
 */
export async function insertSetupData(
  context: Context,
  guarded: (insert: () => Promise<void>) => Promise<void>,
): Promise<Readonly<Record<string, Inserted>>> {
  const batches = await readBatches(context);
  await guarded(() => insertAll(context, batches));
  const results: Record<string, Inserted> = {};
  for (const { model, rows } of batches)
    results[model.name] = {
      insertedCount: rows.length,
      insertedIds: Object.fromEntries(rows.map((row, at) => [String(at), String(row['_id'])])),
    };
  return results;
}

const contextOf = (context: Context, model: ModelEntry): ModelContext => ({
  ...context,
  model,
  grant: grantPerOperation(context.principal, model),
});

async function readBatches(context: Context): Promise<Batch[]> {
  const { services } = context;
  const batches = new Map<ModelEntry, Row[]>();
  const yieldIfLong = makeYielder();
  let total = 0;
  for (const [key, documents] of Object.entries(context.body as object) as [string, unknown][]) {
    const model = modelNamed(services.registry.served, key);
    if (model === undefined) {
      const hint = modelSuggestion(services.registry, key, context.principal);
      throw badBody(`${JSON.stringify(key.slice(0, 60))} is not a model${hint}`);
    }
    if (!Array.isArray(documents)) throw badBody(`${key} must be a list of documents`);
    total += documents.length;
    if (total > maxDocuments) throw badBody(`at most ${maxDocuments} documents can be set up at once`);
    const rows = batches.get(model) ?? [];
    batches.set(model, rows);
    for (const [at, document] of (documents as unknown[]).entries()) {
      await yieldIfLong();
      rows.push(await rowFrom(contextOf(context, model), document, `${key}.${at}`));
    }
  }
  return inOrder([...batches].map(([model, rows]) => ({ model, rows })));
}

/** The model of a key: by its name or its collection's, exactly or otherwise ignoring case. */
function modelNamed(models: readonly ModelEntry[], key: string): ModelEntry | undefined {
  const named = (fits: (name: string) => boolean): ModelEntry | undefined =>
    models.find(({ name, collection }) => fits(name) || fits(collection));
  return named((name) => name === key) ?? named((name) => name.toLowerCase() === key.toLowerCase());
}

/** The order of insertion: linked models first, users last, because the first user closes the setup. */
function inOrder(batches: readonly Batch[]): Batch[] {
  const left = batches.filter(({ model }) => model.name !== 'user');
  const ordered: Batch[] = [];
  while (left.length > 0) {
    const waits = ({ model: { name, links } }: Batch): boolean =>
      links.some((link) => !link.stamp && link.model !== name && left.some(({ model }) => model.name === link.model));
    const ready = left.findIndex((batch) => !waits(batch));
    // a cycle of links must begin somewhere
    ordered.push(...left.splice(Math.max(ready, 0), 1));
  }
  return [...ordered, ...batches.filter(({ model }) => model.name === 'user')];
}

/** Creates a document: casts ids, hashes passwords, and validates it. */
async function rowFrom(context: ModelContext, document: unknown, where: string): Promise<Row> {
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw badBody(`${where} must be an object`);
  try {
    checkKeys(document, false);
    const faults: PathFault[] = [];
    const values = withIds(
      await hashPasswords(withLinkIds(context.model, document as Row), context, faults),
      context.model.schema,
    ) as Row;
    faults.push(...groupFaults(context.model, values));
    return await newRow(context, { ...values, _deleted: false }, faults);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { status, message, reason, errors } = error;
    throw new Failure(status, message, `${where}: ${reason}`, errors === undefined ? {} : { errors });
  }
}

/** Converts strings in fields whose name ends in `_id` to ids, at every depth. Declared fields are read as any value. */
function withIds(value: unknown, schema: Schema, path = ''): unknown {
  if (Array.isArray(value)) return value.map((member, at) => withIds(member, schema, `${path}${at}.`));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isFree = key.endsWith('_id') && typeAt(schema, path + key).kind !== 'leaf';
      return [key, isFree ? idsOf(key, inner) : withIds(inner, schema, `${path}${key}.`)];
    }),
  );
}

function idsOf(key: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((member: unknown) => idsOf(key, member));
  return value === null || value === undefined || value === '' ? null : castId(key, value);
}

/** Inserts all documents or none. */
async function insertAll(context: Context, batches: readonly Batch[]): Promise<void> {
  try {
    await transaction(context, async (inner) => {
      const { principal, address } = context;
      record(inner.unit, { what: 'setup.data', who: principal.user?.id, address, ...signInOf(principal) });
      for (const { model, rows } of batches) {
        if (rows.length === 0) continue;
        await commit(writerOf(inner), { kind: 'insert', model, rows, undo: deletionOf({ model, rows }) });
      }
    });
  } catch (error) {
    throw fromDatabase(error);
  }
}

/** Deletes the documents of this request only; an earlier one with the same id has another creation time. */
const deletionOf = ({ model, rows }: Batch): DeleteMany => ({
  kind: 'deleteMany',
  model,
  filter: { $or: rows.map(({ _id, createdAt }) => ({ _id, createdAt })) },
  before: [],
});
