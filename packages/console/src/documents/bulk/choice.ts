/** What is chosen in a table: documents of the page, or all that match. */
import type { Page } from 'dossier-client';
import { client } from '../../api/client.ts';
import { columnsOf, type Document, type Id, titleField } from '../../api/fields.ts';
import type { OwnModel } from '../../api/models.ts';
import { documentsText, shortCount } from '../../parts/count.ts';
import type { Choosing } from '../choosing.ts';
import { isDeleted, type ListState, optionsOf } from '../list-state.ts';

type Load = () => Promise<readonly Document[]>;

export interface Choice {
  /** Such as “3 documents”, or “all 200 documents”. */
  readonly text: string;
  /** How many match, where the page is chosen and there are others. */
  readonly more: string | undefined;
  /** Those that can be deleted and changed; undefined where there are none. */
  readonly kept: Load | undefined;
  /** Those that are deleted; undefined where there are none. */
  readonly deleted: Load | undefined;
  /** Undefined for all that match. */
  readonly ids: readonly Id[] | undefined;
}

/** Documents that are read at a time. */
const pageSize = 100;

/** All documents that match, with their titles. */
async function matching(model: OwnModel, state: ListState): Promise<readonly Document[]> {
  const title = titleField(model);
  const fields = ['_deleted', ...(title !== undefined && columnsOf(model).includes(title) ? [title] : [])];
  const options = { ...optionsOf(state, model), sort: '_id', fields, limit: pageSize } as const;
  const found: Document[] = [];
  let after: string | undefined;
  do {
    const page = await client.model(model.name).list(after === undefined ? options : { ...options, after });
    found.push(...page.data);
    after = page.next_cursor;
  } while (after !== undefined);
  return found;
}

interface Chosen {
  readonly model: OwnModel;
  readonly state: ListState;
  readonly page: Page<Document> | undefined;
  readonly choosing: Choosing;
}

/** @returns undefined where nothing of the page is chosen */
export function choiceOf({ model, state, page, choosing }: Chosen): Choice | undefined {
  const rows: readonly Document[] = page?.data ?? [];
  const documents = rows.filter(({ _id }) => choosing.chosen.has(_id));
  if (page === undefined || documents.length === 0) return undefined;
  if (choosing.isAll) {
    const load = (is: boolean) => async () =>
      (await matching(model, state)).filter((document) => isDeleted(document) === is);
    return {
      text: `all ${shortCount(page)} documents`,
      more: undefined,
      kept: state.deleted === 'only' ? undefined : load(false),
      deleted: state.deleted === 'hidden' ? undefined : load(true),
      ids: undefined,
    };
  }
  const part = (is: boolean): Load | undefined => {
    const some = documents.filter((document) => isDeleted(document) === is);
    return some.length === 0 ? undefined : () => Promise.resolve(some);
  };
  const hasMore = page.next_cursor !== undefined || page.prev_cursor !== undefined;
  return {
    text: documentsText(documents.length),
    more: hasMore && documents.length === rows.length ? shortCount(page) : undefined,
    kept: part(false),
    deleted: part(true),
    ids: documents.map(({ _id }) => _id),
  };
}
