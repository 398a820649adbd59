/**
 * What files of the project do to the process. `process.exit` in a file that is being loaded would end the server without a word, so it is a
 * fault of the file, and a later one is named. Timers that files leave are named, too. Code of others is left alone.
 */
import { writeSync } from 'node:fs';
import { framesOf, textOf } from '../../adapters/stack.ts';

interface StartedTimer {
  readonly timer: Pick<NodeJS.Timeout, 'hasRef'>;
  readonly message: string;
}

/** The loaders that are loading files. */
const watches = new Set<ProcessUse>();
/** All files that have been loaded. */
const loadedFiles = new Set<string>();

/** What the files of one loader do to the process. */
export class ProcessUse {
  readonly #started: StartedTimer[] = [];
  #exits: Error[] = [];
  #depth = 0;

  /** Runs the code of a file, as far as it runs without waiting. */
  run<T>(file: string, evaluate: () => T): T {
    loadedFiles.add(file);
    this.#depth += 1;
    try {
      return evaluate();
    } finally {
      this.#depth -= 1;
    }
  }

  /**
   * Loads a file, and waits for what it does in the same turn of the event loop.
   * @throws Error for `process.exit`, also where the file catches it, or calls it in a promise that it leaves
   */
  async watch<T>(load: () => Promise<T>): Promise<T> {
    watchExits();
    if (watches.size === 0) restoreTimers = watchTimers();
    watches.add(this);
    try {
      const loaded = await load();
      await new Promise(setImmediate);
      const [exit] = this.#exits;
      if (exit !== undefined) throw exit;
      return loaded;
    } finally {
      this.#exits = [];
      watches.delete(this);
      if (watches.size === 0) restoreTimers();
    }
  }

  /** The timers that the files have left, and which would keep a process, in a sentence each that names file and line. */
  get timers(): readonly string[] {
    return [...new Set(this.#started.filter(({ timer }) => isActive(timer)).map(({ message }) => message))];
  }

  /** @throws the error, where this ends the code of the file; elsewhere it would be an error that no code handles */
  exit(error: Error): void {
    this.#exits.push(error);
    if (this.#depth > 0) throw error;
  }

  addTimer(started: StartedTimer): void {
    this.#started.push(started);
  }
}

/** Node has no other sign that a timer has ended or was cleared. */
const isActive = (timer: StartedTimer['timer']): boolean => timer.hasRef() && Reflect.get(timer, '_destroyed') !== true;

/** The innermost line of the project, where a loaded file is on the stack; undefined for code of others. */
function callingLine(): string | undefined {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = maxFrames;
  const frames = framesOf(new Error('called'));
  Error.stackTraceLimit = stackTraceLimit;
  if (!frames.some(({ file }) => loadedFiles.has(file))) return undefined;
  const frame = frames.find(({ owner }) => owner === 'project');
  return frame && textOf(frame);
}
/** Packages may call several layers deep. */
const maxFrames = 50;

let isWatchingExits = false;

/** From now on, exits of loaded files are faults while one is being loaded, and named afterwards. */
function watchExits(): void {
  if (isWatchingExits) return;
  isWatchingExits = true;
  const exit = process.exit.bind(process);
  process.exit = (code) => {
    const line = callingLine();
    if (line === undefined) return exit(code);
    const call = `process.exit(${code ?? ''})`;
    if (watches.size === 0) {
      writeSync(process.stderr.fd, `${line} ends the process: ${call}\n`);
      return exit(code);
    }
    const error = new Error(`${call} is not for files that the server loads: it would end the server`);
    for (const use of watches) use.exit(error);
    // as far as its type is concerned; the start fails when the file has been loaded
    return undefined as never;
  };
}

let restoreTimers = (): void => undefined;

/** Watches the timers that are started. @returns what ends that */
function watchTimers(): () => void {
  const { setTimeout, setInterval } = globalThis;
  Object.assign(globalThis, { setTimeout: watchedTimer(setTimeout), setInterval: watchedTimer(setInterval) });
  return () => void Object.assign(globalThis, { setTimeout, setInterval });
}

/** A proxy, since these functions have properties of their own. */
const watchedTimer = (start: typeof setTimeout | typeof setInterval): unknown =>
  new Proxy(start, {
    apply(target, self, given) {
      const timer = Reflect.apply(target, self, given) as NodeJS.Timeout;
      const line = callingLine();
      const message = `${line ?? ''} leaves a timer (${target.name}), which runs in every process that loads the file: what runs at planned times is a schedule of the config (docs/jobs.md)`;
      if (line !== undefined) for (const use of watches) use.addTimer({ timer, message });
      return timer;
    },
  });
