/** The caller's own account. */
import { Button, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { send } from '../../api/client.ts';
import { useMe } from '../../api/models.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { run } from '../../parts/run.ts';
import { Loaded } from '../../parts/states.tsx';
import { useText } from '../../parts/use-text.ts';
import { Keys } from './keys.tsx';
import { SecondFactor } from './second-factor.tsx';
import { Sessions } from './sessions.tsx';

export default function Account() {
  const me = useMe();
  return (
    <>
      <PageTitle>Account</PageTitle>
      <Stack gap="xl">
        <Loaded of={me}>
          {({ user, roles, login = user.email }) => (
            <Text>
              {login}, with the roles {roles.join(', ')}
            </Text>
          )}
        </Loaded>
        <Sessions />
        <Keys />
        <SecondFactor />
        <Password />
      </Stack>
    </>
  );
}

function Password() {
  const current = useText();
  const next = useText();
  const set = (): void =>
    run(async () => {
      await send('POST', '/login/password', { password: current.value, new_password: next.value });
      current.set('');
      next.set('');
    }, 'The password is changed.');
  return (
    <Stack component="section" maw={480}>
      <Title order={2} size="h4">
        Password
      </Title>
      <PasswordInput label="Current password" autoComplete="current-password" {...current.input} />
      <PasswordInput label="New password" autoComplete="new-password" {...next.input} />
      <Button w="fit-content" onClick={set}>
        Change the password
      </Button>
    </Stack>
  );
}
