/** Makes `api`: the methods of `dossier-client` over operations that are invoked inside of this process. */
import { ModelApi, type Sender } from 'dossier-client';
import { Sequence } from '../async/sequence.ts';
import { notImplemented, unknownDocument } from '../errors/errors.ts';
import { type OperationApi, operationSender } from '../models/built-in/internal-model.ts';
import type { InnerOperations } from '../operations/inner-request.ts';
import { anonymousPrincipal, operator, operatorFor, type Principal } from '../policy/principal.ts';
import { jobEntry } from '../ports/core.ts';
import type { Services } from '../services.ts';
import { record } from '../write/mutation/record.ts';
import { atomically } from '../write/unit.ts';
import type { Actor, Api, ApiRequest, Apis, JobWork } from './contract.ts';
import { errorOfOperation, errorOfTransaction } from './errors.ts';
import { answerMarker } from './marked-answers.ts';
import { insideServer } from './programs.ts';
import { type ApiCaller, type ApiOperations, senderFor } from './sender.ts';

/** @param open gives the operations, once all are known */
export function makeApis(services: Services, open: () => InnerOperations): Apis {
  let prepared: ApiOperations | undefined;
  const operations = (): ApiOperations => (prepared ??= { ...open(), mark: answerMarker(services.registry) });
  const at = (address: string, principal: Principal): Api =>
    apiFor(services, operations, {
      identify: () => Promise.resolve(principal),
      cause: principal,
      address,
      ip: address,
      unit: undefined,
      pending: undefined,
      headers: {},
      signal: undefined,
      depth: 1,
      sequence: undefined,
    });
  return {
    of: (context) => apiFor(services, operations, callerIn(context, (context.depth ?? 0) + 1)),
    sender: (message) => senderIn(services, operations, callerIn(message, 0)),
    anonymous: at(insideServer, anonymousPrincipal),
    operator: (address) => at(address, operator),
  };
}

/** The caller of a request. What encloses it may end before the `api` is used, so its signal is read later. */
const callerIn = (context: ApiRequest, depth: number): ApiCaller => ({
  identify: () => Promise.resolve(context.principal),
  cause: context.principal,
  address: context.address,
  ip: context.ip,
  unit: context.unit,
  progress: context.progress,
  pending: context.pending,
  requestId: context.requestId,
  headers: context.headers ?? {},
  get signal() {
    return context.signal;
  },
  depth,
  sequence: context.unit?.session === undefined ? undefined : new Sequence(),
});

const senderIn = ({ settings }: Services, operations: () => ApiOperations, caller: ApiCaller): Sender =>
  senderFor(operations, caller, settings.query_limits.max_response_size);

function apiFor(services: Services, operations: () => ApiOperations, caller: ApiCaller): Api {
  const sender = senderIn(services, operations, caller);
  const as = (given: Partial<ApiCaller>): Api => apiFor(services, operations, { ...caller, ...given });
  const api: Api & OperationApi = {
    [operationSender]: sender,
    model: (name) => new ModelApi(sender, name),
    async transaction(work) {
      if (!services.isReplicaSet) throw errorOfOperation(notImplemented('this database has no transactions'));
      const signal = caller.signal ?? new AbortController().signal;
      try {
        return await atomically({ services, unit: caller.unit, progress: caller.progress, signal }, ({ unit }) =>
          work(as({ unit, pending: undefined, sequence: caller.sequence ?? new Sequence() })),
        );
      } catch (error) {
        throw errorOfTransaction(error);
      }
    },
    later: (name, input, options = {}) => askFor(services, caller, { name, input, options }),
    mail: (mail) => askFor(services, caller, { mail }),
    as: (actor) => as({ identify: identifierOf(services, actor, caller.cause) }),
  };
  return api;
}

const askFor = (services: Services, caller: ApiCaller, work: JobWork): Promise<void> =>
  caller.sequence === undefined ? ask(services, caller, work) : caller.sequence.run(() => ask(services, caller, work));

async function ask(
  services: Services,
  { identify, unit, pending, requestId }: ApiCaller,
  work: JobWork,
): Promise<void> {
  try {
    const entry = await services.of(jobEntry)({ ...work, principal: await identify(), requestId });
    // a unit may remain where a run within it fails
    if (pending !== undefined) await pending.add(entry);
    else if (unit !== undefined) record(unit, services.outbox, entry);
    else await services.outbox.add([entry]);
  } catch (error) {
    // a mistake in the program, of which its log has the text
    throw error instanceof TypeError ? error : errorOfOperation(error);
  }
}

/** @param cause who causes what the actor does @throws TypeError for what is no actor */
function identifierOf({ auth }: Services, actor: Actor, cause: Principal): () => Promise<Principal> {
  if (actor === 'system') return () => Promise.resolve(operatorFor(cause));
  const { user } = (typeof actor === 'object' ? actor : undefined) ?? { user: undefined };
  if (typeof user !== 'string') throw new TypeError("as() takes 'system' or { user: id }");
  return async () => {
    const principal = await auth.principalOfUser(user);
    if (principal === undefined) throw unknownDocument('user', user);
    return principal;
  };
}
