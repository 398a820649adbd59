/** Documents of several models at once, while there is no user, or for admins. */
import { setupNeeded, whileSettingUp } from '../auth/first-admin.ts';
import { checkOrigin, checkSetupToken } from '../auth/setup-guard.ts';
import type { Context } from '../context.ts';
import { adminOnly } from '../errors.ts';
import { ok, type Answer } from './answer.ts';
import { open, type RouteGroup } from './operation.ts';
import { insertSetupData } from '../write/setup-data.ts';

export const setupData: RouteGroup = {
  title: 'Setup data',
  secret: true,
  endpoints: [
    {
      method: 'POST',
      path: '/setup/data',
      access: open('works only while there is no user, and for admins afterwards'),
      many: true,
      summary: 'Inserts documents of several models',
      run,
    },
  ],
};

async function run(context: Context): Promise<Answer> {
  const { principal } = context;
  checkOrigin(context);
  if (!principal.admin) {
    await checkOpen(context);
    checkSetupToken(context);
  }
  const guarded = principal.admin ? (insert: () => Promise<void>) => insert() : whileOpen(context);
  return ok('data inserted', { results: await insertSetupData(context, guarded) });
}

/** @throws 401, 403 when there is a user already */
async function checkOpen({ principal, services }: Context): Promise<void> {
  if (!(await setupNeeded(services.registry))) throw adminOnly(principal, 'setup');
}

/** Nobody makes a first admin in the meantime, here or on another server, and nobody has made one since. */
const whileOpen = (context: Context) => (insert: () => Promise<void>) => {
  const { registry, clock, oneAtATime } = context.services;
  return oneAtATime('setup', () =>
    whileSettingUp(registry, clock, async () => {
      await checkOpen(context);
      await insert();
    }),
  );
};
