/**
 * Events of collections that only streams with `showExpandedEvents` report: MongoDB's manual, "Change Events", `create`, `createIndexes`,
 * `dropIndexes`, `modify`. Events of drops and renames are reported to all, with fewer fields.
 */
import { Binary } from 'bson';
import type { Doc, Value } from 'dossier-language/values';

const expandedTypes: ReadonlySet<Value> = new Set(['create', 'createIndexes', 'dropIndexes', 'modify']);

/** The fields that only such streams show. */
const expandedFields: readonly string[] = ['collectionUUID', 'operationDescription', 'stateBeforeChange'];

/** An event that no stream reports; it sets the `operationTime` of its command. */
export const withoutReport: Doc = { operationType: 'modify' };

export const isExpanded = ({ operationType }: Doc): boolean => expandedTypes.has(operationType);

/** Whether a stream with `showExpandedEvents` reports an event for which `isExpanded` holds. */
export const isReported = ({ operationDescription }: Doc): boolean => operationDescription !== undefined;

/** An event as other streams report it. */
export const withoutExpanded = (event: Doc): Doc =>
  expandedFields.some((name) => Object.hasOwn(event, name))
    ? Object.fromEntries(Object.entries(event).filter(([name]) => !expandedFields.includes(name)))
    : event;

interface Identified {
  readonly uuid: Uint8Array;
}

const uuidOf = ({ uuid }: Identified): Binary => new Binary(uuid, Binary.SUBTYPE_UUID);

/** The field that identifies a collection across renames. */
export const identityIn = (collection: Identified): Doc => ({ collectionUUID: uuidOf(collection) });

const eventOf = (collection: Identified, operationType: string, operationDescription: Doc): Doc => ({
  operationType,
  ...identityIn(collection),
  operationDescription,
});

/** @param options as `listCollections` shows them @param idIndex the specification of the `_id` index */
export const createEvent = (collection: Identified, options: Doc, idIndex: Doc): Doc =>
  eventOf(collection, 'create', { ...options, idIndex });

/** @param indexes specifications */
export const createIndexesEvent = (collection: Identified, indexes: readonly Doc[]): Doc =>
  eventOf(collection, 'createIndexes', { indexes: [...indexes] });

export const dropIndexesEvent = (collection: Identified, index: Doc): Doc =>
  eventOf(collection, 'dropIndexes', { indexes: [index] });

/** What a `collMod` changes. */
export interface Modification {
  readonly description: Doc;
  /** The options of the collection, as `listCollections` shows them. */
  readonly collectionOptions: Doc;
  /** Those options of the changed index that change. */
  readonly indexOptions: Doc | undefined;
}

export const modifyEvent = (
  collection: Identified,
  { description, collectionOptions, indexOptions }: Modification,
): Doc => ({
  ...eventOf(collection, 'modify', description),
  stateBeforeChange: {
    collectionOptions: { uuid: uuidOf(collection), ...collectionOptions },
    ...(indexOptions === undefined ? {} : { indexOptions }),
  },
});

/** @param dropped the collection that had the new name */
export const renameEvent = (collection: Identified, to: Doc, dropped: Identified | undefined): Doc => ({
  ...eventOf(collection, 'rename', { to, ...(dropped === undefined ? {} : { dropTarget: uuidOf(dropped) }) }),
  to,
});
