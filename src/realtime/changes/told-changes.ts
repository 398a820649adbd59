/** Changes as workers of one server tell them to each other: plain values, with documents as BSON. */
import type { ModelEntry } from '../../models/entry.ts';
import { mongo, type Row } from '../../models/mongoose.ts';
import type { ToldChange } from '../../workers/contract.ts';
import type { Change } from './contract.ts';
import { versionOf } from './stream-change.ts';

/** @param withDocuments whether the documents are told, or their revisions only */
export function toldChange(change: Change, withDocuments: boolean): ToldChange {
  const { event, model, id, user, silent, joined, before, after } = change;
  const version = versionOf(after) ?? change.version;
  const told = { event, model: model.name, id, user, silent, joined, version };
  if (!withDocuments) return { ...told, before: before && bytesOf({ __v: before['__v'] }) };
  return { ...told, before: before && bytesOf(before), after: after && bytesOf(after) };
}

/** @param model the model by its name @returns undefined for a change of an unknown model */
export function changeFrom(
  { model: name, before, after, ...told }: ToldChange,
  model: (name: string) => ModelEntry | undefined,
): Change | undefined {
  const found = model(name);
  if (found === undefined) return undefined;
  return { ...told, model: found, before: rowOf(before), after: rowOf(after), origin: 'worker' };
}

const bytesOf = (row: Readonly<Row>): Uint8Array => mongo.BSON.serialize(row);
const rowOf = (bytes: Uint8Array | undefined): Row | undefined =>
  bytes === undefined ? undefined : mongo.BSON.deserialize(bytes);
