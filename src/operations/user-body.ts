/** The bodies of new users: the failures of those that are refused. */
import { badBody, badEmail, badValue, type Failure } from '../errors/errors.ts';
import type { Fault } from './body-check.ts';

export function refuseUser({ path }: Fault): Failure {
  if (path === 'email') return badEmail();
  return path === 'password' ? badValue(path, 'String', 'must be text') : badBody('send email and password');
}
