/** Replies with the first batch of a cursor and registers the cursor if documents remain. */
import type { Doc } from 'dossier-language/values';
import type { CursorSource } from '../engine/cursors.ts';
import type { Reply } from '../protocol.ts';
import { checkFields, countOf } from './arguments.ts';
import type { Context } from './context.ts';

/** Documents in the first batch if the client sets no size. */
export const firstBatchSize = 101;

const cursorFields: ReadonlySet<string> = new Set(['batchSize']);

/** The size of the first batch, from the command's `cursor` field. */
export function batchSizeOf(cursor: Doc | undefined, otherwise: number): number {
  checkFields(cursor ?? {}, cursorFields, 'cursor');
  return countOf(cursor ?? {}, 'batchSize', otherwise);
}

/** Options of the first batch. */
export interface FirstBatchOptions {
  readonly size: number;
  /** Closes the cursor after the first batch. */
  readonly single?: boolean;
  /** Exempts the cursor from the idle timeout. */
  readonly noTimeout?: boolean;
}

/** Reads the first batch. */
export async function firstBatch(
  context: Context,
  source: CursorSource,
  { size, single, noTimeout }: FirstBatchOptions,
): Promise<Reply> {
  const { cursors } = context.engine;
  const { session, view } = context;
  const transaction = view.transaction ? session?.transaction : undefined;
  const cursor = cursors.make(source, { session: session?.key, transaction, noTimeout: noTimeout === true });
  let more = false;
  let batch: readonly Uint8Array[];
  try {
    batch = await cursor.take(size);
    more = single !== true && !(await cursor.exhausted());
  } finally {
    if (more) cursors.register(cursor);
    else await source.close();
  }
  return {
    fields: {},
    cursor: {
      batchName: 'firstBatch',
      batch,
      id: more ? cursor.id : 0n,
      ns: source.ns,
      postBatchResumeToken: cursor.resumeToken,
    },
  };
}
