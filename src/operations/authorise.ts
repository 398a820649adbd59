/** Authorises a request: finds its model, checks the caller against the access value of the operation, and makes the context with the grant. */
import type { Caller, Context, ModelContext, Request } from '../context.ts';
import { adminOnly, factorRequired, forbidden, signInFirst, switchedOff, unknownPath } from '../errors/errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { letters } from '../models/letters.ts';
import type { Registry } from '../models/registry.ts';
import {
  type Grant,
  grantForNoRows,
  grantPerOperation,
  type GrantProof,
  requireLetter,
  requireOneOf,
} from '../policy/grants.ts';
import { passesFor, type Principal } from '../policy/principal.ts';
import { noModel } from '../policy/served-models.ts';
import { allOf } from '../query/and.ts';
import { revisionsIn } from '../read/revision.ts';
import type { InvokeServices } from './interceptor.ts';
import {
  isClosedToScopes,
  isOfModel,
  type ModelAccess,
  type ModelOperation,
  needsNoFactor,
  type Operation,
  type PlainOperation,
} from './operation.ts';

/** Makes the context of a request of one operation. @throws 401, 403, 404 */
type ContextMaker = (request: Request, caller: Caller) => Context;

export function contextMaker(operation: Operation, services: InvokeServices): ContextMaker {
  const ofModel = isOfModel(operation) ? operation : undefined;
  const needsFactor = !needsNoFactor(operation);
  return (request, caller) => {
    const { principal, verify, address, ip, stop, unit, progress, requestId, depth, parts } = caller;
    if (needsFactor && principal.factor === 'missing') throw factorRequired();
    const { params, query, body, bodyText, headers, key } = request;
    const context = {
      services,
      params,
      query,
      body,
      bodyText,
      headers,
      key,
      principal,
      verify,
      address,
      ip,
      unit,
      progress,
      requestId,
      depth,
      parts,
      past: services.past,
      restrictions: { hook: undefined, ...preconditionOf(operation, headers) },
      departure: stop.departure,
      get url() {
        return request.url;
      },
      get signal() {
        return stop.signal;
      },
    };
    if (ofModel === undefined)
      return Object.assign(context, { grant: authorisePlain(operation as PlainOperation, principal, params) });
    const found = authorisedModel(ofModel, services.registry, params['model'] ?? '', principal);
    return Object.assign(context, found) satisfies ModelContext;
  };
}

/** The model with a name, and the grant of the caller. */
function authorisedModel(
  { access, hasModel, requiredOption }: ModelOperation,
  registry: Registry,
  name: string,
  principal: Principal,
): Pick<ModelContext, 'model' | 'grant'> {
  const model = registry.find(name);
  if (model === undefined) throw noModel(registry, name, principal);
  const grant = authoriseModel(access, principal, model);
  if (hasModel?.(model) === false) throw unknownPath();
  if (requiredOption !== undefined && !model.options.advanced_queries[requiredOption])
    throw switchedOff(requiredOption, model.name);
  return { model, grant };
}

/** What a write of a document requires of its revision (RFC 9110, 13.1.1 and 13.1.2). */
function preconditionOf(
  { input }: Operation,
  { 'if-match': match, 'if-none-match': noneMatch }: Request['headers'],
): Pick<Context['restrictions'], 'precondition' | 'mustExist'> {
  if (input?.condition !== 'If-Match') return { precondition: undefined };
  const required = match === undefined ? undefined : revisionsIn(match);
  if (noneMatch === undefined) return { precondition: required, mustExist: match !== undefined };
  return { precondition: allOf([required, { $nor: [revisionsIn(noneMatch) ?? {}] }]), mustExist: match !== undefined };
}

function authoriseModel(access: ModelAccess, principal: Principal, model: ModelEntry): Grant {
  if (access.kind === 'letter') return requireLetter(principal, access.letter, model);
  requireOneOf(principal, access.letters ?? letters, model);
  return grantPerOperation(principal, model);
}

export function authorisePlain(
  operation: PlainOperation,
  principal: Principal,
  params: Readonly<Record<string, string>>,
): GrantProof {
  const { access } = operation;
  if (principal.scopes !== undefined && isClosedToScopes(operation, principal.scopes))
    throw forbidden(
      operation.scope === undefined
        ? 'a key with scopes may not do this: it has rights on models only'
        : `a key with scopes needs the scope ${JSON.stringify(operation.scope)}`,
    );
  if (access.kind === 'right') return requireLetter(principal, access.letter, access.model);
  if (access.kind === 'open') return grantForNoRows();
  // the operator is no user
  if (access.kind === 'admin' && principal.admin) return grantForNoRows();
  if (principal.user === undefined) throw signInFirst();
  if (access.kind === 'signedIn' || principal.admin) return grantForNoRows();
  if (access.kind === 'group' && passesFor(principal, access.group)) return grantForNoRows();
  if (access.kind === 'group') throw forbidden(`this is for the group ${access.group}`);
  const self = access.kind === 'selfOrAdmin' && principal.user.id === params[access.parameter];
  if (!self) throw adminOnly(principal, 'this');
  return grantForNoRows();
}
