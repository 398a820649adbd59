/** The program of a worker process. Its primary starts it, calls it and ends it; signals that a terminal sends to all are the primary's. */
import { exitProcess } from 'dossier-store/exit';
import { defaultLoader } from '../models/author/file-loader.ts';
import { type DossierServer, startServer } from '../server.ts';
import { loadConfigFile } from '../settings/config-file.ts';
import { launchFrom } from '../start/launch.ts';
import { projectImports } from '../start/project-imports.ts';
import { Channel, faultOf, type Item } from './channel.ts';
import { WorkerPeers } from './peers.ts';
import type { StartMessage, StartResult } from './process.ts';
import { onUnhandledError } from './process-errors.ts';
import { UnhandledErrors } from './unhandled-errors.ts';

let server: DossierServer | undefined;
const unhandled = new UnhandledErrors();
onUnhandledError(unhandled.receive);

async function start(message: StartMessage): Promise<StartResult> {
  const { environment, config: file, port, ...given } = message;
  try {
    // the primary has found no faults in it
    const config = file === undefined ? {} : await loadConfigFile(file, defaultLoader(projectImports));
    const options = { ...config, environment: { ...environment, PORT: String(port) } };
    const launch = launchFrom(options, { membership: { ...given, peers } });
    unhandled.logTo(launch);
    server = await startServer(launch);
    return { url: server.url, banner: server.banner };
  } catch (error) {
    return { fault: faultOf(error) };
  }
}

function answer(name: string, value: unknown): unknown {
  if (name === 'start') return start(value as StartMessage);
  if (name === 'stop') return server?.close();
  // the last lines of the log are written in the next iteration of the event loop
  if (name === 'exit') return void setImmediate(() => void exitProcess(0));
  return peers.answer(name, value);
}

const channel = new Channel((items) => {
  if (process.connected) process.send?.(items);
}, answer);
const peers = new WorkerPeers((name, value) => channel.call(name, value));
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.on('message', (items: readonly Item[]) => channel.receive(items));
// the primary sends nothing before the first message of this program
process.send?.([]);
