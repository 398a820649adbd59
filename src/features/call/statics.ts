/** `/call`: checks and runs functions of models. */
import { Readable } from 'node:stream';
import { attributeNames, runInSpan } from '../../adapters/tracing.ts';
import type { Api } from '../../api/contract.ts';
import { withTimeout } from '../../async/timeout.ts';
import { badRequest, fromDatabase, type ModelActor, modelOf, type ShapedJson, unknownDocument } from '../../core.ts';
import { deletedDocument, internal, neverEnded, validationFailed } from '../../errors/errors.ts';
import { formBody } from '../../http/query-string.ts';
import { documentId } from '../../models/fields/document-id.ts';
import { looselyTyped } from '../../models/fields/values/number-values.ts';
import { staticOf, storedRow, valueAt } from '../../models/mongoose.ts';
import { fromModelCode } from '../../models/mongoose/model-code-errors.ts';
import type { CallRule, CallTarget, InputSchema } from '../../models/options/callable.ts';
import { preload } from '../../models/preload.ts';
import { faultIn } from '../../models/schemas/faults.ts';
import { grantCall, notCallable } from '../../policy/calls.ts';
import { type Grant, requireLetter } from '../../policy/grants.ts';
import { notYours } from '../../policy/refused-row.ts';
import { resultViewOf } from '../../policy/result-view.ts';
import { shapeResult } from '../../policy/shape.ts';
import type { ParameterTree } from '../../query/parameter-tree.ts';
import { queryWithContext, withContext, writeOf } from '../../write/mutation/middleware-context.ts';

type Static = (this: unknown, ...given: unknown[]) => unknown;

/** What is called. */
export interface Call {
  /** The name of the function. */
  readonly name: string;
  readonly input: unknown;
  /** Whether the input is a query string, whose values are texts. */
  readonly isText: boolean;
  /** Acts as the caller. */
  readonly api: Api;
}

/** The call of a function for a document. */
export interface DocumentCall extends Call {
  readonly id: string;
  /** Whether the document may be a deleted one. */
  readonly showDeleted: boolean;
}

/**
 * Runs a listed function with `(input, { user, api })`.
 * @throws 400 for an input that its schema refuses, 403 for a function that is not listed, or if the caller's right covers own documents only
 */
export async function callStatic(actor: ModelActor, call: Call): Promise<ShapedJson> {
  const { run, rule } = allowed(actor, call, 'model');
  const input = await inputFor(actor, call, rule);
  return finished(actor, call, () =>
    runInSpan(spanOf(actor, call), () => run.call(modelOf(actor.model), input, caller(actor, call))),
  );
}

/**
 * Runs a listed function with `(document, input, { user, api })`.
 * @throws 400 as `callStatic`, 404 when the caller may not read the document, 403 when it is not theirs
 */
export async function callForDocument(actor: ModelActor, call: DocumentCall): Promise<ShapedJson> {
  const { run, rule, grant } = allowed(actor, call, 'document');
  const document = await documentFor(actor, call, grant);
  const input = await inputFor(actor, call, rule);
  return finished(actor, call, () =>
    runInSpan(spanOf(actor, call), () => run.call(modelOf(actor.model), document, input, caller(actor, call))),
  );
}

/** The name of a function is one that the model lists. */
const spanOf =
  ({ model }: ModelActor, { name }: Call) =>
  () => ({ name: `call ${model.name}.${name}`, attributes: { [attributeNames.function]: `${model.name}.${name}` } });

function allowed(
  { model, principal }: ModelActor,
  { name }: Call,
  target: CallTarget,
): { readonly run: Static; readonly rule: CallRule; readonly grant: Grant } {
  const rule = model.options.callable_statics.get(name);
  const run: unknown = rule === undefined ? undefined : staticOf(model, name);
  if (rule === undefined || typeof run !== 'function') throw notCallable(principal, model, name, target);
  return { run: run as Static, rule, grant: grantCall(principal, model, rule, target) };
}

async function documentFor(actor: ModelActor, { id, showDeleted }: DocumentCall, grant: Grant): Promise<unknown> {
  const { model, principal } = actor;
  const { policy } = requireLetter(principal, 'r', model);
  const filter = policy.filter('r', { _id: documentId(model, 'id', id) }, actor.restrictions.hook);
  const query = modelOf(model)
    .findOne(filter)
    .session(actor.unit?.session ?? null);
  const document = await queryWithContext(query, writeOf(actor)).exec();
  if (document === null) throw unknownDocument(model.name, id);
  if (valueAt(document, '_deleted') === true && !showDeleted) throw deletedDocument(model.name, id);
  if (!policy.admits(grant.letter, storedRow(document))) throw notYours(principal, grant.letter, model);
  return withContext(document, writeOf(actor));
}

/** What the function receives. @throws 400 with the faults of an input that its schema refuses */
async function inputFor(actor: ModelActor, call: Call, { input: schema }: CallRule): Promise<unknown> {
  const values = looselyTyped('a number', call.input);
  const checked = schema === undefined ? values : await checkedInput(actor, call, schema, values);
  const preloaded = preload();
  return preloaded === undefined ? checked : preloaded.callBody(checked, actor.principal.user);
}

/** What a query string says about the call itself, which no schema of an input names. */
const ofTheCall: ReadonlySet<string> = new Set(['showDeleted', '_silence']);

/** The parameters of the function; numbered ones are lists, as in forms. */
const parametersIn = (values: unknown): object =>
  Object.fromEntries(
    Object.entries(values as ParameterTree)
      .filter(([name]) => !ofTheCall.has(name))
      .map(([name, value]) => [name, formBody(value)]),
  );

async function checkedInput(actor: ModelActor, call: Call, schema: InputSchema, values: unknown): Promise<unknown> {
  const { check } = call.isText ? schema.ofTexts : schema.ofValues;
  const result = await inTime(actor, call, () => check(call.isText ? parametersIn(values) : values));
  if (result.faults !== undefined) throw validationFailed(result.faults.map((fault) => faultIn('the input', fault)));
  return result.value;
}

/** The caller as a function receives them: frozen, without the password, with the `api` that acts as them. */
const caller = ({ principal }: ModelActor, { api }: Call): { readonly user: object | undefined; readonly api: Api } =>
  Object.freeze(
    // a function that answers with the caller answers with the user alone
    Object.defineProperty({ user: principal.user } as { user: object | undefined; api: Api }, 'api', { value: api }),
  );

/** Shapes the result of a function. @throws 500 when it does not end in time, and without its message when it fails */
async function finished(actor: ModelActor, call: Call, run: () => unknown): Promise<ShapedJson> {
  try {
    const result = await inTime(actor, call, run);
    if (result instanceof Readable || result instanceof ReadableStream)
      throw badRequest('a function cannot answer with a stream');
    return shapeResult(result ?? null, resultViewOf(actor.principal));
  } finally {
    actor.services.bus.invalidate(actor.model);
  }
}

/** The result of code of a model. @throws 500 as `finished` */
async function inTime<T>(actor: ModelActor, { name }: Call, run: () => T | Promise<T>): Promise<T> {
  const limit = actor.services.settings.query_limits.max_time_ms;
  const late = (): Error => {
    actor.progress?.end();
    return neverEnded(`${actor.model.name}: function ${name}`, limit);
  };
  try {
    return await withTimeout(limit, Promise.resolve().then(run), late);
  } catch (error) {
    const known = fromModelCode(fromDatabase(error));
    throw known instanceof Error ? known : internal(known);
  }
}
