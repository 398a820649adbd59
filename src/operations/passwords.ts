/** Sets a new password, by the old one or by a recovery mail, and a new email, by the password. */
import type { Context } from '../context.ts';
import { date, email as address, flag, form, message, object, successAnswer, text } from '../docs/openapi/shapes.ts';
import { badBody, badEmail, badValue, type Failure } from '../errors/errors.ts';
import { ownAccount } from '../ports/core.ts';
import { fromWrite } from '../write/mutation/mongoose-errors.ts';
import { type Answer, success } from './answer.ts';
import { type Fault, ownCheck } from './body-check.ts';
import { fieldsOf } from './fields.ts';
import { openAccess, type OperationGroup, signedInAccess } from './operation.ts';

/** A current password or code: a value that is not a string is a wrong one and counts as a failed login. */
const current = ownCheck(text);
const notText = (path: string): Failure => badValue(path, 'String', 'must be text');

export const passwords: OperationGroup = {
  title: 'Passwords',
  secret: true,
  operations: [
    {
      name: 'account.recoverPassword',
      http: { method: 'POST', path: '/login/recover' },
      summary: 'Sends a mail with a link to set a new password, or returns an invitation for an admin to hand over',
      access: openAccess('a user who has lost the password cannot sign in'),
      namesUser: () => 'none',
      input: { body: { schema: form({ email: address }), refuse: badEmail } },
      conflicts: true,
      failures: [404],
      answers: { 200: object(message, { data: object({ link: text, expires: date }, { mail_failed: flag }) }) },
      run: recover,
    },
    {
      name: 'account.resetPassword',
      http: { method: 'POST', path: '/login/reset' },
      summary: 'Sets a new password by the JWT of the mail or the invitation',
      access: openAccess('the operation itself verifies the JWT of the mail'),
      input: {
        body: {
          schema: form({ jwt: text, password: text }, { code: current }),
          refuse: ({ path }: Fault) => (path === 'password' ? notText(path) : badBody('send jwt and password')),
        },
      },
      answers: { 200: successAnswer },
      run: reset,
    },
    {
      name: 'account.changePassword',
      http: { method: 'POST', path: '/login/password' },
      summary: "Changes the caller's password",
      access: signedInAccess,
      tracksProgress: true,
      input: {
        body: { schema: form({ password: current, new_password: text }), refuse: () => notText('new_password') },
      },
      answers: { 200: successAnswer },
      run: change,
    },
    {
      name: 'account.changeEmail',
      http: { method: 'PUT', path: '/login/email' },
      summary: "Changes the caller's email",
      access: signedInAccess,
      input: { body: { schema: object({ email: address, password: current }), refuse: badEmail } },
      conflicts: true,
      answers: {
        200: object({ ...message, data: object({ email: text, email_verified: flag }, { requested: text }) }),
      },
      run: changeEmail,
    },
  ],
};

async function recover({ services, principal, body, address }: Context): Promise<Answer> {
  const login = String(fieldsOf(body)[services.settings.login_field]);
  const invitation = await services.of(ownAccount).recover(login, address, principal);
  if (invitation === undefined) return success('a mail with a link to set a new password is on its way');
  const handOver = 'the user sets a password by this link: hand it over';
  const reason = invitation.mail_failed ? 'the mail server did not accept the mail; ' : '';
  return success(reason + handOver, { data: invitation });
}

async function reset({ services, body, address, progress }: Context): Promise<Answer> {
  const { jwt, password, code } = body as { readonly jwt: string; readonly password: string; readonly code?: unknown };
  await services.of(ownAccount).reset({ jwt, password, code }, { address, progress });
  return success('the password is set: log in with it');
}

async function change({ services, principal, body, address, progress }: Context): Promise<Answer> {
  const { password, new_password } = body as { readonly password: unknown; readonly new_password: string };
  await services.of(ownAccount).changePassword(principal, password, new_password, { address, progress });
  return success('the password is changed: log in again');
}

async function changeEmail({ services, principal, body, address, progress }: Context): Promise<Answer> {
  const { email, password } = body as { readonly email: string; readonly password: unknown };
  const changed = services.of(ownAccount).changeEmail(principal, email, password, { address, progress });
  const data = await changed.catch((error: unknown) => {
    throw fromWrite(error);
  });
  return success(
    data.requested === undefined
      ? 'the email is changed'
      : 'a mail is on its way: the email changes when its link is opened',
    { data },
  );
}
