/** Inserts documents of several models, all or none. Everything is checked before anything is written. */
import {
  type Actor,
  badBody,
  Failure,
  makeYielder,
  type ModelActor,
  type ModelEntry,
  type Mutation,
  type Row,
} from '../../core.ts';
import type { PathFault } from '../../errors/errors.ts';
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { typeAt } from '../../models/fields/path-type.ts';
import { withLinkIds } from '../../models/fields/shown-links.ts';
import { castId } from '../../models/fields/values/ids-and-dates.ts';
import { storedRow } from '../../models/mongoose.ts';
import { signInOf } from '../../policy/principal.ts';
import { modelSuggestion } from '../../policy/served-models.ts';
import { accountRecorder } from '../../ports/core.ts';
import type { ValuesIntent } from '../../write/intents.ts';
import { actorOn } from '../../write/model-actor.ts';
import { fromWrite } from '../../write/mutation/mongoose-errors.ts';
import { mutationPerAttempt } from '../../write/mutation/repeatable.ts';
import { perform } from '../../write/perform.ts';
import { type NewDocument, newRow, planNew } from '../../write/plan/new-document.ts';
import { checkKeys } from '../../write/rules/body.ts';
import { hashPasswords } from '../../write/rules/passwords.ts';
import { readTypes } from '../../write/rules/types.ts';
import { groupFaults } from '../../write/rules/user-rules.ts';
import { transaction } from '../../write/transaction.ts';

export interface InsertCounts {
  readonly insertedCount: number;
  readonly insertedIds: Readonly<Record<string, string>>;
}

interface Batch {
  readonly model: ModelEntry;
  readonly documents: readonly Checked[];
}

interface Checked {
  readonly made: NewDocument;
  /** Its id and the time of its creation. */
  readonly identity: Row;
}

const maxDocuments = 10_000;

/**
 * @param guarded runs the insertion if it is still allowed, because hashing passwords may have taken long
 * @returns the inserted ids by model name
 * @throws 400 for an unknown model or an invalid document, 409 for a duplicate value
 */
export async function insertSetupData(
  actor: Actor,
  intent: ValuesIntent,
  guarded: (insert: () => Promise<void>) => Promise<void>,
): Promise<Readonly<Record<string, InsertCounts>>> {
  const batches = await readBatches(actor, intent);
  await guarded(() => insertAll(actor, intent, batches));
  const results: Record<string, InsertCounts> = {};
  for (const { model, documents } of batches)
    results[model.name] = {
      insertedCount: documents.length,
      insertedIds: Object.fromEntries(documents.map(({ identity }, at) => [String(at), String(identity['_id'])])),
    };
  return results;
}

async function readBatches(actor: Actor, intent: ValuesIntent): Promise<Batch[]> {
  const { services } = actor;
  const batches = new Map<ModelEntry, Checked[]>();
  const yieldIfLong = makeYielder();
  let total = 0;
  for (const [key, documents] of Object.entries(intent.input as object) as [string, unknown][]) {
    const model = modelNamed(services.registry.served, key);
    if (model === undefined) {
      const hint = modelSuggestion(services.registry, key, actor.principal);
      throw badBody(`${JSON.stringify(key.slice(0, 60))} is not a model${hint}`);
    }
    if (!Array.isArray(documents)) throw badBody(`${key} must be a list of documents`);
    total += documents.length;
    if (total > maxDocuments) throw badBody(`at most ${maxDocuments} documents can be set up at once`);
    const checked = batches.get(model) ?? [];
    batches.set(model, checked);
    for (const [at, document] of (documents as unknown[]).entries()) {
      await yieldIfLong();
      checked.push(await checkedFrom(actorOn(actor, model), { ...intent, input: document }, `${key}.${at}`));
    }
  }
  return inOrder([...batches].map(([model, checked]) => ({ model, documents: checked })));
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
async function checkedFrom(actor: ModelActor, intent: ValuesIntent, where: string): Promise<Checked> {
  const { input: document } = intent;
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw badBody(`${where} must be an object`);
  try {
    checkKeys(document, false);
    const faults: PathFault[] = [];
    const given = withIds(
      await hashPasswords(actor, withLinkIds(actor.model, document as Row), intent, faults),
      actor.model.schema,
    ) as Row;
    const { __v: _revision, ...fields } = given;
    const values = { ...fields, _deleted: false };
    faults.push(...groupFaults(actor.model, given), ...readTypes(values, actor.model.schema, true));
    return withIdentity(await made(actor, values, faults));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    throw error.withReason(`${where}: ${error.reason}`);
  }
}

/** Users are inserted, since their middleware often hashes passwords, and theirs are hashed already. */
const made = async (actor: ModelActor, values: Row, faults: readonly PathFault[]): Promise<NewDocument> =>
  actor.model.name === 'user' ? { row: await newRow(actor, values, faults) } : planNew(actor, values, faults, true);

function withIdentity(made: NewDocument): Checked {
  const { _id, createdAt } = 'row' in made ? made.row : storedRow(made.document);
  return { made, identity: { _id, createdAt } };
}

/** Converts strings in fields whose name ends in `_id` to ids, at every depth. Declared fields are read as any value. */
function withIds(value: unknown, schema: ModelSchema, path = ''): unknown {
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
async function insertAll(actor: Actor, intent: ValuesIntent, batches: readonly Batch[]): Promise<void> {
  const mutations = batches.flatMap(mutationsOf).map(mutationPerAttempt);
  try {
    await transaction(actor, async (inner) => {
      const { principal, address, services } = actor;
      services.of(accountRecorder).record(inner.unit, {
        what: 'setup.data',
        who: principal.user?.id,
        address,
        ...signInOf(principal),
      });
      for (const attempt of mutations) await perform(inner, intent, attempt());
    });
  } catch (error) {
    throw fromWrite(error);
  }
}

/** Documents are inserted by one command, or for save middleware one by one. */
function mutationsOf({ model, documents }: Batch): readonly Mutation[] {
  const rows = documents.flatMap(({ made }) => ('row' in made ? [made.row] : []));
  const saves = documents.flatMap(({ made, identity }): Mutation[] =>
    'row' in made ? [] : [{ kind: 'insert', model, ...made, event: 'post', undo: deletionOf(model, [identity]) }],
  );
  return rows.length === 0 ? saves : [{ kind: 'insert', model, rows, undo: deletionOf(model, rows) }, ...saves];
}

/** Deletes the documents of this request only; an earlier one with the same id has another creation time. */
const deletionOf = (model: ModelEntry, rows: readonly Row[]): Mutation => ({
  kind: 'remove',
  model,
  filter: { $or: rows.map(({ _id, createdAt }) => ({ _id, createdAt })) },
  many: { before: [] },
});
