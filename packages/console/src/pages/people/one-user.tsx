/** One user, as an admin sees and changes them. */
import { Anchor, Button, Group, Modal, PasswordInput, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { pathOf, send } from '../../api/client.ts';
import { loginOf } from '../../app-name.ts';
import { changeOf, undoChanges } from '../../document/undoing.ts';
import { type Revision, saveRevision, useDocument } from '../../document/use-document.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { run } from '../../parts/run.ts';
import { EmptyView, Loaded } from '../../parts/states.tsx';
import { offerUndo } from '../../parts/undo.tsx';
import { useText } from '../../parts/use-text.ts';
import { hrefOf } from '../../route.ts';
import { GroupsInput } from './groups-input.tsx';
import { HandOver, type Invitation, sendLink } from './invitation.tsx';
import { Keys } from './keys.tsx';
import { Sessions } from './sessions.tsx';

export function OneUser({ id }: { readonly id: string }) {
  const loaded = useDocument('user', id);
  const queries = useQueryClient();
  const reload = async (): Promise<void> => {
    void queries.invalidateQueries({ queryKey: ['users'] });
    await loaded.refetch();
  };
  const toAll = (
    <Anchor size="sm" href={hrefOf(['users'])}>
      All users
    </Anchor>
  );
  return (
    <Loaded
      of={loaded}
      absent={
        <EmptyView title="No such user" actions={toAll}>
          The user was removed.
        </EmptyView>
      }
    >
      {(revision) => <Shown revision={revision} reload={reload} />}
    </Loaded>
  );
}

interface RevisionParts {
  readonly revision: Revision;
  readonly reload: () => Promise<void>;
}

function Shown({ revision, reload }: RevisionParts) {
  const id = String(revision.document._id);
  const login = loginOf(revision.document);
  const link = (label: string, href: string) => (
    <Anchor size="sm" href={href}>
      {label}
    </Anchor>
  );
  return (
    <>
      <PageTitle tab={[login, 'Users']}>{login}</PageTitle>
      <Group mb="md">
        {link('All users', hrefOf(['users']))}
        {link('The document', hrefOf(['documents', 'user', id]))}
        {link('Rights', hrefOf(['rights'], { user: id }))}
        {link('Audit', hrefOf(['audit'], { whom: id }))}
      </Group>
      <Stack gap="xl">
        <Groups {...{ revision, reload }} />
        <Access id={id} login={login} />
        <Sessions user={id} />
        <Keys user={id} />
      </Stack>
    </>
  );
}

function Groups({ revision, reload }: RevisionParts) {
  const { groups: given } = revision.document;
  const stored = Array.isArray(given) ? given.map(String) : [];
  /** Undefined while they are those of the user. */
  const [typed, setTyped] = useState<readonly string[]>();
  const names = typed ?? stored;
  const save = (): void =>
    run(async () => {
      const edits = new Map([['groups', names]]);
      const change = changeOf(edits, revision.document, await saveRevision('user', revision, edits));
      await reload();
      setTyped((now) => (now === typed ? undefined : now));
      if (change !== undefined) offerUndo('The groups are changed.', () => undoChanges('user', [change]).then(reload));
    });
  return (
    <Group align="flex-end" component="section">
      <GroupsInput value={names} onChange={setTyped} miw={280} />
      <Button variant="default" onClick={save}>
        Save the groups
      </Button>
    </Group>
  );
}

function Access({ id, login }: { readonly id: string; readonly login: string }) {
  const password = useText();
  const [isAsked, { open, close }] = useDisclosure();
  const setNew = async (): Promise<void> => {
    await send('PUT', `/api/user/${id}`, { password: password.value });
    password.set('');
  };
  return (
    <Stack component="section">
      <Title order={2} size="h4">
        Access
      </Title>
      <Group align="flex-end">
        <PasswordInput label="New password" miw={280} autoComplete="new-password" {...password.input} />
        <Button variant="default" disabled={password.value === ''} onClick={() => run(setNew, 'The password is set.')}>
          Set the password
        </Button>
        <Recovery login={login} />
        <Button variant="outline" color="red" onClick={open}>
          Reset the second factor
        </Button>
      </Group>
      <Confirm
        isOpen={isAsked}
        close={close}
        title={`Reset the second factor of ${login}?`}
        action="Reset"
        act={() => run(() => send('DELETE', pathOf('/login/mfa', { user: id })), 'The second factor is off.')}
      >
        They sign in by their password alone until they set up another one.
      </Confirm>
    </Stack>
  );
}

function Recovery({ login }: { readonly login: string }) {
  const [invitation, setInvitation] = useState<Invitation>();
  const recover = async (): Promise<void> => {
    const handed = await sendLink(login);
    setInvitation(handed);
    if (handed === undefined) notifications.show({ message: 'The mail is sent.' });
  };
  const close = (): void => setInvitation(undefined);
  return (
    <>
      <Button variant="default" onClick={() => run(recover)}>
        Send a recovery mail
      </Button>
      <Modal opened={invitation !== undefined} onClose={close} title="Invitation">
        {invitation === undefined ? null : <HandOver invitation={invitation} done={close} />}
      </Modal>
    </>
  );
}
