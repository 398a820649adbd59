/** What has failed, what can be done about it, and when it is tried again. */
import { Alert, Anchor, Button, Stack, Text } from '@mantine/core';
import { DossierError } from 'dossier-client';
import type { ReactNode } from 'react';
import { hrefOf } from '../route.ts';
import { FailureText } from './failure-text.tsx';
import { secondsText, useRetry } from './use-retry.ts';

interface Kind {
  readonly title: string;
  /** What to do. */
  readonly hint?: ReactNode;
  /** Whether it passes by itself, so that it is tried again. */
  readonly passes?: true;
}

const busy: Kind = { title: 'The server takes no more requests for now', passes: true };

const other: Kind = { title: 'This did not work' };

/** Kinds by the status of the answer; 0 without one. */
const kinds: Readonly<Record<number, Kind>> = {
  0: {
    title: 'The server does not answer',
    hint: 'Your connection may be interrupted, or the server starts again.',
    passes: true,
  },
  403: {
    title: 'You may not do this',
    hint: (
      <>
        An admin of this server can give you the right. <Anchor href={hrefOf(['rights'])}>Rights</Anchor> shows what you
        may do.
      </>
    ),
  },
  429: busy,
  503: busy,
};

const notLoaded: Kind = {
  title: 'This view could not be loaded',
  hint: 'The server does not answer, or it has another version of the console now. What you have not saved is kept.',
};

function kindOf(error: unknown): Kind {
  if (error instanceof DossierError) return kinds[error.status] ?? other;
  // the words of browsers for a file of the console
  return /dynamically imported module|module script failed/i.test(String(error)) ? notLoaded : other;
}

interface FailureParts {
  readonly error: unknown;
  /** Reads again; undefined for what the user has to start again. */
  readonly retry?: () => void;
}

export function Failure({ error, retry }: FailureParts) {
  const { title, hint, passes } = kindOf(error);
  return (
    <Alert color="red" variant="outline" role="alert" m="md" title={title}>
      <Stack align="flex-start" gap="xs">
        <Text className="anywhere" size="sm" component="div">
          <FailureText error={error} />
        </Text>
        {hint === undefined ? null : (
          <Text size="sm" component="div">
            {hint}
          </Text>
        )}
        {retry === undefined ? null : <Again retry={retry} passes={passes === true} />}
      </Stack>
    </Alert>
  );
}

function Again({ retry, passes }: { readonly retry: () => void; readonly passes: boolean }) {
  const seconds = useRetry(passes ? retry : undefined);
  return (
    <>
      {passes ? (
        // the alert is not read aloud each second
        <Text size="sm" aria-hidden>
          It is tried again {secondsText(seconds)}.
        </Text>
      ) : null}
      <Button variant="default" size="xs" onClick={retry}>
        {passes ? 'Try now' : 'Try again'}
      </Button>
    </>
  );
}
