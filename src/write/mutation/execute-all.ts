/** Executes the mutations of concurrent requests in one transaction, by as few commands as possible. */
import type { ModelEntry } from '../../models/entry.ts';
import type { Row } from '../../models/mongoose.ts';
import type { Change, Insertion, Mutation } from '../contract.ts';
import { afterSetting, onlySets } from './both-images.ts';
import { execute, executeList, type MutationResult, type Outcome, type Sender } from './execute.ts';
import { type ImageNeed, imageOf, imagesOf } from './images.ts';
import { idIn } from './shared-transactions.ts';

/** A mutation of a unit, and what executes it. */
interface Execution<T, M extends Mutation = Mutation> {
  readonly one: T;
  /** The document that it writes. */
  readonly document: string;
  readonly mutation: M;
  readonly sender: Sender;
  readonly wanted: ImageNeed;
}

type Inserting<T> = Execution<T, Insertion>;

/** An update that sets whole fields, so that the document after it is certain from the one before. */
type Setting<T> = Execution<T, Change>;

type Executed<T> = readonly (readonly [Execution<T>, MutationResult<Outcome>])[];

/** For fewer updates, one command each is no more than one that reads their documents and one that updates them. */
const minTogether = 3;

/**
 * Executes mutations that each write one document (`WrittenDocument`), one command after another, since a transaction runs one at a time:
 * the inserts of a model are one command, its updates two.
 * @returns what each has done, in any order @throws the first error
 */
export async function executeAll<T>(
  all: readonly Execution<T>[],
): Promise<readonly (readonly [T, MutationResult<Outcome>])[]> {
  const { inserts, settings, others } = sorted(all);
  const done: (readonly [Execution<T>, MutationResult<Outcome>])[] = [];
  const latest: Latest = new Map();
  for (const [model, group] of settings)
    done.push(...noted(latest, await (group.length < minTogether ? each(group, latest) : update(model, group))));
  done.push(...(await each(others, latest)));
  for (const [model, group] of inserts) done.push(...(await insert(model, group)));
  return done.map(([{ one }, what]) => [one, what]);
}

/** Mutations by how they are executed. Of several of one document, all but the first are among the others, in their order. */
function sorted<T>(all: readonly Execution<T>[]) {
  const inserts = new Map<ModelEntry, Inserting<T>[]>();
  const settings = new Map<ModelEntry, Setting<T>[]>();
  const others: Execution<T>[] = [];
  const seen = new Set<string>();
  for (const execution of all) {
    const { mutation, document } = execution;
    const setting = seen.has(document) ? undefined : settingOf(execution);
    seen.add(document);
    if (mutation.kind === 'insert' && !('document' in mutation))
      groupIn(inserts, mutation.model).push({ ...execution, mutation });
    else if (setting !== undefined) groupIn(settings, mutation.model).push(setting);
    else others.push(execution);
  }
  return { inserts, settings, others };
}

async function each<T>(all: readonly Execution<T>[], latest: Latest): Promise<Executed<T>> {
  const done: (readonly [Execution<T>, MutationResult<Outcome>])[] = [];
  for (const execution of all) {
    const { mutation, document, sender, wanted } = execution;
    const what = await execute(sender, mutation, wanted, latest.get(document));
    done.push(...noted(latest, [[execution, what]]));
  }
  return done;
}

/** The documents as the transaction has left them, which nothing else changes until its end. */
type Latest = Map<string, Row>;

function noted<T>(latest: Latest, done: Executed<T>): Executed<T> {
  for (const [{ document }, { states }] of done)
    for (const { after } of states) if (after !== undefined) latest.set(document, after);
  return done;
}

function groupIn<T>(groups: Map<ModelEntry, T[]>, model: ModelEntry): T[] {
  const group = groups.get(model) ?? [];
  groups.set(model, group);
  return group;
}

async function insert<T>(model: ModelEntry, group: readonly Inserting<T>[]): Promise<Executed<T>> {
  const rows = group.flatMap(({ mutation }) => mutation.rows);
  const { states } = await execute(senderOf(group), { kind: 'insert', model, rows }, 'none');
  let next = 0;
  return group.map((insertion) => {
    const { rows } = insertion.mutation;
    return [insertion, { outcome: rows[0] ?? null, states: states.slice(next, (next += rows.length)) }];
  });
}

function settingOf<T>(execution: Execution<T>): Setting<T> | undefined {
  const { mutation } = execution;
  if (mutation.kind !== 'change' || 'document' in mutation || mutation.guard !== undefined) return undefined;
  const update = mutation.update as Row;
  return update['$set'] !== undefined && onlySets(update) ? { ...execution, mutation } : undefined;
}

/** Reads documents and updates them. The transaction fails where another writer changes one in between. */
async function update<T>(model: ModelEntry, group: readonly Setting<T>[]): Promise<Executed<T>> {
  const sender = senderOf(group);
  const images = await imagesOf(model, { $or: group.map(({ mutation }) => mutation.filter) }, sender);
  const befores = group.map(({ mutation }) => images.get(String(idIn(mutation.filter))));
  const mutations = group.flatMap(({ mutation: { filter, update } }, at) =>
    befores[at] === undefined ? [] : [{ kind: 'change', model, filter, update, event: 'put' } as const],
  );
  if (mutations.length > 0) {
    const { outcome } = await executeList(sender, { model, mutations });
    if (outcome.matched !== mutations.length) throw new Error('a document has changed since it was read');
  }
  const done: (readonly [Execution<T>, MutationResult<Outcome>])[] = [];
  for (const [at, setting] of group.entries()) {
    const { mutation } = setting;
    const before = befores[at];
    const after =
      before &&
      (afterSetting(before, mutation.update as Row) ?? (await imageOf(model, { _id: before['_id'] }, sender)));
    done.push([setting, doneBy(mutation, before, after)]);
  }
  return done;
}

function doneBy(
  { kind, event, returns }: Change,
  before: Row | undefined,
  after: Row | undefined,
): MutationResult<Row | null> {
  if (before === undefined || after === undefined) return { outcome: null, states: [] };
  return {
    outcome: returns === 'before' ? before : after,
    states: event === undefined ? [] : [{ kind, event, before, after }],
  };
}

/** All mutations of a group are of one unit. */
function senderOf(group: readonly Execution<unknown>[]): Sender {
  const [first] = group;
  if (first === undefined) throw new Error('a group has a mutation');
  return first.sender;
}
