/** The processes of a measurement: how they start, what they cost, how they end. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

export interface Running {
  readonly child: ChildProcess;
  readonly port: number;
  /** Milliseconds from the start of the process to its first answer. */
  readonly firstAnswer: number;
}

/** A port that is free now. */
function freePort(): Promise<number> {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => done(port));
    });
  });
}

export interface StartOptions {
  /** Called with the new process. */
  readonly onProcess?: (pid: number | undefined) => void;
  /** Milliseconds until a start counts as failed. */
  readonly timeoutMs?: number;
  /** The folder of the process; that of this process by default. */
  readonly folder?: string;
}

/** Starts a server and waits until it answers this path with a success. */
export async function startServer(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  path: string,
  { onProcess = () => undefined, timeoutMs = 60_000, folder }: StartOptions = {},
): Promise<Running> {
  const port = await freePort();
  const begun = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
    ...(folder === undefined ? {} : { cwd: folder }),
  });
  onProcess(child.pid);
  while (!(await answers(`http://127.0.0.1:${port}${path}`))) {
    if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
    if (performance.now() - begun > timeoutMs) throw new Error(`${args.join(' ')} does not answer`);
    // often at first, and rarely beside a start that takes minutes
    await pause(Math.max(2, (performance.now() - begun) / 200));
  }
  return { child, port, firstAnswer: performance.now() - begun };
}

const answers = (url: string): Promise<boolean> =>
  fetch(url).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );

export async function stop({ child }: { readonly child: ChildProcess }): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

/** Starts a process that prints one line, and gives that line. */
export async function startPrinting(args: readonly string[]): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((done, failed) => {
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('\n')) done(text.split('\n', 1)[0] ?? '');
    });
    child.once('exit', () => failed(new Error(`${args.join(' ')} ended before it printed a line`)));
  });
  return { child, line };
}

/** Milliseconds of processor time that a process has used; undefined where the system does not report it. */
export function processorTime({ pid }: ChildProcess): number | undefined {
  const text = proc(pid, 'stat');
  if (text === undefined) return undefined;
  // the name of the program may hold spaces, so the fields are counted from its closing bracket
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Megabytes of memory that a process holds; undefined where the system does not report it. */
export const memory = (child: ChildProcess): number | undefined => megabytesOf(child, /VmRSS:\s+(\d+)/);

/** Megabytes of memory without mapped files, which the system can reclaim; undefined where the system does not report it. */
export const ownMemory = (child: ChildProcess): number | undefined => megabytesOf(child, /RssAnon:\s+(\d+)/);

function megabytesOf({ pid }: ChildProcess, line: RegExp): number | undefined {
  const kilobytes = line.exec(proc(pid, 'status') ?? '')?.[1];
  return kilobytes === undefined ? undefined : Math.round(Number(kilobytes) / 1024);
}

function proc(pid: number | undefined, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return undefined;
  }
}
