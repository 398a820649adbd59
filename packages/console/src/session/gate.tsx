/** Shows the console to a signed-in user, and to others what anyone may read; before that a way to sign in: the form, the setup of a new server, or a new password by a link. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { client, send, sharedSession } from '../api/client.ts';
import { Shell } from '../layout/shell.tsx';
import { Failure } from '../parts/failure.tsx';
import { Waiting } from '../parts/states.tsx';
import { usePlace } from '../route.ts';
import { FormFrame } from './frame.tsx';
import { browseAsGuest, useGuest } from './guest.ts';
import { NewPassword } from './new-password.tsx';
import { Setup } from './setup.tsx';
import { AsGuest, SignIn } from './sign-in.tsx';

const subscribe = (changed: () => void): (() => void) => {
  client.addEventListener('session', changed);
  return () => client.removeEventListener('session', changed);
};

/** The id of the user who has signed in. */
const useUser = (): string | undefined => useSyncExternalStore(subscribe, () => client.user);

export function Gate() {
  const user = useUser();
  const isGuest = useGuest();
  const [view, jwt] = usePlace().path;
  const queries = useQueryClient();
  const [shown, setShown] = useState(user);
  // nothing of one user is shown to the next one
  useEffect(() => {
    if (shown !== user) queries.clear();
    setShown(user);
    if (user !== undefined) browseAsGuest(false);
  }, [queries, shown, user]);
  if (view === 'new-password' && jwt !== undefined) return <NewPassword key={jwt} jwt={jwt} />;
  // until the answers for the one before are gone
  if (shown !== user) return <Waiting />;
  if (user !== undefined) return <Shell key={user} />;
  return isGuest ? <Shell key="guest" /> : <Entrance />;
}

function Entrance() {
  const { data, error, refetch } = useQuery({
    queryKey: ['setup'],
    queryFn: async () => {
      const answer = await send<{ needed: boolean }>('GET', '/setup');
      await sharedSession;
      return answer;
    },
  });
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Waiting />;
  return data.needed ? <Setup done={() => void refetch()} /> : <SignIn frame={FormFrame} below={<AsGuest />} />;
}
