/** Commands act for the operator, who has the rights of an admin and is not a user. */
import type { ModelContext } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import { grantPerOperation } from '../policy/grants.ts';
import { operator } from '../policy/principal.ts';
import type { Services } from '../services.ts';

/** The address in the audit log. */
const address = 'command line';

/** A context for writes of a model that no request makes. */
export function operatorContext(services: Services, model: ModelEntry): ModelContext {
  const caller = { principal: operator, verify: () => Promise.resolve(operator), address, ip: address };
  const request = { params: {}, query: {}, body: {}, headers: {}, url: '' };
  const restrictions = { hook: undefined, precondition: undefined };
  const grant = grantPerOperation(operator, model);
  return { ...request, ...caller, signal: new AbortController().signal, services, model, grant, restrictions };
}
