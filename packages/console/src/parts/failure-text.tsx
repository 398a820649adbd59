/** What has failed, and of which request: admins find its lines in the log. */
import { Anchor } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { Me } from 'dossier-client';
import { requestOf, statusOf, textOf } from '../api/client.ts';
import type { OwnModel } from '../api/models.ts';
import { withLinks } from '../api/server-words.ts';
import { logHref } from './log-href.ts';

export function FailureText({ error }: { readonly error: unknown }) {
  // as far as they are known
  const models = useQueryClient().getQueryData<ReadonlyMap<string, OwnModel>>(['models']);
  return (
    <>
      {withLinks(textOf(error), models)}
      <Request id={requestOf(error)} isFault={statusOf(error) >= 500} />
    </>
  );
}

interface RequestParts {
  readonly id: string | undefined;
  /** Whether the fault is the server's, which others report to its admins. */
  readonly isFault: boolean;
}

function Request({ id, isFault }: RequestParts) {
  // as far as it is known: before the sign-in it is not asked for
  const me = useQueryClient().getQueryData<Me>(['me']);
  if (id === undefined) return null;
  if (me?.user.admin === true)
    return (
      <div>
        <Anchor size="xs" underline="always" href={logHref(id)}>
          Log of request {id}
        </Anchor>
      </div>
    );
  return isFault ? <div>Request {id}</div> : null;
}
