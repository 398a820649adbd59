/** Invokes an operation for a request of any transport: the steps that every operation goes through, in their fixed order. */
import { attributeNames, runInSpan } from '../adapters/tracing.ts';
import { inLanguage } from '../auth/mails/language.ts';
import type { Caller, Context, ModelContext, Request } from '../context.ts';
import { castFilter } from '../models/mongoose/computed-row.ts';
import { type Json, plainCopy } from '../models/plain-object.ts';
import { preload } from '../models/preload.ts';
import { callerKey } from '../policy/principal.ts';
import { shapeInSlices } from '../policy/shape.ts';
import type { Filter } from '../query/filter.ts';
import type { ParameterTree } from '../query/parameter-tree.ts';
import type { Services } from '../services.ts';
import { namingHolder } from '../write/deleted-holder.ts';
import { PendingOutbox } from '../write/mutation/record.ts';
import { unrepeatableError } from '../write/progress.ts';
import { atomically, onDocument } from '../write/unit.ts';
import { type Answer, valueOf } from './answer.ts';
import { contextMaker } from './authorise.ts';
import { bodyChecker } from './body-check.ts';
import type { Interceptor, InvokeServices, OnAnswer } from './interceptor.ts';
import { isOfModel, isWrite, type Operation } from './operation.ts';
import { checkParameters } from './parameter-check.ts';
import { explanation, isExplanation } from './reading/explain.ts';
import { type InTime, timeLimit } from './time-limit.ts';
import { isSilent } from './write-intents.ts';

/** The parts of a request that pre-hooks may change. */
export interface PreHookResult {
  readonly body: unknown;
  readonly filter: Filter | undefined;
  /** Values that they set in the document that is written. */
  readonly assignments?: Json | undefined;
}

/** The hooks of an operation, bound to the request of a transport. */
export interface Hooks {
  /** Runs the pre-hooks. @returns undefined when a hook has answered the request itself */
  readonly before: (context: Context) => Promise<PreHookResult | undefined>;
  /** Runs the post-hooks on the data of an answer with a status, in the unit of work. @returns the data that replaces it */
  readonly after: ((value: unknown, status: number, context: Context) => Promise<unknown>) | undefined;
}

/** @returns undefined when a pre-hook has answered the request itself @throws Failure, and what hooks and models throw */
export type Invoke = (request: Request, caller: Caller, hooks?: Hooks) => Promise<Answer | undefined>;

const spanOf =
  ({ hook }: Operation, when: 'before' | 'after') =>
  () => ({ name: `hook ${when}`, attributes: { [attributeNames.function]: hook ?? '' } });

function tracedAfter(operation: Operation, hooks: Hooks | undefined): Hooks['after'] {
  const after = hooks?.after;
  return after && ((...given) => runInSpan(spanOf(operation, 'after'), () => after(...given)));
}

/** Prepares an operation to be invoked: everything that does not depend on the request is computed once. */
export function prepare(operation: Operation, services: InvokeServices): Invoke {
  const { settled } = services.shared;
  const invoke = inLanguageOf(services, invoking(operation, services));
  if (!isWrite(operation) || settled === undefined) return invoke;
  // the next request to any process of the server sees the effects of this one
  return (...given) => invoke(...given).finally(settled);
}

/** Where the application has mails of its own, those that a request causes may be in its language. */
const inLanguageOf = ({ config }: Pick<InvokeServices, 'config'>, invoke: Invoke): Invoke =>
  config.mails === undefined
    ? invoke
    : (request, ...given) => inLanguage(request.headers['accept-language'], () => invoke(request, ...given));

const invoking = (operation: Operation, services: InvokeServices): Invoke =>
  services.interceptors.reduceRight(
    (steps, interceptor) => intercepted(steps, interceptor, operation, services),
    stepsOf(operation, services),
  );

type Steps = (...given: [...Parameters<Invoke>, onAnswer?: OnAnswer]) => ReturnType<Invoke>;

/** The steps within an interceptor, for requests with its header. */
function intercepted(
  steps: Steps,
  { header, prepare: prepareAround }: Interceptor,
  operation: Operation,
  services: InvokeServices,
): Steps {
  const name = header.toLowerCase();
  const around = prepareAround(operation, services);
  if (around === undefined) return steps;
  const contextOf = contextMaker(operation, services);
  return (request, caller, hooks, outer) => {
    const value = request.headers[name];
    if (value === undefined) return steps(request, caller, hooks, outer);
    const authorise = (): void => void contextOf(request, caller);
    return around({ value: String(value), request, caller, authorise }, (onAnswer) =>
      steps(request, caller, hooks, inSequence(onAnswer, outer)),
    );
  };
}

const inSequence = (first: OnAnswer, second: OnAnswer | undefined): OnAnswer =>
  second === undefined
    ? first
    : async (answer, context) => {
        await first(answer, context);
        await second(answer, context);
      };

/** The steps, with what collects the jobs that code of the author asks for. */
function stepsOf(operation: Operation, services: InvokeServices): Steps {
  const steps = stepsWith(operation, services);
  const runsNoCode = isPlainRead(operation);
  return (request, caller, hooks, onAnswer) => {
    if (runsNoCode && hooks === undefined && onAnswer === undefined) return steps(undefined, request, caller);
    const pending = new PendingOutbox(services.outbox, caller.unit);
    return withCertainty(caller, () => pending.during(() => steps(pending, request, caller, hooks, onAnswer)));
  };
}

/** @returns the steps, which add what is asked for to an outbox; undefined where nothing can be */
function stepsWith(operation: Operation, services: InvokeServices) {
  const { max_response_size: maxBytes } = services.settings.query_limits;
  const contextOf = contextMaker(operation, services);
  const checkQuery = queryCheckOf(operation, services);
  const checkBody = bodyChecker(operation.input?.body);
  const run = withHolders(operation, runner(operation, services));
  const guard = operation.access.kind === 'open' ? operation.access.guard : undefined;
  const mayBeSilent = operation.input?.query?.some(({ name }) => name === '_silence') === true;
  return async (pending: PendingOutbox | undefined, ...[request, caller, hooks, onAnswer]: Parameters<Steps>) => {
    let context: Context = Object.assign(contextOf(request, caller), { pending });
    if (guard !== undefined) await guard(context);
    checkQuery?.(context);
    if (hooks !== undefined) {
      const result = await runInSpan(spanOf(operation, 'before'), () => hooks.before(context));
      if (result === undefined) return undefined;
      context = afterPreHooks(context, result);
    }
    checkBody?.(context.body);
    // only writes may be silent: a post-hook may remove data from what is read
    const after = mayBeSilent && isSilent(context) ? undefined : tracedAfter(operation, hooks);
    const withHooks: Finish = (answer, inner) =>
      after === undefined ? answer : afterHooks(answer, (...given) => after(...given, inner), maxBytes);
    if (onAnswer === undefined) {
      // the write and the jobs of its pre-hooks are stored before its post-hooks run
      const hasEntries = pending !== undefined && pending.entries.length > 0;
      const answer = await run(context, caller.stop, entering(pending), hasEntries);
      const written = pending?.succeed();
      if (written !== undefined) await written;
      return after === undefined ? answer : withHooks(answer, context);
    }
    const finish: Finish = async (answer, inner) => {
      const finished = await withHooks(answer, inner);
      await onAnswer(finished, inner);
      return entering(pending)(finished, inner);
    };
    return run(context, caller.stop, finish, true);
  };
}

/** Runs a request. @throws what it throws, but asks to send it again only where nothing of it may have been written */
const withCertainty = <T>({ progress }: Caller, run: () => Promise<T>): Promise<T> =>
  progress === undefined
    ? run()
    : run().catch((error: unknown) => {
        throw progress.mayRemain ? unrepeatableError(error) : error;
      });

/** Whether an operation reads rows, and runs no code of the author but hooks: nothing of it asks for a job. */
const isPlainRead = ({ access, runsModelCode, input }: Operation): boolean =>
  access.kind === 'letter' && access.letter === 'r' && runsModelCode !== true && input?.own === undefined;

/**
 * The check of the parameters of an operation; undefined where it defines its own. Parameters that are kept for equal requests, which are
 * frozen (`http/query-string.ts`), are checked once. @throws 400
 */
function queryCheckOf(operation: Operation, { config }: InvokeServices): ((context: Context) => void) | undefined {
  const { input } = operation;
  if (input?.freeQuery === true) return undefined;
  const takesFilters = isOfModel(operation) && input?.query?.some(({ name }) => name === 'filter') === true;
  const passed = new WeakSet<ParameterTree>();
  return (context) => {
    const { query } = context;
    if (passed.has(query)) return;
    const view = takesFilters ? (context as ModelContext).grant.policy.view : undefined;
    checkParameters(query, config.extra_parameters, view, input?.query);
    if (Object.isFrozen(query)) passed.add(query);
  };
}

/** The context after the pre-hooks. @throws 400 for a filter that the schema cannot cast */
function afterPreHooks(context: Context, { body, filter, assignments }: PreHookResult): Context {
  const { model } = context as Partial<ModelContext>;
  const hook = filter === undefined || model === undefined ? filter : castFilter(model, filter);
  return { ...context, body, assignments, restrictions: { ...context.restrictions, hook, afterHooks: true } };
}

type Finish = (answer: Answer, context: Context) => Promise<Answer> | Answer;
/** Adds what has been asked for to the unit of work, where the request is one. */
const entering =
  (pending: PendingOutbox | undefined): Finish =>
  (answer, { unit }) => {
    pending?.enter(unit);
    return answer;
  };
/** Runs the function of the row, and finishes its answer. @param mustBeUnit whether something else is written with its writes */
type RunOperation = (context: Context, stop: Caller['stop'], finish: Finish, mustBeUnit: boolean) => Promise<Answer>;

/** The function of the row, or what explains it. Operations of models receive a context with a model. */
function workOf(operation: Operation): (context: Context) => Promise<Answer> | Answer {
  const run = operation.run as (context: Context) => Promise<Answer> | Answer;
  const { explain } = operation;
  return explain === undefined
    ? run
    : (context) => {
        if (context.query['explain'] === undefined) return run(context);
        const ofModel = context as ModelContext;
        return isExplanation(ofModel) ? explanation(ofModel, explain) : run(context);
      };
}

/** The function of the row within its time limit, as one unit of work where the operation is one, or has to be one. */
function runner(operation: Operation, { settings, isReplicaSet }: Services): RunOperation {
  const { access, runsModelCode } = operation;
  const isUnit = operation.isUnit ?? ((_context, mustBeUnit) => mustBeUnit && isReplicaSet && runsModelCode !== true);
  const work = workOf(operation);
  const preloaded = preload();
  const asCaller = <T>(context: Context, run: () => T): T =>
    preloaded === undefined ? run() : preloaded.asCaller(context.principal.user, run);
  const start = async (context: Context): Promise<Answer> => work(context);
  // a query has its own time limit
  if (access.kind === 'letter' && access.letter === 'r')
    return async (context, _stop, finish) => finish(await asCaller(context, () => work(context)), context);
  const inTime = timeLimit(operation, settings.query_limits.max_time_ms);
  const limited: InTime = (context, stop, run) => inTime(context, stop, () => asCaller(context, run));
  const { unitInTurn, bulkInTurn } = turnsOf(operation);
  return async (context, stop, finish, mustBeUnit) =>
    isUnit(context, mustBeUnit)
      ? limited(context, stop, () =>
          unitInTurn(context, () =>
            // writing changes the body, and may begin again
            atomically(context, async (inner) => finish(await work({ ...inner, body: plainCopy(inner.body) }), inner)),
          ),
        )
      : finish(await limited(context, stop, () => bulkInTurn(context, () => start(context))), context);
}

/** The same, whose conflicts name a deleted document that has a unique value. */
const withHolders = (operation: Operation, run: RunOperation): RunOperation =>
  isOfModel(operation) && operation.conflicts === true
    ? (context, ...given) =>
        run(context, ...given).catch(async (error: unknown) => {
          throw await namingHolder(context as ModelContext, error);
        })
    : run;

/** The answer with its data as the post-hooks leave it. @throws 413 for a text that is too large for them */
async function afterHooks(
  answer: Answer,
  after: (value: unknown, status: number) => Promise<unknown>,
  maxBytes: number,
): Promise<Answer> {
  if (answer.kind === 'redirect' || answer.kind === 'stream') return answer;
  if (answer.kind === 'json' && answer.isPlan === true) return answer;
  const result = await after(await valueOf(answer, maxBytes), answer.kind === 'text' ? 200 : answer.status);
  if (answer.kind === 'text' && typeof result === 'string') return { ...answer, body: result };
  const value = await shapeInSlices(result);
  if (answer.kind === 'text') return { kind: 'json', status: 200, value };
  const { ETag: _, ...headers } = answer.headers ?? {};
  return { kind: 'json', status: answer.status, value, headers };
}

type InTurn = <T>(context: Context, run: () => Promise<T>) => Promise<T>;

/** How the requests of an operation wait for others: those with many writes for others of their caller, units for those on their document. */
function turnsOf(operation: Operation): { readonly unitInTurn: InTurn; readonly bulkInTurn: InTurn } {
  const atOnce: InTurn = (_context, run) => run();
  // what encloses a call of `api` may hold the turn that it would wait for
  const bulkInTurn: InTurn = (context, run) =>
    (context.depth ?? 0) > 0 ? run() : context.services.shares.bulks(callerKey(context), context, run);
  // units on one document would conflict, and each would begin again
  const documentInTurn: InTurn = (context, run) =>
    Object.hasOwn(context.params, 'id') ? onDocument(context as ModelContext, context.params['id'], run) : run();
  if (operation.isBulk === true) return { unitInTurn: bulkInTurn, bulkInTurn };
  return { unitInTurn: isOfModel(operation) ? documentInTurn : atOnce, bulkInTurn: atOnce };
}
