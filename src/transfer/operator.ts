/** Commands act for the operator, who has the rights of an admin and is not a user. */
import type { Caller, ModelContext } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import { grantPerOperation } from '../policy/grants.ts';
import type { Principal } from '../policy/principal.ts';
import type { Services } from '../services.ts';

const operator: Principal = Object.freeze({
  user: undefined,
  factor: 'off',
  admin: true,
  roles: Object.freeze(['all', 'admin', 'user']),
});

/** The address in the audit log. */
const address = 'command line';

/** The operator as the caller of operations. */
export const operatorCaller = (): Caller => ({
  principal: operator,
  verify: () => Promise.resolve(operator),
  address,
  ip: address,
  stop: new AbortController(),
});

/** A context for writes of a model that no request makes. */
export function operatorContext(services: Services, model: ModelEntry): ModelContext {
  const { stop, ...caller } = operatorCaller();
  const request = { params: {}, query: {}, body: {}, headers: {}, url: '' };
  const restrictions = { hook: undefined, precondition: undefined };
  const grant = grantPerOperation(operator, model);
  return { ...request, ...caller, signal: stop.signal, services, model, grant, restrictions };
}
