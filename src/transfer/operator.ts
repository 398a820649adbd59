/** Commands act for the operator, who has the rights of an admin and is not a user. */
import type { ModelActor } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import { grantPerOperation } from '../policy/grants.ts';
import { operator } from '../policy/principal.ts';
import type { Services } from '../services.ts';

/** The address in the audit log. */
const address = 'command line';

/** The actor of writes of a model that no request makes. */
export function operatorOn(services: Services, model: ModelEntry): ModelActor {
  const caller = { principal: operator, verify: () => Promise.resolve(operator), address, ip: address };
  const restrictions = { hook: undefined, precondition: undefined };
  const grant = grantPerOperation(operator, model);
  return { ...caller, signal: new AbortController().signal, services, model, grant, restrictions };
}
