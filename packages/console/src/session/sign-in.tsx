/** Signs in by the email, or the field of `LOGIN_FIELD`, and a password, and by a code where the user has a second factor. */
import { Anchor, PasswordInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { DossierError } from 'dossier-client';
import { type ComponentType, type ReactNode, useState } from 'react';
import { client } from '../api/client.ts';
import { isReadable, useMe, useModels } from '../api/models.ts';
import { appName, isOneSession, loginField } from '../app-name.ts';
import { dropDrafts, hasDrafts } from '../drafts.ts';
import { discardWork, hasWork } from '../leaving.ts';
import { showFailure } from '../parts/run.ts';
import { useText } from '../parts/use-text.ts';
import { type Cause, endSignInAgain, useSignInAgain } from './again.ts';
import { CodeInput } from './code-input.tsx';
import { FormOver, type FrameParts } from './frame.tsx';
import { browseAsGuest } from './guest.ts';
import { LoginInput } from './login-input.tsx';

interface SignInParts {
  readonly frame: ComponentType<FrameParts>;
  /** The user who signs in; any without it. */
  readonly login?: string;
  readonly above?: ReactNode;
  readonly below?: ReactNode;
  readonly done?: () => void;
}

const causes: Readonly<Record<Cause, string>> = {
  expired: 'Your session has expired.',
  ended:
    'Your session has ended: you have signed in elsewhere, your password was changed, or an admin or the server has ended it.',
  'signed out': 'You have signed out in another tab.',
};

/** Asks over the page when its session is over: what is on the page stays. */
export function SignInAgain() {
  const me = useMe().data;
  const cause = useSignInAgain(me !== undefined);
  if (cause === undefined || me === undefined) return null;
  const leave = (): void => {
    discardWork();
    dropDrafts(client.user);
    endSignInAgain();
  };
  return (
    <SignIn
      frame={FormOver}
      login={me.login ?? me.user.email}
      done={endSignInAgain}
      above={
        <Text size="sm" role="status">
          {causes[cause]} What is on this page stays.
        </Text>
      }
      below={
        <Other act={leave}>{hasWork() || hasDrafts() ? 'Discard what is not saved, and sign out' : 'Sign out'}</Other>
      }
    />
  );
}

export function SignIn(parts: SignInParts) {
  const [ticket, setTicket] = useState<string>();
  return ticket === undefined ? (
    <PasswordForm {...parts} toCode={setTicket} />
  ) : (
    <CodeForm {...parts} ticket={ticket} back={() => setTicket(undefined)} />
  );
}

type PasswordParts = SignInParts & { readonly toCode: (ticket: string) => void };

function PasswordForm({ frame: Frame, login: given = '', above, below, done, toCode }: PasswordParts) {
  const login = useText(given);
  const password = useText();
  const isKnown = given !== '';
  const signIn = (): Promise<void> =>
    client.login({ [loginField()]: login.value, password: password.value }).then(done, (error: unknown) => {
      if (!(error instanceof DossierError) || error.ticket === undefined) throw error;
      toCode(error.ticket);
    });
  const recover = async (): Promise<void> => {
    await client.recover({ [loginField()]: login.value });
    notifications.show({ message: `If ${login.value} has an account, a mail is on its way.` });
  };
  return (
    <Frame
      title={`Sign in to ${appName()}`}
      action="Sign in"
      submit={signIn}
      below={
        <>
          <Other act={() => void recover().catch(showFailure)}>Send a mail to set a new password</Other>
          {below}
        </>
      }
    >
      {above}
      <LoginInput readOnly={isKnown} autoFocus={!isKnown} {...login.input} />
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        autoFocus={isKnown}
        // a dialog has its own way
        data-autofocus={isKnown ? true : undefined}
        {...password.input}
      />
      {isOneSession() ? (
        <Text size="sm" c="dimmed">
          You can be signed in in one browser at a time: signing in here ends your session in another one.
        </Text>
      ) : null}
    </Frame>
  );
}

const Other = ({ act, children }: { readonly act: () => void; readonly children: ReactNode }) => (
  <Anchor component="button" type="button" size="sm" onClick={act}>
    {children}
  </Anchor>
);

/** Shows what anyone may read. */
export function AsGuest() {
  const models = useModels().data;
  const isOpen = [...(models?.values() ?? [])].some((model) => isReadable(model) && model.hidden !== true);
  return isOpen ? <Other act={() => browseAsGuest(true)}>Browse without signing in</Other> : null;
}

type CodeParts = SignInParts & { readonly ticket: string; readonly back: () => void };

function CodeForm({ frame: Frame, ticket, back, above, below, done }: CodeParts) {
  const code = useText();
  return (
    <Frame
      title="Second factor"
      action="Sign in"
      submit={() => client.login({ ticket, code: code.value }).then(done)}
      below={
        <>
          <Other act={back}>Back</Other>
          {below}
        </>
      }
    >
      {above}
      <CodeInput code={code} />
    </Frame>
  );
}
