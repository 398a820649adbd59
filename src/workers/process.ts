/** A worker process, as its primary sees it: its start, its calls, its output and its end. */
import type { Worker } from 'node:cluster';
import cluster from 'node:cluster';
import { type CallHandler, Channel, errorOf, type Fault, type Item } from './channel.ts';

/** What a worker needs to start. */
export interface StartMessage {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The path of the config file. */
  readonly config: string | undefined;
  /** The port to listen on. */
  readonly port: number;
  readonly number: number;
  readonly id: string;
  readonly replaces: readonly string[];
  readonly isFirst: boolean;
  readonly storeUrl: string | undefined;
  readonly secret: string;
  readonly setupToken: string | undefined;
}

/** The result of a start: where the worker listens and the banner, or why it failed. */
export type StartResult = { readonly url: string; readonly banner: readonly string[] } | { readonly fault: Fault };

/** How a process has ended, in words. */
export type ProcessEnd = string;

/** A process that has ended before it listened, for no reason that it has given. */
export class WorkerEnded extends Error {}

export class WorkerProcess {
  readonly channel: Channel;
  readonly ended: Promise<ProcessEnd>;
  /** Resolves with its last output, when it has ended and all of that is read. */
  readonly closed: Promise<LastOutput>;
  readonly #worker: Worker;
  /** What waits until the program of the worker listens: messages to it would be lost. */
  #early: Item[] | undefined = [];

  /** Starts the process. @param answer answers its calls */
  constructor(answer: CallHandler) {
    const worker = cluster.fork();
    this.#worker = worker;
    const closeHanded = keepHanded(worker);
    const send = (items: readonly Item[]): void => {
      if (this.#early !== undefined) this.#early.push(...items);
      else if (worker.isConnected()) worker.send([...items]);
    };
    this.channel = new Channel(send, answer);
    worker.on('message', (items: readonly Item[]) => {
      const waiting = this.#early ?? [];
      this.#early = undefined;
      if (waiting.length > 0) send(waiting);
      this.channel.receive(items);
    });
    // a message to a process that has just ended
    worker.on('error', () => undefined);
    this.ended = new Promise((done) => {
      worker.once('exit', (code: number, signal: string | null) => {
        this.channel.close();
        closeHanded();
        done(signal === null || signal === '' ? `with code ${code}` : `by ${signal}`);
      });
    });
    const output = new LastOutput();
    this.closed = new Promise((done) => worker.process.once('close', () => done(output)));
    forwardLines(worker.process.stdout, (text) => {
      output.add(text);
      process.stdout.write(text);
    });
    forwardLines(worker.process.stderr, (text) => void process.stderr.write(text));
  }

  /** Whether its program is loaded and receives calls. */
  get isLoaded(): boolean {
    return this.#early === undefined;
  }

  get pid(): number | undefined {
    return this.#worker.process.pid;
  }

  /** @throws SettingsError, ModelFileError or Error: why the worker cannot start; WorkerEnded */
  async start(message: StartMessage): Promise<Exclude<StartResult, { readonly fault: Fault }>> {
    const result = (await this.channel.call('start', message).catch(async () => {
      throw new WorkerEnded(`worker ${message.number} ended ${await this.ended} before it listened`);
    })) as StartResult;
    if ('fault' in result) throw errorOf(result.fault);
    return result;
  }

  /** Stops serving in order, and ends the process. */
  async stop(): Promise<void> {
    await this.channel.call('stop', undefined).catch(() => undefined);
    void this.channel.call('exit', undefined).catch(() => undefined);
    await this.ended;
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }
}

/**
 * Stores the connection that was last handed to a worker. node:cluster hands out the next one when the worker has taken it, and leaves it
 * open for ever if the worker dies first: its client would wait in vain.
 * @returns closes it here; a worker that has taken it is not affected
 */
function keepHanded({ process: child }: Worker): () => void {
  let handed: { close?: () => void } | undefined;
  const send = child.send.bind(child) as (...given: readonly unknown[]) => boolean;
  child.send = (...given: readonly unknown[]): boolean => {
    if (typeof given[1] === 'object' && given[1] !== null) handed = given[1];
    return send(...given);
  };
  return () => handed?.close?.();
}

/** Whole lines only, because the outputs of several processes share one pipe. */
function forwardLines(from: NodeJS.ReadableStream | null, write: (text: string) => void): void {
  let rest = '';
  from?.setEncoding('utf8');
  from?.on('data', (text: string) => {
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0) rest += text;
    else {
      write(rest + text.slice(0, end));
      rest = text.slice(end);
    }
  });
  from?.on('end', () => {
    if (rest !== '') write(`${rest}\n`);
  });
}

/** Maximum characters that are kept of a worker, and of all that have ended. */
const maxLength = 250_000;

export class LastOutput {
  #pieces: string[] = [];
  #length = 0;

  /** @param text whole lines */
  add(text: string): void {
    this.#pieces.push(text);
    this.#length += text.length;
    while (this.#length > maxLength && this.#pieces.length > 1) this.#length -= this.#pieces.shift()?.length ?? 0;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  /** The lines of its log, without what models have written. */
  get logLines(): readonly string[] {
    return this.text.split('\n').filter(isLogLine);
  }
}

/** Whether a line is JSON with a time, as the log writes it. */
function isLogLine(line: string): boolean {
  if (!line.startsWith('{"level":')) return false;
  try {
    return typeof (JSON.parse(line) as { readonly time?: unknown }).time === 'string';
  } catch {
    return false;
  }
}
