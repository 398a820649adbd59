/** Sign-up: people create accounts of their own, and verify their emails (docs/sign-up.md). */
import type { Feature } from '../feature.ts';
import { signUpConfig } from './config.ts';
import { signUpOperations } from './operations.ts';
import { signUps } from './sign-ups.ts';
import { emailProof, verification, verificationLink } from './verification.ts';

export const signUp: Feature = {
  name: 'sign-up',
  ...signUpConfig,
  operations: [signUpOperations],
  jwtPurposes: [verificationLink],
  emailProof,
  services: [verification, signUps],
  isOpenToNewUsers: ({ signup }) => signup !== 'off',
};
