/** Starts an engine and its server in this thread: the part that a worker thread and a store within the process share. */ import { openSqlite } from "../storage/sqlite.js";
import { memoryStorage } from "../storage/storage.js";
import { listen } from "../wire/server.js";
import { Engine } from "./engine.js";
/** Loads the data and begins to listen. */ export async function startHere(options, reports) {
    const engine = await startEngine(options, reports);
    try {
        const server = await listen(engine, options.address, options.credentials);
        return {
            address: server.address,
            close: ()=>engine.close().finally(()=>server.close())
        };
    } catch (error) {
        await engine.close();
        throw error;
    }
}
async function startEngine({ dir, limits }, reports) {
    const storage = dir === undefined ? memoryStorage : openSqlite(dir);
    try {
        return await Engine.start(storage, limits, reports);
    } catch (error) {
        storage.close();
        throw error;
    }
}
