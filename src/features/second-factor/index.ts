/** The second factor: codes of an authenticator app (docs/second-factor.md). */
import { factorCheck, factorRule } from '../../auth/ports.ts';
import {
  type Adviser,
  adviser,
  type Core,
  type Feature,
  internalCollection,
  jwtPurpose,
  modelOf,
  provide,
  type Row,
} from '../../core.ts';
import { factorConfig } from './config.ts';
import { factorDisabled, factorEnabled } from './events.ts';
import { factorOperations, loginByCode } from './operations.ts';
import { codeTicket } from './parts.ts';
import { secondFactor } from './second-factor.ts';

/** Admins that are named. */
const maxAdvised = 100;

const adviseOnFactors =
  ({ services: { registry } }: Core): Adviser =>
  async () => {
    const users = modelOf(registry.internal('user')).collection;
    const admins = { admin: true, _deleted: { $ne: true } };
    const found = await users.find(admins).project({ _id: 1 }).limit(maxAdvised).toArray();
    const ids = (found as readonly Row[]).map(({ _id }) => _id);
    const having = { _id: { $in: ids }, factor: { $exists: true } } as Row;
    const safe = await internalCollection(registry, '_account').distinct('_id', having);
    const without = new Set(ids.map(String));
    for (const id of safe) without.delete(String(id));
    return [...without].map((about) => ({
      kind: 'factor',
      about,
      advice: 'this admin signs in by a password alone: let them set up a second factor, or set MFA_REQUIRED=admin',
    }));
  };

export const mfa: Feature = {
  name: 'second-factor',
  config: factorConfig,
  operations: [loginByCode, factorOperations],
  accountEvents: [factorEnabled, factorDisabled],
  provides: [
    provide(jwtPurpose, () => codeTicket),
    provide(factorCheck, secondFactor),
    provide(adviser, adviseOnFactors),
    provide(
      factorRule,
      ({ mfa_required }) =>
        ({ admin }) =>
          mfa_required === 'admin' && admin,
    ),
  ],
};
