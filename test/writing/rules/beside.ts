/** Mongoose itself, beside a server, on the same schemas and collections. */
import { inspect } from 'node:util';
import mongoose from 'mongoose';
import type { TestServer } from '../../support/server.ts';
import { type Case, type Json, schemaOf } from './cases.ts';

export interface Beside {
  /** A document as Mongoose stores it. */
  readonly stored: (one: Case) => Promise<{ readonly id: string; readonly key: string }>;
  /** The stored fields of a document, without the server's. */
  readonly fieldsOf: (name: string, id: string) => Promise<Json>;
  /** The fields after `document.set(change)` and `document.save()`; undefined where these fail. */
  readonly expected: (one: Case, change: Json) => Promise<Json | undefined>;
}

const stamps = new Set(['_id', 'key', 'createdAt', 'updatedAt', '__v', '_deleted', '_owner_id', '_updated_by_id']);

export function besideOf({ dossier }: TestServer, cases: readonly Case[]): Beside {
  const { connection, registry } = dossier.services;
  const own = connection.useDb(connection.name);
  const collectionOf = (name: string): string => registry.internal(name).collection;
  const models = new Map(
    cases.map((one) => {
      const model: unknown = own.model(`beside_${one.name}`, schemaOf(one), collectionOf(one.name));
      return [one.name, model as mongoose.Model<any>];
    }),
  );
  const modelOf = (name: string) => models.get(name) as mongoose.Model<any>;
  const collectionAt = (name: string) => own.collection<{ key: string }>(collectionOf(name));
  /** What Mongoose stores for the start of a case. */
  const starts = new Map<string, object>();
  let keys = 0;

  const stored: Beside['stored'] = async ({ name, start }) => {
    const key = `k${(keys += 1)}`;
    const first = starts.get(name);
    if (first !== undefined) {
      const { insertedId } = await collectionAt(name).insertOne({ ...first, key });
      return { id: String(insertedId), key };
    }
    const { _id: id } = await new (modelOf(name))({ ...start, key }).save();
    const { _id, ...row } = (await collectionAt(name).findOne({ key })) as { _id: unknown };
    starts.set(name, row);
    return { id: String(id), key };
  };
  const fieldsOf: Beside['fieldsOf'] = async (name, id) => {
    const row = await own.collection(collectionOf(name)).findOne({ _id: new mongoose.Types.ObjectId(id) });
    return Object.fromEntries(Object.entries(row ?? {}).filter(([path]) => !stamps.has(path)));
  };
  const outcomes = new Map<string, Promise<Json | undefined>>();
  const outcomeOf = async (one: Case, change: Json): Promise<Json | undefined> => {
    const { id } = await stored(one);
    const document = (await modelOf(one.name).findById(id)) as mongoose.Document;
    for (const [path, value] of Object.entries(change)) set(document, one, path, value);
    const isSaved = await document.save().then(
      () => true,
      () => false,
    );
    return isSaved ? fieldsOf(one.name, id) : undefined;
  };
  return {
    stored,
    fieldsOf,
    expected(one, change) {
      const asked = `${one.name} ${inspect(change)}`;
      const outcome = outcomes.get(asked) ?? outcomeOf(one, change);
      outcomes.set(asked, outcome);
      return outcome;
    },
  };
}

/** Mongoose drops a virtual of a nested document that a path names, so it is set on that document. */
function set(document: mongoose.Document, { title }: Case, path: string, value: unknown): void {
  const [first = '', second] = path.split('.');
  if (title.startsWith('virtual') && second !== undefined)
    (document.get(first) as mongoose.Document).set(second, value);
  else document.set(path, value);
}
