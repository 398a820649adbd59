/** Work in a transaction where the database has them, and lines of work: one at a time for each name. */ import { busy, Failure, unavailable } from "./errors.js";
import { fromDatabase } from "./registry/database-errors.js";
/** Whether the database has transactions: it is a replica set's member or a router. */ export async function hasTransactions(connection) {
    const hello = await connection.db?.admin().command({
        hello: 1
    });
    return hello?.setName !== undefined || hello?.msg === 'isdbgrid';
}
/**
 * @param supported false runs the work plainly, without a session
 * @param limit milliseconds in which a transaction has to be committed; the driver would try again for two minutes
 */ export function transactionRunner(connection, supported, limit) {
    return async (work)=>{
        if (!supported) return work(undefined);
        const session = await connection.startSession();
        try {
            return await session.withTransaction(()=>work(session), {
                timeoutMS: limit
            });
        } finally{
            await session.endSession();
        }
    };
}
/**
 * A line for each name: the next work begins when the one before has ended, however it ended. When work fails because the database
 * is away, all that wait behind it fail with it: each would only find out the same, one after the other.
 * @param patience milliseconds that work waits at most; then it is a 503 and does not begin
 */ export function makeQueues(patience) {
    /** Who waits behind the work that is under way. */ const lines = new Map();
    const turn = (waiting)=>new Promise((begin, refuse)=>{
            const leave = ()=>{
                waiting.delete(waiter);
                clearTimeout(timer);
            };
            const waiter = {
                begin: ()=>{
                    leave();
                    begin();
                },
                refuse: (error)=>{
                    leave();
                    refuse(error);
                }
            };
            const timer = setTimeout(()=>waiter.refuse(busy()), patience);
            waiting.add(waiter);
        });
    const passOn = (name, waiting)=>{
        const [next] = waiting;
        if (next === undefined) lines.delete(name);
        else next.begin();
    };
    return async (name, work)=>{
        const waiting = lines.get(name) ?? new Set();
        if (lines.has(name)) await turn(waiting);
        else lines.set(name, waiting);
        try {
            return await work();
        } catch (error) {
            const known = fromDatabase(error);
            if (isUnavailable(known)) for (const waiter of [
                ...waiting
            ])waiter.refuse(known);
            throw error;
        } finally{
            passOn(name, waiting);
        }
    };
}
const isUnavailable = (error)=>error instanceof Failure && error.message === unavailable().message;
