/** The worker thread of a store: serves it until it is told to stop, and shows that it is alive. */ import { parentPort, workerData } from 'node:worker_threads';
import { startHere } from "./engine/start.js";
/** How often the thread shows that it is alive. */ const pulseMs = 250;
function tell(message) {
    parentPort?.postMessage(message);
}
const messageOf = (error)=>error instanceof Error ? error.message : String(error);
async function serve({ options, pulse }) {
    const beats = new Int32Array(pulse);
    setInterval(()=>Atomics.add(beats, 0, 1), pulseMs).unref();
    const started = await startHere(options, {
        onWarning: (message)=>tell({
                kind: 'warning',
                message
            }),
        onFatal: (error)=>tell({
                kind: 'fatal',
                message: error.message
            })
    });
    parentPort?.on('message', (message)=>{
        if (message.kind === 'stop') void stop(started);
    });
    tell({
        kind: 'ready',
        address: started.address
    });
}
async function stop(started) {
    try {
        await started.close();
        tell({
            kind: 'stopped'
        });
    } catch (error) {
        tell({
            kind: 'failed',
            message: messageOf(error)
        });
    }
    parentPort?.close();
}
serve(workerData).catch((error)=>{
    tell({
        kind: 'failed',
        message: messageOf(error)
    });
    parentPort?.close();
});
