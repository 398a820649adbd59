/** The settings of sign-up. */
import type { FeatureConfig } from '../../settings/row.ts';

export const signUpConfig = {
  mails: ['verification', 'known_address'],
  settingsAfter: 'BCRYPT_COST',
  settings: [
    {
      variable: 'SIGNUP',
      key: 'signup',
      kind: 'choice',
      choices: ['off', 'open', 'verified'],
      default: 'off',
      needs: { verified: ['SMTP_URL', 'VERIFY_URL'] },
      meaning:
        'Who may sign up at `POST /signup`: off (no one), open (anyone) or verified (anyone, after verifying the email)',
    },
    {
      variable: 'VERIFY_URL',
      key: 'verify_url',
      kind: 'url',
      default: undefined,
      meaning: 'Page that verifies an email; the JWT is appended to it',
    },
  ],
} as const satisfies FeatureConfig;
