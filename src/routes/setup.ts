/** The first admin, while there is no user. Its body is that of a new user, but for rights, which are those of an admin. */
import { makeFirstAdmin, requireSetup, setupNeeded } from '../auth/first-admin.ts';
import { checkOrigin, checkSetupToken } from '../auth/setup-guard.ts';
import { grantPerOperation } from '../policy/decide.ts';
import type { Context } from '../context.ts';
import { isEmail, plainEmail } from '../email.ts';
import { badBody, badEmail, badValue } from '../errors.ts';
import { json, type Answer } from '../middleware/answer.ts';
import { open, type RouteGroup } from '../middleware/endpoint.ts';
import { valuesFrom } from '../write/body.ts';
import { fromWrite } from '../write/mongoose-errors.ts';

export const setup: RouteGroup = {
  title: 'Setup',
  secret: true,
  endpoints: [
    {
      method: 'GET',
      path: '/setup',
      access: open('tells whether a first admin is needed, and nothing else'),
      summary: 'Whether setup is needed',
      run: status,
    },
    {
      method: 'POST',
      path: '/setup',
      access: open('works only while there is no user'),
      summary: 'Makes the first admin',
      run: first,
    },
  ],
};

async function status({ services }: Context): Promise<Answer> {
  const needed = await setupNeeded(services.registry);
  return json({
    status: 'ok',
    message: needed ? 'there is no user yet: POST /setup' : 'setup is done',
    needed,
    setup_needed: needed,
  });
}

async function first(context: Context): Promise<Answer> {
  const { services, body } = context;
  checkOrigin(context);
  checkSetupToken(context);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badBody('send email and password');
  const { email, password, ...others } = body as Readonly<Record<string, unknown>>;
  if (typeof email !== 'string' || !isEmail(plainEmail(email))) throw badEmail();
  if (typeof password !== 'string') throw badValue('password', 'String', 'must be text');
  // nobody makes the server hash passwords once it is set up
  await requireSetup(services.registry);
  const model = services.registry.internal('user');
  const grant = grantPerOperation(context.principal, model);
  const fields = await valuesFrom({ ...context, model, grant, body: others }, false);
  const given = { email, password, name: services.settings.admin.name, fields };
  const made = makeFirstAdmin(services.registry, services.passwords, services.clock, given);
  const id = await made.catch((error: unknown) => {
    throw fromWrite(error);
  });
  const data = { _id: id, id, email: plainEmail(email) };
  return json({ status: 'ok', message: 'admin created', user_id: id, data }, 201);
}
