/** `/call`: checks and runs functions of models. */
import { Readable } from 'node:stream';
import type { Api } from './api/contract.ts';
import { withTimeout } from './async/timeout.ts';
import type { ModelContext } from './context.ts';
import { badRequest, deletedDocument, internal, neverEnded, unknownDocument } from './errors.ts';
import type { CallTarget } from './models/callable.ts';
import { fromDatabase } from './models/database-errors.ts';
import { documentId } from './models/fields/document-id.ts';
import { fromModelCode } from './models/model-code-errors.ts';
import { modelOf, storedRow } from './models/mongoose.ts';
import { looselyTyped } from './models/number-values.ts';
import { grantCall, notCallable } from './policy/calls.ts';
import { type Grant, requireLetter } from './policy/grants.ts';
import { notYours } from './policy/refused-row.ts';
import { resultViewOf } from './policy/result-view.ts';
import { shapeResult } from './policy/shape.ts';
import type { Shaped } from './policy/shaped.ts';
import { preload } from './preload.ts';
import { flagOf } from './query/parameter-tree.ts';

type Static = (this: unknown, ...given: unknown[]) => unknown;

/**
 * Runs a listed function with `(body, { user, api })`.
 * @throws 403 for a function that is not listed, or if the caller's right covers own documents only
 */
export async function callStatic(context: ModelContext, body: unknown): Promise<Shaped> {
  const { run } = allowed(context, 'model');
  return finished(context, () => run.call(modelOf(context.model), given(context, body), caller(context)));
}

/**
 * Runs a listed function with `(document, body, { user, api })`.
 * @throws 404 when the caller may not read the document, 403 when it is not theirs
 */
export async function callForDocument(context: ModelContext, body: unknown): Promise<Shaped> {
  const { run, grant } = allowed(context, 'document');
  const document = await documentFor(context, grant);
  return finished(context, () => run.call(modelOf(context.model), document, given(context, body), caller(context)));
}

function allowed(context: ModelContext, target: CallTarget): { run: Static; grant: Grant } {
  const { model, params, principal } = context;
  const name = params['method'] ?? '';
  const rule = model.options.callable_statics.get(name);
  const run: unknown = rule === undefined ? undefined : (model.schema.statics as Record<string, unknown>)[name];
  if (rule === undefined || typeof run !== 'function') throw notCallable(principal, model, name, target);
  return { run: run as Static, grant: grantCall(principal, model, rule, target) };
}

async function documentFor(context: ModelContext, grant: Grant): Promise<unknown> {
  const { model, params, principal } = context;
  const id = params['id'] ?? '';
  const { policy } = requireLetter(principal, 'r', model);
  const filter = policy.filter('r', { _id: documentId(model, 'id', id) }, context.restrictions.hook);
  try {
    const document = await modelOf(model)
      .findOne(filter)
      .session(context.unit?.session ?? null)
      .exec();
    if (document === null) throw unknownDocument(model.name, id);
    if (document.get('_deleted') === true && !flagOf(context.query, 'showDeleted'))
      throw deletedDocument(model.name, id);
    if (!policy.admits(grant.letter, storedRow(document))) throw notYours(principal, grant.letter, model);
    return document;
  } catch (error) {
    throw fromDatabase(error);
  }
}

const given = ({ principal }: ModelContext, body: unknown): unknown => {
  const preloaded = preload();
  const input = looselyTyped('a number', body);
  return preloaded === undefined ? input : preloaded.callBody(input, principal.user);
};

/** The caller as a function receives them: frozen, without the password, with the `api` that acts as them. */
const caller = (context: ModelContext): { readonly user: object | undefined; readonly api: Api } =>
  Object.freeze(
    // a function that answers with the caller answers with the user alone
    Object.defineProperty({ user: context.principal.user } as { user: object | undefined; api: Api }, 'api', {
      value: context.services.apis.of(context),
    }),
  );

/** Shapes the result of a function. @throws 500 when it does not end in time, and without its message when it fails */
async function finished(context: ModelContext, run: () => unknown): Promise<Shaped> {
  const limit = context.services.settings.query_limits.max_time_ms;
  const late = (): Error => neverEnded(`${context.model.name}: function ${context.params['method'] ?? ''}`, limit);
  try {
    const result: unknown = await withTimeout(limit, Promise.resolve().then(run), late);
    if (result instanceof Readable || result instanceof ReadableStream)
      throw badRequest('a function cannot answer with a stream');
    return shapeResult(result ?? null, resultViewOf(context.principal));
  } catch (error) {
    const known = fromModelCode(fromDatabase(error));
    throw known instanceof Error ? known : internal(known);
  } finally {
    context.services.bus.invalidate(context.model);
  }
}
