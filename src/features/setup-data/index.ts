/** Documents of several models at once, for new servers (docs/start.md). */
import { checkOrigin, checkSetupToken, whileSettingUp } from '../../auth/setup/first-admin.ts';
import {
  adminOnly,
  type Answer,
  badBody,
  type Context,
  crashGap,
  type Feature,
  flagOf,
  type OperationGroup,
  parametersNamed,
  provide,
  shapes,
  success,
} from '../../core.ts';
import { valuesIntent } from '../../operations/write-intents.ts';
import { requiredSetupToken } from '../../ports/core.ts';
import { setupNeeded } from '../../write/before-setup.ts';
import type { ValuesIntent } from '../../write/intents.ts';
import { insertSetupData } from './insert.ts';

/** Inserts documents of several models at once, while there is no user, or for admins. */
const setupData: OperationGroup = {
  title: 'Setup data',
  after: 'Setup',
  secret: true,
  operations: [
    {
      name: 'setup.insertData',
      http: { method: 'POST', path: '/setup/data' },
      summary: 'Inserts documents of several models',
      access: {
        kind: 'open',
        reason: 'works only while there is no user, and for admins afterwards',
        guard,
        isForAdmins: true,
      },
      input: {
        query: parametersNamed('changed'),
        body: {
          schema: shapes.mapOf(shapes.listOf({ type: 'object' })),
          refuse: () => badBody('send an object of models with their documents'),
        },
      },
      isMultiStep: true,
      conflicts: true,
      answers: { 200: shapes.object({ ...shapes.message, results: shapes.mapOf(shapes.insertAnswer) }) },
      run,
    },
  ],
};

async function guard(context: Context): Promise<void> {
  const { headers, services } = context;
  checkOrigin(headers, services.settings.api_url);
  if (context.principal.admin) return;
  await checkOpen(context);
  checkSetupToken(headers, services.of(requiredSetupToken));
}

async function run(context: Context): Promise<Answer> {
  const guarded = context.principal.admin ? (insert: () => Promise<void>) => insert() : whileOpen(context);
  return success('data inserted', { results: await insertSetupData(context, intentOf(context), guarded) });
}

const intentOf = (context: Context): ValuesIntent => ({
  ...valuesIntent(context),
  skipsReactions: !flagOf(context.query, 'changed'),
});

/** @throws 401, 403 when there is a user already */
async function checkOpen({ principal, services }: Context): Promise<void> {
  if (!(await setupNeeded(services.registry))) throw adminOnly(principal, 'setup');
}

/** Runs the insertion while no server can create a first admin, after checking that none has been created since. */
const whileOpen = (context: Context) => (insert: () => Promise<void>) => {
  const { shared, shares } = context.services;
  return shares.keyedMutex('setup', () =>
    whileSettingUp(shared, async () => {
      await checkOpen(context);
      await insert();
    }),
  );
};

export const dataSetup: Feature = {
  name: 'setup-data',
  operations: [setupData],
  provides: [provide(crashGap, () => '/setup/data')],
};
