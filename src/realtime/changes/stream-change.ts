/** Converts an event of a change stream to a change and the state of the document after it. */
import type { ModelEntry } from '../../models/entry.ts';
import type { ChangeStreamDocument, Row } from '../../models/mongoose.ts';
import type { Change } from './contract.ts';

/** A state of a document; a permanently deleted document has no version. */
export interface State {
  readonly document: string;
  readonly version: number | undefined;
}

export interface StreamedChange {
  readonly change: Change;
  readonly state: State;
  /** The database's time of the change, if it reports one. */
  readonly time: bigint | undefined;
}

export const documentKey = (model: ModelEntry, id: string): string => `${model.name}:${id}`;

/** The revision of a row (`__v`). */
export const versionOf = (row: Readonly<Record<string, unknown>> | undefined): number | undefined => {
  const version = row?.['__v'];
  return typeof version === 'number' ? version : undefined;
};

/**
 * @param models by the names of their collections
 * @returns undefined for events other than changes of documents of models
 */
export function fromStream(
  event: ChangeStreamDocument,
  models: ReadonlyMap<string, ModelEntry>,
): StreamedChange | undefined {
  if (!('documentKey' in event) || !('ns' in event) || !('coll' in event.ns)) return undefined;
  const model = models.get(String(event.ns.coll));
  const kind = kindOf(event);
  if (model === undefined || kind === undefined) return undefined;
  const after = 'fullDocument' in event ? rowOf(event.fullDocument) : undefined;
  const before = 'fullDocumentBeforeChange' in event ? rowOf(event.fullDocumentBeforeChange) : undefined;
  const changer = after?.['_updated_by_id'];
  const user = changer === undefined ? after?.['_owner_id'] : changer;
  const id = String(event.documentKey._id);
  // the document is looked up after the change, so the changed fields of the event take precedence
  const version = versionOf(updatedFields(event)) ?? versionOf(after);
  return {
    change: {
      event: kind,
      model,
      id,
      before,
      after,
      updatedPaths: updatedPathsOf(event),
      user: user === undefined || user === null ? undefined : String(user),
      silent: false,
      origin: 'elsewhere',
    },
    state: { document: documentKey(model, id), version: event.operationType === 'delete' ? undefined : version },
    time: 'clusterTime' in event ? event.clusterTime?.toBigInt() : undefined,
  };
}

const rowOf = (value: unknown): Row | undefined => (value ?? undefined) as Row | undefined;

const updatedFields = (event: ChangeStreamDocument): Row | undefined =>
  event.operationType === 'update' ? rowOf(event.updateDescription.updatedFields) : undefined;

/** The paths that an update has set or removed; undefined for other events. */
const updatedPathsOf = (event: ChangeStreamDocument): readonly string[] | undefined => {
  if (event.operationType !== 'update') return undefined;
  const { updatedFields, removedFields, truncatedArrays } = event.updateDescription;
  const truncated = (truncatedArrays ?? []).map(({ field }) => field);
  return [...Object.keys(updatedFields ?? {}), ...(removedFields ?? []), ...truncated];
};

function kindOf(event: ChangeStreamDocument): Change['event'] | undefined {
  switch (event.operationType) {
    case 'insert':
      return 'post';
    case 'delete':
      return 'del';
    case 'replace':
      return rowOf(event.fullDocument)?.['_deleted'] === true ? 'del' : 'put';
    case 'update': {
      const deleted = updatedFields(event)?.['_deleted'];
      return deleted === true ? 'del' : deleted === false ? 'post' : 'put';
    }
    default:
      return undefined;
  }
}
