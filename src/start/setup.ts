/** How a new server gets its first admin by `ADMIN_EMAIL` and `ADMIN_PASSWORD`; otherwise it gets it by `/setup`. */
import { makeFirstAdmin } from '../auth/setup/first-admin.ts';
import { Failure } from '../errors/errors.ts';
import type { Services } from '../services.ts';
import { SettingsError } from '../settings/read.ts';
import { isEmail, plainEmail } from '../text/email.ts';
import { setupNeeded } from '../write/before-setup.ts';
import { fromWrite } from '../write/mutation/mongoose-errors.ts';

/** Creates the admin of `ADMIN_EMAIL` and `ADMIN_PASSWORD` when there is no user. @throws SettingsError when the user model refuses them */
export async function makeConfiguredAdmin(services: Services): Promise<void> {
  const { settings, registry } = services;
  const { email: login, password, name } = settings.admin;
  if (login === undefined || password === undefined || !(await setupNeeded(registry))) return;
  const names = { ...(isEmail(plainEmail(login)) ? { email: login } : {}), [settings.login_field]: login };
  try {
    await makeFirstAdmin(services, { names, password, name });
  } catch (error) {
    const failure = fromWrite(error);
    if (!(failure instanceof Failure)) throw error;
    if (failure.status === 400)
      throw new SettingsError([`ADMIN_EMAIL: the first admin does not match the user model: ${failure.reason}`]);
    // another server that starts at the same time creates it
    if (failure.status !== 409) throw failure;
  }
}
