/** Runs pre-hooks as Express middleware, and post-hooks on the result. */
import type { Response } from 'express';
import { internal, tookTooLong } from '../errors.ts';
import { fromModelCode } from '../registry/model-code-errors.ts';
import type { HookName, HookRequest, PostHook, PreHook } from '../settings/config-file.ts';

type OneOrMore<T> = T | readonly T[] | undefined;
const listOf = <T>(hooks: OneOrMore<T>): readonly T[] =>
  hooks === undefined ? [] : Array.isArray(hooks) ? (hooks as readonly T[]) : [hooks as T];

/** What a config says of hooks. */
export interface Hooks {
  readonly pre_hooks?: Readonly<Partial<Record<HookName, PreHook | readonly PreHook[]>>>;
  readonly post_hooks?: Readonly<Partial<Record<HookName, PostHook | readonly PostHook[]>>>;
}

/** @returns false when a hook has answered the request itself. @throws what a hook throws or passes on, 503 when it never ends */
export async function runPreHooks(
  hooks: Hooks,
  name: HookName | undefined,
  req: HookRequest,
  res: Response,
  limit: number,
): Promise<boolean> {
  for (const hook of name === undefined ? [] : listOf(hooks.pre_hooks?.[name])) {
    const running = runOne(hook, req, res);
    // a hook that has begun to answer may take its time for it
    await withinTime(limit, running).catch((error: unknown) =>
      res.headersSent ? running : Promise.reject(asError(error)),
    );
    if (res.writableEnded || res.headersSent) return false;
  }
  return true;
}

/** Ends when the hook calls `next`, has answered, or fails. */
function runOne(hook: PreHook, req: HookRequest, res: Response): Promise<void> {
  return new Promise((done, failed) => {
    const next = (error?: unknown): void => (error === undefined || error === null ? done() : failed(asError(error)));
    res.once('close', done);
    Promise.resolve()
      .then(() => hook(req, res, next))
      .catch((error: unknown) => failed(asError(error)));
  });
}

/** Hooks may throw anything; what is no error is one from here on. */
function asError(thrown: unknown): Error {
  const known = fromModelCode(thrown);
  return known instanceof Error ? known : internal(known);
}

/** The data of an answer, as the post-hooks leave it. */
export async function runPostHooks(
  hooks: Hooks,
  name: HookName | undefined,
  req: HookRequest,
  result: unknown,
  limit: number,
): Promise<unknown> {
  let current = result;
  for (const hook of name === undefined ? [] : listOf(hooks.post_hooks?.[name])) {
    const given: unknown = await withinTime(
      limit,
      Promise.resolve().then(() => hook(req, current)),
    );
    if (given !== undefined) current = given;
  }
  return current;
}

/** @throws 503 when the work does not end in time */
async function withinTime<T>(limit: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, failed) => {
    timer = setTimeout(() => failed(tookTooLong()), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
