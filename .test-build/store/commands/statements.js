/** Runs the statements of a write command: their counts, their errors, and the pauses in which others go first. */ import { StoreError } from "../errors.js";
import { toDouble } from "../values/number.js";
import { flagOf } from "./arguments.js";
/**
 * Runs the statements one by one; with `ordered` the first failure ends it. The answer has MongoDB's `writeErrors`.
 * @throws StoreError for what fails the command as a whole
 */ export async function eachStatement(context, statements, run) {
    const { operation, turn, view } = context;
    const ordered = flagOf(context.body, 'ordered', true);
    const tally = tallyOf(turn?.earlier?.fields ?? {});
    let next = turn?.earlier?.next ?? 0;
    try {
        for (const statement of statements.slice(next)){
            try {
                const done = run(statement);
                add(tally, next, done instanceof Promise ? await done : done);
            } catch (error) {
                tally.writeErrors.push(writeError(error, next, view.transaction));
                if (ordered) break;
            }
            next += 1;
            // what is done in time is not taken back for a time limit that passes at its end
            if (next === statements.length) break;
            if (operation.due()) await operation.giveWay();
            await turn?.pass(()=>({
                    fields: fieldsOf(tally),
                    next
                }));
        }
    } catch (error) {
        turn?.keep({
            fields: fieldsOf(tally),
            next
        });
        throw error;
    }
    return {
        fields: fieldsOf(tally)
    };
}
const listOf = (value)=>Array.isArray(value) ? [
        ...value
    ] : [];
const tallyOf = (fields)=>({
        n: toDouble(fields['n']) ?? 0,
        nModified: toDouble(fields['nModified']),
        upserted: listOf(fields['upserted']),
        writeErrors: listOf(fields['writeErrors'])
    });
const fieldsOf = ({ n, nModified, upserted, writeErrors })=>({
        n,
        ...nModified === undefined ? {} : {
            nModified
        },
        ...upserted.length > 0 ? {
            upserted: [
                ...upserted
            ]
        } : {},
        ...writeErrors.length > 0 ? {
            writeErrors: [
                ...writeErrors
            ]
        } : {}
    });
function add(tally, index, { n, nModified, upserted }) {
    tally.n += n;
    if (nModified !== undefined) tally.nModified = (tally.nModified ?? 0) + nModified;
    if (upserted !== undefined) tally.upserted.push({
        index,
        _id: upserted['_id']
    });
}
/** Errors that are the whole command's: its end from outside, its time, a conflict of transactions, a stopped store. */ const commandErrors = new Set([
    50,
    91,
    112,
    251,
    11601
]);
function writeError(error, index, transaction) {
    if (!(error instanceof StoreError) || commandErrors.has(error.code)) throw error;
    if (transaction && error.code === 263) throw error;
    return {
        index,
        code: error.code,
        errmsg: error.message,
        ...error.details
    };
}
