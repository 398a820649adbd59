/** New passwords: by knowing the old one, or by a recovery mail. A new email, by knowing the password. */
import type { Context } from '../context.ts';
import { ok, type Answer } from './answer.ts';
import { open, signedIn, type RouteGroup } from './operation.ts';
import { fromWrite } from '../write/mongoose-errors.ts';
import { fieldsOf } from './fields.ts';

export const passwords: RouteGroup = {
  title: 'Passwords',
  secret: true,
  endpoints: [
    {
      method: 'POST',
      path: '/login/recover',
      access: open('whoever has lost their password cannot sign in'),
      summary: 'Sends a mail with a link to set a new password',
      run: recover,
    },
    {
      method: 'POST',
      path: '/login/reset',
      access: open('the JWT of the mail is verified by the row itself'),
      summary: 'Sets a new password by the JWT of the mail',
      run: reset,
    },
    {
      method: 'POST',
      path: '/login/password',
      access: signedIn,
      summary: "Changes one's own password",
      run: change,
    },
    {
      method: 'PUT',
      path: '/login/email',
      access: signedIn,
      summary: "Changes one's own email",
      run: changeEmail,
    },
  ],
};

async function recover({ services, body, address }: Context): Promise<Answer> {
  await services.account.recover(fieldsOf(body)['email'], address);
  return ok('a mail with a link to set a new password is on its way');
}

async function reset({ services, body, address }: Context): Promise<Answer> {
  const { jwt, password } = fieldsOf(body);
  await services.account.reset(jwt, password, address);
  return ok('the password is set: log in with it');
}

async function change({ services, principal, body, address }: Context): Promise<Answer> {
  const { password, new_password } = fieldsOf(body);
  await services.account.changePassword(principal, password, new_password, address);
  return ok('the password is changed: log in again');
}

async function changeEmail({ services, principal, body, address }: Context): Promise<Answer> {
  const { email, password } = fieldsOf(body);
  const changed = services.account.changeEmail(principal, email, password, address);
  const data = await changed.catch((error: unknown) => {
    throw fromWrite(error);
  });
  return ok('the email is changed', { data });
}
