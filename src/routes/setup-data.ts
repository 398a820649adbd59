/** Documents of several models at once, while there is no user, or for admins. */
import { setupNeeded } from '../auth/first-admin.ts';
import { checkOrigin, checkSetupToken } from '../auth/setup-guard.ts';
import type { Context } from '../context.ts';
import { adminOnly } from '../errors.ts';
import { ok, type Answer } from '../middleware/answer.ts';
import { open, type RouteGroup } from '../middleware/endpoint.ts';
import { insertSetupData } from '../write/setup-data.ts';

export const setupData: RouteGroup = {
  title: 'Setup data',
  secret: true,
  endpoints: [
    {
      method: 'POST',
      path: '/setup/data',
      access: open('works only while there is no user, and for admins afterwards'),
      summary: 'Inserts documents of several models',
      run,
    },
  ],
};

async function run(context: Context): Promise<Answer> {
  const { principal, services } = context;
  checkOrigin(context);
  if (!principal.admin) {
    if (!(await setupNeeded(services.registry))) throw adminOnly(principal, 'setup');
    checkSetupToken(context);
  }
  return ok('data inserted', { results: await insertSetupData(context) });
}
