/** Invites a user: one without a password, who sets it by the link of a recovery mail. */
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

const blank = { login: '', email: '', name: '', groups: [] as string[] };

export function Invite() {
  const draft = draftKey('invitation');
  return (
    <FormDialog title="Invite" draft={draft}>
      {(close) => <InviteForm {...{ draft, close }} />}
    </FormDialog>
  );
}

const showNotSent = (error: unknown): string =>
  notifications.show({
    color: 'orange',
    title: 'The user is created, and the invitation was not sent',
    message: `${textOf(error)} Set a password here and hand it over, or send the recovery mail when mails work (SMTP_URL).`,
    autoClose: false,
  });

/** The user of a form, without what is left empty. */
function userOf({ login, email, name, groups }: typeof blank) {
  const texts = Object.entries({ email, name, [loginField()]: login }).map(([path, text]) => [path, text.trim()]);
  return { ...(Object.fromEntries(texts.filter(([, text]) => text !== '')) as Record<string, string>), groups };
}

function InviteForm({ draft, close }: { readonly draft: string; readonly close: () => void }) {
  const form = useDialogForm(draft, blank);
  const { login, email, groups } = form.values;
  const isByEmail = loginField() === 'email';
  const [isBusy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    const made = await client.model('user').create(userOf(form.values));
    close();
    go(['users', String(made._id)]);
    await client
      .recover({ [loginField()]: login.trim() })
      .then(() => notifications.show({ message: 'The invitation is sent.' }), showNotSent);
  };
  const submit = (): void => {
    setBusy(true);
    send()
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
