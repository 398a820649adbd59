/** Which files of `src` a request runs on a warm server: `traced-server.ts`, in a process of its own. */
import { fork } from 'node:child_process';

/** Requests by an admin with a bearer token. A job is the call that asks for it, and its run. */
export type RequestName =
  'get one' | 'list of 20' | 'list, new filter' | 'create' | 'PUT of one field' | 'delete' | 'batch of 2' | 'job';

/** The functions that have run, by the file below `src`. A file of which nothing but its top level has run is not there. */
export type FilesRun = Readonly<Record<string, readonly string[]>>;

/** Rounds of all requests, in different orders. */
export type Traces = readonly Readonly<Record<RequestName, FilesRun>>[];

/** @throws Error when the process fails, which prints why */
export function traceRequests(): Promise<Traces> {
  const execArgv = ['--import', 'tsx', '--disable-warning=ExperimentalWarning'];
  // without settings of the environment
  const child = fork('test/support/traced-server.ts', [], { execArgv, env: { PATH: process.env['PATH'] } });
  return new Promise((done, failed) => {
    child.once('message', (traces) => {
      child.disconnect();
      done(traces as Traces);
    });
    child.once('error', failed);
    child.once('exit', (code) => failed(new Error(`the traced server ended with ${code}`)));
  });
}
