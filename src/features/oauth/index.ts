/** Logins at OAuth and OpenID providers (docs/oauth.md). */
import type { Feature } from '../feature.ts';
import { oauthConfig } from './config.ts';
import { identityModel } from './model.ts';
import { oauthOperations } from './operations.ts';
import { providerLogin, providerLogins } from './provider-logins.ts';

export const oauth: Feature = {
  name: 'oauth',
  ...oauthConfig,
  models: [identityModel],
  operations: [oauthOperations],
  jwtPurposes: [providerLogin],
  services: [providerLogins],
};
