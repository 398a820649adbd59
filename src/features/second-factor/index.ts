/** The second factor: codes of an authenticator app (docs/second-factor.md). */
import type { Feature } from '../feature.ts';
import { adviseOnFactors } from './advice.ts';
import { factorConfig } from './config.ts';
import { factorDisabled, factorEnabled } from './events.ts';
import { factorOperations, loginByCode } from './operations.ts';
import { codeTicket } from './parts.ts';
import { secondFactor } from './second-factor.ts';

export const mfa: Feature = {
  name: 'second-factor',
  ...factorConfig,
  operations: [loginByCode, factorOperations],
  accountEvents: [factorEnabled, factorDisabled],
  jwtPurposes: [codeTicket],
  factorCheck: secondFactor,
  advises: adviseOnFactors,
  requiresFactor: ({ mfa_required }, { admin }) => mfa_required === 'admin' && admin,
};
