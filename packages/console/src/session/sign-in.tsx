/** Signs in by email and password, and by a code where the user has a second factor. */
import { Anchor, PasswordInput, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { DossierError } from 'dossier-client';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { FormFrame } from './frame.tsx';

export function SignIn() {
  const [ticket, setTicket] = useState<string>();
  return ticket === undefined ? (
    <PasswordForm toCode={setTicket} />
  ) : (
    <CodeForm ticket={ticket} back={() => setTicket(undefined)} />
  );
}

function PasswordForm({ toCode }: { readonly toCode: (ticket: string) => void }) {
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const signIn = async (): Promise<void> => {
    await client.login({ email, password }).catch((error: unknown) => {
      if (!(error instanceof DossierError) || error.ticket === undefined) throw error;
      toCode(error.ticket);
    });
  };
  const recover = async (): Promise<void> => {
    await client.recover(email);
    notifications.show({ message: `If ${email} has an account, a mail is on its way.` });
  };
  return (
    <FormFrame title="Sign in to Dossier" action="Sign in" submit={signIn} below={<Recovery send={recover} />}>
      <TextInput
        label="Email"
        type="email"
        autoComplete="username"
        autoFocus
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
    </FormFrame>
  );
}

const Recovery = ({ send }: { readonly send: () => Promise<void> }) => (
  <Anchor
    component="button"
    type="button"
    size="sm"
    onClick={() => {
      send().catch((error: unknown) =>
        notifications.show({ color: 'red', message: error instanceof DossierError ? error.err : String(error) }),
      );
    }}
  >
    Send a mail to set a new password
  </Anchor>
);

function CodeForm({ ticket, back }: { readonly ticket: string; readonly back: () => void }) {
  const [code, setCode] = useState('');
  return (
    <FormFrame
      title="Second factor"
      action="Sign in"
      submit={() => client.login({ ticket, code })}
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
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
    </FormFrame>
  );
}
