/** The thread in which passwords are hashed and compared. */ import { parentPort } from 'node:worker_threads';
import bcrypt from 'bcryptjs';
parentPort?.on('message', ({ id, password, cost, hash })=>{
    const answer = (result)=>parentPort?.postMessage(result);
    try {
        answer({
            id,
            result: hash === undefined ? bcrypt.hashSync(password, cost) : bcrypt.compareSync(password, hash)
        });
    } catch (error) {
        answer({
            id,
            error: error instanceof Error ? error.message : String(error)
        });
    }
});
