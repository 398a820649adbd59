/** Shows that requests wait, since the server does not answer or refuses them for now. */
import { Button, Group, Paper, Text } from '@mantine/core';
import { useWindowEvent } from '@mantine/hooks';
import { useEffect, useSyncExternalStore } from 'react';
import { apiUrl } from '../api/client.ts';
import { connection, notedFetch, onConnection } from '../api/connection.ts';
import { secondsText, useSecondsTo } from './use-retry.ts';

/** Milliseconds between two looks whether the server answers again. */
const pause = 5000;

/** Asks for what the server answers whatever else it refuses; twice, since one lost request is not noted. */
const look = (): void => void health().catch(() => health().catch(() => undefined));
const health = (): Promise<Response> => notedFetch(`${apiUrl}/health`);

export function ConnectionNotice() {
  const state = useSyncExternalStore(onConnection, connection);
  useWindowEvent('offline', look);
  useWindowEvent('online', look);
  return (
    // a region that is there before its text is read aloud when that appears
    <div role="status" className="notice">
      {state.is === 'unreachable' ? <Unreachable /> : null}
      {state.is === 'busy' ? <Busy until={state.until} /> : null}
    </div>
  );
}

function Unreachable() {
  useEffect(() => {
    const timer = setInterval(look, pause);
    return () => clearInterval(timer);
  }, []);
  return (
    <Paper withBorder shadow="md" p="xs">
      <Group gap="sm">
        <Text size="sm">The server does not answer. It is tried again every few seconds.</Text>
        <Button size="compact-xs" variant="default" onClick={look}>
          Try now
        </Button>
      </Group>
    </Paper>
  );
}

/** Nothing is shown where requests are sent again within a second. */
function Busy({ until }: { readonly until: number }) {
  const seconds = useSecondsTo(until);
  return seconds > 1 ? (
    <Paper withBorder shadow="md" p="xs">
      <Text size="sm">
        The server takes no more requests for now. <span aria-hidden>They are sent again {secondsText(seconds)}.</span>
      </Text>
    </Paper>
  ) : null;
}
