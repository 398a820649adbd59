/** Answers with the first batch of a cursor, and keeps the cursor when something is left. */ import { checkFields, countOf } from "./arguments.js";
/** Documents in a first batch when the client names no size. */ export const firstBatchSize = 101;
const cursorFields = new Set([
    'batchSize'
]);
/** The size of the first batch, by the field `cursor` of a command. */ export function batchSizeOf(cursor, otherwise) {
    checkFields(cursor ?? {}, cursorFields, 'cursor');
    return countOf(cursor ?? {}, 'batchSize', otherwise);
}
/** Reads the first batch. */ export async function firstBatch(context, source, { size, single, immortal }) {
    const { cursors } = context.engine;
    const { session, view } = context;
    const transaction = view.transaction ? session?.transaction : undefined;
    const cursor = cursors.make(source, {
        session: session?.key,
        transaction,
        immortal: immortal === true
    });
    let more = false;
    let batch;
    try {
        batch = await cursor.take(size);
        more = single !== true && !await cursor.exhausted();
    } finally{
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
            postBatchResumeToken: cursor.resumeToken
        }
    };
}
