/** Answers with the first batch of a cursor, and keeps the cursor when something is left. */
import type { CursorSource } from '../engine/cursors.ts';
import type { Doc } from 'dossier-language/values';
import type { Reply } from '../wire/reply.ts';
import { checkFields, countOf } from './arguments.ts';
import type { Context } from './context.ts';

/** Documents in a first batch when the client names no size. */
export const firstBatchSize = 101;

const cursorFields: ReadonlySet<string> = new Set(['batchSize']);

/** The size of the first batch, by the field `cursor` of a command. */
export function batchSizeOf(cursor: Doc | undefined, otherwise: number): number {
  checkFields(cursor ?? {}, cursorFields, 'cursor');
  return countOf(cursor ?? {}, 'batchSize', otherwise);
}

/** How the first batch is asked for. */
export interface FirstBatch {
  readonly size: number;
  /** No cursor is left behind. */
  readonly single?: boolean;
  /** The cursor is not ended by disuse. */
  readonly immortal?: boolean;
}

/** Reads the first batch. */
export async function firstBatch(
  context: Context,
  source: CursorSource,
  { size, single, immortal }: FirstBatch,
): Promise<Reply> {
  const { cursors } = context.engine;
  const { session, view } = context;
  const transaction = view.transaction ? session?.transaction : undefined;
  const cursor = cursors.make(source, { session: session?.key, transaction, immortal: immortal === true });
  let more = false;
  let batch: readonly Uint8Array[];
  try {
    batch = await cursor.take(size);
    more = single !== true && !(await cursor.exhausted());
  } finally {
    if (more) cursors.keep(cursor);
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
