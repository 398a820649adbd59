/** Runs pre-hooks as Express middleware, and post-hooks on the result. */
import type { Response } from 'express';
import { internal, neverEnded } from '../errors.ts';
import { fromModelCode } from '../registry/model-code-errors.ts';
import type { DossierConfig, HookName, HookRequest, PreHook } from '../settings/config-file.ts';
import { within } from '../within.ts';

type OneOrMore<T> = T | readonly T[] | undefined;
const listOf = <T>(hooks: OneOrMore<T>): readonly T[] =>
  hooks === undefined ? [] : Array.isArray(hooks) ? (hooks as readonly T[]) : [hooks as T];

type Hooks = Pick<DossierConfig, 'pre_hooks' | 'post_hooks'>;

/** @returns false when a hook has answered the request itself. @throws what a hook throws or passes on, 500 when it never ends */
export async function runPreHooks(
  hooks: Hooks,
  name: HookName | undefined,
  req: HookRequest,
  res: Response,
  limit: number,
): Promise<boolean> {
  for (const hook of name === undefined ? [] : listOf(hooks.pre_hooks?.[name])) {
    const running = runOne(hook, req, res);
    const late = (): Error => neverEnded(`pre_hooks.${name}`, limit);
    // a hook that has begun to answer may take its time for it
    await within(limit, running, late).catch((error: unknown) =>
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
  name: HookName,
  req: HookRequest,
  result: unknown,
  limit: number,
): Promise<unknown> {
  let current = result;
  for (const hook of listOf(hooks.post_hooks?.[name])) {
    const changing = Promise.resolve().then(() => hook(req, current));
    const given: unknown = await within(limit, changing, () => neverEnded(`post_hooks.${name}`, limit));
    if (given !== undefined) current = given;
  }
  return current;
}
