/** Changes as the workers of one server send them to each other: plain values, with documents as BSON. */
import type { ModelEntry } from '../../models/entry.ts';
import { mongo, type Row } from '../../models/mongoose.ts';
import type { ChangeMessage } from '../../shared/contract.ts';
import type { Change } from './contract.ts';
import { versionOf } from './stream-change.ts';

/** @param withDocuments whether the documents are sent, or their revisions only */
export function messageOf(change: Change, withDocuments: boolean): ChangeMessage {
  const { event, model, id, user, silent, joined, before, after } = change;
  const version = versionOf(after) ?? change.version;
  const message = { event, model: model.name, id, user, silent, joined, version };
  if (!withDocuments) return { ...message, before: before && bytesOf({ __v: before['__v'] }) };
  return { ...message, before: before && bytesOf(before), after: after && bytesOf(after) };
}

/** @param model the model by its name @returns undefined for a change of an unknown model */
export function changeFrom(
  { model: name, before, after, ...message }: ChangeMessage,
  model: (name: string) => ModelEntry | undefined,
): Change | undefined {
  const found = model(name);
  if (found === undefined) return undefined;
  return { ...message, model: found, before: rowOf(before), after: rowOf(after), origin: 'worker' };
}

const bytesOf = (row: Readonly<Row>): Uint8Array => mongo.BSON.serialize(row);
const rowOf = (bytes: Uint8Array | undefined): Row | undefined =>
  bytes === undefined ? undefined : mongo.BSON.deserialize(bytes);
