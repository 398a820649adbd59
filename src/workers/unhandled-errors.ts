/**
 * Errors that no code handles: rejections of promises that were dropped, and exceptions of timers and event emitters. The code of models
 * and configs must not end the service, so these are logged and counted. What the server itself did wrong ends the process, whose
 * state is then unknown (docs/deploying.md lists what).
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { types } from 'node:util';
import { type Frame, framesOf, textOf } from '../adapters/stack.ts';
import { Failure } from '../errors/errors.ts';
import { fromDatabase } from '../models/database-errors.ts';
import { modelNameOf } from '../models/loading/files.ts';
import type { Log } from '../ports/log.ts';
import type { Launch } from '../start/launch.ts';
import type { Receive } from './process-errors.ts';

/** Logs and counts them. */
export class UnhandledErrors {
  #target: Target | undefined;
  readonly #early: Parameters<Receive>[] = [];
  #count = 0;

  /** Logs an error; keeps it until there is a log. */
  readonly receive: Receive = (...given) => {
    if (this.#target === undefined) this.#early.push(given);
    else this.#report(this.#target, ...given);
  };

  /** From now on errors are logged, beginning with those that came before. */
  logTo({ log, settings }: Pick<Launch, 'log' | 'settings'>): void {
    this.#target = { log, modelFolders: foldersOf(settings.models_dir) };
    for (const given of this.#early.splice(0)) this.#report(this.#target, ...given);
  }

  #report({ log, modelFolders }: Target, ...[event, error, end]: Parameters<Receive>): void {
    const frames = isError(error) ? framesOf(error) : [];
    const isFatal = isOfServer(error, frames);
    this.#count += 1;
    const text = event === 'unhandledRejection' ? 'a rejected promise was not handled' : 'an exception was not handled';
    const known = { ...sourceOf(frames, modelFolders), count: this.#count };
    log.error(`${text}: the ${isFatal ? 'process ends' : 'service continues'}`, error, known);
    if (isFatal) end();
  }
}

interface Target {
  readonly log: Log;
  readonly modelFolders: readonly string[];
}

const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

/**
 * Whether the server's own code has failed: the innermost frame is its own, and no code of the project has called it. A failure that
 * a request would be answered with is none, and neither is what a package or Node throws: code of the project calls these too,
 * and a stack begins at the last `await`.
 */
function isOfServer(error: unknown, [innermost, ...callers]: readonly Frame[]): boolean {
  if (fromDatabase(error) instanceof Failure || innermost?.owner !== 'server') return false;
  return callers.every(({ owner }) => owner !== 'project');
}

/** The name that `http/hooks.ts` gives to the frame that calls a hook. */
const hookCall = /^(?:pre|post)_hooks\.\w+$/;

/** What the stack tells about the code that failed. */
function sourceOf(frames: readonly Frame[], modelFolders: readonly string[]): object {
  const ofProject = frames.filter(({ owner }) => owner === 'project');
  const inModel = ofProject.find(({ file }) => modelFolders.includes(dirname(file)));
  const model = inModel && modelNameOf(basename(inModel.file));
  const hook = frames.find(({ name }) => hookCall.test(name))?.name;
  const [at] = ofProject;
  return {
    ...(model === undefined ? {} : { model }),
    ...(hook === undefined ? {} : { hook }),
    ...(at === undefined ? {} : { at: textOf(at) }),
  };
}

/** A folder as it is named, and where links lead to: the paths of stacks may be either. */
function foldersOf(folder: string): readonly string[] {
  const named = resolve(folder);
  try {
    return [named, realpathSync(named)];
  } catch {
    return [named];
  }
}
