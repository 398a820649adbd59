/** Signs in by email and password, and by a code where the user has a second factor. */
import { Anchor, PasswordInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { DossierError } from 'dossier-client';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { isReadable, useModels } from '../api/models.ts';
import { appName } from '../app-name.ts';
import { showFailure } from '../parts/run.ts';
import { useText } from '../parts/use-text.ts';
import { FormFrame } from './frame.tsx';
import { browseAsGuest } from './guest.ts';

export function SignIn() {
  const [ticket, setTicket] = useState<string>();
  return ticket === undefined ? (
    <PasswordForm toCode={setTicket} />
  ) : (
    <CodeForm ticket={ticket} back={() => setTicket(undefined)} />
  );
}

function PasswordForm({ toCode }: { readonly toCode: (ticket: string) => void }) {
  const email = useText();
  const password = useText();
  const signIn = async (): Promise<void> => {
    await client.login({ email: email.value, password: password.value }).catch((error: unknown) => {
      if (!(error instanceof DossierError) || error.ticket === undefined) throw error;
      toCode(error.ticket);
    });
  };
  const recover = async (): Promise<void> => {
    await client.recover(email.value);
    notifications.show({ message: `If ${email.value} has an account, a mail is on its way.` });
  };
  return (
    <FormFrame title={`Sign in to ${appName()}`} action="Sign in" submit={signIn} below={<Others recover={recover} />}>
      <TextInput label="Email" type="email" autoComplete="username" autoFocus {...email.input} />
      <PasswordInput label="Password" autoComplete="current-password" {...password.input} />
    </FormFrame>
  );
}

/** The other ways: a new password, and what anyone may read. */
function Others({ recover }: { readonly recover: () => Promise<void> }) {
  const models = useModels().data;
  const isOpen = [...(models?.values() ?? [])].some((model) => isReadable(model) && model.hidden !== true);
  return (
    <>
      <Anchor component="button" type="button" size="sm" onClick={() => void recover().catch(showFailure)}>
        Send a mail to set a new password
      </Anchor>
      {isOpen ? (
        <Anchor component="button" type="button" size="sm" onClick={() => browseAsGuest(true)}>
          Browse without signing in
        </Anchor>
      ) : null}
    </>
  );
}

function CodeForm({ ticket, back }: { readonly ticket: string; readonly back: () => void }) {
  const code = useText();
  return (
    <FormFrame
      title="Second factor"
      action="Sign in"
      submit={() => client.login({ ticket, code: code.value })}
      below={
        <Anchor component="button" type="button" size="sm" onClick={back}>
          Back
        </Anchor>
      }
    >
      <TextInput
        label="Code"
        description="Six digits of your authenticator app, or a recovery code"
        autoComplete="one-time-code"
        autoFocus
        {...code.input}
      />
    </FormFrame>
  );
}
