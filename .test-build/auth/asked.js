/** Work with the database, its errors turned into failures. */ import { fromDatabase } from "../registry/database-errors.js";
import { mongo } from "../registry/mongoose.js";
/** @throws Failure for what the database's error means to a caller */ export async function asked(work) {
    try {
        return await work();
    } catch (error) {
        throw fromDatabase(error);
    }
}
/** Whether a write failed because somebody else had written the same key. */ export const isTaken = (error)=>error instanceof mongo.MongoServerError && error.code === 11000;
