/** Bulk writes of one operation, each with the change that the oracle expects. */
import type { Answer } from '../support/client.ts';
import {
  isGiven,
  type Json,
  type Letter,
  matches,
  may,
  mayName,
  pathRight,
  reaches,
  type Row,
  unwritable,
} from './oracle.ts';
import { conditionOn, expectStatus, type Question, refusalOf } from './reads.ts';
import { rowId, scalars, units } from './universe.ts';
import { bodyFor, type Done, isBroken, newRow, pathsIn, withValues } from './writes.ts';

/** An operation, and what it does to a row. */
interface Operation {
  readonly name: string;
  readonly letters: readonly Letter[];
  readonly forAdmins?: true;
  readonly body: Json;
  readonly filter: Json;
  /** The values that it writes as `PUT` does. */
  readonly set: Json;
  /** The paths that it changes. */
  readonly paths: readonly string[];
  /** The path whose stored value decides the result. */
  readonly reads?: string;
  readonly after: (row: Row) => Row;
  /** What it creates where nothing matches. */
  readonly made?: Json;
}

type Update = Pick<Operation, 'set' | 'paths' | 'after'> & { readonly update: Json; readonly reads?: string };

function updateFor(question: Question): Update {
  const { one, below } = question.world.chance;
  const unit = one(units);
  const number = below(5);
  const set = bodyFor(question, 2, true);
  const level = (row: Row): number | undefined => row['level'] as number | undefined;
  const squad = (row: Row): readonly unknown[] => (row['squad'] as readonly unknown[] | undefined) ?? [];
  const numbered = (name: string, make: (old: number | undefined) => number): Update => ({
    update: { [name]: { level: number } },
    set: {},
    paths: ['level'],
    ...(name === '$inc' ? {} : { reads: 'level' }),
    after: (row) => ({ ...row, level: make(level(row)) }),
  });
  return one<Update>([
    { update: { $set: set }, set, paths: pathsIn(set), after: (row) => withValues(row, set) },
    { update: set, set, paths: pathsIn(set), after: (row) => withValues(row, set) },
    numbered('$inc', (old) => (old ?? 0) + number),
    numbered('$max', (old) => Math.max(old ?? number, number)),
    numbered('$min', (old) => Math.min(old ?? number, number)),
    {
      update: { $unset: { team: 1 } },
      set: {},
      paths: ['team'],
      after: ({ team: _, ...row }) => row,
    },
    {
      update: { $push: { squad: unit } },
      set: {},
      paths: ['squad'],
      after: (row) => ({ ...row, squad: [...squad(row), unit] }),
    },
    {
      update: { $addToSet: { squad: unit } },
      set: {},
      paths: ['squad'],
      reads: 'squad',
      after: (row) => ({ ...row, squad: [...new Set([...squad(row), unit])] }),
    },
  ]);
}

function operationFor(question: Question): Operation {
  const { world, model, caller } = question;
  const { one, below, is } = world.chance;
  const path = one(scalars);
  const narrowed = is(0.3) ? { [path]: conditionOn(path, question) } : {};
  const filter = { _id: rowId(model.name, below(13)), ...narrowed };
  const update = updateFor(question);
  const replacement = bodyFor(question, 5, false);
  const document = bodyFor(question, 5, false);
  const title = `«up${below(1e9)}.title»`;
  const seeded = bodyFor(question, 2, false);
  const { own } = unwritable(model, caller, pathsIn(replacement), 'u');
  return one<Operation>([
    {
      name: 'insertOne',
      letters: ['c'],
      body: { document },
      filter: {},
      set: document,
      paths: [],
      after: (row) => row,
      made: document,
    },
    { ...update, name: 'updateOne', letters: ['u'], body: { filter, update: update.update }, filter },
    { ...update, name: 'updateOne', letters: ['u'], body: { filter, update: update.update }, filter },
    {
      ...update,
      name: 'updateMany',
      letters: ['u'],
      forAdmins: true,
      body: { filter: narrowed, update: update.update },
      filter: narrowed,
    },
    {
      name: 'replaceOne',
      letters: ['u'],
      body: { filter, replacement },
      filter,
      set: replacement,
      paths: pathsIn(replacement),
      after: (row) => replacedRow(question, row, replacement, own.length > 0),
    },
    {
      name: 'deleteOne',
      letters: ['d'],
      body: { filter },
      filter,
      set: {},
      paths: [],
      after: (row) => ({ ...row, _deleted: true }),
    },
    {
      name: 'updateOne',
      letters: ['u', 'c'],
      body: { filter: { title }, update: { $set: seeded }, upsert: true },
      filter: { title },
      set: seeded,
      paths: pathsIn(seeded),
      after: (row) => row,
      made: { title, ...seeded },
    },
  ]);
}

/** The fields of callers, and what a schema gives them where a replacement leaves them out. */
const defaults: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(
    ['title', 'team', 'level', 'open', 'due', 'link_id', 'pay', 'code'].map((name) => [name, undefined]),
  ),
  squad: [],
  lines: [],
};

/** A row after its replacement: what the caller may not change in it stays. @param isOwn the replacement holds only for own rows */
function replacedRow({ model, caller }: Question, row: Row, replacement: Json, isOwn: boolean): Row {
  const stays = (name: string): boolean =>
    Object.keys(model.fields).some((path) => {
      const right = path.split('.')[0] === name ? pathRight(model, caller, 'u', path) : 'all';
      return right === 'none' || (right === 'own' && !isOwn);
    });
  const given = withValues({}, replacement);
  const fields = Object.entries(defaults).map(([name, standard]) => {
    const value = stays(name) && Object.hasOwn(row, name) ? row[name] : (given[name] ?? standard);
    return [name, value] as const;
  });
  return { ...row, ...Object.fromEntries(fields) };
}

function refusals(
  question: Question,
  { letters, forAdmins, set, paths, reads, filter, name, made }: Operation,
): readonly number[] {
  const { caller, model } = question;
  const isSeen = (['c', 'r', 'u', 'd'] as const).some((letter) => isGiven(model, caller, letter));
  const [own = 'u', also = own] = letters;
  if (!isSeen || !isGiven(model, caller, own)) return [refusalOf(caller)];
  if (forAdmins === true && !caller.admin) return [refusalOf(caller)];
  const hidden = [...Object.keys(filter).filter((path) => path !== '_id'), ...(reads === undefined ? [] : [reads])];
  const judged =
    name === 'insertOne' ? unwritable(model, caller, pathsIn(made), 'c') : unwritable(model, caller, paths, 'u');
  const isHidden = hidden.some((path) => !mayName(model, caller, path));
  const isClosed = judged.never.length > 0;
  const lacksLetter = !isGiven(model, caller, also);
  const isBlind = !isGiven(model, caller, 'r') && Object.keys(filter).some((path) => path !== '_id');
  return [
    ...(isBlind ? [403] : []),
    ...(isClosed ? [403] : []),
    ...(lacksLetter ? [refusalOf(caller)] : []),
    ...(isHidden || isBroken(question, set) ? [400] : []),
  ];
}

export async function bulk(question: Question): Promise<Done> {
  const { world, who, model, caller } = question;
  const operation = operationFor(question);
  const body = [{ [operation.name]: operation.body }];
  const answer = await world.ask({ who, method: 'POST', path: `/bulkwrite/${model.name}`, body });
  const expected = refusals(question, operation);
  if (expected.length > 0) {
    expectStatus(answer, expected);
    return { answer };
  }
  return operation.made === undefined ? changes(question, operation, answer) : makes(question, operation.made, answer);

  function makes(question: Question, made: Json, answer: Answer): Done {
    const row = newRow(caller, made);
    const isClosed = unwritable(model, caller, pathsIn(made), 'c').never.length > 0 || !may(model, caller, 'c', row);
    expectStatus(answer, [isClosed ? 403 : 200]);
    return isClosed ? { answer } : { answer, expected: { made: row } };
  }
}

function changes({ state, model, caller }: Question, operation: Operation, answer: Answer): Done {
  const { letters, filter, paths, after } = operation;
  const [letter = 'u'] = letters;
  const { own } = unwritable(model, caller, paths, 'u');
  const rows = [...(state[model.name]?.values() ?? [])].filter(
    (row) =>
      row['_deleted'] !== true &&
      reaches(model, caller, letter as 'u' | 'd', row) &&
      matches(filter, row, { ...caller, own: undefined }) &&
      (own.length === 0 || row['_owner_id'] === caller.id),
  );
  const results = rows.map((row) => [String(row['_id']), after(row)] as const);
  const isClosed = letter === 'u' && results.some(([, row]) => !may(model, caller, 'u', row));
  expectStatus(answer, [isClosed ? 403 : 200]);
  return isClosed ? { answer } : { answer, expected: new Map(results) };
}
