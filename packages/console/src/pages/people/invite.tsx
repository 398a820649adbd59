/** Invites a user: one without a password, who sets it by a link that is mailed, or that the admin hands over. */
import { Button, Stack, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import { client, textOf } from '../../api/client.ts';
import { loginField } from '../../app-name.ts';
import { draftKey } from '../../drafts.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { useDialogForm } from '../../parts/use-form.tsx';
import { go } from '../../route.ts';
import { LoginInput } from '../../session/login-input.tsx';
import { GroupsInput } from './groups-input.tsx';
import { HandOver, type Invitation, sendLink } from './invitation.tsx';

const blank = { login: '', email: '', name: '', groups: [] as string[] };

export function Invite() {
  const draft = draftKey('invitation');
  return (
    <FormDialog title="Invite" draft={draft}>
      {(close) => <Inviting {...{ draft, close }} />}
    </FormDialog>
  );
}

const showNotSent = (error: unknown): string =>
  notifications.show({
    color: 'orange',
    title: 'The user is created, and the invitation was not sent',
    message: `${textOf(error)} Set a password here and hand it over, or send the recovery mail when mails work.`,
    autoClose: false,
  });

interface Made {
  readonly id: string;
  /** What the admin hands over. */
  readonly invitation: Invitation | undefined;
}

function Inviting({ draft, close }: { readonly draft: string; readonly close: () => void }) {
  const [handed, setHanded] = useState<Made>();
  const leave = ({ id }: Pick<Made, 'id'>): void => {
    close();
    go(['users', id]);
  };
  const made = (user: Made): void => (user.invitation === undefined ? leave(user) : setHanded(user));
  return handed?.invitation === undefined ? (
    <InviteForm {...{ draft, made }} />
  ) : (
    <HandOver invitation={handed.invitation} done={() => leave(handed)} />
  );
}

/** The user of a form, without what is left empty. */
function userOf({ login, email, name, groups }: typeof blank) {
  const texts = Object.entries({ email, name, [loginField()]: login }).map(([path, text]) => [path, text.trim()]);
  return { ...(Object.fromEntries(texts.filter(([, text]) => text !== '')) as Record<string, string>), groups };
}

/** Creates the user, and sends the invitation. @returns what the admin hands over where no mail is sent */
async function invite(values: typeof blank): Promise<Made> {
  const created = await client.model('user').create(userOf(values));
  const sent = sendLink(values.login.trim()).then((invitation) => {
    if (invitation === undefined) notifications.show({ message: 'The invitation is sent.' });
    return invitation;
  });
  const invitation = await sent.catch((error: unknown) => void showNotSent(error));
  return { id: String(created._id), invitation };
}

function InviteForm({ draft, made }: { readonly draft: string; readonly made: (user: Made) => void }) {
  const form = useDialogForm(draft, blank);
  const { login, email, groups } = form.values;
  const isByEmail = loginField() === 'email';
  const [isBusy, setBusy] = useState(false);
  const submit = (): void => {
    setBusy(true);
    invite(form.values)
      .then((user) => {
        form.end();
        made(user);
      })
      .catch((error: unknown) => form.fail(textOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {form.notice}
      <Stack>
        <LoginInput required autoComplete="off" data-autofocus {...form.input('login')} />
        {isByEmail ? null : (
          <TextInput
            label="Email"
            type="email"
            description="The invitation is sent there"
            required
            {...form.input('email')}
          />
        )}
        <TextInput label="Name" {...form.input('name')} />
        <GroupsInput description="Enter adds one" value={groups} onChange={(next) => form.set({ groups: next })} />
        {form.alert}
        <Button
          type="submit"
          w="fit-content"
          loading={isBusy}
          disabled={login.trim() === '' || (!isByEmail && email.trim() === '')}
        >
          Send the invitation
        </Button>
      </Stack>
    </form>
  );
}
