/** The caller's second factor: switched on with a QR code, and off. */
import { Alert, Button, Group, List, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { encode } from 'uqr';
import { send, textOf } from '../../api/client.ts';
import { useText } from '../../parts/use-text.ts';

interface Secret {
  readonly secret: string;
  readonly otpauth_url: string;
}

/** What is typed and what the server has answered; `act` runs a request and keeps the message about its result. */
function useFactor() {
  const password = useText();
  const code = useText();
  const [secret, setSecret] = useState<Secret>();
  const [codes, setCodes] = useState<readonly string[]>();
  const [said, setSaid] = useState('');
  const act = (work: () => Promise<string>): void => {
    work().then(setSaid, (error: unknown) => setSaid(textOf(error)));
  };
  const withCode = code.value === '' ? {} : { code: code.value };
  const begin = async (): Promise<string> => {
    setSecret((await send<{ data: Secret }>('POST', '/login/mfa', { password: password.value, ...withCode })).data);
    code.set('');
    return '';
  };
  const confirm = async (): Promise<string> => {
    const { data } = await send<{ data: { recovery_codes: string[] } }>('PUT', '/login/mfa', { code: code.value });
    setCodes(data.recovery_codes);
    setSecret(undefined);
    return 'The second factor is on.';
  };
  const end = async (): Promise<string> => {
    await send('DELETE', '/login/mfa', { password: password.value, ...withCode });
    return 'The second factor is off.';
  };
  return {
    password,
    code,
    secret,
    codes,
    said,
    begin: () => act(begin),
    confirm: () => act(confirm),
    end: () => act(end),
  };
}

export function SecondFactor() {
  const { password, code, secret, codes, said, begin, confirm, end } = useFactor();
  return (
    <Stack component="section" maw={480}>
      <Title order={2} size="h4">
        Second factor
      </Title>
      <PasswordInput label="Your password" autoComplete="current-password" {...password.input} />
      {secret === undefined ? null : <Shown secret={secret} />}
      <TextInput
        label="Code"
        description={secret === undefined ? 'Where a second factor is on' : 'Of your authenticator app'}
        autoComplete="one-time-code"
        {...code.input}
      />
      <Group>
        {secret === undefined ? <Button onClick={begin}>Set up</Button> : <Button onClick={confirm}>Switch on</Button>}
        <Button variant="default" onClick={end}>
          Switch off
        </Button>
      </Group>
      {said === '' ? null : (
        <Alert variant="outline" role="status">
          {said}
        </Alert>
      )}
      {codes === undefined ? null : <Recovery codes={codes} />}
    </Stack>
  );
}

function Shown({ secret: { secret, otpauth_url } }: { readonly secret: Secret }) {
  const { data, size } = encode(otpauth_url, { border: 2 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <div>
      <svg viewBox={`0 0 ${size} ${size}`} width={220} height={220} role="img" aria-label="QR code of the secret">
        <rect width={size} height={size} fill="#fff" />
        <path d={dark.join('')} fill="#000" />
      </svg>
      <Text size="sm">
        Or type this secret into your app: <code className="anywhere">{secret}</code>
      </Text>
    </div>
  );
}

const Recovery = ({ codes }: { readonly codes: readonly string[] }) => (
  <Alert variant="outline" title="Recovery codes, which are shown only once">
    <List size="sm">
      {codes.map((one) => (
        <List.Item key={one}>
          <code>{one}</code>
        </List.Item>
      ))}
    </List>
  </Alert>
);
