/** What a write has done to each of its documents, as far as anything has changed. */
import { type DocumentOperation, type ModelEntry, operationOf, type Row, type States } from '../../core.ts';
import { changedPaths } from '../../write/mutation/row-changes.ts';

/** A document that a write has changed. */
export interface ChangedDocument {
  readonly model: ModelEntry;
  readonly id: string;
  readonly event: DocumentOperation;
  readonly before: Row | undefined;
  readonly after: Row | undefined;
  readonly paths: readonly string[];
}

/** A write of which only the stamps differ changes nothing. */
export const changedDocuments = (model: ModelEntry, states: States): readonly ChangedDocument[] =>
  states.flatMap((state) => {
    const { before, after } = state;
    const paths = changedPaths(model, before, after);
    const event = operationOf(state);
    const id = String((after ?? before)?.['_id']);
    return paths.length === 0 && event === 'change' ? [] : [{ model, id, event, before, after, paths }];
  });
