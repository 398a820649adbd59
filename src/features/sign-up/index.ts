/** Sign-up: people create accounts of their own, and verify their emails (docs/sign-up.md). */
import { emailProof as emailProofPort, openToNewUsers } from '../../auth/ports.ts';
import { type Feature, jwtPurpose, ownService, provide } from '../../core.ts';
import { signUpConfig } from './config.ts';
import { signUpOperations } from './operations.ts';
import { signUps } from './sign-ups.ts';
import { emailProof, verification, verificationLink } from './verification.ts';

export const signUp: Feature = {
  name: 'sign-up',
  config: signUpConfig,
  operations: [signUpOperations],
  provides: [
    provide(jwtPurpose, () => verificationLink),
    provide(emailProofPort, emailProof),
    provide(ownService, verification),
    provide(ownService, signUps),
    provide(openToNewUsers, ({ signup }) => signup !== 'off'),
  ],
};
