/** Hooks of the config for new accounts and verified addresses: `signed_up` and `verified` (docs/hooks.md). */
import { type Feature, provide, recorder, type RecorderParts } from '../../core.ts';
import { accountHooksConfig } from './config.ts';
import { AccountReactions } from './reactions.ts';

/** Undefined where the config has no such hook, so that writes of users stay as they are. */
function reactionsOf({ config, settings }: RecorderParts): AccountReactions | undefined {
  const hooks = { signed_up: [config.signed_up ?? []].flat(), verified: [config.verified ?? []].flat() };
  if (hooks.signed_up.length + hooks.verified.length === 0) return undefined;
  return new AccountReactions(hooks, settings.login_field);
}

export const accountHooks: Feature = {
  name: 'account-hooks',
  config: accountHooksConfig,
  provides: [provide(recorder, reactionsOf)],
  begin: (services) => {
    services.of(reactionsOf)?.begin(services);
    return Promise.resolve();
  },
};
