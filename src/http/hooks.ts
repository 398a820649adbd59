/** Pre-hooks as Express middleware, and post-hooks on the data of an answer. */
import { withTimeout } from '../async/timeout.ts';
import type { Context } from '../context.ts';
import type { HookContext } from '../define/contract.ts';
import { internal, neverEnded } from '../errors/errors.ts';
import { bodyCopy } from '../models/fields/values/json-copy.ts';
import { fromModelCode } from '../models/mongoose/model-code-errors.ts';
import { isPlainObject, type Json } from '../models/plain-object.ts';
import type { Hooks, PreHookResult } from '../operations/invoke.ts';
import type { DossierConfig, HookName, HookRequest, PostHook, PreHook } from '../settings/config-file.ts';
import type { Exchange } from './inner-request.ts';

type OneOrMore<T> = T | readonly T[] | undefined;
const listOf = <T>(hooks: OneOrMore<T>): readonly T[] =>
  hooks === undefined ? [] : Array.isArray(hooks) ? (hooks as readonly T[]) : [hooks as T];

/** The hooks of operations that write one document from a body. */
const writing: ReadonlySet<HookName> = new Set(['post', 'put', 'patch', 'upsert', 'update', 'revert']);

type HooksByName<T> = Readonly<Partial<Record<HookName, OneOrMore<T>>>> | undefined;

/** The hooks that run for an operation without hooks of its own, so that a rule in them covers it too. */
const inherited: Readonly<Partial<Record<HookName, readonly HookName[]>>> = { patch: ['put'], upsert: ['put', 'post'] };

/** The hooks of a name, or those that it inherits. @param from the names that count of the inherited ones */
function named<T>(name: HookName, hooks: HooksByName<T>, from = inherited[name] ?? []): readonly T[] {
  const own = hooks?.[name];
  return own === undefined ? from.flatMap((other) => listOf(hooks?.[other])) : listOf(own);
}

/** The post-hooks that an upsert inherits are those of what it has done. */
const donePart = (name: HookName, status: number): readonly HookName[] | undefined =>
  name === 'upsert' ? [status === 201 ? 'post' : 'put'] : undefined;

interface Named<T> {
  readonly name: HookName;
  readonly hooks: readonly T[];
  /** Milliseconds for each. */
  readonly limit: number;
}

/** The hooks of an operation; undefined where the config has none for it. */
export function hooksOf(
  name: HookName | undefined,
  config: DossierConfig,
  limit: number,
): ((exchange: Exchange) => Hooks) | undefined {
  if (name === undefined) return undefined;
  const before = { name, limit, hooks: named(name, config.pre_hooks) };
  const after = { name, limit, hooks: named(name, config.post_hooks) };
  if (before.hooks.length + after.hooks.length === 0) return undefined;
  return (exchange) => {
    const req = exchange.req as HookRequest;
    return {
      before: (context) => runPreHooks(before, exchange, context),
      after:
        after.hooks.length === 0
          ? undefined
          : (value, status, context) =>
              runPostHooks(
                { ...after, hooks: named(name, config.post_hooks, donePart(name, status)) },
                req,
                value,
                context,
              ),
    };
  };
}

/**
 * Passes the request to the hooks as `req.dossier`.
 * @returns undefined when a hook has answered the request itself @throws what a hook throws or passes to `next`; 500
 * when it does not end in time
 */
async function runPreHooks(
  { name, hooks, limit }: Named<PreHook>,
  exchange: Exchange,
  context: Context,
): Promise<PreHookResult | undefined> {
  const { set, take } = makeAssignments(name);
  const view: HookContext = { ...context, filter: undefined, api: context.services.apis.of(context), set };
  const sent = context.body;
  const req = exchange.req as HookRequest;
  req.dossier = view;
  for (const hook of hooks) {
    const running = runOne(callNamed(`pre_hooks.${name}`, hook), exchange);
    const late = (): Error => ended(context, `pre_hooks.${name}`, limit);
    // the limit does not apply once a hook has begun to answer
    await withTimeout(limit, running, late).catch((error: unknown) =>
      exchange.seen()?.headersSent === true ? running : Promise.reject(asError(error)),
    );
    const res = exchange.seen();
    if (res !== undefined && (res.writableEnded || res.headersSent)) {
      // the hook stands for the write, which it refuses
      if (res.statusCode >= 400) context.pending?.drop();
      return undefined;
    }
  }
  // a hook may replace the body in either of two properties
  const body = view.body === sent && req.body !== undefined ? (req.body as unknown) : view.body;
  return { body, filter: view.filter, assignments: take() };
}

interface Assignments {
  readonly set: HookContext['set'];
  /** What has been set, undefined for nothing. Nothing more may be set. */
  readonly take: () => Json | undefined;
}

/** Collects what the pre-hooks of a name set in the document that is written. `set` throws TypeErrors, as mistakes of the program. */
function makeAssignments(name: HookName): Assignments {
  let values: Json | undefined;
  let isOver = false;
  const set = (more: Json): void => {
    if (!writing.has(name))
      throw new TypeError(`set() works in the pre-hooks ${[...writing].join(', ')}, not in ${name}`);
    if (isOver) throw new TypeError('set() works until the pre-hooks have ended');
    if (!isPlainObject(more)) throw new TypeError('set() takes an object of fields');
    if (Object.hasOwn(more, '_deleted'))
      throw new TypeError('set() cannot set _deleted: documents are deleted and restored by the api');
    const dotted = Object.keys(more).find((field) => field.includes('.'));
    if (dotted !== undefined) throw new TypeError(`set() takes whole fields: ${dotted} is a part of one`);
    values = { ...values, ...(bodyCopy(more).value as Json) };
  };
  const take = (): Json | undefined => {
    isOver = true;
    return values;
  };
  return { set, take };
}

/** The failure of a hook that did not end in time. It may write no more. */
function ended({ progress }: Context, what: string, limit: number): Error {
  progress?.end();
  return neverEnded(what, limit);
}

/** Gives the frame that calls a hook a name, by which the log names the hook of an error that it leaves behind. */
function callNamed<G extends readonly unknown[]>(name: string, hook: (...given: G) => unknown): typeof hook {
  return Object.defineProperty((...given: G): unknown => hook(...given), 'name', { value: name });
}

/** Resolves when the hook calls `next` or has answered; rejects when it fails. */
function runOne(hook: PreHook, { req, res, whenClosed }: Exchange): Promise<void> {
  return new Promise((done, failed) => {
    const next = (error?: unknown): void => (error === undefined || error === null ? done() : failed(asError(error)));
    whenClosed(done);
    Promise.resolve()
      .then(() => hook(req as HookRequest, res, next))
      .catch((error: unknown) => failed(asError(error)));
  });
}

/** Hooks may throw anything; a value that is not an Error is wrapped in one. */
function asError(thrown: unknown): Error {
  const known = fromModelCode(thrown);
  return known instanceof Error ? known : internal(known);
}

/** Runs the post-hooks and returns the data of the answer as they leave it. */
async function runPostHooks(
  { name, hooks, limit }: Named<PostHook>,
  req: HookRequest,
  result: unknown,
  context: Context,
): Promise<unknown> {
  // in the unit of work, where the operation is one
  req.dossier = { ...req.dossier, api: context.services.apis.of(context) };
  let current = result;
  for (const hook of hooks) {
    const call = callNamed(`post_hooks.${name}`, hook);
    const changing = Promise.resolve().then(() => call(req, current));
    const given: unknown = await withTimeout(limit, changing, () => ended(context, `post_hooks.${name}`, limit));
    if (given !== undefined) current = given;
  }
  return current;
}
