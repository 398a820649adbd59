/** Describes the caller: who they are, and by which credential they signed in. */
import type { Context } from '../context.ts';
import { date, flag, id, listOf, object, orNull, text } from '../docs/openapi/shapes.ts';
import { identityOf } from '../policy/present.ts';
import { signInMethods } from '../policy/principal.ts';
import { type Answer, data } from './answer.ts';
import { type OperationGroup, signedInAccess } from './operation.ts';

const user = object({ _id: id }, { id, email: text, name: text, admin: flag, groups: listOf(text) });

export const me: OperationGroup = {
  title: 'Caller',
  operations: [
    {
      name: 'caller.get',
      http: { method: 'GET', path: '/me' },
      summary: 'Describes the caller and their credential',
      access: signedInAccess,
      openToScopes: true,
      worksWithoutFactor: true,
      answers: {
        200: object({
          data: object(
            {
              user,
              roles: listOf(text),
              method: orNull({ enum: signInMethods }),
              session: orNull(id),
              key: orNull(id),
              expires: orNull(date),
            },
            { login: text, by: id },
          ),
        }),
      },
      run: describeCaller,
    },
  ],
};

function describeCaller({ services, principal }: Context): Answer {
  return data(identityOf(principal, services.registry.internal('user')));
}
