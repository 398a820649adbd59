/**
 * Creates the first admin, while there is no user. The body is that of a new user, except for rights, which are those of an
 * admin.
 */
import { checkOrigin, checkSetupToken, makeFirstAdmin, requireSetup } from '../auth/setup/first-admin.ts';
import type { Context } from '../context.ts';
import { email as address, flag, id, message, object, text } from '../docs/openapi/shapes.ts';
import { loginNames } from '../models/built-in/login-field.ts';
import { requiredSetupToken } from '../ports/core.ts';
import { plainEmail } from '../text/email.ts';
import { setupNeeded } from '../write/before-setup.ts';
import { actorOn } from '../write/model-actor.ts';
import { fromWrite } from '../write/mutation/mongoose-errors.ts';
import { valuesFrom } from '../write/rules/body.ts';
import { type Answer, json } from './answer.ts';
import { ownCheck } from './body-check.ts';
import { openAccess, type OperationGroup } from './operation.ts';
import { refuseUser } from './user-body.ts';
import { valuesIntent } from './write-intents.ts';

export const setup: OperationGroup = {
  title: 'Setup',
  secret: true,
  operations: [
    {
      name: 'setup.status',
      http: { method: 'GET', path: '/setup' },
      summary: 'Checks whether setup is needed',
      access: openAccess('reports only whether a first admin is needed'),
      answers: { 200: object({ ...message, needed: flag, setup_needed: flag }) },
      run: status,
    },
    {
      name: 'setup.createAdmin',
      http: { method: 'POST', path: '/setup' },
      summary: 'Creates the first admin',
      access: openAccess('works only while there is no user', guard),
      namesUser: () => 'optional',
      tracksProgress: true,
      input: {
        body: {
          // the user model has further fields
          schema: {
            ...object({ email: address, password: text }, { name: ownCheck(text) }),
            additionalProperties: true,
          },
          refuse: refuseUser,
        },
      },
      conflicts: true,
      answers: {
        201: object({
          ...message,
          user_id: id,
          data: { ...object({ _id: id, id }, { email: text }), additionalProperties: text },
        }),
      },
      run: first,
    },
  ],
};

function guard({ headers, services }: Context): void {
  checkOrigin(headers, services.settings.api_url);
  checkSetupToken(headers, services.of(requiredSetupToken));
}

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
  const field = services.settings.login_field;
  const { email, password, [field]: login, ...input } = body as Readonly<Record<string, string>>;
  // once the server is set up, no caller makes it hash passwords here
  await requireSetup(services.registry);
  const actor = actorOn(context, services.registry.internal('user'));
  const fields = await valuesFrom(actor, { ...valuesIntent(context), input }, 'new');
  const users = services.registry.internal('user');
  const names = {
    ...(email === undefined ? {} : { email: plainEmail(email) }),
    ...(login === undefined ? {} : { [field]: loginNames(users, field)(login) }),
  };
  const given = { names, password: String(password), name: services.settings.admin.name, fields };
  const made = makeFirstAdmin(services, given, { address: context.address }, context.progress);
  const id = await made.catch((error: unknown) => {
    throw fromWrite(error);
  });
  const data = { _id: id, id, ...names };
  return json({ status: 'ok', message: 'admin created', user_id: id, data }, 201);
}
