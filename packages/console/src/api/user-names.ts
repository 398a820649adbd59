/** The names of users, as far as the caller may read them. */
import { useQuery } from '@tanstack/react-query';
import { client } from './client.ts';
import { titleOf } from './fields.ts';
import { isReadable, useMe, useModels } from './models.ts';

/** @returns a function that names a user: by name or email, by the id where the caller may not read the user */
export function useNames(ids: readonly (string | null)[]): (id: string | null) => string {
  const me = useMe().data;
  const users = useModels().data?.get('user');
  const wanted = [...new Set(ids.filter((id) => id !== null))].sort();
  const names = useQuery({
    queryKey: ['names', wanted],
    enabled: isReadable(users) && wanted.length > 0,
    queryFn: async ({ signal }) => {
      const filter = { _id: { $in: wanted } };
      const { data } = await client.model('user').list({ filter, showDeleted: true, limit: wanted.length, signal });
      return new Map(data.map((user) => [user._id, titleOf(user, users)]));
    },
    placeholderData: (before) => before,
  }).data;
  return (id) => {
    if (id === null) return 'The server';
    return names?.get(id) ?? (id === me?.user._id ? (me.user.name ?? me.login ?? me.user.email) : id);
  };
}
