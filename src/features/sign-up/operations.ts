/** Sign-up of users, and the verification of their emails. */
import type { Context } from '../../context.ts';
import { done, email as address, object, session, text } from '../../docs/openapi/shapes.ts';
import { badBody } from '../../errors.ts';
import { type Answer, json, ok } from '../../operations/answer.ts';
import { open, type OperationGroup, type PlainOperation, signedIn } from '../../operations/operation.ts';
import { sessionClientOf } from '../../operations/session-client.ts';
import { refuseUser } from '../../operations/user-body.ts';
import { valuesIntent } from '../../operations/write-intents.ts';
import { refuseBeforeSetup } from '../../write/before-setup.ts';
import { fromWrite } from '../../write/mutation/mongoose-errors.ts';
import { newUserFrom, type SignUpIntent } from './new-user.ts';
import { signUps } from './sign-ups.ts';
import { verification } from './verification.ts';

export const signUpOperations: OperationGroup = {
  title: 'Sign-up',
  after: 'Models',
  secret: true,
  operations: [
    {
      name: 'account.signUp',
      http: { method: 'POST', path: '/signup' },
      summary: 'Creates an account, where `SIGNUP` allows it',
      isOn: ({ signup }) => signup !== 'off',
      access: open('this is where people sign up', ({ services }) => refuseBeforeSetup(services.registry)),
      input: {
        body: {
          // the user model has further fields
          schema: { ...object({ email: address, password: text }), additionalProperties: true },
          refuse: refuseUser,
        },
      },
      conflicts: true,
      answers: { 201: session, 202: done },
      run: register,
    },
    {
      name: 'account.verifyEmail',
      http: { method: 'POST', path: '/login/verify' },
      summary: 'Verifies an email by the JWT of a mail, and signs in',
      access: open('the operation itself verifies the JWT of the mail'),
      input: { body: { schema: object({ jwt: text }), refuse: () => badBody('send the jwt of the mail') } },
      answers: { 200: session },
      run: async (context) => {
        const { jwt } = context.body as { readonly jwt: string };
        return json(await context.services.of(verification).verify(jwt, sessionClientOf(context)));
      },
    },
    {
      name: 'account.sendVerification',
      http: { method: 'POST', path: '/login/verify/send' },
      summary: "Sends a mail with a link to verify the caller's email",
      access: signedIn,
      conflicts: true,
      answers: { 200: done },
      run: async ({ services, principal, address: from }) => {
        await services.of(verification).send(principal, from);
        return ok('a mail with a link to verify your email is on its way');
      },
    },
  ] satisfies readonly PlainOperation[],
};

async function register(context: Context): Promise<Answer> {
  const { services, address: from } = context;
  const input = context.body as SignUpIntent['input'];
  const user = await newUserFrom(context, { ...valuesIntent(context), input });
  if (services.settings.signup === 'verified') {
    services.of(signUps).verified(user, from);
    return json({ status: 'ok', message: 'a mail is on its way: open its link to verify your email' }, 202);
  }
  const created = services.of(signUps).open(user, sessionClientOf(context));
  const login = await created.catch((error: unknown) => {
    throw fromWrite(error);
  });
  return json(login, 201);
}
