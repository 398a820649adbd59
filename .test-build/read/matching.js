/**
 * Which rows match which filters. What is quick is found out at once. The rest goes to a thread of its own, one subscriber after the
 * other, and the thread is stopped when a subscriber's share of its time is over.
 */ import { mongo, sizeOfRow } from "../registry/mongoose.js";
import { startMatchThread } from "./match-thread.js";
export const matchBudget = {
    filter: 500,
    question: 2000
};
export function makeMatching(budget = matchBudget) {
    const verdicts = new WeakMap();
    const sizes = new WeakMap();
    const encoded = new WeakMap();
    /** Jobs by caller; the caller whose turn comes next is the first. */ const waiting = new Map();
    let thread;
    let working = false;
    const sizeOf = (row)=>{
        if (row === undefined) return 0;
        const size = sizes.get(row) ?? sizeOfRow(row);
        sizes.set(row, size);
        return size;
    };
    const known = (row, { key })=>verdicts.get(row)?.get(key);
    const learn = (row, key, verdict)=>{
        const ofRow = verdicts.get(row) ?? new Map();
        verdicts.set(row, ofRow.set(key, verdict));
    };
    const encodedRow = (row)=>{
        const bytes = encoded.get(row) ?? sharedBytes(mongo.BSON.serialize(row));
        encoded.set(row, bytes);
        return bytes;
    };
    /** Takes the filters of a job that nobody has tried yet; another subscriber may have asked the same. */ const left = ({ row, rest })=>rest.some((matcher)=>known(row, matcher) === true) ? [] : rest.filter((matcher)=>known(row, matcher) === undefined);
    /** Tries one filter of a job. */ const advance = async (job, { key, encoded: filter })=>{
        thread ??= startMatchThread();
        const began = performance.now();
        const verdict = await thread.run({
            row: encodedRow(job.row),
            key,
            filter
        }, budget.filter);
        if (verdict === undefined) thread = undefined;
        learn(job.row, key, verdict ?? 'too costly');
        job.spent += performance.now() - began;
    };
    /** One filter of one caller after another; the caller whose turn it was goes to the end of the line. */ const work = async ()=>{
        if (working) return;
        working = true;
        for (const [caller, jobs] of waiting){
            const [job] = jobs;
            waiting.delete(caller);
            if (job === undefined) continue;
            waiting.set(caller, jobs);
            const [next] = job.rest = left(job);
            if (next !== undefined) await advance(job, next);
            if (job.spent > budget.question) for (const one of left(job))learn(job.row, one.key, 'too costly');
            if (left(job).length > 0) continue;
            jobs.shift();
            job.done();
        }
        working = false;
    };
    return {
        known,
        quick (row, matcher) {
            if (sizeOf(row) > matcher.quickBytes) return undefined;
            const verdict = matcher.matches(row);
            learn(row, matcher.key, verdict);
            return verdict;
        },
        ask: (question, caller)=>new Promise((done)=>{
                const rest = [
                    ...question.matchers
                ].sort((one, other)=>other.quickBytes - one.quickBytes);
                const job = {
                    row: question.row,
                    rest,
                    spent: 0,
                    done
                };
                const jobs = waiting.get(caller);
                if (jobs === undefined) waiting.set(caller, [
                    job
                ]);
                else jobs.push(job);
                void work();
            }),
        sizeOf,
        async close () {
            waiting.clear();
            await thread?.stop();
        }
    };
}
/** Bytes that threads see without a copy for each message. */ function sharedBytes(bytes) {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    return shared;
}
